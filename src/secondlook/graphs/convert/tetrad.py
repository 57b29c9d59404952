"""Graphs as the text that Tetrad saves and loads."""

from __future__ import annotations

import re

from secondlook.errors import GraphError
from secondlook.graphs.convert.marks import refuse_names
from secondlook.graphs.pdag import PDAG

_UNWRITABLE = re.compile(r"[\s,;\x00-\x1f]|\A[(\[].*[)\]]\Z")
_EDGE = re.compile(r"(?:\d+\.\s+)?(\S+)\s+(\S+)\s+(\S+)(?:\s.*)?", re.DOTALL)


def to_tetrad(pdag: PDAG) -> str:
    """The graph as Tetrad text.

    Parameters
    ----------
    pdag : PDAG
        The graph.

    Returns
    -------
    str
        "Graph Nodes:" with the names in column order, then "Graph Edges:" with numbered lines.

    Raises
    ------
    GraphError
        When a name holds white space, comma or semicolon, or stands in brackets (Tetrad's latent nodes).

    Examples
    --------
    >>> print(to_tetrad(PDAG("abc", directed=["ab"], undirected=["bc"])), end="")
    Graph Nodes:
    a;b;c
    <BLANKLINE>
    Graph Edges:
    1. a --> b
    2. b --- c
    """
    refuse_names(pdag, _UNWRITABLE, "Tetrad text", "white space, commas, semicolons or brackets around them")
    edges = [f"{a} --> {b}" for a, b in pdag.directed] + [f"{a} --- {b}" for a, b in pdag.undirected]
    numbered = [f"{number}. {edge}" for number, edge in enumerate(edges, start=1)]
    return "\n".join(["Graph Nodes:", ";".join(pdag.names), "", "Graph Edges:", *numbered, ""])


def from_tetrad(text: str) -> PDAG:
    """The graph of a text that Tetrad saved.

    Parameters
    ----------
    text : str
        "Graph Nodes:" and names with commas or semicolons between, "Graph Edges:" and edges ``-->``, ``<--``
        or ``---``, one a line, numbered or not. What follows an edge in its line, and other sections, are
        ignored.

    Raises
    ------
    GraphError
        When a section is missing, an edge has other endpoints, or a node is latent, with the line.
    """
    sections = _sections(text)
    if "Graph Nodes:" not in sections or "Graph Edges:" not in sections:
        raise GraphError(
            "The text is not a graph of Tetrad: it needs the lines 'Graph Nodes:' and 'Graph Edges:'."
        )
    names = [name for _, row in sections["Graph Nodes:"] for name in _names(row)]
    for name in names:
        if re.fullmatch(r"[(\[].*[)\]]", name):
            raise GraphError(
                f"The graph of Tetrad has the latent or selection node {name}; a PDAG holds neither."
            )
    directed, undirected = [], []
    for number, row in sections["Graph Edges:"]:
        found = _EDGE.fullmatch(row)
        if not found:
            raise GraphError(f"Line {number} is not an edge of Tetrad such as '1. a --> b'. Got {row!r}.")
        a, mark, b = found.groups()
        if mark == "---":
            undirected.append((a, b))
        elif mark in ("-->", "<--"):
            directed.append((a, b) if mark == "-->" else (b, a))
        else:
            raise GraphError(f"Line {number} has the edge {a} {mark} {b}; a PDAG holds -->, <-- and ---.")
    return PDAG(names, directed, undirected)


def _sections(text: str) -> dict[str, list[tuple[int, str]]]:
    """The numbered rows under each heading, up to the next blank line."""
    sections: dict[str, list[tuple[int, str]]] = {}
    rows: list[tuple[int, str]] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        row = line.strip()
        if row in ("Graph Nodes:", "Graph Edges:"):
            rows = sections.setdefault(row, [])
        elif not row:
            # Tetrad leaves the nodes' row empty when there are none
            rows = None
        elif rows is not None:
            rows.append((number, row))
    return sections


def _names(row: str) -> list[str]:
    return [name.strip() for name in re.split("[,;]", row) if name.strip()]
