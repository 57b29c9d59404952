"""Fisher's z against 50-digit arithmetic and against its own distribution."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from secondlook.errors import DataError
from secondlook.independence import FisherZ

EPS = float(np.finfo(np.float64).eps)


def exact(C, width):
    """The partial correlation of the last two columns given the others, and the smallest pivot."""
    with mpmath.workdps(50):
        left = [[mpmath.mpf(float(C[a, b])) for b in range(width)] for a in range(width)]
        pivots = []
        for s in range(width - 2):
            pivots.append(left[s][s])
            for a in range(s + 1, width):
                factor = left[a][s] / left[s][s]
                for b in range(s + 1, width):
                    left[a][b] -= factor * left[s][b]
        vi, vj = left[width - 2][width - 2], left[width - 1][width - 1]
        return left[width - 2][width - 1] / mpmath.sqrt(vi * vj), min([*pivots, vi, vj])


def smallest_eigenvalue(C):
    """To 50 digits."""
    with mpmath.workdps(50):
        return float(min(mpmath.eigsy(mpmath.matrix(C.tolist()), eigvals_only=True)))


def ill_conditioned(rng, width, n=40):
    """A test on columns some of which nearly are combinations of others."""
    X = rng.normal(size=(n, width))
    for c in rng.choice(width, size=int(rng.integers(1, 3)), replace=False):
        others = [k for k in range(width) if k != c]
        mixture = X[:, others] @ rng.normal(size=width - 1) * (rng.random() < 0.5)
        X[:, c] = mixture + X[:, rng.choice(others)] + 10 ** rng.uniform(-4, -1) * rng.normal(size=n)
    return FisherZ(X)


def errors(rng, widths, cases):
    """Per answered case: |r - exact r|, the smallest pivot, the test."""
    for _ in range(cases):
        width = int(rng.choice(widths))
        try:
            test = ill_conditioned(rng, width)
        except DataError:  # two columns had become duplicates
            continue
        r = test.statistic(width - 2, width - 1, range(width - 2))
        true, pivot = exact(test.correlation, width)
        if np.isnan(r):
            assert pivot <= 1.0000001e-8
        else:
            yield float(abs(mpmath.mpf(r) - true)), float(pivot), test


def test_statistic_error_small_sets(rng):
    """With at most two columns in S the error stays below 30 eps over the smallest pivot."""
    found = list(errors(rng, [3, 4], 400))
    assert len(found) > 300
    assert min(pivot for _, pivot, _ in found) < 1e-6
    assert max(error * pivot for error, pivot, _ in found) < 30 * EPS


def test_statistic_error_any_set(rng):
    """With any S the error stays below eps over the smallest eigenvalue, which no pivot order can beat."""
    found = [
        (error, smallest_eigenvalue(test.correlation)) for error, _, test in errors(rng, range(3, 9), 200)
    ]
    assert len(found) > 150
    assert min(value for _, value in found) < 1e-7
    assert max(error * value for error, value in found) < EPS


def test_statistic_error_well_conditioned(rng):
    """On ordinary data the error is a few units in the last place."""
    test = FisherZ(rng.normal(size=(500, 8)))
    true, _ = exact(test.correlation, 8)
    assert abs(mpmath.mpf(test.statistic(6, 7, range(6))) - true) < 8 * EPS


def test_correlation_error_against_fifty_digits(rng):
    """The matrix is right to 20 eps, offsets and mixed units included."""
    X = rng.normal(size=(60, 3)) * [1e-12, 1.0, 1e160] + [1e-6, 1e4, 0.0]
    C = FisherZ(X).correlation
    with mpmath.workdps(50):
        columns = [[mpmath.mpf(float(x)) for x in X[:, k]] for k in range(3)]
        means = [sum(column) / 60 for column in columns]
        left = [[x - mean for x in column] for column, mean in zip(columns, means, strict=True)]
        norm = [mpmath.sqrt(sum(x * x for x in column)) for column in left]
        for i, j in [(0, 1), (0, 2), (1, 2)]:
            true = sum(x * y for x, y in zip(left[i], left[j], strict=True)) / norm[i] / norm[j]
            # Storing an offset of 1e6 spreads costs no digit of these very numbers.
            assert abs(C[i, j] - true) < 20 * EPS


@pytest.mark.parametrize(("n", "S"), [(20, ()), (20, (2, 3, 4)), (200, (2,)), (200, (2, 3, 4, 5))])
def test_p_values_uniform_under_independence(rng, n, S):
    """Under conditional independence p-values are uniform: degrees of freedom and tails are right."""
    draws = 2000
    p = np.empty(draws)
    for k in range(draws):
        X = rng.normal(size=(n, 6))
        X[:, 0] += X[:, 2:].sum(axis=1) * bool(S)
        X[:, 1] -= X[:, 2] * bool(S)
        if S:
            X[:, 0] -= X[:, [c for c in range(2, 6) if c not in S]].sum(axis=1)
        p[k] = FisherZ(X).p_value(0, 1, S)
    ordered = np.sort(p)
    distance = np.abs(ordered - (np.arange(draws) + 0.5) / draws).max()
    assert distance < 2.2 / np.sqrt(draws)  # Kolmogorov: exceeded once in about eight thousand seeds
    assert abs((p < 0.05).mean() - 0.05) < 0.022
