"""Whatever the data: the answer is a valid CPDAG, and permuting the columns permutes it and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from secondlook import DataError, FisherZ, autopc, pc, secondlook
from secondlook.graphs import is_cpdag
from secondlook.independence import CITest
from secondlook.simulation import random_linear_model
from zoo import random_dag


class Plain(CITest):
    """A test that hides that it is Gaussian."""

    def __init__(self, test):
        self.names = test.names
        self._test = test

    def p_value(self, i, j, S):
        return self._test.p_value(i, j, S)


def dense(rng):
    """A dense linear model, 60 to 200 rows."""
    dag = random_dag(rng, int(rng.integers(3, 11)), 6.0)
    return FisherZ(random_linear_model(dag, rng).sample(int(rng.integers(60, 200)), rng)).correlation, 100


def few_rows(rng):
    """Fewer rows than columns."""
    d = int(rng.integers(5, 14))
    n = int(rng.integers(4, d + 1))
    common = rng.normal(size=(n, 1)) * rng.random()
    return FisherZ(common + rng.normal(size=(n, d))).correlation, n


def hub(rng):
    """One column that all others depend on, or that depends on all others."""
    d, n = int(rng.integers(6, 13)), 300
    X = rng.normal(size=(n, d))
    if rng.random() < 0.5:
        X[:, 1:] += 0.6 * X[:, :1]
    else:
        X[:, 0] += 0.6 * X[:, 1:].sum(axis=1)
    return FisherZ(X).correlation, n


def made_by_no_dag(rng):
    """A random positive definite matrix, with a number of rows that it was not made from."""
    d = int(rng.integers(3, 11))
    factor = rng.normal(size=(d, d + int(rng.integers(0, 6))))
    covariance = factor @ factor.T
    scale = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    return (correlation + correlation.T) / 2, int(rng.integers(5, 500))


def collinear(rng):
    """A column that is the sum of others."""
    d, n = int(rng.integers(4, 9)), 150
    X = rng.normal(size=(n, d))
    X[:, 0] = X[:, 1:3].sum(axis=1)
    X[:, 3] += X[:, 0]
    return FisherZ(X).correlation, n


KINDS = [dense, few_rows, hub, made_by_no_dag, collinear]
METHODS = {
    "secondlook": lambda test: secondlook(test).graph,
    "without polish": lambda test: secondlook(test, polish=False).graph,
    "any test": lambda test: secondlook(Plain(test), alphas=[0.01, 0.2]).graph,
    "autopc": lambda test: autopc(test).graph,
    "majority": lambda test: autopc(test, colliders="majority").graph,
    "conservative": lambda test: autopc(test, colliders="conservative").graph,
    "pc": lambda test: pc(test, alpha=0.2).graph,
    "pc of any test": lambda test: pc(Plain(test), alpha=0.1).graph,
}


def both(kind, rng):
    """A test, and the same test with its columns permuted."""
    while True:
        try:
            correlation, n = kind(rng)
            d = len(correlation)
            order = rng.permutation(d)
            names = tuple(f"v{k}" for k in range(d))
            test = FisherZ(correlation=correlation, n=n, names=names)
        except DataError:  # few rows can make two columns say the same
            continue
        moved = correlation[np.ix_(order, order)]
        return test, FisherZ(correlation=moved, n=n, names=[names[k] for k in order])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_answer_is_valid_and_permuting_columns_permutes_it(kind, method, rng):
    """Eight data sets of each kind, by each method: a valid CPDAG, the same under other column orders."""
    _assert_valid_and_order_free(kind, method, rng, 8)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_answer_is_valid_and_permuting_columns_permutes_it_every_time(kind, method, part, rng):
    """And so it is a hundred times over."""
    del part  # gives another seed
    _assert_valid_and_order_free(kind, method, rng, 100)


def _assert_valid_and_order_free(kind, method, rng, count):
    search = METHODS[method]
    for _ in range(count):
        test, moved = both(kind, rng)
        answer = search(test)
        assert is_cpdag(answer)
        assert search(moved).relabelled(test.names) == answer


def test_indefinite_matrices_are_refused(rng):
    """A correlation matrix that no data can have is refused in one sentence."""
    refused = 0
    for _ in range(20):
        d = int(rng.integers(4, 10))
        matrix = rng.uniform(-0.95, 0.95, size=(d, d))
        matrix = np.triu(matrix, 1) + np.triu(matrix, 1).T + np.eye(d)
        if np.linalg.eigvalsh(matrix)[0] > -1e-3:
            continue
        refused += 1
        with pytest.raises(DataError, match="positive semi-definite"):
            FisherZ(correlation=matrix, n=100)
    assert refused > 10
