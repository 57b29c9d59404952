"""Markov boundaries read off a graph."""

from __future__ import annotations

import pytest

from secondlook.graphs import PDAG, d_separated, markov_boundaries
from zoo import DAGS, NOT_EXTENDABLE, random_dag, random_pdag


def test_boundary_follows_directed_children_only():
    """Parents of a child count, what lies behind a line does not."""
    graph = PDAG("abcdef", ["ac", "bc", "ed"], ["cd", "af"])
    assert markov_boundaries(graph) == [(1, 2, 5), (0, 2), (0, 1, 3), (2, 4), (3,), (0,)]


@pytest.mark.parametrize("dag", DAGS.values(), ids=DAGS)
def test_boundary_of_a_dag_separates_from_the_rest(dag):
    """In a DAG the boundary d-separates the node from all others, and no member can be spared."""
    for i, members in enumerate(markov_boundaries(dag)):
        node, boundary = dag.names[i], [dag.names[k] for k in members]
        for other in set(dag.names) - {node, *boundary}:
            assert d_separated(dag, node, other, boundary)
        for member in boundary:
            assert not d_separated(dag, node, member, [name for name in boundary if name != member])


def test_boundary_is_what_its_sentence_says(rng):
    """On random graphs: adjacent nodes and the directed parents of directed children, ascending."""
    for graph in (random_pdag(rng, 15, 4.0), random_dag(rng, 15, 4.0), *NOT_EXTENDABLE.values()):
        for name, members in zip(graph.names, markov_boundaries(graph), strict=True):
            expected = set(graph.adjacent(name))
            for child in graph.children(name):
                expected |= set(graph.parents(child))
            assert [graph.names[k] for k in members] == [
                other for other in graph.names if other in expected - {name}
            ]


def test_boundary_in_a_directed_cycle_leaves_the_node_out():
    """In a -> b -> a's way round, a node is never in its own boundary."""
    assert markov_boundaries(NOT_EXTENDABLE["directed cycle"]) == [(1, 2), (0, 2), (0, 1)]
