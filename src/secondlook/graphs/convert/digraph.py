"""Graphs as networkx graphs.

The convention, which loses nothing: a DiGraph in which an arrow is one edge with ``kind="arrow"`` and a line
is a pair of edges, one each way, both with ``kind="line"``. Node order is column order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.errors import GraphError
from secondlook.graphs.convert.marks import graph_of_marks

if TYPE_CHECKING:
    import networkx

    from secondlook.graphs.pdag import PDAG


def to_networkx(pdag: PDAG) -> networkx.DiGraph:
    """The graph as a networkx DiGraph.

    Parameters
    ----------
    pdag : PDAG
        The graph.

    Returns
    -------
    networkx.DiGraph
        An arrow is one edge with ``kind="arrow"``; a line is two, one each way, with ``kind="line"``.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> to_networkx(PDAG("ab", undirected=["ab"])).edges(data="kind")
    OutEdgeDataView([('a', 'b', 'line'), ('b', 'a', 'line')])
    """
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from(pdag.names)
    graph.add_edges_from(pdag.directed, kind="arrow")
    for a, b in pdag.undirected:
        graph.add_edge(a, b, kind="line")
        graph.add_edge(b, a, kind="line")
    return graph


def from_networkx(graph: networkx.Graph) -> PDAG:
    """The graph of a networkx Graph (all lines) or DiGraph (an edge both ways is a line).

    Parameters
    ----------
    graph : networkx.Graph or networkx.DiGraph
        Nodes are strings. An edge attribute ``kind`` may be missing but must not disagree.

    Raises
    ------
    GraphError
        When the graph is a multigraph, an edge joins a node to itself, or a ``kind`` disagrees.
    TypeError
        When a node is not a string.
    """
    if graph.is_multigraph():
        raise GraphError(
            "A PDAG has at most one edge per pair. Got a networkx multigraph; use DiGraph() on it."
        )
    marks: dict[tuple[str, str], str | None] = {}
    for a, b, kind in graph.edges(data="kind"):
        marks[a, b] = kind
        if not graph.is_directed():
            marks[b, a] = kind
    return graph_of_marks(graph.nodes, marks)
