"""Wishart covariances without rows: moments against theory, folds against rows, and refusals."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from secondlook.errors import DataError, OptionError
from secondlook.simulation import FoldMoments, wishart_covariance, wishart_folds

SIGMA = np.array([[2.0, 0.8, -0.3], [0.8, 1.0, 0.2], [-0.3, 0.2, 0.5]])
DRAWS = 6000


def spread(n: int) -> np.ndarray:
    """The variance of each entry of a sample covariance of n rows."""
    return (SIGMA**2 + np.outer(SIGMA.diagonal(), SIGMA.diagonal())) / (n - 1)


def check_moments(found: np.ndarray, n: int) -> None:
    """Mean and variance of many sample covariances lie within five standard errors or a tenth of theory."""
    assert (abs(found.mean(axis=0) - SIGMA) < 5 * np.sqrt(spread(n) / len(found))).all()
    assert (abs(found.var(axis=0) / spread(n) - 1) < 0.25).all()


@pytest.mark.parametrize("n", [2, 3, 4, 9, 40])
def test_mean_and_variance_of_the_covariance_match_theory(n: int, rng: np.random.Generator) -> None:
    """With more and with fewer degrees of freedom than variables, both moments are Wishart's."""
    check_moments(np.array([wishart_covariance(SIGMA, n, rng) for _ in range(DRAWS)]), n)


def test_mean_of_the_inverse_matches_theory(rng: np.random.Generator) -> None:
    """The inverse scatter has mean inv(Sigma) / (n - 1 - d - 1), which depends on every chi-square."""
    n = 15
    inverses = [np.linalg.inv(wishart_covariance(SIGMA, n, rng) * (n - 1)) for _ in range(DRAWS)]
    np.testing.assert_allclose(np.mean(inverses, axis=0) * (n - 5), np.linalg.inv(SIGMA), atol=0.12)


def test_covariance_matches_that_of_drawn_rows(rng: np.random.Generator) -> None:
    """The log-determinant has the same mean as that of real rows with estimated mean."""
    n, root = 8, np.linalg.cholesky(SIGMA)
    drawn = [np.linalg.slogdet(wishart_covariance(SIGMA, n, rng))[1] for _ in range(DRAWS)]
    rows = (rng.standard_normal((DRAWS, n, 3)) @ root.T).transpose(0, 2, 1)
    direct = [np.linalg.slogdet(np.cov(x))[1] for x in rows]
    error = np.sqrt((np.var(drawn) + np.var(direct)) / DRAWS)
    assert abs(np.mean(drawn) - np.mean(direct)) < 5 * error
    assert np.var(drawn) == pytest.approx(np.var(direct), rel=0.15)


@pytest.mark.parametrize("n", [2, 3, 4, 100_000])
def test_covariance_is_symmetric_with_the_rank_of_its_rows(n: int, rng: np.random.Generator) -> None:
    """Fewer rows than variables leave a singular matrix, as real rows would."""
    found = wishart_covariance(SIGMA, n, rng)
    assert np.array_equal(found, found.T)
    assert np.linalg.matrix_rank(found, tol=1e-9) == min(3, n - 1)
    assert np.linalg.eigvalsh(found).min() > -1e-12


def test_huge_samples_need_no_rows(rng: np.random.Generator) -> None:
    """A billion rows are one draw, and as close to the population as they should be."""
    found = wishart_covariance(SIGMA, 10**9, rng)
    assert (abs(found - SIGMA) < 6 * np.sqrt(spread(10**9))).all()


def test_merged_folds_equal_a_direct_computation(rng: np.random.Generator) -> None:
    """Moments of folds cut from real rows merge into the moments of all rows and of any union."""
    rows = rng.standard_normal((47, 4)) @ rng.standard_normal((4, 4)) + rng.standard_normal(4) * 10
    parts = np.array_split(rows, 5)
    folds = FoldMoments(
        np.array([len(part) for part in parts]),
        np.array([part.mean(axis=0) for part in parts]),
        np.array([(len(part) - 1) * np.cov(part, rowvar=False) for part in parts]),
    )
    for chosen, found in (
        (rows, folds.merged()),
        (np.concatenate(parts[1:]), folds.training(0)),
        (np.concatenate([parts[3], parts[1]]), folds.merged([3, 1])),
        (parts[2], folds.merged([2])),
    ):
        assert found.count == len(chosen)
        np.testing.assert_allclose(found.mean, chosen.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(found.covariance(), np.cov(chosen, rowvar=False), rtol=1e-10)


@pytest.mark.parametrize(("n", "folds"), [(11, 3), (4, 4)])
def test_merged_folds_are_wishart_with_one_mean_estimated(
    n: int, folds: int, rng: np.random.Generator
) -> None:
    """Folds of any size, single rows included, merge into a covariance with n - 1 degrees of freedom."""
    merged = [wishart_folds(SIGMA, n, folds, rng).merged() for _ in range(DRAWS)]
    check_moments(np.array([found.covariance() for found in merged]), n)
    means = np.array([found.mean for found in merged])
    assert (abs(means.mean(axis=0)) < 5 * np.sqrt(SIGMA.diagonal() / n / DRAWS)).all()
    np.testing.assert_allclose(np.cov(means, rowvar=False) * n, SIGMA, atol=0.15)


def test_each_fold_has_its_own_wishart_moments(rng: np.random.Generator) -> None:
    """A single fold's covariance has its own number of rows, and two folds are uncorrelated."""
    drawn = [wishart_folds(SIGMA, 20, 3, rng) for _ in range(DRAWS)]
    first, last = (np.array([found.merged([k]).covariance() for found in drawn]) for k in (0, 2))
    check_moments(first, 7)
    check_moments(last, 6)
    assert abs(np.corrcoef(first[:, 0, 0], last[:, 0, 0])[0, 1]) < 5 / np.sqrt(DRAWS)


def test_first_folds_take_the_rows_left_over(rng: np.random.Generator) -> None:
    """Sizes differ by at most one and sum to n."""
    found = wishart_folds(SIGMA, 23, 5, rng)
    assert found.counts.tolist() == [5, 5, 5, 4, 4]
    assert found.means.shape == (5, 3)
    assert found.scatters.shape == (5, 3, 3)
    assert np.array_equal(found.scatters, found.scatters.transpose(0, 2, 1))


def test_fold_of_one_row_has_no_scatter(rng: np.random.Generator) -> None:
    """One row deviates from its own mean by nothing, and has no covariance."""
    found = wishart_folds(SIGMA, 3, 2, rng)
    assert not found.scatters[1].any()
    with pytest.raises(DataError, match=r"needs at least 2 rows\. Got 1"):
        found.merged([1]).covariance()


def test_same_seed_gives_the_same_draws() -> None:
    """Nothing but the generator decides."""
    one, two, other = (wishart_covariance(SIGMA, 50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)
    folds = [wishart_folds(SIGMA, 50, 5, np.random.default_rng(1)) for _ in range(2)]
    assert np.array_equal(folds[0].scatters, folds[1].scatters)
    assert np.array_equal(folds[0].means, folds[1].means)


@pytest.mark.parametrize(
    ("covariance", "message"),
    [
        (np.ones((2, 3)), "must have shape (d, d). Got (2, 3)."),
        (np.ones(3), "must have shape (d, d). Got (3,)."),
        (np.empty((0, 0)), "must have shape (d, d). Got (0, 0)."),
        ([[1.0, np.nan], [np.nan, 1.0]], "must be finite."),
        ([[1.0, 0.5], [0.4, 1.0]], "must be symmetric. Got a difference of 0.0999"),
        ([[1.0, 1.0], [1.0, 1.0]], "must be positive definite."),
        ([[1.0, 2.0], [2.0, 1.0]], "must be positive definite."),
    ],
)
@pytest.mark.parametrize("draw", [wishart_covariance, lambda c, n, rng: wishart_folds(c, n, 2, rng)])
def test_unusable_covariance_is_refused(
    draw: Any, covariance: Any, message: str, rng: np.random.Generator
) -> None:
    """Each refusal says what the matrix lacks."""
    with pytest.raises(DataError, match=re.escape(message)):
        draw(covariance, 10, rng)


def test_options_outside_their_range_are_refused(rng: np.random.Generator) -> None:
    """Too few rows or folds are named with the least that would do."""
    with pytest.raises(OptionError, match=r"'n' parameter of wishart_covariance must be at least 2\. Got 1"):
        wishart_covariance(SIGMA, 1, rng)
    with pytest.raises(OptionError, match=r"'folds' parameter of wishart_folds must be at least 2\. Got 1"):
        wishart_folds(SIGMA, 10, 1, rng)
    with pytest.raises(OptionError, match=r"'n' parameter of wishart_folds must be at least 5\. Got 4"):
        wishart_folds(SIGMA, 4, 5, rng)
    with pytest.raises(TypeError, match="must be a numpy Generator"):
        wishart_covariance(SIGMA, 10, np.random)  # type: ignore[arg-type]


@pytest.mark.parametrize("chosen", [[], [0, 0], [3], [-1]])
def test_union_of_impossible_folds_is_refused(chosen: list[int], rng: np.random.Generator) -> None:
    """No fold, a fold twice and a fold that does not exist have no moments."""
    found = wishart_folds(SIGMA, 9, 3, rng)
    with pytest.raises(OptionError, match=re.escape(f"distinct indices in 0..2. Got {chosen}.")):
        found.merged(chosen)


def test_training_without_an_unknown_fold_is_refused(rng: np.random.Generator) -> None:
    """A fold that does not exist cannot be left out."""
    with pytest.raises(OptionError, match=r"The 'fold' of training must be in 0\.\.2\. Got 3"):
        wishart_folds(SIGMA, 9, 3, rng).training(3)
