"""What the flagship study compares: AutoPC as the paper has it and with votes, and our three answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondlook.independence import CITest
from secondlook.selection.autopc import autopc
from secondlook.selection.second_look import secondlook

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from secondlook.graphs import PDAG
    from secondlook.independence import FisherZ
    from secondlook.independence.protocol import Question
    from secondlook.selection import Selection

METRICS = ("shd", "f1", "mcc")
PAPER, VOTE, HIDDEN, PLAIN, POLISHED = "paper", "vote", "tests-only", "second-look", "polished"


class HiddenTest(CITest):
    """The p-values of another test and nothing else, so that no search can use what else it is.

    Parameters
    ----------
    test : CITest
        Who answers.
    """

    def __init__(self, test: CITest) -> None:
        self.names = test.names
        self._test = test

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """Its answer."""
        return self._test.p_value(i, j, S)

    def p_values(self, questions: Sequence[Question]) -> NDArray[np.float64]:
        """Its answers."""
        return self._test.p_values(questions)


@dataclass(frozen=True, slots=True)
class Method:
    """A column of the tables.

    Attributes
    ----------
    label : str
        Its title.
    choose : callable
        From a bound Fisher's z to the record of a choice.
    raw : bool
        Whether it is judged by PC's raw graph, as the paper does, or by the valid answer.
    """

    label: str
    choose: Callable[[FisherZ], Selection]
    raw: bool = False

    def graph(self, found: Selection) -> PDAG:
        """What it is judged by."""
        return found.raw_graph if self.raw else found.graph


METHODS: dict[str, Method] = {
    PAPER: Method("AutoPC (paper)", lambda test: autopc(test, colliders="overwrite"), raw=True),
    VOTE: Method("AutoPC (vote)", lambda test: autopc(test, colliders="vote"), raw=True),
    HIDDEN: Method("SecondLook (tests only)", lambda test: secondlook(HiddenTest(test))),
    PLAIN: Method("SecondLook (unpolished)", lambda test: secondlook(test, polish=False)),
    POLISHED: Method("SecondLook (polished)", secondlook),
}
OURS = tuple(name for name, method in METHODS.items() if not method.raw)
"""The methods that promise a valid graph whatever the order of the columns."""
