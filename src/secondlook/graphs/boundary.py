"""Markov boundaries read off a PDAG: the variables that say all there is to say about one variable."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from secondlook.graphs.pdag import PDAG


def markov_boundaries(graph: PDAG) -> list[tuple[int, ...]]:
    """The Markov boundary of every node, as ascending column indices.

    It holds the nodes adjacent to the node in any way, and the directed parents of its directed children.
    What lies behind a line is not followed: a neighbour counts as itself and not as a possible child. For a
    DAG this is the Markov boundary of the faithful distribution; for any other graph it is what out-of-sample
    tuning takes for it.

    Parameters
    ----------
    graph : PDAG
        Any graph, cyclic ones included.

    Returns
    -------
    list of tuple of int
        One per node, in column order; a node is never in its own boundary.

    References
    ----------
    Biza, K., Tsamardinos, I. and Triantafillou, S. (2020). Tuning causal discovery algorithms. PMLR 138,
    17-28.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> markov_boundaries(PDAG("abcd", directed=["ac", "bc"], undirected=["cd"]))
    [(1, 2), (0, 2), (0, 1, 3), (2,)]
    """
    near = graph.adjacency
    found = []
    for i in range(graph.d):
        members = {*near.neighbors[i], *near.parents[i], *near.children[i]}
        for child in near.children[i]:
            members.update(near.parents[child])
        members.discard(i)
        found.append(tuple(sorted(members)))
    return found
