"""Whether a set separates a pair: Fisher's z by inverting the matrix of each question, and other answers."""

from __future__ import annotations

from math import atanh, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Separates = Callable[[int, int, tuple[int, ...]], bool]
    """Whether (i, j, S) is independent; callers ask with i, j and S in any order."""


def by_fisher_z(correlation: NDArray[np.float64], n: int, alpha: float) -> Separates:
    """Fisher's z at one alpha, one small inverse per question, remembered."""
    critical = NormalDist().inv_cdf(1 - alpha / 2)
    known: dict[tuple[int, int, tuple[int, ...]], bool] = {}

    def separates(i: int, j: int, S: tuple[int, ...]) -> bool:
        question = (min(i, j), max(i, j), tuple(sorted(S)))
        if question not in known:
            known[question] = n - len(S) - 3 > 0 and (
                sqrt(n - len(S) - 3) * abs(atanh(partial_correlation(correlation, *question))) <= critical
            )
        return known[question]

    return separates


def partial_correlation(correlation: NDArray[np.float64], i: int, j: int, S: tuple[int, ...]) -> float:
    """The partial correlation from the inverse of the questioned block, clipped as the specification says."""
    block = [i, j, *S]
    precision = np.linalg.inv(correlation[np.ix_(block, block)])
    r = -precision[0, 1] / sqrt(precision[0, 0] * precision[1, 1])
    return float(min(max(r, -0.9999999), 0.9999999))


def by_test(test: Any, alpha: float) -> Separates:
    """Any test at one alpha: p >= alpha separates, NaN does not."""

    def separates(i: int, j: int, S: tuple[int, ...]) -> bool:
        return bool(test.p_value(min(i, j), max(i, j), tuple(sorted(S))) >= alpha)

    return separates
