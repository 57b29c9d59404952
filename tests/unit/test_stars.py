"""StARS: how much resamples disagree, and which alpha is still stable."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import secondlook as sl
from secondlook import DataError, OptionError, StARS, autopc
from secondlook.independence import CITest
from secondlook.tables import as_table

GRID = (0.001, 0.01, 0.05, 0.1, 0.3)


def literal(X, alphas, rule, size):
    """Instabilities and mean edges from one PC run per resample and alpha, pair by pair."""
    n, d = X.shape
    samples = []
    for draw in range(rule.draws):
        rng = np.random.default_rng([rule.seed, draw])
        samples.append(X[rng.choice(n, size, replace=rule.scheme == "bootstrap")])
    instability, edges = [], []
    for alpha in alphas:
        graphs = [sl.pc(sample, alpha=alpha).graph for sample in samples]
        names = graphs[0].names
        total = 0.0
        for a, b in combinations(names, 2):
            theta = np.mean([graph.is_adjacent(a, b) for graph in graphs])
            total += 2 * theta * (1 - theta)
        instability.append(total / (d * (d - 1) / 2))
        edges.append(np.mean([graph.n_edges for graph in graphs]))
    return instability, edges


def choice_of(instability, edges, threshold):
    """The densest stable alpha by its sentence."""
    order = sorted(range(len(edges)), key=lambda k: (edges[k], k))
    kept, highest = None, 0.0
    for k in order:
        highest = max(highest, instability[k])
        if highest <= threshold and (kept is None or edges[k] > edges[kept]):
            kept = k
    return order[0] if kept is None else kept


@pytest.mark.parametrize(("scheme", "size"), [("subsample", 173), ("bootstrap", 300)])
def test_stars_is_the_literal_count(scheme, size):
    """Instability, mean edges and choice are those of separate runs counted pair by pair."""
    chosen = set()
    for seed in range(6):
        X = sl.simulate(6, 300, rng=np.random.default_rng(seed)).data
        rule = StARS(draws=7, scheme=scheme, seed=seed, threshold=0.08)
        found = autopc(X, alphas=GRID, rule=rule)
        instability, edges = literal(X, GRID, rule, size)
        assert [score.value for score in found.scores] == pytest.approx(instability, abs=1e-12)
        assert found.details["mean_edges"] == pytest.approx(edges)
        assert found.chosen == choice_of(instability, edges, 0.08)
        chosen.add(found.chosen)
    assert len(chosen) > 1


def test_running_maximum_goes_from_sparse_to_dense():
    """In the order of mean edges the running maximum never falls, and stable is where it is low enough."""
    for seed in range(8):
        X = sl.simulate(8, 200, rng=np.random.default_rng(seed)).data
        found = autopc(X, alphas=GRID, rule=StARS(draws=6))
        edges, highest = found.details["mean_edges"], found.details["running_maximum"]
        ordered = [highest[k] for k in sorted(range(len(GRID)), key=lambda k: (edges[k], k))]
        assert ordered == sorted(ordered)
        assert all(h >= score.value for h, score in zip(highest, found.scores, strict=True))
        assert found.details["stable"] == tuple(h <= 0.05 for h in highest)


@pytest.mark.parametrize(
    ("rows", "rule", "size"),
    [
        (144, StARS(), 115),
        (145, StARS(), 120),
        (1000, StARS(), 316),
        (10**6, StARS(), 10**4),
        (50, StARS(size=20), 20),
        (50, StARS(scheme="bootstrap"), 50),
        (50, StARS(scheme="bootstrap", size=70), 70),
    ],
)
def test_sizes_of_resamples(rows, rule, size):
    """Subsamples have floor(10 sqrt n) rows, floor(0.8 n) up to 144, bootstraps n, unless size says."""
    assert rule._rows_of(rows) == size


@pytest.mark.parametrize(("scheme", "repeats"), [("subsample", False), ("bootstrap", True)])
def test_rows_of_resamples(scheme, repeats):
    """A subsample has no row twice, a bootstrap has some; no two resamples are the same."""
    seen = []

    def watching(table):
        seen.append(table.values[:, 0].tolist())
        return sl.FisherZ(table)

    autopc(np.random.default_rng(0).normal(size=(100, 3)), rule=StARS(draws=4, scheme=scheme), test=watching)
    resamples = seen[1:]  # the first is the search itself
    assert len(resamples) == 4
    assert all((len(set(rows)) < len(rows)) == repeats for rows in resamples)
    assert len({tuple(sorted(rows)) for rows in resamples}) == 4


def test_seed_changes_the_resamples():
    """Another seed gives other instabilities."""
    X = sl.simulate(8, 300, rng=np.random.default_rng(1)).data
    scores = {autopc(X, rule=StARS(seed=seed, draws=5)).scores for seed in (0, 1)}
    assert len(scores) == 2


def test_none_stable_keeps_the_sparsest():
    """With a threshold of zero and resamples that disagree everywhere the sparsest alpha is kept."""
    X = sl.simulate(10, 60, rng=np.random.default_rng(0)).data
    found = autopc(X, alphas=(0.05, 0.2), rule=StARS(threshold=0.0))
    assert found.details["stable"] == (False, False)
    assert found.alpha == 0.05


def rare(n: int = 400) -> np.ndarray:
    """Three columns, the last of them zero but in two rows."""
    X = np.random.default_rng(0).normal(size=(n, 3))
    X[2:, 2] = 0.0
    return X


def test_refused_resamples_are_drawn_again_and_counted():
    """A column that is constant in some resamples costs redraws, which the record counts."""
    found = autopc(rare(), alphas=(0.01, 0.05), rule=StARS(draws=10))
    assert found.details["redrawn"][0] > 0
    assert len(set(found.details["redrawn"])) == 1
    again = autopc(rare(), alphas=(0.01, 0.05), rule=StARS(draws=10, n_jobs=2))
    assert again.details == found.details
    assert "redrawn" not in autopc(np.random.default_rng(0).normal(size=(200, 3)), rule=StARS()).details


def test_resamples_that_are_always_refused_end_in_one_error():
    """After so many redraws the rule gives up and names the column and the remedy."""
    table = as_table(rare(), ["a", "b", "almost never"])
    with pytest.raises(DataError, match=r"StARS drew 5 of 400 rows 21 times.*size=….*'almost never'"):
        autopc(table, rule=StARS(size=5))


def test_other_errors_are_not_drawn_away():
    """Only data that a test refuses is drawn again; any other exception comes through."""

    class Broken(CITest):
        def __init__(self, table):
            self.names, self.small = table.names, len(table.values) < 100

        def p_value(self, i, j, S):
            if self.small:
                raise ZeroDivisionError("a fault of the test")
            return 1.0

    with pytest.raises(ZeroDivisionError, match="a fault of the test"):
        autopc(np.random.default_rng(0).normal(size=(100, 3)), rule=StARS(), test=Broken)


def test_size_beyond_the_rows_is_refused():
    """A subsample cannot have more rows than there are."""
    with pytest.raises(OptionError, match=r"'size' option of StARS must be at most the 30 rows.*Got 31"):
        autopc(np.random.default_rng(0).normal(size=(30, 3)), rule=StARS(size=31))


def test_resamples_use_the_kind_of_test_that_was_given():
    """A test given as test=… is bound to the resamples, too."""

    class Ranks(CITest):
        bound = 0

        def __init__(self, table):
            Ranks.bound += 1
            self._on_ranks = sl.FisherZ(table.values.argsort(axis=0).argsort(axis=0), names=table.names)
            self.names = table.names

        def p_value(self, i, j, S):
            return self._on_ranks.p_value(i, j, S)

    found = autopc(np.random.default_rng(0).normal(size=(100, 3)), rule=StARS(draws=6), test=Ranks)
    assert Ranks.bound == 7
    assert found.path.engine == "generic"
