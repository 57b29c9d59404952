"""From raw graphs to valid ones: extensions as Python's, orders that the data decide, what was settled."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from secondlook import (
    PDAG,
    DSeparation,
    FisherZ,
    OptionError,
    SearchOptions,
    Selection,
    alpha_path,
    autopc,
    pc,
)
from secondlook.graphs import cpdag, extension, is_cpdag, is_dag
from secondlook.independence import CITest, Memo
from secondlook.search import COLLIDER_RULES
from secondlook.search.arrays import Conflicts, Edges, Sepsets, StepReport
from secondlook.search.path import Chunk, Look
from secondlook.search.ranking import data_rank
from secondlook.search.run import VOTING_SIZES
from secondlook.search.validity import extension_of, extensions_of, settled_edges
from secondlook.simulation import random_linear_model
from zoo import NOT_EXTENDABLE, all_pdags, names, random_dag, random_pdag


class Plain(CITest):
    """A test that hides what it is made of."""

    def __init__(self, test: CITest) -> None:
        self.names = test.names
        self._test = test

    def p_value(self, i, j, S):
        return self._test.p_value(i, j, S)


def contradictory(rng: np.random.Generator, d: int = 9, n: int = 100) -> FisherZ:
    """Few rows of a dense model: its votes contradict each other."""
    dag = random_dag(rng, d, 5.0)
    return FisherZ(random_linear_model(dag, rng).sample(n, rng), names=dag.names)


def look_of(graphs: list[PDAG]) -> Look:
    """A look whose graphs are these, one per alpha."""
    d = graphs[0].d
    pairs = list(combinations(range(d), 2))
    forward, backward = (np.zeros(len(pairs), dtype=np.uint64) for _ in range(2))
    for k, graph in enumerate(graphs):
        bit = np.uint64(1 << k)
        for e, (i, j) in enumerate(pairs):
            a, b = graph.names[i], graph.names[j]
            forward[e] |= bit * graph.has_edge(a, b)
            backward[e] |= bit * graph.has_edge(b, a)
    ends = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    edges = Edges(ends[:, 0].copy(), ends[:, 1].copy(), forward | backward)
    none = np.empty(0, dtype=np.int32)
    sepsets = Sepsets(none, none, none.astype(np.uint64), np.zeros(1, dtype=np.uint64), none)
    chunk = Chunk(edges, forward, backward, sepsets, Conflicts.from_rows([]), StepReport(), None)
    return Look(graphs[0].names, tuple(0.01 * (k + 1) for k in range(len(graphs))), (chunk,))


def as_graph(dag, columns) -> PDAG:
    """The arrays of a DAG as a graph."""
    arrows = sorted(zip(dag.tails.tolist(), dag.heads.tolist(), strict=True))
    return PDAG.from_indices(columns, np.array(arrows, dtype=np.int32).reshape(-1, 2), np.empty((0, 2)))


def assert_extensions(graphs: list[PDAG]) -> None:
    """The native extensions in column order are those of the graph package."""
    rank = np.arange(graphs[0].d, dtype=np.int32)
    look = look_of(graphs)
    for k, (graph, dag) in enumerate(zip(graphs, extensions_of(look, rank), strict=True)):
        expected = extension(graph)
        assert as_graph(dag, graph.names) == expected.dag
        assert dag.consistent == expected.extendable
        alone = extension_of(look, k, rank)
        assert (alone.tails.tolist(), alone.heads.tolist(), alone.consistent) == (
            dag.tails.tolist(),
            dag.heads.tolist(),
            dag.consistent,
        )


@pytest.mark.parametrize("d", [1, 2, 3])
def test_extensions_of_every_small_graph_are_pythons(d):
    """Every graph on up to three nodes, cyclic ones too, gets the DAG that the graph package gives it."""
    graphs = list(all_pdags(d))
    for start in range(0, len(graphs), 50):
        assert_extensions(graphs[start : start + 50])


def test_extensions_of_random_graphs_are_pythons(rng):
    """So do random graphs, most of which no DAG fits."""
    extendable = 0
    for d, degree in ((5, 2.0), (8, 3.0), (12, 4.0), (20, 2.0)):
        graphs = [random_pdag(rng, d, degree) for _ in range(40)]
        graphs += [cpdag(random_dag(rng, d, degree)) for _ in range(10)]
        assert_extensions(graphs)
        extendable += sum(extension(graph).extendable for graph in graphs)
    assert 40 <= extendable < 190


@pytest.mark.parametrize("graph", NOT_EXTENDABLE.values(), ids=NOT_EXTENDABLE)
def test_extension_of_a_graph_without_one_says_so(graph):
    """What is made of a graph that no DAG fits is a DAG on its skeleton, and called inconsistent."""
    dag = extension_of(look_of([graph]), 0, np.arange(graph.d, dtype=np.int32))
    assert not dag.consistent
    assert is_dag(as_graph(dag, graph.names))
    answer = dag.cpdag(graph.names)
    assert is_cpdag(answer)
    assert answer.skeleton == graph.skeleton
    settled = settled_edges(look_of([graph]), 0, answer)
    assert settled
    for edge in settled:
        assert edge.raw != edge.answer != ""


def test_extension_follows_its_rank(rng):
    """Renaming the columns and their ranks together changes nothing but the names."""
    for _ in range(30):
        graph = random_pdag(rng, 9, 3.0)
        order = rng.permutation(9)
        rank = rng.permutation(9).astype(np.int32)
        moved = graph.relabelled(tuple(graph.names[k] for k in order))
        one = as_graph(extension_of(look_of([graph]), 0, rank), graph.names)
        other = as_graph(extension_of(look_of([moved]), 0, rank[order]), moved.names)
        assert other.relabelled(graph.names) == one


@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_answers_are_valid_but_for_rules_that_reproduce_others(rule, rng):
    """The answer is a valid CPDAG of the raw skeleton; "first" and "overwrite" give their raw graph."""
    invalid = 0
    for _ in range(25):
        test = contradictory(rng)
        one, chosen = pc(test, alpha=0.1, colliders=rule), autopc(test, colliders=rule)
        assert one.raw == one.path.first.graphs[0]
        for answer, raw in ((one.graph, one.raw), (chosen.graph, chosen.raw_graph)):
            assert answer.skeleton == raw.skeleton
            if rule in VOTING_SIZES:
                assert is_cpdag(answer)
            else:
                assert answer == raw
        invalid += not is_cpdag(one.raw)
        assert bool(one.settled) == (one.graph != one.raw)
        assert (chosen.answer is None) == (rule not in VOTING_SIZES)
    assert invalid > 0


def test_answers_keep_a_raw_graph_that_is_valid(rng):
    """A raw graph that is a CPDAG already is the answer, and nothing is settled."""
    kept = 0
    for _ in range(20):
        dag = random_dag(rng, 8, 1.5)
        test = FisherZ(random_linear_model(dag, rng).sample(3000, rng), names=dag.names)
        found = pc(test, alpha=0.001)
        if is_cpdag(found.raw):
            kept += 1
            assert (found.graph, found.settled) == (found.raw, ())
    assert kept > 10


def test_answers_complete_a_raw_graph_that_some_dag_fits(rng):
    """Where some DAG fits the raw graph, the answer is the CPDAG of its extension, v-structures and all."""
    completed = 0
    for _ in range(200):
        found = pc(contradictory(rng, d=7, n=60), alpha=0.1)
        if extension(found.raw).extendable and not is_cpdag(found.raw):
            completed += 1
            assert found.graph == cpdag(extension(found.raw).dag)
    assert completed > 3


def test_settled_edges_hold_marks_and_support(rng):
    """Each settled edge names both marks, and its support is that of the conflict it had."""
    with_support = 0
    for _ in range(40):
        found = pc(contradictory(rng), alpha=0.1)
        conflicts = {(c.a, c.b): (c.toward_b, c.toward_a) for c in found.look.conflicts}
        settled = {(edge.a, edge.b): edge for edge in found.settled}
        for a, b in combinations(found.graph.names, 2):
            raw, answer = (_mark(graph, a, b) for graph in (found.raw, found.graph))
            assert (raw != answer) == ((a, b) in settled)
            if raw != answer:
                edge = settled[a, b]
                assert (edge.raw, edge.answer) == (raw, answer)
                assert (edge.toward_b, edge.toward_a) == conflicts.get((a, b), (0.0, 0.0))
                with_support += edge.toward_b > 0
    assert with_support > 0


def _mark(graph: PDAG, a: str, b: str) -> str:
    if b in graph.neighbors(a):
        return "--"
    return "->" if b in graph.children(a) else "<-" if b in graph.parents(a) else ""


@pytest.mark.parametrize("rule", list(VOTING_SIZES))
@pytest.mark.parametrize("kind", ["native", "generic"])
def test_permuted_columns_permute_all_looks_and_answers(kind, rule, rng):
    """With order_free the column order plays no part: not for raw graphs, conflicts or answers."""
    conflicts = 0
    for _ in range(15 if kind == "native" else 6):
        test = contradictory(rng, d=8)
        order = rng.permutation(8)
        moved = FisherZ(
            correlation=test.correlation[np.ix_(order, order)], n=test.n, names=[test.names[k] for k in order]
        )
        wrap = (lambda t: t) if kind == "native" else Plain
        paths = [
            alpha_path(wrap(t), [0.01, 0.2], SearchOptions(rule), repair=rule == "vote", order_free=True)
            for t in (test, moved)
        ]
        for which in ("first", "second", "repaired"):
            one, other = (getattr(path, which) for path in paths)
            if one is not None:
                for graph, graph_moved in zip(one.graphs, other.graphs, strict=True):
                    assert graph_moved.relabelled(test.names) == graph
        conflicts += len(paths[0].first.conflicts)
        one, other = (pc(wrap(t), alpha=0.2, colliders=rule) for t in (test, moved))
        assert other.graph.relabelled(test.names) == one.graph
        assert len(other.settled) == len(one.settled)
    assert conflicts > 0


def test_rank_is_the_columns_own(rng):
    """Permuting the columns permutes their ranks, by correlations and by p-values however small."""
    for n in (50, 10**7):
        test = contradictory(rng, n=100)
        test = FisherZ(correlation=test.correlation, n=n, names=test.names)
        order = rng.permutation(9)
        moved = FisherZ(correlation=test.correlation[np.ix_(order, order)], n=n)
        for wrap in (lambda t: t, Plain):
            rank, rank_moved = data_rank(wrap(test)), data_rank(wrap(moved))
            assert sorted(rank.tolist()) == list(range(9))
            assert np.array_equal(rank_moved, rank[order]) or (n == 10**7 and wrap is Plain)
    tiny = FisherZ(correlation=np.eye(3) + 0.9 - 0.9 * np.eye(3), n=10)
    assert data_rank(tiny).tolist() == [0, 1, 2]


def test_rank_asks_nothing_new():
    """A generic search that is order-free asks each question once, and reports all of level 0."""

    class Strict(CITest):
        names = names(6)

        def __init__(self):
            self.asked = set()

        def p_value(self, i, j, S):
            assert (i, j, S) not in self.asked
            self.asked.add((i, j, S))
            return 0.5 if (i + j) % 2 else 0.0

    test = Strict()
    found = pc(test)
    assert found.look.tests_by_level[0] == 15
    assert found.look.n_tests == len(test.asked)


def test_rank_of_a_path_is_kept(rng):
    """A path knows its rank, cut short too; one in column order says how to get one."""
    test = contradictory(rng)
    path = alpha_path(test, [0.01, 0.05], order_free=True)
    assert np.array_equal(path.column_rank, data_rank(test))
    assert np.array_equal(path.upto(1).column_rank, path.column_rank)
    for plain in (
        alpha_path(test, [0.01]),
        alpha_path(test, [0.01], SearchOptions("first"), order_free=True),
    ):
        with pytest.raises(OptionError, match="make it with order_free=True"):
            _ = plain.column_rank


@pytest.mark.parametrize("kind", ["native", "generic"])
def test_early_stop_and_rescoring_give_valid_answers_too(kind, rng):
    """A search that stops early, and another metric afterwards, make their graphs valid in the same way."""
    for _ in range(8):
        test = contradictory(rng, d=6, n=60)
        asked = test if kind == "native" else Memo(Plain(test))
        whole, stopped = (autopc(asked, early_stop=early) for early in (False, True))
        assert (stopped.graph, stopped.answer.settled) == (whole.graph, whole.answer.settled)
        other = whole.rescored("f1")
        assert is_cpdag(other.graph)
        assert other.graph == autopc(asked, metric="f1").graph


def test_settled_answers_are_saved_and_loaded(tmp_path, rng):
    """The file of an AutoPC's choice keeps the valid graph and what was settled."""
    settled = 0
    for _ in range(20):
        found = autopc(contradictory(rng))
        found.save(tmp_path / "found.json")
        loaded = Selection.load(tmp_path / "found.json")
        assert (loaded.graph, loaded.raw_graph) == (found.graph, found.raw_graph)
        assert loaded.answer.settled == found.answer.settled
        assert loaded.rescored("f1").graph == found.rescored("f1").graph
        settled += len(found.answer.settled)
    assert settled > 0


def test_oracle_answers_are_the_cpdag(rng):
    """With a test that knows the truth the valid answer is the true CPDAG, and nothing was settled."""
    for _ in range(10):
        dag = random_dag(rng, 8, 2.0)
        found = pc(DSeparation(dag))
        assert (found.graph, found.settled) == (cpdag(dag), ())
