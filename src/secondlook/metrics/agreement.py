"""What AutoPC maximises: how well two graphs agree, in [0, 1], compared without rounding."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from secondlook.errors import DataError, OptionError
from secondlook.graphs import cpdag, extension, is_dag
from secondlook.metrics import adjustment, marks, pairs
from secondlook.metrics.alignment import aligned

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from secondlook.graphs import PDAG

Metric: TypeAlias = "Callable[[PDAG, PDAG], float]"


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """One agreement; scores of one metric over the same nodes are ordered exactly, by ``key`` alone.

    Attributes
    ----------
    value : float
        The agreement in [0, 1], rounded to a float; 1 is perfect.
    key : int, Fraction or float
        What is compared: minus the number of mistakes for counts and distances, the F1 as a Fraction, the
        signed square of the MCC as a Fraction, and the float itself for a user's function.
    is_perfect : bool
        Whether no better score exists.
    """

    value: float = field(compare=False)
    key: int | Fraction | float
    is_perfect: bool = field(compare=False)


@dataclass(frozen=True, slots=True)
class Agreement:
    """A metric turned so that 1 is perfect; called with two graphs it returns their Score.

    Attributes
    ----------
    name : str
        The metric's name.
    score : callable
        Maps (first, second) to a Score.
    """

    name: str
    score: Callable[[PDAG, PDAG], Score] = field(repr=False)

    def __call__(self, first: PDAG, second: PDAG) -> Score:
        """The Score of the second graph, with the first in the place of the truth."""
        return self.score(first, second)


def agreement(metric: str | Metric | Agreement) -> Agreement:
    """The agreement that a metric measures.

    Parameters
    ----------
    metric : str or callable
        One of "shd", "f1", "mcc", "pair_shd", "skeleton_f1", "arrowhead_f1", "parent_aid", "ancestor_aid",
        "oset_aid", the function of this name in ``secondlook.metrics``, or any function of two PDAGs that
        returns a number in [0, 1], 1 for perfect agreement.

        Counts become 1 - count / places, the MCC becomes (1 + mcc) / 2 and adjustment distances become
        1 - distance. For these distances a PDAG that is neither a DAG nor a CPDAG is read as the CPDAG of
        its consistent extension; when it has none it identifies no effect and the agreement is 0.

    Raises
    ------
    OptionError
        When the name is unknown, or the function is one of ours that is no agreement.
    TypeError
        When the metric is neither a name nor a function.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> agreement("shd")(PDAG("abc", directed=["ab"]), PDAG("abc", undirected=["ab"])).value
    0.8333333333333334
    """
    if isinstance(metric, Agreement):
        return metric
    if isinstance(metric, str):
        if metric not in _SCORES:
            raise OptionError(_unknown(metric))
        return Agreement(metric, _SCORES[metric])
    if not callable(metric):
        raise TypeError(f"A metric must be a name or a function of two PDAGs. Got {type(metric).__name__}.")
    for name, ours in _OURS.items():
        if metric is ours:
            return Agreement(name, _SCORES[name])
    if any(metric is ours for ours in _NO_AGREEMENTS):
        raise OptionError(f"The metric {_name_of(metric)!r} is not 1 for perfect agreement. {_choices()}")
    return Agreement(_name_of(metric), _UserScore(metric))


@dataclass(frozen=True, slots=True)
class _UserScore:
    """The score of a user's function; a class and not a closure, so that processes can exchange it."""

    metric: Metric

    def __call__(self, first: PDAG, second: PDAG) -> Score:
        found: object = self.metric(first, second)
        # NaN fails the range check too, because it compares false with everything
        if not isinstance(found, Real | np.bool_) or not 0 <= cast("float", found) <= 1:
            raise DataError(
                f"The metric {_name_of(self.metric)!r} must return a number in [0, 1], 1 for perfect "
                f"agreement. Got {found!r}."
            )
        value = float(found)
        return Score(value, value, value == 1.0)


def _of_mistakes(mistakes: int, places: int) -> Score:
    return Score(1 - mistakes / places if places else 1.0, -mistakes, not mistakes)


def _shd_score(first: PDAG, second: PDAG) -> Score:
    return _of_mistakes(marks.shd(first, second), first.d * (first.d - 1))


def _pair_shd_score(first: PDAG, second: PDAG) -> Score:
    return _of_mistakes(pairs.pair_shd(first, second), first.d * (first.d - 1) // 2)


def _f1_score(found: marks.Confusion) -> Score:
    return Score(found.f1, found.exact_f1, not found.mistakes)


def _marks_f1_score(first: PDAG, second: PDAG) -> Score:
    return _f1_score(marks.confusion(first, second))


def _skeleton_f1_score(first: PDAG, second: PDAG) -> Score:
    return _f1_score(pairs.skeleton_confusion(first, second))


def _arrowhead_f1_score(first: PDAG, second: PDAG) -> Score:
    return _f1_score(pairs.arrowhead_confusion(first, second))


def _mcc_score(first: PDAG, second: PDAG) -> Score:
    found = marks.confusion(first, second)
    return Score((1 + found.mcc) / 2, found.exact_mcc, not found.mistakes)


def _parent_aid_score(first: PDAG, second: PDAG) -> Score:
    return _adjustment_score(adjustment.parent_aid_count, first, second)


def _ancestor_aid_score(first: PDAG, second: PDAG) -> Score:
    return _adjustment_score(adjustment.ancestor_aid_count, first, second)


def _oset_aid_score(first: PDAG, second: PDAG) -> Score:
    return _adjustment_score(adjustment.oset_aid_count, first, second)


def _adjustment_score(count: Callable[[PDAG, PDAG], int], first: PDAG, second: PDAG) -> Score:
    places = first.d * (first.d - 1)
    truth, guess = _meaning(first), _meaning(aligned(first, second))
    if truth is None or guess is None:
        return _of_mistakes(places, places)
    return _of_mistakes(count(truth, guess), places)


def _meaning(graph: PDAG) -> PDAG | None:
    """The DAG or CPDAG that a graph stands for; None when it stands for no equivalence class."""
    if is_dag(graph):
        return graph
    # a CPDAG is the CPDAG of its own extension, so that only what is neither changes
    found = extension(graph)
    return cpdag(found.dag) if found.extendable else None


def _name_of(metric: object) -> str:
    return str(getattr(metric, "__name__", type(metric).__name__))


def _choices() -> str:
    return f"Choose one of {', '.join(map(repr, _SCORES))}, or pass a function of two PDAGs."


def _unknown(metric: str) -> str:
    near = difflib.get_close_matches(metric.lower().replace("-", "_"), _SCORES, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"The metric {metric!r} is unknown.{hint} {_choices()}"


_SCORES: dict[str, Callable[[PDAG, PDAG], Score]] = {
    "shd": _shd_score,
    "f1": _marks_f1_score,
    "mcc": _mcc_score,
    "pair_shd": _pair_shd_score,
    "skeleton_f1": _skeleton_f1_score,
    "arrowhead_f1": _arrowhead_f1_score,
    "parent_aid": _parent_aid_score,
    "ancestor_aid": _ancestor_aid_score,
    "oset_aid": _oset_aid_score,
}
AGREEMENTS = tuple(_SCORES)

# a function of the library is recognised, so that passing metrics.shd means "shd" and never its raw count
_OURS: dict[str, Metric] = {
    "shd": marks.shd,
    "f1": marks.f1,
    "mcc": marks.mcc,
    "pair_shd": pairs.pair_shd,
    "skeleton_f1": pairs.skeleton_f1,
    "arrowhead_f1": pairs.arrowhead_f1,
    "parent_aid": adjustment.parent_aid,
    "ancestor_aid": adjustment.ancestor_aid,
    "oset_aid": adjustment.oset_aid,
}
_NO_AGREEMENTS: tuple[Metric, ...] = (
    adjustment.sid,
    adjustment.sid_count,
    adjustment.parent_aid_count,
    adjustment.ancestor_aid_count,
    adjustment.oset_aid_count,
)
