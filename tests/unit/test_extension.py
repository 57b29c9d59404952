"""Consistent extensions and the fallback, against brute force and a slow twin."""

from __future__ import annotations

import dataclasses

import pytest

from secondlook.errors import GraphError
from secondlook.graphs import (
    PDAG,
    consistent_extension,
    cpdag,
    extension,
    is_dag,
    is_extendable,
    markov_equivalent,
    v_structures,
)
from zoo import NOT_EXTENDABLE, all_dags, all_pdags, random_dag, random_pdag


def _slow_extension(graph: PDAG) -> tuple[PDAG, bool]:
    """The rule as its sentence says it, node by node, nothing remembered."""
    left = list(graph.names)
    directed, extendable = [], True
    while left:
        keys = []
        for x in left:
            joined = [y for y in graph.adjacent(x) if y in left]
            lines = [y for y in graph.neighbors(x) if y in left]
            outgoing = sum(y in left for y in graph.children(x))
            violations = sum(y != z and not graph.is_adjacent(y, z) for y in lines for z in joined)
            keys.append((outgoing, violations, left.index(x)))
        outgoing, violations, at = min(keys)
        extendable = extendable and outgoing == violations == 0
        x = left.pop(at)
        directed += [(y, x) for y in graph.adjacent(x) if y in left]
    return PDAG(graph.names, directed), extendable


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_extension_exists_exactly_when_some_dag_fits(d):
    """On every graph up to four nodes: extendable means a DAG has its skeleton, arrows and v-structures."""
    dags: dict[PDAG, list[PDAG]] = {}
    for dag in all_dags(d):
        dags.setdefault(dag.skeleton, []).append(dag)
    for graph in all_pdags(d):
        fitting = [
            dag
            for dag in dags[graph.skeleton]
            if set(graph.directed) <= set(dag.directed) and v_structures(dag) == v_structures(graph)
        ]
        found = extension(graph)
        assert found.extendable == is_extendable(graph) == bool(fitting)
        assert is_dag(found.dag)
        assert found.dag.skeleton == graph.skeleton
        if fitting:
            assert found.dag in fitting


def test_extension_equals_its_slow_twin_on_all_small_graphs():
    """The heap takes the same node as the sentence does, fallback included, on all graphs with four nodes."""
    for graph in all_pdags(4):
        found = extension(graph)
        assert (found.dag, found.extendable) == _slow_extension(graph)


def test_extension_equals_its_slow_twin_on_random_graphs(rng):
    """The same on larger graphs, sparse and dense."""
    for degree in (1, 3, 6, 9):
        for _ in range(10):
            graph = random_pdag(rng, 12, degree)
            found = extension(graph)
            assert (found.dag, found.extendable) == _slow_extension(graph)


def test_extension_of_a_cpdag_is_in_its_class(rng):
    """Extending a CPDAG gives a Markov equivalent DAG."""
    for d in (5, 20, 80):
        dag = random_dag(rng, d)
        assert markov_equivalent(consistent_extension(cpdag(dag)), dag)


def test_extension_of_a_dag_is_the_dag(rng):
    """A DAG extends to itself."""
    dag = random_dag(rng, 30)
    assert extension(dag).dag == dag


def test_extension_takes_the_lowest_sink_first():
    """Of two possible sinks the one in the earlier column is pointed into."""
    assert extension(PDAG("ab", (), ["ab"])).dag == PDAG("ab", ["ba"])


def test_fallback_takes_the_first_of_equals():
    """In a square of lines all nodes are alike, so the first column is pointed into."""
    square = extension(NOT_EXTENDABLE["chordless square of lines"])
    assert not square.extendable
    assert square.dag == PDAG("abcd", ["ba", "da", "cb", "dc"])


def test_fallback_counts_outgoing_arrows_before_violations():
    """In a square of lines with x -> a, x has no violation but an arrow out, so it is not taken first."""
    found = extension(PDAG("xabcd", ["xa"], ["ab", "bc", "cd", "da"]))
    assert not found.extendable
    assert found.dag == PDAG("xabcd", ["xa", "ab", "cb", "dc", "ad"])


def test_fallback_turns_outgoing_arrows_round():
    """In a directed cycle the first column takes all its edges, its own arrow included."""
    assert extension(NOT_EXTENDABLE["directed cycle"]).dag == PDAG("abc", ["ba", "ca", "bc"])


@pytest.mark.parametrize("graph", NOT_EXTENDABLE.values(), ids=NOT_EXTENDABLE)
def test_consistent_extension_refuses_what_has_none(graph):
    """Without a consistent extension there is an error that names the fallback, and the fallback is a DAG."""
    assert not extension(graph).extendable
    assert is_dag(extension(graph).dag)
    with pytest.raises(GraphError, match=r"no consistent extension.*Use extension\(\) for a fallback"):
        consistent_extension(graph)


def test_extension_is_frozen():
    """The record cannot be changed."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        extension(PDAG("ab")).extendable = False  # type: ignore[misc]
