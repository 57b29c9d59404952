"""The repair: equal to its slow twin, by either engine, at two thresholds in one pass, within its limits."""

from __future__ import annotations

import numpy as np
import pytest

from secondlook import DSeparation, FisherZ, OptionError, SearchOptions, alpha_path
from secondlook.graphs import cpdag
from secondlook.search.ladder import MAX_LADDER, Ladder
from secondlook.simulation import random_linear_model
from twins.autopc import marks_of
from twins.evidence import by_fisher_z
from twins.repair import repaired
from zoo import DAGS, random_dag

ALPHAS = (0.001, 0.01, 0.1, 0.3)


def sample(rng: np.random.Generator, d: int = 7, n: int = 300, degree: float = 3.0) -> FisherZ:
    """Fisher's z on rows of a random linear model."""
    dag = random_dag(rng, d, degree)
    return FisherZ(random_linear_model(dag, rng).sample(n, rng), names=dag.names)


@pytest.mark.parametrize("engine", ["native", "generic"])
@pytest.mark.parametrize("max_level", [None, 1, 2])
def test_repair_is_that_of_the_twin(engine, max_level, rng):
    """Every repaired graph is the one that asking pair by pair, set by set gives."""
    changed = 0
    for _ in range(12):
        test = sample(rng)
        options = SearchOptions(max_level=max_level)
        path = alpha_path(test, ALPHAS, options, looks=1, repair=True, engine=engine)
        for k, alpha in enumerate(ALPHAS):
            separates, strictly = (by_fisher_z(test.correlation, test.n, a) for a in (alpha, alpha / 10))
            expected = repaired(7, separates, strictly, max_level)
            assert np.array_equal(marks_of(path.repaired_look.graphs[k]), expected)
            changed += path.repaired_look.graphs[k] != path.first.graphs[k]
    assert changed > 5


@pytest.mark.parametrize("engine", ["native", "generic"])
def test_repair_of_many_alphas_is_that_of_each(engine, rng):
    """64 alphas in one pass, on two half ladders, are repaired like each alpha in a run of its own."""
    grid = np.geomspace(1e-5, 0.5, 64).tolist()
    test = sample(rng, d=9, n=200)
    some = range(0, 64, 9) if engine == "native" else (0, 40)
    many = alpha_path(test, grid, looks=1, repair=True, engine=engine).repaired_look
    for k in some:
        one = alpha_path(test, [grid[k]], looks=1, repair=True, engine=engine).repaired_look
        assert many.graphs[k] == one.graphs[0]
        assert [c[1:] for c in many.conflicts if c.alpha == grid[k]] == [c[1:] for c in one.conflicts]


@pytest.mark.parametrize("count", [1, 31, 32, 33, 64, 65])
def test_repair_around_the_size_of_a_ladder(count, rng):
    """A grid that fills half a pass, a pass, or one alpha more is repaired like its last alpha alone."""
    grid = np.geomspace(1e-4, 0.4, count).tolist()
    test = sample(rng, d=6, n=150)
    many = alpha_path(test, grid, looks=1, repair=True).repaired_look
    one = alpha_path(test, grid[-1:], looks=1, repair=True).repaired_look
    assert many.graphs[-1] == one.graphs[0]


def test_repair_gives_the_same_on_any_number_of_threads(rng):
    """Threads change nothing."""
    test = sample(rng, d=30, n=200)
    one, four = (
        alpha_path(test, ALPHAS, SearchOptions(n_jobs=jobs), repair=True).repaired_look for jobs in (1, 4)
    )
    assert one.graphs[:] == four.graphs[:]


@pytest.mark.parametrize("name", DAGS)
def test_repair_leaves_the_truth_alone(name):
    """With a test that knows the truth there is nothing to repair."""
    path = alpha_path(DSeparation(DAGS[name]), [0.05], repair=True)
    assert path.repaired_look.graphs[0] == path.first.graphs[0] == cpdag(DAGS[name])


@pytest.mark.parametrize("rule", ["majority", "conservative", "first", "overwrite"])
def test_repair_orients_by_votes_only(rule, rng):
    """Another collider rule is refused in one sentence."""
    with pytest.raises(OptionError, match=rf"A repair orients by colliders='vote'. Got '{rule}'\."):
        alpha_path(sample(rng), [0.05], SearchOptions(rule), repair=True)


def test_repair_not_asked_for_is_named(rng):
    """A path without repair says how to get one."""
    with pytest.raises(OptionError, match="make it with repair=True"):
        _ = alpha_path(sample(rng), [0.05]).repaired_look


@pytest.mark.parametrize("count", [1, 2, 6, MAX_LADDER])
def test_ladder_holds_every_threshold_once(count):
    """Thresholds ascend, and each alpha finds itself and its tenth."""
    alphas = tuple(np.geomspace(1e-6, 0.9, count).tolist())
    ladder = Ladder.of(alphas)
    assert list(ladder.thresholds) == sorted(ladder.thresholds)
    assert [ladder.thresholds[at] for at in ladder.plain] == list(alphas)
    assert [ladder.thresholds[at] for at in ladder.strict] == [alpha / 10 for alpha in alphas]
    assert sorted((*ladder.plain, *ladder.strict)) == list(range(2 * count))


def test_ladder_carries_masks_there_and_back(rng):
    """What is split over the thresholds folds back to the same alphas, one threshold for each."""
    ladder = Ladder.of(tuple(np.geomspace(1e-5, 0.5, MAX_LADDER).tolist()))
    masks, strict = (rng.integers(0, 2**MAX_LADDER, size=200).astype(np.uint64) for _ in range(2))
    split = ladder.split(masks, strict)
    assert np.array_equal(ladder.folded(split), masks)
    assert np.array_equal(np.bitwise_count(split), np.bitwise_count(masks))
    assert np.array_equal(ladder.folded(ladder.both(masks)), masks)
    assert np.array_equal(np.bitwise_count(ladder.both(masks)), 2 * np.bitwise_count(masks))
