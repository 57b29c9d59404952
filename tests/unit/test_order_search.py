"""The search over orders: native scores, local optima, what it never loses, and where it finds the truth."""

from __future__ import annotations

from itertools import permutations
from math import inf, log

import numpy as np
import pytest

from secondlook import PDAG, FisherZ, _native
from secondlook.graphs import cpdag, is_dag
from secondlook.search.ranking import data_rank
from secondlook.search.validity import Dag, sorted_dag
from secondlook.selection.likelihood import GaussianScore, families_of
from secondlook.selection.polish import dag_scores, edge_penalty, first_least, polished
from secondlook.simulation import random_linear_model
from twins.orders import best_single_move, family_score, grown_and_shrunk, order_score
from zoo import DAGS, random_dag


def sample(rng: np.random.Generator, d: int = 6, n: int = 200, degree: float = 3.0) -> FisherZ:
    """Fisher's z on rows of a random linear model."""
    dag = random_dag(rng, d, degree)
    return FisherZ(random_linear_model(dag, rng).sample(n, rng), names=dag.names)


def arrays(graph) -> Dag:
    """A graph of arrows as sorted arrays."""
    arrows = graph.arrows.astype(np.int32)
    return sorted_dag(arrows[:, 0], arrows[:, 1])


def an_order(dag: Dag, d: int) -> list[int]:
    """An order of the variables, parents first."""
    parents = [set(dag.tails[dag.heads == v].tolist()) for v in range(d)]
    order: list[int] = []
    while len(order) < d:
        order.append(next(v for v in range(d) if v not in order and parents[v] <= set(order)))
    return order


def fits(dag: Dag, order: tuple[int, ...]) -> bool:
    """Whether every arrow leads to a later place of the order."""
    place = {v: k for k, v in enumerate(order)}
    return all(place[t] < place[h] for t, h in zip(dag.tails.tolist(), dag.heads.tolist(), strict=True))


def score_of(dag: Dag, test: FisherZ, penalty: float) -> float:
    """The score of a DAG, family by family."""
    return sum(
        family_score(test.correlation, test.n, penalty, v, dag.tails[dag.heads == v].tolist())
        for v in range(len(test.names))
    )


@pytest.mark.parametrize("gamma", [0.0, 1.0])
def test_scores_are_those_of_the_rules(gamma, rng):
    """The native scores of many DAGs are those of the extended BIC, undefined ones included."""
    for n in (200, 5):
        test = sample(rng, d=7, n=200)
        test = FisherZ(correlation=test.correlation, n=n, names=test.names)
        graphs = [random_dag(rng, 7, degree) for degree in (0.0, 1.0, 3.0, 6.0)]
        found = dag_scores(test, [arrays(graph) for graph in graphs], log(n) + 4 * gamma * log(7))
        rule = GaussianScore(test, gamma)
        expected = [rule(families_of(graph)) for graph in graphs]
        assert found == pytest.approx(expected, abs=1e-8)
        assert (inf in expected) == (n == 5)


def test_scores_are_not_defined_for_collinear_families():
    """A sum of columns among the parents has no score, and one as a child neither."""
    a, b = np.random.default_rng(0).normal(size=(2, 100))
    names = ["a", "b", "sum", "y"]
    test = FisherZ(np.column_stack([a, b, a + b, a + np.random.default_rng(1).normal(size=100)]), names=names)
    tails, heads = np.array([0, 1, 2], dtype=np.int32), np.array([3, 3, 3], dtype=np.int32)
    assert dag_scores(test, [Dag(tails, heads), Dag(tails[:2], np.array([2, 2], dtype=np.int32))], 5.0) == [
        inf,
        inf,
    ]


@pytest.mark.parametrize(
    ("scores", "first"), [([1.0, 0.0, 0.0], 1), ([5e-9, 0.0], 0), ([inf, -3.0], 1), ([inf, inf], 0)]
)
def test_first_least_takes_the_first_of_equals(scores, first):
    """Scores that rounding may have made different are equal, and undefined ones lose."""
    assert first_least(scores) == first


def test_polished_is_never_worse_than_its_start(rng):
    """Whatever it starts from, the answer is a DAG whose score is no larger than the best start's."""
    gained = 0
    for d, n in ((4, 30), (6, 200), (9, 100), (12, 1000)):
        for _ in range(8):
            test = sample(rng, d, n)
            starts = [arrays(random_dag(rng, d, degree)) for degree in (0.0, 1.0, 3.0)]
            dag, record = polished(test, starts, (0.01, 0.05, 0.1), data_rank(test))
            after = score_of(dag, test, record.penalty)
            assert after <= record.before + 1e-6 * abs(record.before)
            assert after == pytest.approx(min(record.before, *record.scores), abs=1e-5)
            assert record.before == pytest.approx(
                min(score_of(start, test, record.penalty) for start in starts), abs=1e-6
            )
            gained += after < record.before - 1.0
    assert gained > 10


def test_polished_is_a_local_optimum(rng):
    """In the order where it ended no variable can stand elsewhere with a gain, as a slow twin finds."""
    for _ in range(12):
        test = sample(rng, 5, 150)
        dag, record = polished(test, [arrays(random_dag(rng, 5, 0.0))], (0.05,), data_rank(test))
        score = record.scores[0]
        # The search's own order is one of those that fit its DAG; which one, it does not say.
        orders = [order for order in permutations(range(5)) if fits(dag, order)]
        given = (test.correlation, test.n, record.penalty)
        assert any(
            order_score(*given, order) == pytest.approx(score, abs=1e-6)
            and best_single_move(*given, order) >= score - 1e-6
            for order in orders
        )


def test_parents_are_grown_and_shrunk(rng):
    """The families of the answer are those that growing and shrinking along its order gives."""
    for _ in range(15):
        test = sample(rng, 6, 300)
        starts = [arrays(random_dag(rng, 6, 2.0))]
        tails, heads, begin = (
            starts[0].tails,
            starts[0].heads,
            np.array([0, len(starts[0].tails)], np.uint64),
        )
        penalty = edge_penalty(test.n, 6)
        raw = _native.best_orders(
            test.correlation, float(test.n), penalty=penalty, tails=tails, heads=heads, begin=begin
        )
        found = Dag(raw["tails"], raw["heads"])
        order = an_order(found, 6)
        score = 0.0
        for place, v in enumerate(order):
            parents = grown_and_shrunk(test.correlation, test.n, penalty, v, order[:place])
            score += family_score(test.correlation, test.n, penalty, v, parents)
        assert score == pytest.approx(raw["scores"][0], abs=1e-6)


def test_permuted_columns_permute_the_polished_dag(rng):
    """With ranks the column order plays no part in the search."""
    for _ in range(20):
        test = sample(rng, 8, 80, 4.0)
        order = rng.permutation(8)
        back = np.argsort(order).astype(np.int32)
        moved = FisherZ(correlation=test.correlation[np.ix_(order, order)], n=test.n)
        starts = [arrays(random_dag(rng, 8, degree)) for degree in (1.0, 3.0)]
        starts_moved = [sorted_dag(back[dag.tails], back[dag.heads]) for dag in starts]
        one, record = polished(test, starts, (0.01, 0.1), data_rank(test))
        other, record_moved = polished(moved, starts_moved, (0.01, 0.1), data_rank(moved))
        again = sorted_dag(order[other.tails].astype(np.int32), order[other.heads].astype(np.int32))
        assert (again.tails.tolist(), again.heads.tolist()) == (one.tails.tolist(), one.heads.tolist())
        assert record_moved.scores == pytest.approx(record.scores, abs=1e-8)
        assert record_moved.chosen == record.chosen


@pytest.mark.parametrize("name", [name for name, dag in DAGS.items() if dag.d > 1])
def test_polished_keeps_the_truth_of_population_correlations(name, rng):
    """With correlations as if from 10^12 rows the true class is kept, and no other start scores better."""
    dag = DAGS[name]
    model = random_linear_model(dag, rng, weights=(0.5, 1.0))
    test = FisherZ(correlation=model.correlation(), n=10**12, names=dag.names)
    starts = [arrays(dag), arrays(PDAG(dag.names))]
    found, record = polished(test, starts, (0.01, 0.05), data_rank(test))
    assert found.cpdag(dag.names) == cpdag(dag)
    assert record.scores[0] == pytest.approx(record.before)
    assert min(record.scores) >= record.before - 1e-6 * abs(record.before)


@pytest.mark.parametrize("name", ["chain", "fork", "collider", "complete", "star out", "star in", "m-bias"])
def test_polished_finds_the_truth_from_nothing(name, rng):
    """From the empty graph it finds these truths in their population correlations."""
    dag = DAGS[name]
    model = random_linear_model(dag, rng, weights=(0.5, 1.0))
    test = FisherZ(correlation=model.correlation(), n=10**12, names=dag.names)
    found, _ = polished(test, [arrays(PDAG(dag.names))], (0.05,), data_rank(test))
    assert found.cpdag(dag.names) == cpdag(dag)


def test_polished_starts_once_from_equal_graphs(rng):
    """Equal starts are searched from once, under the smallest of their alphas."""
    test = sample(rng)
    one, two = arrays(random_dag(rng, 6, 0.0)), arrays(random_dag(rng, 6, 4.0))
    _, record = polished(test, [one, two, one, two], (0.001, 0.01, 0.05, 0.1), data_rank(test))
    assert record.starts == (0.001, 0.01)
    assert len(record.scores) == 2


def test_edge_penalty_is_twice_that_of_the_bic_or_more():
    """The penalty grows with the number of variables once there are many of them."""
    assert edge_penalty(1000, 5) == 2 * log(1000)
    assert edge_penalty(1000, 200) == log(1000) + 2.5 * log(200)
    assert edge_penalty(4, 1) == 2 * log(4)


def test_polished_of_few_rows_is_a_dag(rng):
    """More columns than rows, and collinear ones, end in a DAG all the same."""
    for n in (5, 8, 15):
        X = rng.normal(size=(n, 25))
        X[:, 24] = X[:, 0] + X[:, 1]
        test = FisherZ(X)
        dag, _ = polished(test, [Dag(*np.empty((2, 0), np.int32))], (0.05,), data_rank(test))
        arrows = zip(dag.tails.tolist(), dag.heads.tolist(), strict=True)
        assert is_dag(PDAG(test.names, directed=[(test.names[i], test.names[j]) for i, j in arrows]))
