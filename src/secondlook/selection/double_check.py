"""The rule of AutoPC: the alpha whose graph agrees best with a second look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from secondlook.metrics import agreement
from secondlook.selection.rule import Choice, Problem, first_best, ties_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from secondlook.graphs import PDAG
    from secondlook.metrics import Agreement
    from secondlook.search import AlphaPath

    Metric = str | Callable[[PDAG, PDAG], float] | Agreement


@dataclass(frozen=True)
class DoubleCheck:
    """Keeps the first alpha whose two looks agree best.

    Attributes
    ----------
    metric : str or callable
        What they should agree in: "shd", "f1", "mcc", "pair_shd", "skeleton_f1", "arrowhead_f1",
        "parent_aid", "ancestor_aid", "oset_aid", or any function of two PDAGs with values in [0, 1].

    References
    ----------
    Strobl, E. V. (2020). Automated hyperparameter selection for the PC algorithm. Algorithm 2.
    """

    name: ClassVar[str] = "double check"
    looks: ClassVar[Literal[1, 2]] = 2
    metric: Metric = "shd"

    def choose(self, path: AlphaPath, problem: Problem | None = None) -> Choice:
        """The first alpha of the best agreement."""
        del problem  # the two graphs say it all
        agree = agreement(self.metric)
        looks = zip(path.first.graphs, path.second_look.graphs, strict=True)
        scores = tuple(agree(first, second) for first, second in looks)
        chosen = first_best(scores)
        return Choice(chosen, scores, agree.name, ties_with(scores, chosen))
