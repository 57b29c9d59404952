"""Least squares for every fit at once, from the moments of the training parts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.selection.octs.boundaries import Fits
    from secondlook.tables import FoldMoments

    Floats = NDArray[np.float64]

# Keeps collinear boundaries solvable; a direction with more than a millionth of the variance is not felt.
_RIDGE = 1e-10


@dataclass(frozen=True, eq=False, slots=True)
class LinearFits:
    """Regressions, one per fit.

    Attributes
    ----------
    slopes : float64 array, shape (fits, d)
        Zero outside the boundary.
    intercepts : float64 array, shape (fits,)
        The training mean where the boundary is empty.
    """

    slopes: Floats
    intercepts: Floats


def linear_fits(moments: FoldMoments, fits: Fits) -> LinearFits:
    """The regression of each fit's variable on its boundary, over all rows outside its fold.

    Parameters
    ----------
    moments : FoldMoments
        Of standardized columns, which gives the tiny ridge its meaning.
    fits : Fits
        What to predict from what.
    """
    training = [moments.training(fold) for fold in range(len(moments.counts))]
    covariances = np.stack([part.scatter / part.count for part in training])
    means = np.stack([part.mean for part in training])
    folds = np.array([fold for fold, _, _ in fits.wanted])
    variables = np.array([variable for _, variable, _ in fits.wanted])
    slopes = np.zeros((len(fits.wanted), means.shape[1]))
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for k, (_, _, boundary) in enumerate(fits.wanted):
        by_size[len(boundary)].append(k)
    for size, group in by_size.items():
        if size:
            where = np.array(group)
            columns = np.array([fits.wanted[k][2] for k in group])
            within = covariances[folds[where, None, None], columns[:, :, None], columns[:, None, :]]
            across = covariances[folds[where, None], columns, variables[where, None]]
            found = np.linalg.solve(within + _RIDGE * np.eye(size), across[:, :, None])
            slopes[where[:, None], columns] = found[:, :, 0]
    intercepts = means[folds, variables] - (slopes * means[folds]).sum(axis=1)
    return LinearFits(slopes, intercepts)


def linear_predictions(values: Floats, parts: list[slice], fits: Fits, linear: LinearFits) -> list[Floats]:
    """What each fit predicts for the rows of its fold; rows are sorted by fold."""
    predicted: list[Floats] = [np.empty(0)] * len(fits.wanted)
    for fold, rows in enumerate(parts):
        own = fits.of_fold(fold)
        columns = linear.slopes[own] @ values[rows].T + linear.intercepts[own, None]
        for k, column in zip(own, columns, strict=True):
            predicted[k] = column
    return predicted
