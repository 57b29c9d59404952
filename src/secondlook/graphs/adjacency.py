"""Who is joined to whom, as lists of node indices: the form in which graph algorithms walk a PDAG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from secondlook.graphs.pdag import PDAG


@dataclass(frozen=True, slots=True)
class Adjacency:
    """The parents, children and neighbors of every node, as ascending lists of indices.

    The lists are shared by everyone who asks the same graph: read them, never change them.

    Attributes
    ----------
    parents, children : list of list of int
        Nodes joined by an arrow into, and out of, each of the d nodes.
    neighbors : list of list of int
        Nodes joined by a line.
    """

    parents: list[list[int]]
    children: list[list[int]]
    neighbors: list[list[int]]


def build_adjacency(pdag: PDAG) -> Adjacency:
    """The adjacency lists of a graph, from one pass over its edges.

    Both edge arrays are sorted, so every list comes out ascending without being sorted.
    """
    parents: list[list[int]] = [[] for _ in range(pdag.d)]
    children: list[list[int]] = [[] for _ in range(pdag.d)]
    neighbors: list[list[int]] = [[] for _ in range(pdag.d)]
    for tail, head in pdag.arrows.tolist():
        children[tail].append(head)
        parents[head].append(tail)
    for i, j in pdag.lines.tolist():
        neighbors[i].append(j)
        neighbors[j].append(i)
    return Adjacency(parents, children, neighbors)
