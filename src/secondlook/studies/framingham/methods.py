"""The ways of choosing alpha that Table 2 compares, on the grid as meant and on the grid as printed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from secondlook.search import alpha_path
from secondlook.selection import BIC, DoubleCheck
from secondlook.studies.contest import Entrant, Entry
from secondlook.studies.framingham.printed import PRINTED_ALPHAS, PRINTED_ORDER
from secondlook.studies.synthetic.methods import METHODS, Method

if TYPE_CHECKING:
    from secondlook.search import AlphaPath
    from secondlook.selection import Choice, Problem, Rule

MEANT, AS_PRINTED = "meant", "printed"
GRIDS = (MEANT, AS_PRINTED)

TABLE2_METHODS: dict[str, Method] = {name: METHODS[name] for name in METHODS if name != "ebic"}
"""Those of Table 1; the paper has no EBIC."""


@dataclass(frozen=True)
class AsPrinted:
    """A rule on the grid as the paper prints it: one alpha is missing, one comes twice, and not in order.

    The graphs are those of the ascending grid, which holds every printed alpha. Rules that keep the best
    score visit the printed positions in their order and keep the first best. StARS and OCTs compare alphas
    with each other and know no order of visits: they choose on the five printed alphas in ascending order.

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
        """The choice among the printed alphas, as a position in the path."""
        if isinstance(self.rule, BIC | DoubleCheck):
            found = self.rule.choose(path, problem)
            # max() keeps the first of equals
            return replace(found, chosen=max(PRINTED_ORDER, key=lambda k: found.scores[k].key))
        fewer = alpha_path(problem.test, sorted(set(PRINTED_ALPHAS)), problem.options, looks=1)
        found = self.rule.choose(fewer, problem)
        return replace(found, chosen=path.index(fewer.alphas[found.chosen]))


def entrants(methods: tuple[str, ...], seed: int) -> list[Entrant]:
    """The methods as entrants of a contest, each on both grids.

    Parameters
    ----------
    methods : tuple of str
        Keys of `TABLE2_METHODS`.
    seed : int
        What rules that draw are told.
    """
    found = []
    for name in methods:
        method = TABLE2_METHODS[name]
        rules = method.rules(seed)
        entries = [Entry({"grid": MEANT, "tuned_for": metric}, rule) for metric, rule in rules.items()]
        entries += [
            Entry({"grid": AS_PRINTED, "tuned_for": metric}, AsPrinted(rule))
            for metric, rule in rules.items()
        ]
        found.append(Entrant(name, method.colliders, tuple(entries)))
    return found
