"""Markov equivalence: v-structures, CPDAGs, and what counts as one."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import GraphError
from secondlook.graphs.edges import listing
from secondlook.graphs.extension import extension
from secondlook.graphs.meek import closure
from secondlook.graphs.order import dag_order, is_acyclic
from secondlook.graphs.pdag import PDAG

if TYPE_CHECKING:
    from collections.abc import Iterator


def v_structures(pdag: PDAG) -> tuple[tuple[str, str, str], ...]:
    """The unshielded colliders x -> y <- z of a graph as triples (x, y, z).

    Returns
    -------
    tuple of (str, str, str)
        Ordered by the columns of y, x and z, with x before z.

    Examples
    --------
    >>> v_structures(PDAG("abc", directed=["ab", "cb"]))
    (('a', 'b', 'c'),)
    """
    return _named(pdag, _collider_indices(pdag))


def unshielded_triples(pdag: PDAG) -> tuple[tuple[str, str, str], ...]:
    """The triples (x, y, z) with y joined to x and z in any way, and x, z not adjacent.

    Returns
    -------
    tuple of (str, str, str)
        Ordered by the columns of y, x and z, with x before z.
    """
    near = pdag.adjacency
    joined = [sorted([*near.parents[y], *near.children[y], *near.neighbors[y]]) for y in range(pdag.d)]
    sets = [set(nodes) for nodes in joined]
    triples = ((x, y, z) for y in range(pdag.d) for x, z in combinations(joined[y], 2) if z not in sets[x])
    return _named(pdag, triples)


def cpdag(dag: PDAG) -> PDAG:
    """The CPDAG of a DAG: an arrow where all Markov equivalent DAGs agree, else a line.

    Parameters
    ----------
    dag : PDAG
        A graph of arrows without a directed cycle.

    Raises
    ------
    GraphError
        When the graph has a line or a directed cycle.

    References
    ----------
    Meek (UAI 1995), theorem 3: the v-structures, closed under R1 to R3, are the compelled arrows.

    Examples
    --------
    >>> cpdag(PDAG("abc", directed=["ab", "bc"]))
    PDAG with 3 nodes, 2 edges: a -- b, b -- c
    """
    dag_order(dag, "cpdag")
    kept = {arrow for x, y, z in _collider_indices(dag) for arrow in ((x, y), (z, y))}
    all_arrows: list[tuple[int, int]] = [(tail, head) for tail, head in dag.arrows.tolist()]
    lines = sorted((min(pair), max(pair)) for pair in all_arrows if pair not in kept)
    pattern = PDAG.from_indices(
        dag.names,
        np.array(sorted(kept), dtype=np.int32).reshape(-1, 2),
        np.array(lines, dtype=np.int32).reshape(-1, 2),
        validate=False,
    )
    return closure(pattern)


def is_cpdag(pdag: PDAG) -> bool:
    """Whether the graph is the CPDAG of some DAG: acyclic, extendable, and closed."""
    if not is_acyclic(pdag):
        return False
    found = extension(pdag)
    return found.extendable and cpdag(found.dag) == pdag


def markov_equivalent(a: PDAG, b: PDAG) -> bool:
    """Whether two DAGs over the same names imply the same independencies.

    Parameters
    ----------
    a, b : PDAG
        DAGs whose names may come in different orders.

    Raises
    ------
    GraphError
        When the names differ, or a graph is not a DAG.

    References
    ----------
    Verma and Pearl (UAI 1990): the same skeleton and the same v-structures.
    """
    odd = set(a.names) ^ set(b.names)
    if odd:
        raise GraphError(
            f"markov_equivalent needs two DAGs over the same names. Only one has {listing(sorted(odd))}."
        )
    dag_order(a, "markov_equivalent")
    dag_order(b, "markov_equivalent")
    b = b.relabelled(a.names)
    return a.skeleton == b.skeleton and v_structures(a) == v_structures(b)


def _collider_indices(pdag: PDAG) -> Iterator[tuple[int, int, int]]:
    near = pdag.adjacency
    joined = [{*near.parents[y], *near.children[y], *near.neighbors[y]} for y in range(pdag.d)]
    for y, parents in enumerate(near.parents):
        for x, z in combinations(parents, 2):
            if z not in joined[x]:
                yield x, y, z


def _named(pdag: PDAG, triples: Iterator[tuple[int, int, int]]) -> tuple[tuple[str, str, str], ...]:
    names = pdag.names
    return tuple((names[x], names[y], names[z]) for x, y, z in triples)
