"""Graphs in the language of DAGitty."""

from __future__ import annotations

import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, from_dagitty, to_dagitty
from zoo import all_pdags


def test_to_dagitty_names_the_type():
    """A DAG is written as dag, everything else as pdag."""
    assert to_dagitty(PDAG("ab", ["ab"])) == "dag {\na\nb\na -> b\n}\n"
    assert to_dagitty(PDAG("ab", (), ["ab"])) == "pdag {\na\nb\na -- b\n}\n"
    assert to_dagitty(PDAG("abc", ["ab", "bc", "ca"])).startswith("pdag {")


def test_to_dagitty_quotes_when_needed():
    """Names of other than letters, digits, points and underscores stand in quotes."""
    assert to_dagitty(PDAG(["x_1.y", "a b", 'q"', "-1"])) == 'dag {\nx_1.y\n"a b"\n"q\\""\n"-1"\n}\n'


def test_dagitty_round_trip():
    """Every graph with three nodes and names of many kinds survive."""
    names = [
        'say "hi"',
        'ends with \\"',
        "a\\b",
        "مرحبا",
        "\u202ertl",
        "👩",
        "<script>",
        "{x}",
        "//",
        "#",
        "dag",
        " a ",
        "=",
    ]
    star = PDAG(names, [(names[0], name) for name in names[1:]])
    for graph in [*all_pdags(3), star, star.skeleton, PDAG([])]:
        assert from_dagitty(graph.to_dagitty()) == graph


def test_from_dagitty_reads_what_dagitty_writes():
    """Positions, roles, options, chains and reversed arrows are understood."""
    text = """dag G {
    bb="-2,-2,2,2"
    Z [pos="-0.5,-1.0"]
    X [exposure,pos="-1.2,0.3"]; Y [outcome]
    X <- Z -> Y
    X -> Y [beta=0.5]
    }"""
    assert from_dagitty(text) == PDAG("ZXY", ["ZX", "ZY", "XY"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1 has 'the end of the text' where a name belongs"),
        ("mag { a <-> b }", "Line 1 has 'mag' where 'dag' or 'pdag' belongs"),
        ("dag {\n a <-> b }", "Line 2 has the edge <->; a PDAG holds"),
        ("dag {\n a @-> b }", "Line 2 has the edge @->; a PDAG holds"),
        ("dag { a b", "Line 1 has 'the end of the text' where a name belongs"),
        ("dag { {a b} -> c }", "Line 1 has '{' where a name belongs"),
        ("dag {\n U [latent] }", "Line 2 has the latent node 'U'"),
        ('dag { "a\n" }', "Line 1 has a string that does not end"),
        ('dag { "a\\" }', "Line 1 has a string that does not end"),
        ("dag { a } b", "Line 1 has 'b' after the end"),
        ("dag { a -> a }", "from 'a' to 'a'"),
    ],
)
def test_from_dagitty_refuses_other_texts(text, message):
    """Whatever is no PDAG is refused with the line."""
    with pytest.raises(GraphError, match=message):
        from_dagitty(text)


@pytest.mark.parametrize("name", ["a\nb", "\0", "ends with \\"])
def test_to_dagitty_refuses_what_dagitty_cannot_read(name):
    """Control characters and a final backslash have no form in DAGitty's grammar."""
    with pytest.raises(GraphError, match=r"DAGitty cannot hold names with control characters or a backslash"):
        to_dagitty(PDAG([name]))
