"""Metrics on the d * (d - 1) off-diagonal marks of two graphs: SHD, F1 and MCC as the AutoPC paper uses them.

An arrow has one mark and a line has two, so that a line guessed for an arrow costs one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from secondlook.metrics.alignment import aligned

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from secondlook.graphs import PDAG


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many places two graphs agree and disagree in.

    Every ratio of the form 0/0 is 1 when there is no mistake (``fp + fn == 0``) and 0 otherwise, so that a
    perfect guess scores 1 even when there was nothing to find.

    Attributes
    ----------
    tp, fp, fn, tn : int
        Places that hold a mark in both graphs, in the guess only, in the truth only, in neither.

    Examples
    --------
    >>> Confusion(tp=3, fp=1, fn=0, tn=8).f1
    0.8571428571428571
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def mistakes(self) -> int:
        """The number of places in which the graphs differ."""
        return self.fp + self.fn

    @property
    def precision(self) -> float:
        """The share of the guess's marks that the truth has, in [0, 1]."""
        return self._ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """The share of the truth's marks that the guess has, in [0, 1]."""
        return self._ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """The F1 score 2 tp / (2 tp + fp + fn), in [0, 1]."""
        return self._ratio(2 * self.tp, 2 * self.tp + self.mistakes)

    @property
    def exact_f1(self) -> Fraction:
        """The F1 score without rounding."""
        total = 2 * self.tp + self.mistakes
        return Fraction(2 * self.tp, total) if total else Fraction(1)

    @property
    def mcc(self) -> float:
        """Matthews' correlation coefficient, in [-1, 1]."""
        # from the reduced fraction, so that equal coefficients are equal floats
        squared = self.exact_mcc
        return math.copysign(math.sqrt(abs(squared)), squared)

    @property
    def exact_mcc(self) -> Fraction:
        """The square of the MCC with the sign of the MCC, without rounding: it orders as the MCC does."""
        tp, fp, fn, tn = self.tp, self.fp, self.fn, self.tn
        margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        if not self.mistakes or not margins:
            return Fraction(int(not self.mistakes))
        product = tp * tn - fp * fn
        return Fraction(product * abs(product), margins)

    def _ratio(self, part: int, whole: int) -> float:
        return part / whole if whole else float(not self.mistakes)


def shared_keys(first: NDArray[np.int64], second: NDArray[np.int64]) -> int:
    """The number of keys that two sorted arrays without repeats have in common."""
    if len(first) > len(second):
        first, second = second, first
    if not len(first):
        return 0
    places = second.searchsorted(first)
    return int((second.take(places, mode="clip") == first).sum())


def confusion_of_keys(truth: NDArray[np.int64], guess: NDArray[np.int64], places: int) -> Confusion:
    """The confusion of two sorted arrays of keys without repeats, out of so many possible places."""
    tp = shared_keys(truth, guess)
    fp, fn = len(guess) - tp, len(truth) - tp
    return Confusion(tp, fp, fn, places - tp - fp - fn)


def confusion(truth: PDAG, guess: PDAG) -> Confusion:
    """The counts of agreeing and differing marks, out of d * (d - 1).

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names; the guess is realigned when its order differs.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> confusion(PDAG("abc", directed=["ab"]), PDAG("abc", undirected=["ab"]))
    Confusion(tp=1, fp=1, fn=0, tn=4)
    """
    guess = aligned(truth, guess)
    return confusion_of_keys(truth.marks(), guess.marks(), truth.d * (truth.d - 1))


def shd(truth: PDAG, guess: PDAG) -> int:
    """The structural Hamming distance: how many marks differ, in 0..d * (d - 1).

    This is the AutoPC paper's convention, in which a reversed arrow costs 2 and a line for an arrow costs 1.
    ``pair_shd`` counts each differing pair of nodes once.

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> shd(PDAG("abc", directed=["ab", "bc"]), PDAG("abc", directed=["ba"], undirected=["bc"]))
    3
    """
    return confusion(truth, guess).mistakes


def f1(truth: PDAG, guess: PDAG) -> float:
    """The F1 score of the marks, 2 TP / (2 TP + FP + FN), in [0, 1]; 1 when neither graph has an edge.

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> f1(PDAG("abc", directed=["ab"]), PDAG("abc", undirected=["ab"]))
    0.6666666666666666
    """
    return confusion(truth, guess).f1


def mcc(truth: PDAG, guess: PDAG) -> float:
    """Matthews' correlation coefficient of the marks, in [-1, 1].

    When a margin is empty it is 1 for a perfect guess and 0 otherwise.

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> mcc(PDAG("abc", directed=["ab"]), PDAG("abc", undirected=["ab"]))
    0.6324555320336759
    """
    return confusion(truth, guess).mcc
