"""The Markov check: what a graph says, whether the data agree, and which graph is kept."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import secondlook as sl
from secondlook import MarkovCheck, autopc
from secondlook.graphs import PDAG, d_separated, extension
from secondlook.independence import CITest
from secondlook.selection.markov_check import local_independencies
from secondlook.selection.uniformity import anderson_darling, anderson_darling_p
from zoo import DAGS, NOT_EXTENDABLE, path_of, random_dag

GRID = (0.001, 0.01, 0.05, 0.2)


def descendants(dag, name):
    """All nodes that arrows lead to from this one."""
    found = set()
    for child in dag.children(name):
        found |= {child} | descendants(dag, child)
    return found


def literal(dag):
    """Local Markov as its sentence says it, in canonical spelling."""
    questions = set()
    for x in dag.names:
        for y in set(dag.names) - {x} - descendants(dag, x) - set(dag.parents(x)):
            ends = sorted((dag.index(x), dag.index(y)))
            questions.add((*ends, tuple(sorted(map(dag.index, dag.parents(x))))))
    return questions


@pytest.mark.parametrize("dag", DAGS.values(), ids=DAGS)
def test_independencies_are_the_local_markov_ones(dag):
    """Each non-descendant that is no parent is independent given the parents, each question once."""
    found = local_independencies(dag)
    assert len(found) == len(set(found))
    assert set(found) == literal(dag)
    for i, j, S in found:
        assert d_separated(dag, dag.names[i], dag.names[j], [dag.names[s] for s in S])


def test_independencies_of_random_dags(rng):
    """The same on random DAGs; a pair comes once or twice, and only when it is not adjacent."""
    for _ in range(10):
        dag = random_dag(rng, 12, 3.0)
        found = local_independencies(dag)
        assert set(found) == literal(dag)
        apart = {
            pair
            for pair in combinations(range(12), 2)
            if not dag.is_adjacent(*map(dag.names.__getitem__, pair))
        }
        assert {(i, j) for i, j, _ in found} == apart


def test_scores_are_those_of_the_questions_asked_one_by_one():
    """Each score is the Anderson-Darling p of its graph's questions, and the rule keeps as it says."""
    kept = set()
    for seed in range(12):
        X = sl.simulate(6, 300, rng=np.random.default_rng(seed)).data
        found, test = autopc(X, alphas=GRID, rule=MarkovCheck()), sl.FisherZ(X)
        p, edges = [], [graph.n_edges for graph in found.path.first.graphs]
        for k, graph in enumerate(found.path.first.graphs):
            answers = [test.p_value(*question) for question in literal(extension(graph).dag)]
            p.append(anderson_darling_p(anderson_darling(answers)))
            assert found.details["independencies"][k] == len(answers)
        assert [score.value for score in found.scores] == pytest.approx(p, rel=1e-9)
        assert found.details["passes"] == tuple(value > 0.05 for value in p)
        passing = [k for k in range(len(GRID)) if p[k] > 0.05]
        expected = min(passing, key=lambda k: edges[k]) if passing else int(np.argmax(p))
        assert found.chosen == expected
        kept.add((bool(passing), found.chosen))
    assert {passes for passes, _ in kept} == {True, False}
    assert len(kept) > 3


def test_every_question_is_asked_once():
    """Graphs of all alphas share their answers."""
    X = sl.simulate(6, 300, rng=np.random.default_rng(2)).data
    asked = []

    class Listening(CITest):
        names = sl.FisherZ(X).names
        inner = sl.FisherZ(X)

        def p_value(self, i, j, S):
            asked.append((i, j, tuple(S)))
            return self.inner.p_value(i, j, S)

    found = autopc(Listening(), alphas=GRID, rule=MarkovCheck())
    searched = found.n_tests
    checked = asked[searched:]
    assert len(checked) == len(set(checked)) > 0
    assert len(checked) < sum(found.details["independencies"])


def test_complete_graphs_pass():
    """A graph that says nothing cannot be wrong."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=500)
    found = autopc(np.column_stack([a, a + rng.normal(size=500)]), rule=MarkovCheck())
    assert found.details["independencies"] == (0,) * 6
    assert found.details["passes"] == (True,) * 6
    assert [score.value for score in found.scores] == [1.0] * 6


def test_none_passing_keeps_the_largest_p():
    """With a level of 1 nothing passes, and the graph that comes closest is kept."""
    X = sl.simulate(6, 300, rng=np.random.default_rng(4)).data
    found = autopc(X, alphas=GRID, rule=MarkovCheck(level=1.0))
    assert not any(found.details["passes"])
    values = [score.value for score in found.scores]
    assert found.chosen == values.index(max(values))


def test_hopeless_graphs_are_compared_by_their_statistic():
    """Where p is zero for a float, the graph of the smaller statistic is kept, though it comes later."""
    names = tuple("abcdef")
    correlation = np.full((6, 6), 0.5) + 0.5 * np.eye(6)
    test = sl.FisherZ(correlation=correlation, n=10**6, names=names)
    dense = [pair for pair in combinations(names, 2) if pair not in (("a", "b"), ("a", "c"), ("b", "c"))]
    graphs = (PDAG(names), PDAG(names, dense))
    choice = MarkovCheck().choose(path_of(*graphs), sl.selection.Problem(test, sl.SearchOptions()))
    assert [score.value for score in choice.scores] == [0.0, 0.0]
    assert choice.scores[0].key < choice.scores[1].key < 0.0
    assert (choice.chosen, choice.ties) == (1, (1,))


def test_graphs_without_extension_are_flagged():
    """The record says at which alphas no DAG fits, and what is checked is the fallback."""
    X = sl.simulate(4, 200, rng=np.random.default_rng(0)).data
    square = NOT_EXTENDABLE["chordless square of lines"]
    problem = sl.selection.Problem(sl.FisherZ(X, names=square.names), sl.SearchOptions())
    choice = MarkovCheck().choose(path_of(PDAG(square.names), square), problem)
    assert choice.details["extendable"] == (True, False)
    assert choice.details["independencies"][1] == len(literal(extension(square).dag))


def test_untestable_questions_are_left_out_and_counted():
    """An answer of NaN is no evidence, and the record says how many there were."""
    inner = sl.FisherZ(np.random.default_rng(0).normal(size=(200, 4)))

    class Blind(CITest):
        names = inner.names

        def p_value(self, i, j, S):
            return float("nan") if (i, j) == (0, 3) else inner.p_value(i, j, S)

    empty, full = PDAG(inner.names), PDAG(inner.names, [("x0", "x3")])
    problem = sl.selection.Problem(Blind(), sl.SearchOptions())
    choice = MarkovCheck().choose(path_of(empty, empty), problem)
    assert choice.details["untestable"] == (1, 1)
    assert choice.details["independencies"] == (5, 5)
    assert MarkovCheck().choose(path_of(empty, full), problem).details["untestable"] == (1, 0)
    assert "untestable" not in MarkovCheck().choose(path_of(full), problem).details


def test_too_many_questions_are_refused():
    """A check that could ask more than its budget is refused with both numbers, and 0 is no limit."""
    test = sl.FisherZ(np.random.default_rng(0).normal(size=(100, 5)))
    path = path_of(PDAG(test.names))
    with pytest.raises(sl.BudgetError, match=r"2.0e\+01 questions .* 5 variables, the budget is 1.9e\+01"):
        MarkovCheck().choose(path, sl.selection.Problem(test, sl.SearchOptions(max_tests=19)))
    for enough in (20, 0, None):
        problem = sl.selection.Problem(test, sl.SearchOptions(max_tests=enough))
        assert MarkovCheck().choose(path, problem).chosen == 0
    many = sl.DSeparation(PDAG([f"x{k}" for k in range(3200)]))
    with pytest.raises(sl.BudgetError, match=r"3,200 variables.*raise max_tests"):
        MarkovCheck().choose(path_of(PDAG(many.names)), sl.selection.Problem(many, sl.SearchOptions()))


def test_order_of_columns_plays_no_part():
    """Lines are directed by name and not by column, so that permuted columns are checked alike."""
    X = sl.simulate(5, 300, rng=np.random.default_rng(1)).data
    names, order = tuple("badec"), [3, 1, 4, 0, 2]
    moved = tuple(names[k] for k in order)
    graph = PDAG(names, (), ["ab", "bc", "cd", "de"])
    found = []
    for columns, data in ((names, X), (moved, X[:, order])):
        problem = sl.selection.Problem(sl.FisherZ(data, names=columns), sl.SearchOptions())
        found.append(MarkovCheck().choose(path_of(graph.relabelled(columns)), problem))
    assert found[0].scores[0].value == pytest.approx(found[1].scores[0].value, rel=1e-9)
    assert found[0].details == found[1].details
