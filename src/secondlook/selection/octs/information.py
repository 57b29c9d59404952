"""How much a prediction says about a variable, from sums over rows, so that rows can be swapped in bulk.

Either measure turns a row into a few numbers whose sums over the rows are all it needs. Swapping rows between
two predictors moves such sums from one to the other, and that is a matrix product.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Less variance than this share of a mean square is the rounding of a constant.
_CONSTANT = 1e-12


class Information(Protocol):
    """A measure of information that is a function of sums over rows, one set of sums per variable."""

    @property
    def width(self) -> int:
        """How many numbers a row adds for one variable."""
        ...

    def contributions(self, values: NDArray[np.generic], predicted: NDArray[np.generic]) -> Floats:
        """What each row adds to the sums: shape (rows, variables, width)."""
        ...

    def of(self, sums: Floats, variables: NDArray[np.intp]) -> Floats:
        """The information in nats: sums of shape (…, variables, width) give (…, variables)."""
        ...


class GaussianInformation:
    """-1/2 ln(1 - r^2), where r correlates a variable with its prediction over all rows.

    A prediction without variance says nothing: 0.

    Parameters
    ----------
    n : int
        The number of rows.
    total, square : float64 array, shape (d,)
        The sums of every variable and of its squares.
    """

    width = 3

    def __init__(self, n: int, total: Floats, square: Floats) -> None:
        self._n = float(n)
        self._total = total
        self._spread = n * square - total**2
        self._varies = self._spread > _CONSTANT * n * square

    def contributions(self, values: NDArray[np.generic], predicted: NDArray[np.generic]) -> Floats:
        """The prediction, its square, and its product with the value."""
        p = np.asarray(predicted, dtype=np.float64)
        return np.stack([p, p * p, np.asarray(values, dtype=np.float64) * p], axis=-1)

    def of(self, sums: Floats, variables: NDArray[np.intp]) -> Floats:
        """The information of each variable's prediction."""
        _, _, square = self._correlation(sums, variables)
        information: Floats = -0.5 * np.log1p(-square)
        return information

    def gradient(self, sums: Floats, variables: NDArray[np.intp]) -> Floats:
        """The derivative of the information by each of the sums, shape (…, variables, 3)."""
        cross, spread, square = self._correlation(sums, variables)
        total = self._total[variables]
        by_square = 0.5 / (1.0 - square)
        usable = spread > 0.0
        safe = np.where(usable, spread, 1.0)
        of_cross = np.where(usable, 2.0 * cross / np.where(usable, self._spread[variables] * safe, 1.0), 0.0)
        of_spread = np.where(usable, -square / safe, 0.0)
        first = -of_cross * total - 2.0 * of_spread * sums[..., 0]
        slopes = np.stack([first, of_spread * self._n, of_cross * self._n], axis=-1)
        result: Floats = by_square[..., None] * slopes
        return result

    def _correlation(self, sums: Floats, variables: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        """n^2 times covariance and the prediction's variance (0 when it is constant), and r^2."""
        total, own = self._total[variables], self._spread[variables]
        cross = self._n * sums[..., 2] - total * sums[..., 0]
        spread = self._n * sums[..., 1] - sums[..., 0] ** 2
        usable = (spread > _CONSTANT * self._n * sums[..., 1]) & self._varies[variables]
        square = np.where(usable, cross**2 / np.where(usable, own * spread, 1.0), 0.0)
        # a perfect prediction has the largest information that a float can tell from infinity
        return cross, np.where(usable, spread, 0.0), np.minimum(square, 1.0 - np.finfo(np.float64).eps)


class PlugInInformation:
    """The mutual information of a category and its predicted category, with observed shares as chances.

    Parameters
    ----------
    levels : int
        Categories are coded 0..levels - 1.
    """

    def __init__(self, levels: int) -> None:
        self._levels = levels

    @property
    def width(self) -> int:
        """One count for every pair of categories."""
        return self._levels**2

    def contributions(self, values: NDArray[np.generic], predicted: NDArray[np.generic]) -> Floats:
        """A one in the cell of the category and its prediction."""
        cell = np.asarray(values, dtype=np.intp) * self._levels + np.asarray(predicted, dtype=np.intp)
        added: Floats = (cell[..., None] == np.arange(self.width)).astype(np.float64)
        return added

    def of(self, sums: Floats, variables: NDArray[np.intp]) -> Floats:
        """The information of each variable's prediction."""
        del variables  # the cells hold the variable's own shares as well
        shares = sums.reshape(*sums.shape[:-1], self._levels, self._levels)
        shares = shares / shares.sum(axis=(-2, -1), keepdims=True)
        joint = _entropy(shares.reshape(sums.shape))
        information: Floats = np.maximum(
            _entropy(shares.sum(axis=-1)) + _entropy(shares.sum(axis=-2)) - joint, 0.0
        )
        return information


def _entropy(shares: Floats) -> Floats:
    seen = shares > 0.0
    entropy: Floats = -(shares * np.log(np.where(seen, shares, 1.0))).sum(axis=-1)
    return entropy
