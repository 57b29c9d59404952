"""Graphs as GraphML, in the dialect of networkx.

What ``networkx.read_graphml`` reads from our text is the DiGraph of ``to_networkx``: node ids are the names,
an arrow is one edge and a line is two, and the data key ``kind`` says which.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from secondlook.errors import GraphError
from secondlook.graphs.convert.marks import graph_of_marks, refuse_names

if TYPE_CHECKING:
    from secondlook.graphs.pdag import PDAG

# everything that XML 1.0 cannot hold, even escaped
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {c: f"&#{ord(c)};" for c in '&<>"\t\n\r'}


def to_graphml(pdag: PDAG) -> str:
    """The graph as GraphML text.

    Parameters
    ----------
    pdag : PDAG
        The graph.

    Returns
    -------
    str
        A directed graph; an arrow is one edge of kind arrow, a line two of kind line, one each way.

    Raises
    ------
    GraphError
        When a name holds a character that XML cannot hold.
    """
    refuse_names(pdag, _UNWRITABLE, "GraphML", "control characters")
    quoted = {
        name: re.sub('[&<>"\t\n\r]', lambda found: _ESCAPES[found.group()], name) for name in pdag.names
    }
    marks = [(a, b, "arrow") for a, b in pdag.directed]
    for a, b in pdag.undirected:
        marks += [(a, b, "line"), (b, a, "line")]
    rows = [f'    <node id="{quoted[name]}"/>' for name in pdag.names]
    rows += [
        f'    <edge source="{quoted[a]}" target="{quoted[b]}"><data key="kind">{kind}</data></edge>'
        for a, b, kind in marks
    ]
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '  <key id="kind" for="edge" attr.name="kind" attr.type="string"/>',
        '  <graph edgedefault="directed">',
    ]
    return "\n".join([*head, *rows, "  </graph>", "</graphml>\n"])


def from_graphml(text: str) -> PDAG:
    """The graph of a GraphML text: what ``to_graphml`` or networkx writes, and plain graphs by others.

    Parameters
    ----------
    text : str
        One graph. A node is named by its data "label" if every node has one, else by its id. An edge that is
        undirected, or given both ways, is a line; data "kind" may be missing but must not disagree.

    Raises
    ------
    GraphError
        When the text is not XML, declares a document type, or is not one plain graph.
    """
    root = _parsed(text)
    graphs = [element for element in root if _tag(element) == "graph"]
    if _tag(root) != "graphml" or len(graphs) != 1:
        raise GraphError(
            f"The text must be one <graphml> with one <graph>. Got <{_tag(root)}> with {len(graphs)}."
        )
    keys = {key.get("id"): key.get("attr.name") for key in root if _tag(key) == "key"}
    nodes = [element for element in graphs[0] if _tag(element) == "node"]
    names = _names(nodes, keys)
    default = graphs[0].get("edgedefault", "undirected") != "undirected"
    marks: dict[tuple[str, str], str | None] = {}
    for edge in (element for element in graphs[0] if _tag(element) == "edge"):
        source, target = (_known(edge.get(end), names) for end in ("source", "target"))
        is_directed = {"true": True, "false": False}.get(edge.get("directed", ""), default)
        for pair in [(source, target)] if is_directed else [(source, target), (target, source)]:
            if pair in marks:
                raise GraphError(f"The GraphML gives the edge from {pair[0]!r} to {pair[1]!r} twice.")
            marks[pair] = _data(edge, keys).get("kind")
    return graph_of_marks(names.values(), marks)


class _Refusing(ElementTree.TreeBuilder):
    """A tree builder that stops at a document type, where entity tricks would begin."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        del pubid, system
        raise GraphError(
            f"The GraphML declares the document type {name!r}, which is not read; remove that line."
        )


def _parsed(text: str) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(text, parser=ElementTree.XMLParser(target=_Refusing()))
    except ElementTree.ParseError as error:
        reason, line = str(error).partition(":")[0], error.position[0]
        raise GraphError(f"The text is not XML: {reason} in line {line}.") from None
    except UnicodeEncodeError:
        raise GraphError("The text is not XML: it holds half of a surrogate pair.") from None


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _data(element: ElementTree.Element, keys: dict[str | None, str | None]) -> dict[str | None, str]:
    return {keys.get(data.get("key")): data.text or "" for data in element if _tag(data) == "data"}


def _names(nodes: list[ElementTree.Element], keys: dict[str | None, str | None]) -> dict[str, str]:
    """The name of each node id."""
    ids = [node.get("id") for node in nodes]
    labels = [_data(node, keys).get("label") for node in nodes]
    names: dict[str, str] = {}
    for node_id, label in zip(ids, labels, strict=True):
        if node_id is None or node_id in names:
            raise GraphError(f"Every <node> of the GraphML needs an id of its own. Got {node_id!r}.")
        names[node_id] = node_id if None in labels or label is None else label
    return names


def _known(node_id: str | None, names: dict[str, str]) -> str:
    if node_id is None or node_id not in names:
        raise GraphError(f"An <edge> of the GraphML ends at {node_id!r}, which is no <node>.")
    return names[node_id]
