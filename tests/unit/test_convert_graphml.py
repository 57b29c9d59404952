"""Graphs as GraphML."""

from __future__ import annotations

import io

import networkx
import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, from_graphml, from_networkx, to_graphml
from zoo import NASTY_NAMES, all_pdags

STAR = PDAG(NASTY_NAMES, [(NASTY_NAMES[0], name) for name in NASTY_NAMES[1:]])


def _graphml(body: str, attributes: str = 'edgedefault="directed"') -> str:
    return f"<graphml><graph {attributes}>{body}</graph></graphml>"


def test_graphml_round_trip():
    """Every graph with three nodes and every nasty name survives."""
    for graph in [*all_pdags(3), STAR, STAR.skeleton, PDAG([])]:
        assert from_graphml(graph.to_graphml()) == graph


def test_networkx_reads_our_graphml():
    """What networkx reads from our text is our graph, names and kinds included."""
    for graph in (PDAG("abc", ["ab"], ["bc"]), STAR):
        peer = networkx.read_graphml(io.BytesIO(to_graphml(graph).encode()))
        assert from_networkx(peer) == graph


def test_we_read_the_graphml_of_networkx():
    """What networkx writes of our graph, we read back."""
    graph = PDAG("abc", ["ab"], ["bc"])
    assert from_graphml("\n".join(networkx.generate_graphml(graph.to_networkx()))) == graph


def test_from_graphml_reads_undirected_edges_and_labels():
    """An undirected edge is a line, whatever the default, and labels name nodes when all have one."""
    nodes = '<node id="1"/><node id="2"/>'
    assert from_graphml(_graphml(f'{nodes}<edge source="1" target="2" directed="false"/>')) == PDAG(
        "12", (), ["12"]
    )
    assert from_graphml(_graphml(f'{nodes}<edge source="1" target="2"/>', "")) == PDAG("12", (), ["12"])
    labels = '<node id="1"><data key="k">a</data></node><node id="2"><data key="k">b</data></node>'
    text = f'<graphml><key id="k" attr.name="label"/><graph edgedefault="directed">{labels}</graph></graphml>'
    assert from_graphml(text) == PDAG("ab")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not XML: no element found in line 1"),
        ("<graphml>\n<graph>", "not XML: no element found in line 2"),
        ("<a/>", r"one <graphml> with one <graph>. Got <a> with 0"),
        ("<graphml><graph/><graph/></graphml>", "Got <graphml> with 2"),
        (_graphml("<node/>"), r"needs an id of its own. Got None"),
        (_graphml('<node id="a"/><node id="a"/>'), r"needs an id of its own. Got 'a'"),
        (_graphml('<node id="a"/><edge source="a" target="b"/>'), "ends at 'b', which is no <node>"),
        (_graphml('<node id="a"/><edge source="a"/>'), "ends at None"),
        (_graphml('<node id="a"/><edge source="a" target="a"/>'), "from 'a' to 'a'"),
        (
            _graphml('<node id="a"/><node id="b"/>' + '<edge source="a" target="b"/>' * 2),
            "from 'a' to 'b' twice",
        ),
        ("<graphml>&undefined;</graphml>", "not XML: undefined entity"),
        ("\ud800", "not XML"),
    ],
)
def test_from_graphml_refuses_other_texts(text, message):
    """Whatever is no plain graph is refused in one sentence."""
    with pytest.raises(GraphError, match=message):
        from_graphml(text)


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY a "lol">'
        + "".join(f'<!ENTITY {b} "{f"&{a};" * 20}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        '<!ENTITY i SYSTEM "file:///etc/passwd">',
        '<!ENTITY % i SYSTEM "http://localhost/x.dtd"> %i;',
    ],
    ids=["laughs", "file", "remote"],
)
def test_from_graphml_stops_at_a_document_type(subset):
    """Entities are refused before any of them is looked at."""
    text = f"<?xml version='1.0'?><!DOCTYPE graphml [{subset}]><graphml>&i;</graphml>"
    with pytest.raises(
        GraphError, match="declares the document type 'graphml', which is not read; remove that line"
    ):
        from_graphml(text)


@pytest.mark.parametrize("name", ["\0", "a\x0b", "\ufffe", "\ud800"])
def test_to_graphml_refuses_what_xml_cannot_hold(name):
    """Characters that XML forbids even when escaped are refused with the name."""
    with pytest.raises(
        GraphError, match=r"GraphML cannot hold names with control characters. Got .*; use renamed"
    ):
        to_graphml(PDAG([name]))
