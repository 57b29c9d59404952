"""Whether numbers look like draws from the uniform distribution: the test of Anderson and Darling."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_LEAST, _MOST = np.finfo(np.float64).tiny, 1.0 - np.finfo(np.float64).eps / 2.0
_NODES = 64
_TERMS = 40
# Below this the limit law has less than 1e-4 of its mass, and the series converges slowly.
_SMALL = 0.1


def anderson_darling(values: Sequence[float] | NDArray[np.float64]) -> float:
    """The Anderson-Darling statistic of values against the uniform distribution on [0, 1].

    Parameters
    ----------
    values : float array, shape (n,)
        At least one, in [0, 1]. Zeros and ones are moved inside by the smallest amount that a float can
        tell.

    Returns
    -------
    float
        At least 0; large when the values are not uniform.

    References
    ----------
    Anderson, T. W. and Darling, D. A. (1954). A test of goodness of fit. JASA 49, 765-769.

    Examples
    --------
    >>> round(anderson_darling([0.1, 0.3, 0.5, 0.7, 0.9]), 4)
    0.1301
    """
    ordered = np.clip(np.sort(np.asarray(values, dtype=np.float64)), _LEAST, _MOST)
    n = len(ordered)
    odd = 2.0 * np.arange(n) + 1.0
    return float(-n - np.mean(odd * (np.log(ordered) + np.log1p(-ordered[::-1]))))


def anderson_darling_p(statistic: float) -> float:
    """The chance that uniform values give at least this Anderson-Darling statistic, in the limit of many.

    In the limit the statistic is the sum over k = 1, 2, … of independent chi-squares with one degree of
    freedom over k (k + 1). Its Laplace transform has branch points at s = k (k + 1) / 2; bending the
    inversion integral around the cuts between them (Smirnov's device) leaves one integral per cut, of
    alternating sign, each decaying like exp(-s * statistic). Hence the tail keeps its relative accuracy.

    Parameters
    ----------
    statistic : float
        As `anderson_darling` gives.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> [round(anderson_darling_p(z), 3) for z in (1.933, 2.492, 3.878)]  # 10, 5 and 1 percent
    [0.1, 0.05, 0.01]
    """
    if statistic <= _SMALL:
        return 1.0
    k = np.arange(_TERMS)
    low, high = (2 * k + 1) * (k + 1.0), (2 * k + 3) * (k + 1.0)
    # Gauss-Chebyshev nodes take in the inverse square roots at both ends of each cut.
    cosine = np.cos((2 * np.arange(_NODES) + 1) * pi / (2 * _NODES))
    half = (high - low)[:, None] / 2.0
    s = (low + high)[:, None] / 2.0 + half * cosine
    ends = np.sqrt((s - low[:, None]) * (high[:, None] - s))
    density = np.sqrt(2.0 * pi / (s * np.abs(np.cos(pi / 2.0 * np.sqrt(1.0 + 8.0 * s)))))
    integrals = (ends * density * np.exp(-s * statistic)).mean(axis=1)
    return float(np.clip(np.sum(np.where(k % 2, -1.0, 1.0) * integrals), 0.0, 1.0))
