"""Graphs as networkx graphs."""

from __future__ import annotations

import networkx
import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, from_networkx, to_networkx
from zoo import NASTY_NAMES, all_pdags


def test_to_networkx_marks_kinds():
    """An arrow is one edge and a line two, and both say their kind."""
    graph = to_networkx(PDAG("cba", ["ab"], ["bc"]))
    assert list(graph.nodes) == ["c", "b", "a"]
    assert sorted(graph.edges(data="kind")) == [("a", "b", "arrow"), ("b", "c", "line"), ("c", "b", "line")]


def test_networkx_round_trip():
    """Every graph with three nodes and every nasty name survives."""
    for graph in [*all_pdags(3), PDAG(NASTY_NAMES, [NASTY_NAMES[:2]], [NASTY_NAMES[2:4]])]:
        assert from_networkx(graph.to_networkx()) == graph


def test_from_networkx_reads_plain_graphs():
    """Without kinds, edges both ways are lines, and an undirected graph is all lines."""
    plain = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "b")])
    assert from_networkx(plain) == PDAG("abc", ["ab"], ["bc"])
    assert from_networkx(networkx.Graph([("a", "b")])) == PDAG("ab", (), ["ab"])
    assert from_networkx(networkx.DiGraph()) == PDAG([])


def test_from_networkx_refuses_disagreeing_kinds():
    """A line given one way, an arrow given both ways and an unknown kind are refused."""
    graph = networkx.DiGraph()
    graph.add_edge("a", "b", kind="line")
    with pytest.raises(
        GraphError, match="from 'a' to 'b' says it is of kind 'line' but is given in one direction"
    ):
        from_networkx(graph)
    graph.add_edge("b", "a", kind="arrow")
    graph.edges["a", "b"]["kind"] = "arrow"
    with pytest.raises(GraphError, match="of kind 'arrow' but is given in both directions"):
        from_networkx(graph)
    graph.edges["a", "b"]["kind"] = "bidirected"
    with pytest.raises(GraphError, match=r"must be 'arrow' or 'line'. Got 'bidirected'"):
        from_networkx(graph)


def test_from_networkx_refuses_what_is_no_pdag():
    """Multigraphs, loops and nodes that are no strings are refused."""
    with pytest.raises(GraphError, match=r"Got a networkx multigraph; use DiGraph\(\) on it"):
        from_networkx(networkx.MultiDiGraph())
    with pytest.raises(GraphError, match="from 'a' to 'a'"):
        from_networkx(networkx.DiGraph([("a", "a")]))
    with pytest.raises(TypeError, match=r"must be strings. Got 0; use str\(\)"):
        from_networkx(networkx.DiGraph([(0, 1)]))
