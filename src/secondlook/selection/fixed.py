"""The rule of those who know their alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from secondlook.metrics import Score
from secondlook.search.options import checked_alpha
from secondlook.selection.rule import Choice, Problem

if TYPE_CHECKING:
    from secondlook.search import AlphaPath


@dataclass(frozen=True)
class Fixed:
    """Keeps one alpha of the grid, whatever the data say.

    Attributes
    ----------
    alpha : float
        A member of the grid.
    """

    name: ClassVar[str] = "fixed"
    looks: ClassVar[Literal[1, 2]] = 1
    alpha: float = 0.01

    def choose(self, path: AlphaPath, problem: Problem | None = None) -> Choice:
        """The position of this alpha; OptionError when the grid does not hold it."""
        del problem  # nothing is looked at
        chosen = path.index(checked_alpha(self.alpha))
        scores = tuple(Score(float(k == chosen), int(k == chosen), k == chosen) for k in range(len(path)))
        return Choice(chosen, scores, "fixed", (chosen,))
