"""Means with standard errors, z-scores against printed means, paired t-tests."""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Mean(NamedTuple):
    """A sample's mean, its standard deviation (ddof 1, NaN for a single value) and its size."""

    value: float
    deviation: float
    size: int

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / sqrt(self.size) if self.size else nan


class Paired(NamedTuple):
    """A paired t-test: mean difference, t with size - 1 degrees of freedom, two-sided p-value."""

    difference: float
    t: float
    p: float
    size: int


def mean_of(values: ArrayLike) -> Mean:
    """The mean of the values that are numbers; NaN stands for a failure and is left out.

    Examples
    --------
    >>> mean_of([1.0, 2.0, 3.0])
    Mean(value=2.0, deviation=1.0, size=3)
    """
    found = np.asarray(values, dtype=np.float64)
    found = found[~np.isnan(found)]
    if not len(found):
        return Mean(nan, nan, 0)
    deviation = float(found.std(ddof=1)) if len(found) > 1 else nan
    return Mean(float(found.mean()), deviation, len(found))


def z_against(ours: Mean, printed: float, draws: int) -> float:
    """How many standard errors lie between our mean and a printed one of which only the size is known.

    The printed mean has no standard error, but it is of the same quantity as ours: its draws have the same
    standard deviation s, so that the difference has the variance s²/m + s²/draws with m of our own.

    Parameters
    ----------
    ours : Mean
        Our mean of m draws.
    printed : float
        The mean that was printed.
    draws : int
        How many draws it is of.

    Examples
    --------
    >>> z_against(Mean(5.0, 1.0, 50), 4.0, 50)
    5.0
    """
    gap = ours.value - printed
    spread = ours.deviation * sqrt(1.0 / max(ours.size, 1) + 1.0 / draws)
    return gap / spread if spread else nan if gap == 0 else inf * gap


def paired(first: ArrayLike, second: ArrayLike) -> Paired:
    """The paired t-test of first minus second over the pairs in which neither is NaN.

    Pairs that never differ have p = 1; pairs that always differ by the same amount have p = 0.

    Examples
    --------
    >>> paired([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    Paired(difference=0.0, t=0.0, p=1.0, size=3)
    """
    from scipy.special import stdtr

    gap = mean_of(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64))
    if gap.size < 2:
        return Paired(gap.value, nan, nan, gap.size)
    t = gap.value / gap.error if gap.deviation else inf * gap.value if gap.value else 0.0
    return Paired(gap.value, t, float(2.0 * stdtr(gap.size - 1, -abs(t))), gap.size)
