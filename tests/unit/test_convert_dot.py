"""Graphs in the DOT language."""

from __future__ import annotations

import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, from_dot, to_dot
from zoo import NASTY_NAMES, all_pdags


def test_to_dot_quotes_every_name():
    """Quotes, backslashes and line breaks are escaped, keywords are quoted like all names."""
    assert to_dot(PDAG(["graph", 'a"\\\n'], undirected=[("graph", 'a"\\\n')])) == (
        'digraph {\n  "graph";\n  "a\\"\\\\\\n";\n  "graph" -> "a\\"\\\\\\n" [dir=none];\n}\n'
    )


def test_dot_round_trip():
    """Every graph with three nodes and every nasty name survives."""
    star = PDAG(NASTY_NAMES, [(NASTY_NAMES[0], name) for name in NASTY_NAMES[1:]])
    for graph in [*all_pdags(3), star, star.skeleton, PDAG([])]:
        assert from_dot(graph.to_dot()) == graph


def test_from_dot_reads_what_others_write():
    """Comments, chains, attributes, defaults and bare names are understood."""
    text = """
    // a comment
    strict digraph "my graph" {
      graph [rankdir=LR]; node [shape=box, color="red"]
      rankdir = TB
      a [label="A; not a name"] /* another
      comment */ ; a -> b -> c [color=blue]
      # and a third
      c -> d [dir=back, penwidth=2]; d -> e [dir=none] e
    }
    """
    assert from_dot(text) == PDAG("abcde", ["ab", "bc", "dc"], ["de"])


def test_from_dot_reads_undirected_graphs():
    """In a graph, -- is a line."""
    assert from_dot("graph { a -- b; b--c [dir=forward] }") == PDAG("abc", ["bc"], ["ab"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1 has 'the end of the text' where a name belongs"),
        ("tree { }", "Line 1 has 'tree' where 'digraph' or 'graph' belongs"),
        ("digraph [", r"Line 1 has '\[' where '{' belongs"),
        ("digraph {\n a -> ", "Line 2 has 'the end of the text' where a name belongs"),
        ("digraph {\n a -> -> b }", "Line 2 has '->' where a name belongs"),
        ("digraph {\n\n a -- b }", "Line 3 has '--' where '->' belongs"),
        ('digraph { "a }', "Line 1 has a string that does not end"),
        ("digraph {\n ? }", r"Line 2 has the character '\?'"),
        ("digraph { subgraph x { a } }", "Line 1 has a subgraph"),
        ("digraph { a:n -> b }", "Line 1 has ':' where a name belongs"),
        ("digraph { edge [dir=none] a -> b }", "Line 1 sets a default 'dir'"),
        ("digraph { a -> b [dir=both] }", "Line 1 has dir=both; a PDAG holds arrows"),
        ("digraph { a -> b; b -> a }", "Got two between 'a' and 'b'"),
        ("digraph { a } b", "Line 1 has 'b' after the end of the graph"),
    ],
)
def test_from_dot_refuses_other_texts(text, message):
    """Whatever is no plain graph is refused with the line."""
    with pytest.raises(GraphError, match=message):
        from_dot(text)


def test_to_dot_refuses_nul():
    """Graphviz ends a text at NUL, so a name cannot hold it."""
    with pytest.raises(
        GraphError, match=r"DOT cannot hold names with the character NUL. Got 'a\\x00'; use renamed"
    ):
        to_dot(PDAG(["a\0", "b"]))
