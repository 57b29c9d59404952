"""PC-CV: the loss of held-out rows, and which alpha it keeps."""

from __future__ import annotations

from math import log, pi

import numpy as np
import pytest

import secondlook as sl
from secondlook import DataError, PcCV, autopc
from secondlook.graphs import markov_boundaries
from secondlook.independence import CITest
from secondlook.tables import as_table

GRID = (0.001, 0.01, 0.05, 0.2)


def literal(X, alphas, rule):
    """Losses per fold and alpha: one PC run and one regression per variable each, row by row."""
    n = len(X)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    folds = np.array_split(np.random.default_rng(rule.seed).permutation(n), rule.folds)
    losses = np.zeros((rule.folds, len(alphas)))
    for f, held in enumerate(folds):
        known = np.setdiff1d(np.arange(n), held)
        for a, alpha in enumerate(alphas):
            graph = sl.pc(X[known], alpha=alpha).raw
            for i, members in enumerate(markov_boundaries(graph)):
                design = np.column_stack([np.ones(n), Z[:, members]])
                weights = np.linalg.lstsq(design[known], Z[known, i], rcond=None)[0]
                residuals = Z[:, i] - design @ weights
                variance = np.mean(residuals[known] ** 2)
                losses[f, a] += np.mean(0.5 * (log(2 * pi * variance) + residuals[held] ** 2 / variance))
    return losses, np.array([len(held) for held in folds])


@pytest.mark.parametrize("folds", [2, 5])
def test_scores_are_those_of_regressions_row_by_row(folds):
    """Losses and standard errors equal those of plain regressions, and the smallest loss is kept."""
    kept = set()
    for seed in range(6):
        X = sl.simulate(6, 203, rng=np.random.default_rng(seed)).data * 7.0 + 100.0
        rule = PcCV(folds=folds, seed=seed)
        found = autopc(X, alphas=GRID, rule=rule)
        losses, sizes = literal(X, GRID, rule)
        mean = sizes @ losses / sizes.sum()
        assert [score.value for score in found.scores] == pytest.approx(mean, rel=1e-9)
        errors = losses.std(axis=0, ddof=1) / np.sqrt(folds)
        assert found.details["standard_error"] == pytest.approx(errors, rel=1e-7)
        values = [score.value for score in found.scores]
        assert found.chosen == values.index(min(values))
        kept.add(found.chosen)
    assert len(kept) > 1


def test_one_standard_error_keeps_the_sparsest_that_is_as_good():
    """With one_se the fewest edges within one standard error win, and all of these tie."""
    moved = 0
    for seed in range(12):
        X = sl.simulate(8, 300, rng=np.random.default_rng(seed)).data
        smallest, sparse = (autopc(X, alphas=GRID, rule=PcCV(one_se=one_se)) for one_se in (False, True))
        assert smallest.scores == sparse.scores
        values = [score.value for score in sparse.scores]
        limit = min(values) + sparse.details["standard_error"][values.index(min(values))]
        within = tuple(k for k, value in enumerate(values) if value <= limit)
        assert sparse.tied == within
        edges = [graph.n_edges for graph in sparse.path.first.graphs]
        assert sparse.chosen == min(within, key=lambda k: edges[k])
        moved += sparse.chosen != smallest.chosen
    assert moved > 2


def test_mean_boundary_counts_members():
    """Independent columns have empty boundaries, and their loss is that of the normal distribution."""
    X = np.random.default_rng(1).normal(size=(500, 4))
    found = autopc(X, alphas=(1e-8, 1e-7), rule=PcCV())
    assert found.details["mean_boundary"] == (0.0, 0.0)
    assert found.scores[0].value == pytest.approx(4 * 0.5 * (log(2 * pi) + 1), rel=0.02)


def test_columns_constant_outside_a_fold_are_refused():
    """A column that varies in one fold only is named with the fold and the remedy."""
    X = np.random.default_rng(0).normal(size=(100, 3))
    X[:, 2] = 0.0
    X[7, 2] = 1.0
    with pytest.raises(DataError, match=r"vary in the rows outside fold \d.*column 'rare'; drop it or use"):
        autopc(as_table(X, ["a", "b", "rare"]), rule=PcCV())


class Lenient(CITest):
    """A test that takes any table and finds nothing."""

    def __init__(self, table):
        self.names = table.names

    def p_value(self, i, j, S):
        """Everything depends on everything."""
        del i, j, S
        return 0.0


@pytest.mark.parametrize(
    ("value", "said"), [(np.nan, "complete rows.*column 'x1'"), (None, "vary in the table.*column 'x1'")]
)
def test_tables_that_only_the_test_can_use_are_refused(value, said):
    """Missing values and constants may suit a test of one's own, but no regression."""
    X = np.random.default_rng(0).normal(size=(50, 3))
    if value is None:
        X[:, 1] = 3.0
    else:
        X[4, 1] = value
    with pytest.raises(DataError, match=said):
        autopc(X, rule=PcCV(), test=Lenient)


def test_collinear_boundaries_are_lost():
    """A boundary whose members determine each other gives an infinite loss, not a crash."""
    X = np.random.default_rng(0).normal(size=(60, 4))
    X[:, 3] = X[:, 0] + X[:, 1] + X[:, 2]
    found = autopc(X, alphas=(0.01, 0.1), rule=PcCV(), test=Lenient)
    assert [score.value for score in found.scores] == [np.inf, np.inf]
    assert found.chosen == 0
    assert found.details["standard_error"] == (np.inf, np.inf)
