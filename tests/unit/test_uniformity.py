"""The Anderson-Darling test: statistic against its definition, p-values against published points."""

from __future__ import annotations

from itertools import pairwise
from math import log

import numpy as np
import pytest

from secondlook.selection.uniformity import anderson_darling, anderson_darling_p


def test_statistic_is_its_sum(rng):
    """The statistic is the published sum over the ordered values, whatever order they come in."""
    for n in (1, 2, 7, 40):
        u = rng.random(n)
        ordered = sorted(u.tolist())
        total = sum((2 * i + 1) * (log(ordered[i]) + log(1 - ordered[n - 1 - i])) for i in range(n))
        assert anderson_darling(rng.permutation(u)) == pytest.approx(-n - total / n, rel=1e-10)


def test_statistic_of_extremes_is_finite():
    """Exact zeros and ones give a large statistic and no infinity."""
    assert 20 < anderson_darling([0.0, 1.0, 0.5]) < 1000
    assert anderson_darling([0.0] * 50) > 1000


@pytest.mark.parametrize(
    ("statistic", "p"),
    [(1.2479, 0.25), (1.6212, 0.15), (1.9330, 0.10), (2.4922, 0.05), (3.0775, 0.025), (3.8781, 0.01)],
)
def test_p_has_the_published_percentage_points(statistic, p):
    """The upper points of the limit law are those in print."""
    assert anderson_darling_p(statistic) == pytest.approx(p, rel=2e-3)


def test_p_is_that_of_the_weighted_sum_of_chi_squares(rng):
    """The limit law is that of the sum of chi-squares over k (k + 1), here by simulation."""
    k = np.arange(1, 200)
    draws = (rng.normal(size=(20_000, len(k))) ** 2 / (k * (k + 1))).sum(axis=1)
    draws += 1 / 200  # the mean of what the sum leaves out
    for z in (0.3, 0.5, 0.8, 1.5, 2.5):
        assert anderson_darling_p(z) == pytest.approx(float(np.mean(draws > z)), abs=0.015)


def test_p_falls_from_one_to_nothing():
    """The p-value falls with the statistic, to far below what one minus a probability could tell."""
    z = np.linspace(0.0, 60.0, 400)
    p = [anderson_darling_p(value) for value in z]
    assert p[0] == 1.0
    assert all(a >= b for a, b in pairwise(p))
    assert 0.0 < anderson_darling_p(600.0) < 1e-250
    # the first chi-square rules the tail: P is near sqrt(3) times the chance that a normal exceeds it
    assert anderson_darling_p(40.0) == pytest.approx(3**0.5 * np.exp(-40.0) / np.sqrt(np.pi * 40.0), rel=0.05)


@pytest.mark.parametrize("n", [2, 5, 50])
def test_p_of_uniform_values_is_nearly_uniform(n, rng):
    """The p-values of uniform values are nearly uniform themselves, for few values too."""
    p = np.array([anderson_darling_p(anderson_darling(rng.random(n))) for _ in range(3000)])
    for level in (0.05, 0.1, 0.5):
        assert np.mean(p <= level) == pytest.approx(level, abs=0.04)
