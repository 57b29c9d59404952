"""With a test that knows the truth, the search gives the truth: every DAG, every rule, both looks."""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

import pytest

from secondlook import DSeparation, FisherZ, Memo, SearchOptions, alpha_path, autopc, metrics
from secondlook.graphs import cpdag
from secondlook.independence import CITest, canonical
from secondlook.search import COLLIDER_RULES
from secondlook.simulation import random_linear_model
from twins.evidence import by_test, partial_correlation
from twins.skeleton import pc_stable
from zoo import DAGS, all_dags, random_dag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np

    from secondlook import PDAG, AlphaPath

ALPHAS = (0.001, 0.05, 0.999)
CHUNKS = 24

# The population answers as if from 10^12 rows. A vanishing partial correlation is computed to about 1e-13 at
# worst, which is z = 1e-7, p > 0.9999999; one that does not vanish is at least WEAKEST, which is z >= 1000,
# p = 0. So the two never meet at any alpha of this grid, however extreme.
N_POPULATION = 10**12
POPULATION_ALPHAS = (1e-9, 0.01, 0.9)
WEAKEST = 1e-3


class Counting(CITest):
    """An oracle that writes down every question it is asked."""

    def __init__(self, dag: PDAG) -> None:
        self.names = dag.names
        self.asked: list[tuple[int, int, tuple[int, ...]]] = []
        self._oracle = DSeparation(dag)

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """The oracle's answer."""
        self.asked.append((i, j, tuple(S)))
        return self._oracle.p_value(i, j, S)


def _questions(d: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for i, j in combinations(range(d), 2):
        others = [k for k in range(d) if k not in (i, j)]
        for size in range(len(others) + 1):
            for S in combinations(others, size):
                yield i, j, S


def _chunk_of_five(chunk: int) -> Iterator[PDAG]:
    return islice(all_dags(5), chunk, None, CHUNKS)


def _assert_truth(path: AlphaPath, truth: PDAG) -> None:
    for graphs in (path.first.graphs, path.second_look.graphs):
        assert set(graphs) == {truth}
    assert path.first.conflicts == ()


def _population_test(dag: PDAG, rng: np.random.Generator) -> tuple[FisherZ, int]:
    """Fisher's z on the population correlation of faithful weights, and how many draws were too weak.

    A draw is rejected when a d-connected pair has a partial correlation below WEAKEST: cancelling paths
    are no fault of the search.
    """
    for rejected in range(200):
        correlation = random_linear_model(dag, rng).correlation()
        if _weakest(dag, correlation) >= WEAKEST:
            return FisherZ(correlation=correlation, n=N_POPULATION, names=dag.names), rejected
    raise AssertionError(f"200 draws of weights for {dag} were all nearly unfaithful")


def _weakest(dag: PDAG, correlation: np.ndarray) -> float:
    oracle, weakest = DSeparation(dag), 1.0
    for i, j, S in _questions(dag.d):
        size = abs(partial_correlation(correlation, i, j, S))
        if oracle.p_value(i, j, S):
            assert size < 1e-12
        else:
            weakest = min(weakest, size)
    return weakest


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_oracle_every_small_dag(d, rule):
    """For every labelled DAG on up to four nodes both looks are its CPDAG, at every alpha."""
    for dag in all_dags(d):
        _assert_truth(alpha_path(DSeparation(dag), ALPHAS, SearchOptions(rule)), cpdag(dag))


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_oracle_every_dag_on_five_nodes(chunk):
    """The same for all 29,281 labelled DAGs on five nodes; the rules share the answers."""
    for dag in _chunk_of_five(chunk):
        memo, truth = Memo(DSeparation(dag)), cpdag(dag)
        for rule in COLLIDER_RULES:
            _assert_truth(alpha_path(memo, ALPHAS[:1], SearchOptions(rule)), truth)


@pytest.mark.slow
def test_five_nodes_are_all_visited():
    """The chunks of the exhaustive check add up to every DAG, none twice."""
    assert sum(1 for chunk in range(CHUNKS) for _ in _chunk_of_five(chunk)) == 29281


@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_oracle_random_dags(rule, rng):
    """Above four nodes the same is true of random DAGs, sparse and dense."""
    for d, degree in ((6, 2.0), (8, 3.0), (10, 2.0), (12, 1.5)):
        for _ in range(5):
            dag = random_dag(rng, d, degree)
            _assert_truth(alpha_path(DSeparation(dag), ALPHAS[:2], SearchOptions(rule)), cpdag(dag))


@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_oracle_perfect_agreement(rule):
    """The two looks agree perfectly by every metric, so the smallest alpha is kept and all are tied."""
    for d in (2, 3, 4):
        for dag in islice(all_dags(d), 0, None, 5):
            found = autopc(DSeparation(dag), alphas=ALPHAS, colliders=rule)
            for metric in metrics.AGREEMENTS:
                scored = found.rescored(metric)
                assert (scored.agreement, scored.alpha, scored.ties) == (1.0, ALPHAS[0], ALPHAS)


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("d", [2, 3, 4])
def test_native_population_every_small_dag(d, rule, rng):
    """The native engine finds the CPDAG of every DAG on up to four nodes from population correlations."""
    for dag in all_dags(d):
        test, _ = _population_test(dag, rng)
        _assert_truth(alpha_path(test, POPULATION_ALPHAS, SearchOptions(rule), engine="native"), cpdag(dag))


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_native_population_every_dag_on_five_nodes(chunk, rng):
    """The same for all 29,281 DAGs on five nodes; nearly unfaithful weights are redrawn, but rarely."""
    redrawn = 0
    for dag in _chunk_of_five(chunk):
        test, rejected = _population_test(dag, rng)
        redrawn += rejected
        for rule in COLLIDER_RULES:
            path = alpha_path(test, POPULATION_ALPHAS, SearchOptions(rule), engine="native")
            _assert_truth(path, cpdag(dag))
    # about one draw in 27 has to go; if many had to, the check would be about a few chosen weights only
    assert redrawn < 0.1 * 29281 / CHUNKS


def test_sepsets_separate(rng):
    """Every recorded set separates its pair in the DAG, in both looks; adjacent pairs have none."""
    dags = [*DAGS.values(), *(random_dag(rng, 8, 2.5) for _ in range(10))]
    for dag in dags:
        oracle = DSeparation(dag)
        path = alpha_path(oracle, ALPHAS[:1])
        for look in (path.first, path.second_look):
            for i, j in combinations(range(dag.d), 2):
                a, b = dag.names[i], dag.names[j]
                S = look.sepset(a, b, 0)
                assert (S is None) == look.graphs[0].is_adjacent(a, b)
                if S is not None:
                    assert oracle.p_value(i, j, [dag.names.index(s) for s in S]) == 1.0
                    assert look.sepset(b, a, 0) == S


@pytest.mark.parametrize("engine", ["generic", "native"])
def test_sepsets_have_the_size_of_their_level(engine, rng):
    """A set has exactly the size of the level that removed its pair, seen by stopping the search there."""
    for _ in range(8):
        dag = random_dag(rng, 7, 2.5)
        test = DSeparation(dag) if engine == "generic" else _population_test(dag, rng)[0]
        whole = alpha_path(test, [0.01], looks=1).first
        for level in range(5):
            stopped = alpha_path(test, [0.01], SearchOptions(max_level=level), looks=1).first
            for a, b in combinations(dag.names, 2):
                S = whole.sepset(a, b, 0)
                removed_by_now = S is not None and len(S) <= level
                assert stopped.graphs[0].is_adjacent(a, b) != removed_by_now
                assert not removed_by_now or stopped.sepset(a, b, 0) == S


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("name", [name for name, dag in DAGS.items() if dag.d > 1])
def test_questions_asked_once(name, rule):
    """The test is called once per distinct question, for all alphas, votes and both looks together."""
    counting = Counting(DAGS[name])
    path = alpha_path(counting, ALPHAS, SearchOptions(rule))
    assert len(counting.asked) == len(set(counting.asked)) == path.first.n_tests + path.second_look.n_tests
    assert all(question == canonical(*question) for question in counting.asked)


def test_questions_are_those_of_pc_stable(rng):
    """The questions of a first look are exactly the distinct ones of a literal PC-stable run."""
    for _ in range(15):
        dag = random_dag(rng, 8, 2.5)
        counting, literal = Counting(dag), Counting(dag)
        alpha_path(counting, [0.05], SearchOptions("first"), looks=1)
        pc_stable(dag.d, by_test(literal, 0.05))
        assert set(counting.asked) == set(literal.asked)


def test_memo_shared_by_rules():
    """A memo handed to several searches answers the later ones without asking anything new."""
    counting = Counting(DAGS["m-bias"])
    memo = Memo(counting)
    alpha_path(memo, ALPHAS, SearchOptions("conservative"))
    asked = len(counting.asked)
    again = alpha_path(memo, ALPHAS, SearchOptions("conservative"))
    assert (len(counting.asked), again.first.n_tests, again.second_look.n_tests) == (asked, 0, 0)
