"""Graphs as versioned JSON: the form that secondlook itself keeps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from secondlook.errors import GraphError
from secondlook.graphs.pdag import PDAG

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT = "secondlook.graph"
VERSION = 1  # 1: nodes in column order; edges with from, to and kind "arrow" or "line"


def to_json(pdag: PDAG) -> str:
    """The graph as JSON text, arrows first, one edge per line.

    Parameters
    ----------
    pdag : PDAG
        The graph.

    Returns
    -------
    str
        An object with format "secondlook.graph", version 1, nodes and edges; pure ASCII.

    Examples
    --------
    >>> print(to_json(PDAG("ab", directed=["ab"])), end="")
    {
      "format": "secondlook.graph",
      "version": 1,
      "nodes": ["a", "b"],
      "edges": [
        {"from": "a", "to": "b", "kind": "arrow"}
      ]
    }
    """
    edges = [{"from": a, "to": b, "kind": "arrow"} for a, b in pdag.directed]
    edges += [{"from": a, "to": b, "kind": "line"} for a, b in pdag.undirected]
    rows = ",".join(f"\n    {json.dumps(edge)}" for edge in edges)
    nodes = json.dumps(list(pdag.names))
    tail = f"{rows}\n  " if edges else ""
    head = f'"format": "{FORMAT}",\n  "version": {VERSION}'
    return f'{{\n  {head},\n  "nodes": {nodes},\n  "edges": [{tail}]\n}}\n'


def from_json(text: str) -> PDAG:
    """The graph of JSON text as written by ``to_json``.

    Parameters
    ----------
    text : str
        An object with format, version, nodes and edges; other keys are ignored.

    Raises
    ------
    GraphError
        When the text is not JSON, not a graph, or of a version this release does not read.
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise GraphError(f"The text is not JSON: {error.msg} in line {error.lineno}.") from None
    except (RecursionError, ValueError):  # brackets without end, numbers without end
        raise GraphError(
            "The text is not a graph: its JSON is nested too deeply or its numbers are too long."
        ) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise GraphError(
            f'The JSON is not a graph of secondlook: it must be an object with "format": "{FORMAT}".'
        )
    version = found.get("version")
    if version != VERSION or isinstance(version, bool):
        raise GraphError(
            f"The graph is of format version {version!r}, and this release reads version {VERSION}; "
            "upgrade secondlook or write the graph again."
        )
    nodes = _strings(found.get("nodes"), "The nodes")
    edges = found.get("edges")
    if not isinstance(edges, list):
        raise GraphError(f"The edges of the graph must be a list. Got {_kind(edges)}.")
    pairs: dict[str, list[tuple[str, str]]] = {"arrow": [], "line": []}
    for number, edge in enumerate(edges, start=1):
        if not isinstance(edge, dict) or edge.get("kind") not in ("arrow", "line"):
            raise GraphError(f'Edge {number} must be an object with from, to, and kind "arrow" or "line".')
        ends = _strings([edge.get("from"), edge.get("to")], f"The ends of edge {number}")
        pairs[edge["kind"]].append((ends[0], ends[1]))
    return PDAG(nodes, pairs["arrow"], pairs["line"])


def _strings(values: Any, what: str) -> list[str]:
    if not isinstance(values, list):
        raise GraphError(f"{what} must be a list of names. Got {_kind(values)}.")
    odd: Iterable[Any] = (value for value in values if not isinstance(value, str))
    for value in odd:
        raise GraphError(f"{what} must be strings. Got {_kind(value)}.")
    return values


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"a JSON {type(value).__name__}"
