"""Covariances of Gaussian samples drawn without their rows, so that n may be as large as one likes.

The scatter (centred sum of squares and products) of n Gaussian rows is Wishart with n - 1 degrees of freedom,
one being spent on the estimated mean, and independent of that mean. Bartlett's decomposition draws it from
d * (d + 1) / 2 numbers. With fewer degrees of freedom than variables the triangle becomes a trapezoid and the
scatter is singular, as that of real rows would be.

References
----------
.. [1] Bartlett (1933), On the theory of statistical regression.
.. [2] Anderson (2003), An introduction to multivariate statistical analysis, theorems 3.3.2 and 7.2.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import DataError
from secondlook.simulation.options import checked_count, checked_generator
from secondlook.tables.moments import FoldMoments

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def wishart_covariance(covariance: ArrayLike, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The sample covariance of n Gaussian rows with estimated mean, drawn exactly and without rows.

    It has n - 1 degrees of freedom: the population covariance is its mean, and n - 1 < d makes it singular.

    Parameters
    ----------
    covariance : array-like, shape (d, d)
        The population covariance, symmetric and positive definite.
    n : int
        The number of rows that are not drawn, at least 2.
    rng : numpy.random.Generator
        The only source of randomness.

    Returns
    -------
    float64 array, shape (d, d)
        Symmetric.

    Raises
    ------
    DataError
        When the covariance is not a finite, symmetric, positive definite matrix.
    OptionError
        When n is below 2.

    Examples
    --------
    >>> import numpy as np
    >>> wishart_covariance([[4.0]], 1_000_000, np.random.default_rng(0)).round(1)
    array([[4.]])
    """
    checked_generator("wishart_covariance", rng)
    n = checked_count("wishart_covariance", "n", n, 2)
    root = _root("wishart_covariance", covariance)
    return _scatter(root, n - 1, rng) / (n - 1)


def wishart_folds(covariance: ArrayLike, n: int, folds: int, rng: np.random.Generator) -> FoldMoments:
    """The moments of n Gaussian rows with mean zero, split into folds, drawn exactly and without rows.

    The first n % folds folds have one row more than the others. Folds are independent; a fold of one row has
    a scatter of zeros.

    Parameters
    ----------
    covariance : array-like, shape (d, d)
        The population covariance, symmetric and positive definite.
    n : int
        The number of rows, at least the number of folds.
    folds : int
        The number of folds, at least 2.
    rng : numpy.random.Generator
        The only source of randomness.

    Raises
    ------
    DataError
        When the covariance is not a finite, symmetric, positive definite matrix.
    OptionError
        When n or folds is too small.

    Examples
    --------
    >>> import numpy as np
    >>> found = wishart_folds(np.eye(3), 100, 10, np.random.default_rng(0))
    >>> found.training(0).count, found.merged().count
    (90, 100)
    """
    checked_generator("wishart_folds", rng)
    folds = checked_count("wishart_folds", "folds", folds, 2)
    n = checked_count("wishart_folds", "n", n, folds)
    root = _root("wishart_folds", covariance)
    counts = np.full(folds, n // folds, dtype=np.int64)
    counts[: n % folds] += 1
    means = rng.standard_normal((folds, len(root))) @ root.T / np.sqrt(counts)[:, None]
    scatters = np.stack([_scatter(root, int(count) - 1, rng) for count in counts])
    return FoldMoments(counts, means, scatters)


def _root(function: str, covariance: ArrayLike) -> NDArray[np.float64]:
    """The lower Cholesky factor of a checked covariance."""
    matrix = np.asarray(covariance, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise DataError(f"The covariance given to {function} must have shape (d, d). Got {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise DataError(f"The covariance given to {function} must be finite. Got NaN or infinity in it.")
    scale = np.sqrt(np.abs(matrix.diagonal()))
    gap = np.abs(matrix - matrix.T)
    # rounding of a covariance computed from rows stays far below this
    if (gap > 1e-10 * np.outer(scale, scale)).any():
        raise DataError(
            f"The covariance given to {function} must be symmetric. Got a difference of {gap.max()}."
        )
    try:
        return np.asarray(np.linalg.cholesky((matrix + matrix.T) / 2), dtype=np.float64)
    except np.linalg.LinAlgError:
        raise DataError(
            f"The covariance given to {function} must be positive definite. Got a matrix without Cholesky "
            "factor; drop variables that are sums of others."
        ) from None


def _scatter(root: NDArray[np.float64], freedom: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """A Wishart matrix of this many degrees of freedom, 0 or more, for the covariance root @ root.T."""
    d, width = len(root), min(len(root), freedom)
    trapezoid = np.tril(rng.standard_normal((d, width)), -1)
    place = np.arange(width)
    trapezoid[place, place] = np.sqrt(rng.chisquare(freedom - place))
    factor = root @ trapezoid
    scatter: NDArray[np.float64] = factor @ factor.T
    return (scatter + scatter.T) / 2
