"""Graphs as Tetrad text."""

from __future__ import annotations

import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, from_tetrad, to_tetrad
from zoo import all_pdags

WRITTEN = """Graph Nodes:
a;b;c

Graph Edges:
1. a --> b
2. b --- c
"""


def test_to_tetrad_writes_numbered_edges():
    """Nodes come in one row, arrows before lines, numbered from 1."""
    assert to_tetrad(PDAG("abc", ["ab"], ["bc"])) == WRITTEN


def test_tetrad_round_trip():
    """Every graph with three nodes and names of many kinds survive."""
    names = ["1.5", "1.", "x<y", '"q"', "مرحبا", "👩", "-->", "a\\b", "ß" * 200, "(a", "<script>"]
    for graph in [*all_pdags(3), PDAG(names, [(names[0], name) for name in names[1:]]), PDAG([]), PDAG("a")]:
        assert from_tetrad(graph.to_tetrad()) == graph


def test_from_tetrad_reads_what_tetrad_saves():
    """Commas, reversed arrows, edge properties, other sections and Windows line ends are understood."""
    text = (
        "Graph Nodes:\r\nX1,X2,X3\r\n\r\nGraph Edges:\r\n1. X1 <-- X2 dd nl\r\n"
        "2. X2 --- X3 [no edge]:0.1;[X2 --- X3]:0.9;\r\n\r\nGraph Attributes:\r\nBIC: -12.5\r\n"
    )
    assert from_tetrad(text) == PDAG(["X1", "X2", "X3"], [("X2", "X1")], [("X2", "X3")])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Graph Nodes:", "Nodes"), "needs the lines 'Graph Nodes:' and 'Graph Edges:'"),
        (("Graph Edges:", ""), "needs the lines 'Graph Nodes:' and 'Graph Edges:'"),
        (("-->", "o->"), "Line 5 has the edge a o-> b; a PDAG holds"),
        (("---", "<->"), "Line 6 has the edge b <-> c; a PDAG holds"),
        (("1. a --> b", "a-->b"), "Line 5 is not an edge of Tetrad such as"),
        (("--> b", "--> z"), "no node 'z'"),
        (("a;b", "(L);a;b"), r"latent or selection node \(L\)"),
        (("b --- c", "b --> a"), "Got two between 'a' and 'b'"),
    ],
)
def test_from_tetrad_refuses_other_texts(change, message):
    """Whatever is no PDAG is refused with the line."""
    with pytest.raises(GraphError, match=message):
        from_tetrad(WRITTEN.replace(*change))


@pytest.mark.parametrize("name", ["two words", "a,b", "a;b", "a\nb", "(L)", "[S]", "nbsp\u00a0"])
def test_to_tetrad_refuses_what_tetrad_cannot_read(name):
    """Tetrad has no quotes, so such names are refused with the remedy."""
    with pytest.raises(
        GraphError, match=r"Tetrad text cannot hold names with white space.*use renamed\(\) first"
    ):
        to_tetrad(PDAG(["ok", name]))
