"""What holds for any data: engines, grids, threads and twins agree, and columns have no order."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secondlook import FisherZ, SearchOptions, alpha_path
from secondlook.search import COLLIDER_RULES
from secondlook.simulation import random_linear_model
from twins.autopc import both_looks, marks_of
from twins.evidence import by_fisher_z
from twins.orientation import free_of_conflicts
from twins.skeleton import pc_stable
from zoo import random_dag

relaxed = settings(deadline=None)  # a slow machine is no failure
few = settings(deadline=None, max_examples=30)
RULES = st.sampled_from(COLLIDER_RULES)
LEVELS = st.none() | st.integers(0, 3)
ALPHA = st.floats(1e-9, 0.999, exclude_max=True)
VOTING = ("vote", "majority", "conservative")


@st.composite
def fisher_tests(draw: st.DrawFn, most: int = 8) -> FisherZ:
    """Fisher's z on 2 to 8 columns of a linear model, sparse or dense; every set leaves rows to test."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d = draw(st.integers(2, most))
    dag = random_dag(rng, d, draw(st.floats(0.5, 4.0)))
    return FisherZ(random_linear_model(dag, rng).sample(draw(st.integers(d + 8, 600)), rng), names=dag.names)


def grids(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[list[float]]:
    """Ascending alphas without repeats."""
    return sizes.flatmap(lambda k: st.lists(ALPHA, min_size=k, max_size=k, unique=True).map(sorted))


def seen(path, k):
    """Everything a path says about its k-th alpha: graphs, separating sets and conflicts of both looks."""
    found = []
    for look in (path.first, path.second):
        if look is not None:
            conflicts = [conflict for conflict in look.conflicts if conflict.alpha == path.alphas[k]]
            sepsets = [look.sepset(a, b, k) for a, b in combinations(path.names, 2)]
            found.append((look.graphs[k], sepsets, conflicts))
    return found


def everything(path):
    """What a path says at every alpha, and what it says about its limits."""
    limits = [(look.level_capped, look.held_votes) for look in (path.first, path.second) if look is not None]
    return [seen(path, k) for k in range(len(path))], limits


@few
@given(fisher_tests(6), RULES, grids(st.integers(2, 12)), st.sampled_from(["native", "generic"]))
def test_one_pass_is_separate_runs(test, rule, alphas, engine):
    """One pass over a grid gives at each alpha the graphs, sets and conflicts of a run at it alone."""
    options = SearchOptions(rule)
    path = alpha_path(test, alphas, options, engine=engine)
    for k, alpha in enumerate(alphas):
        assert seen(path, k) == seen(alpha_path(test, [alpha], options, engine=engine), 0)


@settings(deadline=None, max_examples=6)
@given(fisher_tests(6), RULES, grids(st.just(64) | st.integers(65, 130)))
def test_one_pass_is_separate_runs_long_grids(test, rule, alphas):
    """The same where the grid fills a pass of 64 alphas, and where it needs a second and a third."""
    options = SearchOptions(rule)
    path = alpha_path(test, alphas, options)
    assert len(path.first.chunks) == -(-len(alphas) // 64)
    for k, alpha in enumerate(alphas):
        assert seen(path, k) == seen(alpha_path(test, [alpha], options), 0)


@relaxed
@given(fisher_tests(), RULES, LEVELS, grids(st.integers(1, 6)), st.sampled_from([1, 2]))
def test_native_is_generic(test, rule, max_level, alphas, looks):
    """The native engine and the generic one say the same, for every rule, level limit and number of looks."""
    options = SearchOptions(rule, max_level)
    native, generic = (
        alpha_path(test, alphas, options, looks=looks, engine=engine) for engine in ("native", "generic")
    )
    assert (native.engine, generic.engine) == ("native", "generic")
    assert everything(native) == everything(generic)


@relaxed
@given(fisher_tests(), RULES, LEVELS, ALPHA)
def test_native_is_its_twin(test, rule, max_level, alpha):
    """Graphs and separating sets of both looks are those of the literal, slow twin."""
    d = len(test.names)
    looks = both_looks(d, by_fisher_z(test.correlation, test.n, alpha), rule, max_level=max_level)
    path = alpha_path(test, [alpha], SearchOptions(rule, max_level))
    assert np.array_equal(marks_of(path.first.graphs[0]), looks.first)
    assert np.array_equal(marks_of(path.second_look.graphs[0]), looks.second)
    assert bool(path.first.conflicts) == looks.conflict
    for look, skeleton in ((path.first, looks.first_skeleton), (path.second_look, looks.second_skeleton)):
        for i, j in combinations(range(d), 2):
            found = look.sepset(test.names[i], test.names[j], 0)
            expected = skeleton.sepsets.get((i, j))
            assert found == (None if expected is None else tuple(test.names[s] for s in expected))


@relaxed
@given(fisher_tests(9), RULES, ALPHA)
def test_second_look_two_forms(test, rule, alpha):
    """Rerunning PC among the parents, and re-asking the removed pairs only, give the same second look."""
    separates = by_fisher_z(test.correlation, test.n, alpha)
    literal = both_looks(len(test.names), separates, rule)
    shortcut = both_looks(len(test.names), separates, rule, literal=False)
    assert literal.second_skeleton == shortcut.second_skeleton
    assert np.array_equal(literal.second, shortcut.second)
    assert literal.first_skeleton.edges() <= literal.second_skeleton.edges()


@relaxed
@given(st.data(), fisher_tests(), RULES, ALPHA)
def test_relabelling_permutes_the_skeleton(data, test, rule, alpha):
    """Permuting the columns permutes the first look's skeleton and does nothing else to it."""
    order = data.draw(st.permutations(test.names))
    moved = _moved(test, order)
    options = SearchOptions(rule)
    graph = alpha_path(test, [alpha], options, looks=1).first.graphs[0]
    graph_moved = alpha_path(moved, [alpha], options, looks=1).first.graphs[0]
    assert graph_moved.skeleton.relabelled(test.names) == graph.skeleton


@pytest.mark.parametrize("rule", VOTING)
def test_relabelling_permutes_the_graph(rule, rng):
    """A rule that votes permutes its graph, and the second look, wherever nothing asks an edge both ways.

    Raw rules promise no more (the first one met wins a conflict), and such conflicts must be the exception.
    """
    free = 0
    for _ in range(60):
        dag = random_dag(rng, 8, 2.5)
        test = FisherZ(random_linear_model(dag, rng).sample(500, rng), names=dag.names)
        separates = by_fisher_z(test.correlation, test.n, 0.01)
        if not free_of_conflicts(pc_stable(dag.d, separates), separates, rule):
            continue
        free += 1
        moved = _moved(test, rng.permutation(test.names).tolist())
        path, path_moved = (alpha_path(t, [0.01], SearchOptions(rule)) for t in (test, moved))
        assert path_moved.first.graphs[0].relabelled(test.names) == path.first.graphs[0]
        second, second_moved = path.second_look.graphs[0], path_moved.second_look.graphs[0]
        assert second_moved.skeleton.relabelled(test.names) == second.skeleton
    assert free >= 30


def _moved(test: FisherZ, order: list[str]) -> FisherZ:
    at = [test.names.index(name) for name in order]
    return FisherZ(correlation=test.correlation[np.ix_(at, at)], n=test.n, names=order)
