"""The ways of choosing alpha that the studies compare; a new one is one line of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondlook.errors import OptionError
from secondlook.search.options import unknown_choice
from secondlook.selection import BIC, EBIC, DoubleCheck, OCTs, StARS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from secondlook.search.options import ColliderRule
    from secondlook.selection import Rule
    from secondlook.studies.synthetic.draws import Need

METRICS = ("shd", "f1", "mcc")
REFERENCE = "pc"
"""PC itself, at every alpha of the grid: what Mean averages, and what times are measured against."""
MEAN = "mean"
AUTOPC = "autopc"
_ANY = ""


@dataclass(frozen=True, slots=True)
class Method:
    """A column of the tables.

    Attributes
    ----------
    label : str
        Its title.
    rules : callable
        Makes its rules from a seed: one for each metric that the rule can be told to look for, or a single
        one under "".
    colliders : str
        The collider rule of its graphs; methods with the same one share them.
    needs : set of "rows" and "folds"
        What it needs beyond correlations: the rows, or the moments of folds.
    """

    label: str
    rules: Callable[[int], dict[str, Rule]]
    colliders: ColliderRule = "overwrite"
    needs: frozenset[Need] = frozenset()


def _one(make: Callable[[int], Rule]) -> Callable[[int], dict[str, Rule]]:
    return lambda seed: {_ANY: make(seed)}


def _double_checks(seed: int) -> dict[str, Rule]:
    del seed  # nothing about it is random
    return {metric: DoubleCheck(metric) for metric in METRICS}


METHODS: dict[str, Method] = {
    MEAN: Method("Mean", lambda _: {}),
    "bic-naive": Method("BIC (naive)", _one(lambda _: BIC(extension="naive"))),
    "bic": Method("BIC", _one(lambda _: BIC())),
    "ebic": Method("EBIC", _one(lambda _: EBIC())),
    "stars": Method("StARS", _one(lambda seed: StARS(seed=seed)), needs=frozenset({"rows"})),
    "octs": Method(
        "OCTs (linear)",
        _one(lambda seed: OCTs(model="linear", approximate=True, seed=seed)),
        needs=frozenset({"folds"}),
    ),
    AUTOPC: Method("AutoPC", _double_checks),
    "autopc-vote": Method("AutoPC, vote", _double_checks, colliders="vote"),
}


def checked_methods(text: str, methods: Mapping[str, Method] = METHODS) -> tuple[str, ...]:
    """The methods of a comma-separated list, each once and in the order of the table.

    Parameters
    ----------
    text : str
        The list.
    methods : mapping of str to Method
        The table.

    Raises
    ------
    OptionError
        If one is unknown or none is left.
    """
    asked = [word.strip() for word in text.split(",") if word.strip()]
    for name in asked:
        if name not in methods:
            raise OptionError(unknown_choice("methods", name, tuple(methods)))
    if not asked:
        raise OptionError(f"The 'methods' option must name at least one of {', '.join(methods)}.")
    return tuple(name for name in methods if name in asked)
