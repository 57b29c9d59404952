"""Sufficient statistics of rows for Gaussian work: number, mean and scatter, whole or fold by fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import DataError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Moments:
    """What a Gaussian test needs to know of some rows: their number, mean and scatter.

    Attributes
    ----------
    count : int
        The number of rows n.
    mean : float64 array, shape (d,)
        Their mean.
    scatter : float64 array, shape (d, d)
        The sum over the rows of the products of deviations from this mean.
    """

    count: int
    mean: NDArray[np.float64]
    scatter: NDArray[np.float64]

    def covariance(self) -> NDArray[np.float64]:
        """The sample covariance, scatter / (n - 1).

        Raises
        ------
        DataError
            When there is a single row.
        """
        if self.count < 2:
            raise DataError(f"A sample covariance needs at least 2 rows. Got {self.count}.")
        return self.scatter / (self.count - 1)

    def correlation(self, names: Sequence[str] = ()) -> NDArray[np.float64]:
        """The sample correlation, symmetric, with ones on the diagonal.

        Parameters
        ----------
        names : sequence of str
            What a refusal calls the columns; without names it counts them from 1.

        Raises
        ------
        DataError
            When a column does not vary.
        """
        squares = self.scatter.diagonal()
        # the rounding of a constant's mean leaves about this much of it
        flat = np.flatnonzero(squares <= self.count * (64 * np.finfo(np.float64).eps * self.mean) ** 2)
        if len(flat):
            shown = repr(names[flat[0]]) if len(names) else f"column number {flat[0] + 1}"
            raise DataError(f"A correlation needs columns that vary. Got the constant {shown}; drop it.")
        scale = 1.0 / np.sqrt(squares)
        correlation: NDArray[np.float64] = np.clip(self.scatter * np.outer(scale, scale), -1.0, 1.0)
        np.fill_diagonal(correlation, 1.0)
        return correlation


@dataclass(frozen=True, eq=False, slots=True)
class FoldMoments:
    """The moments of disjoint folds of one sample; any union of folds has exact moments too.

    Attributes
    ----------
    counts : int64 array, shape (folds,)
        Rows in each fold.
    means : float64 array, shape (folds, d)
        The mean of each fold.
    scatters : float64 array, shape (folds, d, d)
        The scatter of each fold around its own mean.
    """

    counts: NDArray[np.int64]
    means: NDArray[np.float64]
    scatters: NDArray[np.float64]

    @classmethod
    def of_rows(cls, values: NDArray[np.float64], folds: Sequence[NDArray[np.intp]]) -> FoldMoments:
        """The moments of the rows of each fold.

        Every fold is centred twice around its own mean, so that a large offset costs no digits.

        Parameters
        ----------
        values : float64 array, shape (n, d)
            The rows, complete.
        folds : sequence of int arrays
            Which rows each fold holds, at least one.

        Raises
        ------
        DataError
            When a fold holds no row.

        Examples
        --------
        >>> import numpy as np
        >>> rows = np.array([[1e9 + 1], [1e9 + 2], [1e9 + 3], [1e9 + 4]])
        >>> FoldMoments.of_rows(rows, [np.array([0, 1]), np.array([2, 3])]).merged().covariance().round(6)
        array([[1.666667]])
        """
        parts = [_moments_of(values[rows], k) for k, rows in enumerate(folds)]
        counts = np.array([part.count for part in parts], dtype=np.int64)
        return cls(counts, np.stack([p.mean for p in parts]), np.stack([p.scatter for p in parts]))

    def merged(self, folds: Iterable[int] | None = None) -> Moments:
        """The moments of the union of some folds, of all when none are given.

        Parameters
        ----------
        folds : iterable of int, optional
            Indices in 0..folds - 1, each once.

        Raises
        ------
        OptionError
            When no fold is given, one is given twice, or one does not exist.
        """
        known = len(self.counts)
        chosen = list(range(known)) if folds is None else [int(fold) for fold in folds]
        if not chosen or len(set(chosen)) != len(chosen) or not set(chosen) <= set(range(known)):
            raise OptionError(
                f"The 'folds' of merged must be one or more distinct indices in 0..{known - 1}. Got {chosen}."
            )
        counts, means = self.counts[chosen], self.means[chosen]
        count = int(counts.sum())
        mean = counts @ means / count
        apart = (means - mean) * np.sqrt(counts)[:, None]
        return Moments(count, mean, self.scatters[chosen].sum(axis=0) + apart.T @ apart)

    def training(self, fold: int) -> Moments:
        """The moments of all rows outside one fold.

        Raises
        ------
        OptionError
            When the fold does not exist.
        """
        known = len(self.counts)
        if fold not in range(known):
            raise OptionError(f"The 'fold' of training must be in 0..{known - 1}. Got {fold}.")
        return self.merged(k for k in range(known) if k != fold)


def _moments_of(rows: NDArray[np.float64], fold: int) -> Moments:
    if not len(rows):
        raise DataError(f"Every fold must hold a row. Got none in fold {fold}; use fewer folds.")
    mean = rows.mean(axis=0)
    centred = rows - mean
    left = centred.mean(axis=0)  # what the first mean lost
    centred -= left
    return Moments(len(rows), mean + left, centred.T @ centred)
