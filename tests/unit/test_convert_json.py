"""Graphs as versioned JSON."""

from __future__ import annotations

import json

import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, from_json, to_json
from zoo import NASTY_NAMES

GRAPH = PDAG("abc", ["ab"], ["bc"])


def test_to_json_has_the_documented_shape():
    """The object holds format, version, nodes in column order, and edges with from, to and kind."""
    assert json.loads(to_json(GRAPH)) == {
        "format": "secondlook.graph",
        "version": 1,
        "nodes": ["a", "b", "c"],
        "edges": [
            {"from": "a", "to": "b", "kind": "arrow"},
            {"from": "b", "to": "c", "kind": "line"},
        ],
    }
    assert json.loads(PDAG([]).to_json())["edges"] == []


def test_json_round_trip_of_nasty_names():
    """Every nasty name survives, half a surrogate pair too."""
    names = [*NASTY_NAMES, "\0", "\ud800"]
    graph = PDAG(names, [(names[0], name) for name in names[1:]])
    assert from_json(to_json(graph)) == graph
    assert to_json(graph).isascii()


def test_from_json_ignores_other_keys():
    """A file may say more than the format asks for."""
    found = json.loads(to_json(GRAPH)) | {"comment": "by hand"}
    assert from_json(json.dumps(found)) == GRAPH


@pytest.mark.parametrize("version", [2, 0, "1", None, True])
def test_from_json_refuses_unknown_versions(version):
    """Another version is refused in one sentence that names both."""
    found = json.loads(to_json(GRAPH)) | {"version": version}
    with pytest.raises(
        GraphError, match=f"format version {version!r}, and this release reads version 1; upgrade"
    ):
        from_json(json.dumps(found))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, '"format": "secondlook.graph"'),
        ({"nodes": "abc"}, r"nodes must be a list of names. Got a JSON str"),
        ({"nodes": ["a", 1, "b", "c"]}, r"nodes must be strings. Got a JSON int"),
        ({"nodes": ["a", "a", "b", "c"]}, "Got 'a' twice"),
        ({"edges": None}, r"edges of the graph must be a list. Got nothing"),
        ({"edges": ["ab"]}, "Edge 1 must be an object with from, to, and kind"),
        ({"edges": [{"from": "a", "to": "b", "kind": "circle"}]}, "Edge 1 must be"),
        ({"edges": [{"from": "a", "to": "b", "kind": []}]}, "Edge 1 must be"),
        ({"edges": [{"from": "a", "kind": "line"}]}, r"ends of edge 1 must be strings. Got nothing"),
        ({"edges": [{"from": "a", "to": "z", "kind": "line"}]}, "no node 'z'"),
    ],
)
def test_from_json_refuses_malformed_graphs(change, message):
    """Each malformed part has a message that names it."""
    with pytest.raises(GraphError, match=message):
        from_json(json.dumps(json.loads(to_json(GRAPH)) | change))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value in line 1"),
        ('{\n"a": }', "not JSON: Expecting value in line 2"),
        ("[]", "must be an object"),
        ("[" * 200_000, "nested too deeply"),
        ("1" * 10_000, "numbers are too long"),
    ],
    ids=["empty", "broken", "list", "deep", "long"],
)
def test_from_json_refuses_what_is_no_json_graph(text, message):
    """Broken, foreign and hostile JSON ends in one sentence."""
    with pytest.raises(GraphError, match=message):
        from_json(text)
