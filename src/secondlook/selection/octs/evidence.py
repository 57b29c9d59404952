"""What predictions, or moments alone, say about the alphas: information, and the p-value of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from secondlook.selection.octs.information import GaussianInformation, Information
from secondlook.selection.octs.swap import Pair, normal_p_value, normal_tail, swap_p_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.selection.octs.boundaries import Fits
    from secondlook.selection.octs.folds import FoldedRows
    from secondlook.selection.octs.linear import LinearFits
    from secondlook.tables import FoldMoments

    Floats = NDArray[np.float64]


class Evidence(Protocol):
    """What the rule decides from."""

    @property
    def information(self) -> Floats:
        """In nats, shape (alphas, d); columns in name order."""
        ...

    def p_value(self, best: int, other: int) -> float:
        """The swap test of the best alpha against another, which predicts differently."""
        ...


@dataclass(frozen=True, slots=True)
class SwapTest:
    """How pairs are tested.

    Attributes
    ----------
    permutations, seed : int
        As in `OCTs`.
    approximate : bool
        The normal approximation instead of permutations.
    """

    permutations: int
    seed: int
    approximate: bool


class RowEvidence:
    """Evidence from predictions row by row.

    Parameters
    ----------
    rows : FoldedRows
        The rows.
    fits : Fits
        What was predicted from what.
    predictions : list of arrays
        One per fit, as long as its fold.
    measure : Information
        What a prediction is worth.
    test : SwapTest
        How pairs are tested.
    """

    def __init__(
        self,
        rows: FoldedRows,
        fits: Fits,
        predictions: list[NDArray[Any]],
        measure: Information,
        test: SwapTest,
    ) -> None:
        self._values, self._parts, self._fits = rows.values, rows.parts, fits
        self._predictions, self._measure, self._test = predictions, measure, test
        added = [
            measure.contributions(rows.values[rows.parts[fold], variable, None], predicted[:, None]).sum(
                axis=(0, 1)
            )
            for (fold, variable, _), predicted in zip(fits.wanted, predictions, strict=True)
        ]
        self._sums: Floats = np.array(added)[fits.where].sum(axis=1)

    @property
    def information(self) -> Floats:
        """In nats, shape (alphas, d)."""
        return self._measure.of(self._sums, np.arange(self._values.shape[1]))

    def p_value(self, best: int, other: int) -> float:
        """The swap test, or its normal approximation."""
        variables = differing(self._fits, best, other)
        pair = Pair(
            variables,
            self._values[:, variables],
            self._predicted(best, variables),
            self._predicted(other, variables),
            self._sums[best, variables],
            self._sums[other, variables],
        )
        if self._test.approximate and isinstance(self._measure, GaussianInformation):
            return normal_p_value(self._measure, pair)
        return swap_p_value(self._measure, pair, self._test.permutations, self._test.seed)

    def _predicted(self, alpha: int, variables: NDArray[np.intp]) -> NDArray[Any]:
        table = np.empty((len(self._values), len(variables)), dtype=self._values.dtype)
        for rows, fits in zip(self._parts, self._fits.where[alpha][:, variables].tolist(), strict=True):
            for v, fit in enumerate(fits):
                table[rows, v] = self._predictions[fit]
        return table


class MomentEvidence:
    """Evidence of regressions from the moments of the folds alone; rows are taken for Gaussian.

    The information is the same as from rows. The p-value is the normal approximation of the swap test, see
    `normal_p_value`: there, a row's q is a quadratic function q = u'Qu + l'u + k of the row u, whose mean
    over a fold follows exactly from the fold's moments and whose variance for Gaussian rows of covariance S
    and mean m is 2 tr(QSQS) + (l + 2Qm)'S(l + 2Qm).

    Parameters
    ----------
    moments : FoldMoments
        Of standardized columns in name order.
    fits : Fits
        What is predicted from what.
    linear : LinearFits
        The regressions.
    """

    def __init__(self, moments: FoldMoments, fits: Fits, linear: LinearFits) -> None:
        self._fits, self._linear = fits, linear
        self._counts, self._means = moments.counts.astype(np.float64), moments.means
        outer = self._means[:, :, None] * self._means[:, None, :]
        # mean products of each fold's columns
        self._products = moments.scatters / self._counts[:, None, None] + outer
        self._covariance = moments.scatters.sum(axis=0) / self._counts.sum()
        square = np.einsum("f,fii->i", self._counts, self._products)
        total = self._counts @ self._means
        self._measure = GaussianInformation(int(moments.counts.sum()), total, square)
        self._sums: Floats = self._added()[fits.where].sum(axis=1)

    @property
    def information(self) -> Floats:
        """In nats, shape (alphas, d)."""
        return self._measure.of(self._sums, np.arange(self._means.shape[1]))

    def p_value(self, best: int, other: int) -> float:
        """The normal approximation of the swap test."""
        variables = differing(self._fits, best, other)
        sums = self._sums[:, variables]
        gained = self._measure.of(sums[[best, other]], variables).sum(axis=1)
        slopes = self._measure.gradient((sums[best] + sums[other]) / 2.0, variables)
        return normal_tail(float(gained[0] - gained[1]), self._variance(best, other, variables, slopes))

    def _added(self) -> Floats:
        """What each fit's predictions add to the sums, shape (fits, 3)."""
        added = np.empty((len(self._fits.wanted), 3))
        variables = np.array([variable for _, variable, _ in self._fits.wanted])
        for fold, count in enumerate(self._counts.tolist()):
            own = self._fits.of_fold(fold)
            slopes, base = self._linear.slopes[own], self._linear.intercepts[own]
            across = slopes @ self._products[fold]
            mean = slopes @ self._means[fold]
            cross = across[np.arange(len(own)), variables[own]] + base * self._means[fold, variables[own]]
            square = (across * slopes).sum(axis=1) + base * (2.0 * mean + base)
            added[own] = count * np.stack([mean + base, square, cross], axis=1)
        return added

    def _variance(self, best: int, other: int, variables: NDArray[np.intp], slopes: Floats) -> float:
        """The sum over all rows of the expected q^2."""
        Q, linear, constant = self._quadratic(best, other, variables, slopes)
        tilted = linear + 2.0 * np.einsum("fij,fj->fi", Q, self._means)
        spread = Q @ self._covariance
        variance = 2.0 * np.einsum("fij,fji->f", spread, spread)
        variance += np.einsum("fi,ij,fj->f", tilted, self._covariance, tilted)
        mean = np.einsum("fij,fij->f", Q, self._products) + (linear * self._means).sum(axis=1) + constant
        return float(self._counts @ (variance + mean**2))

    def _quadratic(
        self, best: int, other: int, variables: NDArray[np.intp], slopes: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Q, l and k of every fold: the gradient applied to the difference of the two contributions."""
        of_total, of_square, of_cross = slopes.T
        (a, u), (b, w) = (
            (self._linear.slopes[fits], self._linear.intercepts[fits])
            for fits in (self._fits.where[best][:, variables], self._fits.where[other][:, variables])
        )
        weighted = of_square[:, None]
        Q = (a * weighted).transpose(0, 2, 1) @ a - (b * weighted).transpose(0, 2, 1) @ b
        half = of_cross[:, None] * (a - b) / 2.0
        Q[:, variables, :] += half
        Q[:, :, variables] += half.transpose(0, 2, 1)
        steps = of_total[:, None] * (a - b) + 2.0 * weighted * (a * u[..., None] - b * w[..., None])
        linear = steps.sum(axis=1)
        linear[:, variables] += of_cross * (u - w)
        constant = (of_total * (u - w) + of_square * (u**2 - w**2)).sum(axis=1)
        return Q, linear, constant


def differing(fits: Fits, best: int, other: int) -> NDArray[np.intp]:
    """The variables that two alphas predict from different boundaries in some fold."""
    return np.flatnonzero((fits.where[best] != fits.where[other]).any(axis=0))
