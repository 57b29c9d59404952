"""Topological order of the arrows of a graph, and the check that there is one."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from secondlook.errors import GraphError
from secondlook.graphs.edges import listing

if TYPE_CHECKING:
    from secondlook.graphs.pdag import PDAG


def acyclic_prefix(pdag: PDAG) -> list[int]:
    """The nodes that no directed cycle leads to, parents first and lowest index first.

    The list holds all d nodes exactly when the arrows close no cycle (Kahn's algorithm).
    """
    near = pdag.adjacency
    waiting = [len(parents) for parents in near.parents]
    ready = [i for i, count in enumerate(waiting) if not count]
    heapify(ready)
    order = []
    while ready:
        i = heappop(ready)
        order.append(i)
        for j in near.children[i]:
            waiting[j] -= 1
            if not waiting[j]:
                heappush(ready, j)
    return order


def is_acyclic(pdag: PDAG) -> bool:
    """Whether no path of arrows leads back to its start; lines are not looked at."""
    return len(acyclic_prefix(pdag)) == pdag.d


def is_dag(pdag: PDAG) -> bool:
    """Whether every edge is an arrow and no directed cycle exists."""
    return not len(pdag.lines) and is_acyclic(pdag)


def dag_order(dag: PDAG, purpose: str) -> list[int]:
    """The column indices of a DAG, parents first; refuses any other graph.

    Parameters
    ----------
    dag : PDAG
        The graph to order.
    purpose : str
        The function that needs a DAG, for the message.

    Raises
    ------
    GraphError
        When the graph has a line or a directed cycle, with the nodes concerned.
    """
    if len(dag.lines):
        a, b = dag.undirected[0]
        raise GraphError(
            f"{purpose} needs a DAG. Got the line {a!r} -- {b!r}; take consistent_extension() of it first."
        )
    order = acyclic_prefix(dag)
    if len(order) < dag.d:
        cycle = listing(_cycle(dag, set(order)))
        raise GraphError(f"{purpose} needs a DAG. Got a directed cycle among {cycle}; remove an arrow.")
    return order


def topological_order(dag: PDAG) -> tuple[str, ...]:
    """The names of a DAG with every parent before its children, ties in column order.

    Raises
    ------
    GraphError
        When the graph has a line or a directed cycle.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> topological_order(PDAG("abc", directed=["cb", "ba"]))
    ('c', 'b', 'a')
    """
    return tuple(dag.names[i] for i in dag_order(dag, "topological_order"))


def _cycle(pdag: PDAG, cleared: set[int]) -> list[str]:
    """One directed cycle, found by walking backwards among the nodes that Kahn could not clear."""
    near = pdag.adjacency
    at = next(i for i in range(pdag.d) if i not in cleared)
    place: dict[int, int] = {}
    while at not in place:
        place[at] = len(place)
        at = next(i for i in near.parents[at] if i not in cleared)
    walked = sorted(place, key=place.__getitem__)[place[at] :]
    return [pdag.names[i] for i in reversed(walked)]
