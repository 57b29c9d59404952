"""The rules that are compared on standard networks; those of categories and of numbers are told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from secondlook.errors import OptionError
from secondlook.independence import FisherZ
from secondlook.selection import BIC, EBIC, DoubleCheck, MarkovCheck, OCTs, PcCV, StARS
from secondlook.studies.contest import Entrant, Entry
from secondlook.studies.synthetic.methods import AUTOPC, MEAN, METRICS, Method

if TYPE_CHECKING:
    from secondlook.search import AlphaPath
    from secondlook.selection import Choice, Problem, Rule

PAPER = "autopc-paper"


@dataclass(frozen=True)
class GaussianOnly:
    """A rule that would answer about categories too, as if their codes were measurements: not here.

    Attributes
    ----------
    rule : Rule
        The rule itself.
    """

    rule: Rule

    @property
    def name(self) -> str:
        """The rule's own name."""
        return self.rule.name

    @property
    def looks(self) -> Literal[1, 2]:
        """As many as the rule's."""
        return self.rule.looks

    def choose(self, path: AlphaPath, problem: Problem) -> Choice:
        """The rule's choice; OptionError when the test is not Gaussian."""
        if not isinstance(problem.test, FisherZ):
            raise OptionError(f"The rule {self.name} predicts numbers, not categories; choose another rule.")
        return self.rule.choose(path, problem)


def _double_checks(seed: int) -> dict[str, Rule]:
    del seed  # nothing about it is random
    return {metric: DoubleCheck(metric) for metric in METRICS}


NETWORK_METHODS: dict[str, Method] = {
    MEAN: Method("Mean", lambda _: {}, "vote"),
    "bic": Method("BIC", lambda _: {"": BIC()}, "vote"),
    "ebic": Method("EBIC", lambda _: {"": EBIC()}, "vote"),
    "stars": Method("StARS", lambda seed: {"": StARS(seed=seed)}, "vote"),
    "octs": Method(
        "OCTs (linear)", lambda seed: {"": OCTs(model="linear", approximate=True, seed=seed)}, "vote"
    ),
    "markov-check": Method("Markov check", lambda _: {"": MarkovCheck()}, "vote"),
    "pc-cv": Method("PC-CV", lambda seed: {"": GaussianOnly(PcCV(seed=seed))}, "vote"),
    AUTOPC: Method("AutoPC", _double_checks, "vote"),
    PAPER: Method("AutoPC, paper", _double_checks, "overwrite"),
}
"""All choose from the graphs of `vote`, secondlook's default, but for the last, which has the paper's."""


def entrants(methods: tuple[str, ...], seed: int) -> list[Entrant]:
    """The methods as entrants of a contest.

    Parameters
    ----------
    methods : tuple of str
        Keys of `NETWORK_METHODS`.
    seed : int
        What rules that draw are told.
    """
    return [
        Entrant(
            name,
            NETWORK_METHODS[name].colliders,
            tuple(
                Entry({"tuned_for": metric}, rule)
                for metric, rule in NETWORK_METHODS[name].rules(seed).items()
            ),
        )
        for name in methods
    ]
