"""Information from sums, and the swap test of two configurations, against slow twins."""

from __future__ import annotations

import numpy as np
import pytest

from secondlook.selection.octs import swap
from secondlook.selection.octs.information import GaussianInformation, PlugInInformation
from twins import octs as twin

N, D = 60, 3


def gaussian_measure(values):
    """The measure of these values."""
    return GaussianInformation(len(values), values.sum(axis=0), (values**2).sum(axis=0))


def predictions(values, rng, noise):
    """Predictions that are right up to noise."""
    return 0.7 * values + noise * rng.normal(size=values.shape) + 0.3


def pair_of(measure, values, best, other):
    """The pair of two tables of predictions."""
    sums = [measure.contributions(values, predicted).sum(axis=0) for predicted in (best, other)]
    return swap.Pair(np.arange(values.shape[1]), values, best, other, *sums)


def categories(rng):
    """Values with three levels, and two predictions of them."""
    values = rng.integers(3, size=(N, D))
    return [
        values,
        *(np.where(rng.random((N, D)) < keep, values, rng.integers(3, size=(N, D))) for keep in (0.7, 0.5)),
    ]


def test_gaussian_information_is_that_of_whole_columns(rng):
    """Sums give the same information as the correlation of value and prediction."""
    values = rng.normal(size=(N, D)) + 5
    predicted = predictions(values, rng, 1.0)
    measure = gaussian_measure(values)
    found = measure.of(measure.contributions(values, predicted).sum(axis=0), np.arange(D))
    expected = [twin.gaussian_information(values[:, i], predicted[:, i]) for i in range(D)]
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_gaussian_information_of_a_constant_is_zero(rng):
    """Neither a constant prediction nor a constant variable carries information."""
    values = rng.normal(size=(N, 2))
    values[:, 1] = 0.3
    predicted = np.column_stack([np.full(N, 0.1), rng.normal(size=N)])
    measure = gaussian_measure(values)
    sums = measure.contributions(values, predicted).sum(axis=0)
    assert measure.of(sums, np.arange(2)).tolist() == [0.0, 0.0]
    assert not measure.gradient(sums, np.arange(2)).any()


def test_gaussian_information_of_a_perfect_prediction_is_finite(rng):
    """A prediction without error has the largest information, not an infinite one."""
    values = rng.normal(size=(N, 1))
    measure = gaussian_measure(values)
    found = measure.of(measure.contributions(values, 2 * values + 1).sum(axis=0), np.arange(1))[0]
    assert 15 < found < 20


def test_gradient_is_that_of_finite_differences(rng):
    """The derivative by each of the sums is that of central differences."""
    values = rng.normal(size=(N, D)) + 0.2
    measure, variables = gaussian_measure(values), np.array([0, 2])
    sums = measure.contributions(values, predictions(values, rng, 0.8)).sum(axis=0)[variables]
    found = measure.gradient(sums, variables)
    for k in range(3):
        step = np.zeros(3)
        step[k] = 1e-5
        rise = measure.of(sums + step, variables) - measure.of(sums - step, variables)
        np.testing.assert_allclose(found[:, k], rise / 2e-5, rtol=1e-5, atol=1e-9)


def test_plug_in_information_is_that_of_counts(rng):
    """Sums of cells give the mutual information of value and predicted category."""
    values, predicted, _ = categories(rng)
    measure = PlugInInformation(3)
    found = measure.of(measure.contributions(values, predicted).sum(axis=0), np.arange(D))
    expected = [twin.plug_in_information(values[:, i], predicted[:, i]) for i in range(D)]
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def halves(permutations, seed):
    """The halves of the rows that the test draws."""
    return swap._halves(np.random.default_rng([seed, 2]), N, permutations).T.astype(bool)


@pytest.mark.parametrize("block", [1 << 22, 400, 1])
def test_swap_test_swaps_whole_rows(block, rng, monkeypatch):
    """The p-value is that of swapping rows one by one, however rows and variables are blocked."""
    values = rng.normal(size=(N, D))
    best, other = predictions(values, rng, 1.0), predictions(values, rng, 1.0)
    measure = gaussian_measure(values)
    expected = twin.swap_p_value(twin.gaussian_information, values, best, other, halves(100, 4))
    assert 0 < expected < 1
    monkeypatch.setattr(swap, "_BLOCK", block)
    assert swap.swap_p_value(measure, pair_of(measure, values, best, other), 100, 4) == expected


def test_swap_test_of_categories_swaps_whole_rows(rng):
    """Plug-in information is tested with the same halves."""
    values, best, other = categories(rng)
    measure = PlugInInformation(3)
    expected = twin.swap_p_value(twin.plug_in_information, values, best, other, halves(100, 1))
    assert swap.swap_p_value(measure, pair_of(measure, values, best, other), 100, 1) == expected


def test_swap_test_flips_fair_coins(rng):
    """Every row is swapped in about half of the permutations."""
    coins = swap._halves(rng, 200, 1000)
    assert set(np.unique(coins)) == {0.0, 1.0}
    assert (abs(coins.mean(axis=1) - 0.5) < 0.08).all()
    assert (abs(coins.mean(axis=0) - 0.5) < 0.2).all()


def test_swap_test_of_equally_good_predictions_is_calibrated(rng):
    """Of predictions with the same noise about one in ten has a p-value below 0.1."""
    p_values = []
    for _ in range(200):
        values = rng.normal(size=(N, D))
        best, other = predictions(values, rng, 1.0), predictions(values, rng, 1.0)
        measure = gaussian_measure(values)
        p_values.append(swap.swap_p_value(measure, pair_of(measure, values, best, other), 99, 0))
    assert 0.03 < np.mean(np.array(p_values) < 0.1) < 0.2
    assert 0.4 < np.mean(p_values) < 0.6


@pytest.mark.parametrize("noise", [0.8, 0.85, 0.95])
def test_normal_approximation_is_near_the_permutations(noise, rng):
    """Its p-value differs from that of 2000 permutations by less than 0.04."""
    values = rng.normal(size=(500, D))
    best, other = predictions(values, rng, 0.8), predictions(values, rng, noise)
    measure = gaussian_measure(values)
    pair = pair_of(measure, values, best, other)
    assert swap.normal_p_value(measure, pair) == pytest.approx(
        swap.swap_p_value(measure, pair, 2000, 0), abs=0.04
    )


def test_normal_tail_without_variance_tells_gain_from_none():
    """When no swap changes anything, a gain is certain and its absence too."""
    assert swap.normal_tail(0.0, 0.0) == 1.0
    assert swap.normal_tail(0.1, 0.0) == 0.0
