"""Consistent extensions: a DAG with the skeleton, the arrows and the v-structures of a PDAG.

The algorithm is that of Dor and Tarsi, "A simple algorithm to construct a consistent extension of a
partially oriented graph" (UCLA technical report R-185, 1992): take away one sink after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import GraphError
from secondlook.graphs.pdag import PDAG

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Extension:
    """A DAG made from a PDAG, and whether it is a consistent extension.

    Attributes
    ----------
    dag : PDAG
        A DAG with the skeleton of the PDAG.
    extendable : bool
        True when dag keeps every arrow and makes no new v-structure; False when no DAG does, so that dag
        is the fallback of ``extension``.
    """

    dag: PDAG
    extendable: bool


def extension(pdag: PDAG) -> Extension:
    """A consistent extension of a graph, or the nearest thing when there is none.

    The lowest-index node is taken that has no outgoing arrow and whose every neighbor is joined to all
    its other adjacent nodes; the edges left at it point into it, and it is removed. When no node
    qualifies, the one with fewest outgoing arrows, then fewest violations, then lowest index is taken
    instead, every edge left at it is pointed into it, and the result says ``extendable=False``. A
    violation is an ordered pair (y, z), y a neighbor of the node and z adjacent to it, not joined.

    Parameters
    ----------
    pdag : PDAG
        Any graph, cyclic ones included.

    Returns
    -------
    Extension
        The DAG and whether it is a consistent extension.

    Examples
    --------
    >>> extension(PDAG("abc", undirected=["ab", "bc"])).dag
    PDAG with 3 nodes, 2 edges: b -> a, c -> b
    """
    arrows, extendable = [], True
    for tails, sink, proper in _sinks(pdag):
        arrows += [(tail, sink) for tail in tails]
        extendable = extendable and proper
    pairs = np.array(sorted(arrows), dtype=np.int32).reshape(-1, 2)
    return Extension(PDAG.from_indices(pdag.names, pairs, np.empty((0, 2)), validate=False), extendable)


def is_extendable(pdag: PDAG) -> bool:
    """Whether some DAG has the graph's skeleton, its arrows and no other v-structures."""
    return all(proper for _, _, proper in _sinks(pdag))


def consistent_extension(pdag: PDAG) -> PDAG:
    """A DAG with the graph's skeleton, its arrows and no other v-structures.

    Raises
    ------
    GraphError
        When there is none; ``extension`` then gives a fallback.
    """
    found = extension(pdag)
    if not found.extendable:
        raise GraphError(
            "The graph has no consistent extension: every DAG with its arrows makes a cycle or a new "
            "v-structure. Use extension() for a fallback that says so."
        )
    return found.dag


def _sinks(pdag: PDAG) -> Iterator[tuple[set[int], int, bool]]:
    """Each node as it is removed: what is still adjacent to it, its index, whether it was a proper sink.

    A proper sink has the key (0, 0, index), the smallest there is: one heap serves rule and fallback.
    Removing a node changes the keys of its adjacent nodes only; outdated heap entries are skipped.
    """
    near = pdag.adjacency
    lines = [set(nodes) for nodes in near.neighbors]
    adjacent = [
        nodes | set(p) | set(c) for nodes, p, c in zip(lines, near.parents, near.children, strict=True)
    ]
    outgoing = [len(nodes) for nodes in near.children]
    parents = [set(nodes) for nodes in near.parents]
    # y itself is always counted in adjacent[i] - adjacent[y], hence the -1
    violations = [sum(len(adjacent[i] - adjacent[y]) - 1 for y in lines[i]) for i in range(pdag.d)]
    heap = [(outgoing[i], violations[i], i) for i in range(pdag.d)]
    heapify(heap)
    removed = [False] * pdag.d
    while heap:
        out, wrong, x = heappop(heap)
        if removed[x] or (out, wrong) != (outgoing[x], violations[x]):
            continue
        removed[x] = True
        yield adjacent[x], x, not (out or wrong)
        for v in adjacent[x]:
            outgoing[v] -= v in parents[x]
            violations[v] -= len(lines[v] - adjacent[x]) - (x in lines[v])
            if x in lines[v]:
                violations[v] -= len(adjacent[v] - adjacent[x]) - 1
                lines[v].discard(x)
            adjacent[v].discard(x)
            heappush(heap, (outgoing[v], violations[v], v))
