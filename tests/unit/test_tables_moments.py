"""Moments of rows, whole and by fold."""

from __future__ import annotations

import numpy as np
import pytest

from secondlook import DataError, simulation, tables
from secondlook.tables import FoldMoments, Moments


def test_moments_of_rows_are_those_of_numpy(rng):
    """Every fold, and every union of folds, has the mean and covariance of its rows."""
    rows = rng.normal(size=(31, 4)) @ rng.normal(size=(4, 4))
    folds = np.array_split(rng.permutation(31), 5)
    found = FoldMoments.of_rows(rows, folds)
    assert found.counts.tolist() == [7, 6, 6, 6, 6]
    for k, fold in enumerate(folds):
        np.testing.assert_allclose(found.merged([k]).covariance(), np.cov(rows[fold].T), atol=1e-12)
        outside = np.delete(rows, fold, axis=0)
        np.testing.assert_allclose(found.training(k).covariance(), np.cov(outside.T), atol=1e-12)
        np.testing.assert_allclose(found.training(k).mean, outside.mean(axis=0), atol=1e-13)


def test_moments_of_rows_far_from_zero_keep_their_digits(rng):
    """An offset of 1e9 costs the covariance no more than the rows themselves lost."""
    rows = rng.integers(-8, 8, size=(40, 3)) / 4.0  # exact after the offset too
    folds = np.array_split(np.arange(40), 4)
    found = FoldMoments.of_rows(rows + 1e9, folds).merged().covariance()
    np.testing.assert_allclose(found, np.cov(rows.T), rtol=1e-6, atol=1e-6)
    each = FoldMoments.of_rows(rows + 1e9, folds).scatters
    np.testing.assert_allclose(each, FoldMoments.of_rows(rows, folds).scatters, rtol=1e-12, atol=1e-12)


def test_correlation_of_moments_is_that_of_numpy(rng):
    """Symmetric, with a unit diagonal, and NumPy's numbers."""
    rows = rng.normal(size=(25, 3)) * [1, 100, 1e-3] + [0, 7, 0]
    found = FoldMoments.of_rows(rows, [np.arange(25)]).merged().correlation()
    np.testing.assert_allclose(found, np.corrcoef(rows.T), atol=1e-13)
    assert np.array_equal(found, found.T)
    assert (found.diagonal() == 1.0).all()


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e9])
def test_correlation_of_a_constant_is_refused(constant, rng):
    """A column that does not vary is named, or counted."""
    rows = np.column_stack([rng.normal(size=9), np.full(9, constant)])
    moments = FoldMoments.of_rows(rows, [np.arange(9)]).merged()
    with pytest.raises(DataError, match="constant 'b'; drop it"):
        moments.correlation(["a", "b"])
    with pytest.raises(DataError, match="constant column number 2"):
        moments.correlation()


def test_moments_of_an_empty_fold_are_refused():
    """A fold without rows has no mean."""
    with pytest.raises(DataError, match="Got none in fold 1; use fewer folds"):
        FoldMoments.of_rows(np.ones((3, 2)), [np.arange(3), np.arange(0)])


def test_moments_are_one_type_for_simulation_and_tables():
    """Folds that are drawn and folds that are counted have the same type."""
    assert simulation.FoldMoments is tables.FoldMoments is FoldMoments
    assert simulation.Moments is Moments
