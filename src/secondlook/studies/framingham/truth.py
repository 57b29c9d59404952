"""What is known about the Framingham variables, and ways of scoring a graph against so little.

Nothing at a later exam causes anything at an earlier one, and each variable directly causes itself at the
next exam: 16 arrows that must be there. Nothing is known about the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from secondlook.metrics.marks import Confusion
from secondlook.studies.framingham.data import EXAMS, VARIABLES

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.studies.study import Row

_V, _T = len(VARIABLES), len(EXAMS)
_OTHERS = _V * (_V - 1) * _T
"""Ordered pairs of different variables within the three exams; as many within the three pairs of exams."""
REQUIRED = _V * (_T - 1)
"""The arrows that are known to be there."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The edges of a graph over `NAMES`, counted by what they join; every definition is a function of it.

    Attributes
    ----------
    next_ahead, next_back, next_line : int
        Between a variable and itself at the next exam: arrows forward in time, arrows backward, lines.
    skip_ahead, skip_back, skip_line : int
        Between a variable at the first exam and itself at the third.
    other_ahead, other_back, other_line : int
        Between different variables at different exams.
    within_arrow, within_line : int
        Within one exam.
    """

    next_ahead: int
    next_back: int
    next_line: int
    skip_ahead: int
    skip_back: int
    skip_line: int
    other_ahead: int
    other_back: int
    other_line: int
    within_arrow: int
    within_line: int

    @property
    def mistakes(self) -> int:
        """Our count: required arrows of which there is no mark, and arrows that point back in time."""
        return REQUIRED - self.found + self.next_back + self.skip_back + self.other_back

    @property
    def found(self) -> int:
        """Required arrows that the graph has, as an arrow or as a line."""
        return self.next_ahead + self.next_line

    def to_row(self) -> Row:
        """The counts under their names."""
        return {column: getattr(self, column) for column in COLUMNS}


COLUMNS = tuple(field.name for field in fields(Tally))


def tally(graph: PDAG) -> Tally:
    """The counts of a graph whose columns are `secondlook.studies.framingham.data.NAMES`, in this order."""
    tail_exam, tail = np.divmod(graph.arrows[:, 0], _V)
    head_exam, head = np.divmod(graph.arrows[:, 1], _V)
    lag, same = head_exam - tail_exam, tail == head
    ends_exam, ends = np.divmod(graph.lines, _V)
    apart, alike = np.abs(ends_exam[:, 1] - ends_exam[:, 0]), ends[:, 0] == ends[:, 1]
    found = (
        same & (lag == 1),
        same & (lag == -1),
        alike & (apart == 1),
        same & (lag == 2),
        same & (lag == -2),
        alike & (apart == 2),
        ~same & (lag > 0),
        ~same & (lag < 0),
        ~alike & (apart > 0),
        lag == 0,
        apart == 0,
    )
    return Tally(*(int(chosen.sum()) for chosen in found))


class Negatives(NamedTuple):
    """Which marks count as wrong when a guess has them.

    Attributes
    ----------
    text : str
        The same in words.
    back_same, back_other, ahead_same, ahead_other, within : bool
        Marks back in time between a variable and itself, or between others; marks ahead in time that are not
        required; all marks within an exam.
    """

    text: str
    back_same: bool = False
    back_other: bool = False
    ahead_same: bool = False
    ahead_other: bool = False
    within: bool = False


NEGATIVES = (
    Negatives("none"),
    Negatives("back in time", back_same=True, back_other=True),
    Negatives("back in time, different variables", back_other=True),
    Negatives("between exams, different variables", back_other=True, ahead_other=True),
    Negatives(
        "between exams, not required", back_same=True, back_other=True, ahead_same=True, ahead_other=True
    ),
    Negatives(
        "all that are not required",
        back_same=True,
        back_other=True,
        ahead_same=True,
        ahead_other=True,
        within=True,
    ),
)
Counted = Literal["marks", "arrows"]
COUNTED: tuple[Counted, ...] = ("marks", "arrows")


class Definition(NamedTuple):
    """A way of reading SHD, F1 and MCC against the partial truth; the 16 required marks are positive.

    Attributes
    ----------
    negatives : Negatives
        Which marks are negative; all others are ignored.
    counted : "marks" or "arrows"
        Whether a line of the guess counts as marks both ways, or as no claim.
    """

    negatives: Negatives
    counted: Counted

    @property
    def text(self) -> str:
        """What tables call it."""
        return (
            f"negative: {self.negatives.text}; {'lines count' if self.counted == 'marks' else 'arrows only'}"
        )

    @property
    def has_negatives(self) -> bool:
        """Whether a mark can be wrong; without, the MCC says nothing."""
        return any(self.negatives[1:])

    def confusion(self, found: Tally) -> Confusion:
        """The counts of right and wrong marks."""
        lines = self.counted == "marks"
        tp = found.next_ahead + lines * found.next_line
        negative = self.negatives
        classes = (
            (negative.back_same, found.next_back + lines * found.next_line, REQUIRED),
            (negative.back_same, found.skip_back + lines * found.skip_line, _V * (_T - 2)),
            (negative.ahead_same, found.skip_ahead + lines * found.skip_line, _V * (_T - 2)),
            (negative.back_other, found.other_back + lines * found.other_line, _OTHERS),
            (negative.ahead_other, found.other_ahead + lines * found.other_line, _OTHERS),
            (negative.within, found.within_arrow + 2 * lines * found.within_line, _OTHERS),
        )
        fp = sum(marks for chosen, marks, _ in classes if chosen)
        places = sum(size for chosen, _, size in classes if chosen)
        return Confusion(tp=tp, fp=fp, fn=REQUIRED - tp, tn=places - fp)

    def value(self, metric: str, found: Tally) -> float:
        """The SHD, F1 or MCC of a graph."""
        counts = self.confusion(found)
        return float({"shd": counts.mistakes, "f1": counts.f1, "mcc": counts.mcc}[metric])


DEFINITIONS = tuple(Definition(negatives, counted) for negatives in NEGATIVES for counted in COUNTED)


def half_skips(found: Tally) -> float:
    """Half of the missing required marks and the marks, either way, of a variable two exams apart.

    It has no sense that we know of. It is among the candidates because it comes close to the printed SHD.
    """
    skips = found.skip_ahead + found.skip_back + 2 * found.skip_line
    return (REQUIRED - found.found + skips) / 2
