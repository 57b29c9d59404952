"""Theorem 1: with a perfect test both looks are the true CPDAG, at every alpha."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, cpdag
from secondlook.graphs.order import dag_order
from secondlook.independence import DSeparation, Memo
from secondlook.metrics import shd
from secondlook.search import COLLIDER_RULES, DEFAULT_ALPHAS, SearchOptions, alpha_path
from secondlook.search.run import VOTING_SIZES
from secondlook.simulation import random_dag
from secondlook.studies.study import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from secondlook.search import AlphaPath
    from secondlook.search.options import ColliderRule
    from secondlook.studies.study import Row

ALL_UP_TO = 4
"""Every DAG of so many nodes is tried."""
RANDOM_NODES = (5, 6, 7, 8)
DEGREES = (2, 4)
"""Random DAGs of d nodes have one of these expected degrees, the first for even draws."""


def all_dags(d: int) -> Iterator[PDAG]:
    """Every labelled DAG over d nodes: 1, 3, 25, 543 for d from 1 to 4.

    Examples
    --------
    >>> [sum(1 for _ in all_dags(d)) for d in (1, 2, 3)]
    [1, 3, 25]
    """
    names = tuple(f"x{i}" for i in range(d))
    pairs = list(combinations(names, 2))
    for kinds in product(range(3), repeat=len(pairs)):
        arrows = [(a, b) if kind == 1 else (b, a) for (a, b), kind in zip(pairs, kinds, strict=True) if kind]
        graph = PDAG(names, arrows)
        try:
            dag_order(graph, "all_dags")
        except GraphError:
            continue
        yield graph


def random_dags(d: int, draws: int, seed: int) -> Iterator[PDAG]:
    """So many random DAGs over d nodes, each from a stream of its own."""
    for draw in range(draws):
        rng = np.random.default_rng(np.random.SeedSequence((seed, 1, d, draw)))
        yield random_dag(d, DEGREES[draw % len(DEGREES)], rng)


def tried(dags: Iterable[PDAG], kind: str, d: int) -> Outcome:
    """How often both looks are the true CPDAG at every alpha, by collider rule.

    Parameters
    ----------
    dags : iterable of PDAG
        DAGs over d nodes.
    kind : str
        What the rows call them.
    d : int
        The number of nodes.
    """
    known = [(dag, cpdag(dag), Memo(DSeparation(dag))) for dag in dags]
    rows: list[Row] = []
    for rule in COLLIDER_RULES:
        right = agreeing = beyond = 0
        for dag, truth, memo in known:
            path = alpha_path(memo, DEFAULT_ALPHAS, _options(rule))
            looks = (*path.first.graphs[:], *path.second_look.graphs[:])
            is_right = all(graph == truth for graph in looks)
            right += is_right
            agreeing += all(
                shd(first, second) == 0
                for first, second in zip(path.first.graphs, path.second_look.graphs, strict=True)
            )
            beyond += not is_right and _needs_large_sets(path, dag, rule)
        head: Row = {"part": "oracle", "kind": kind, "d": d, "colliders": rule}
        rows.append(
            {**head, "graphs": len(known), "right": right, "agreeing": agreeing, "beyond_votes": beyond}
        )
    return Outcome(rows)


def _options(rule: str) -> SearchOptions:
    chosen: ColliderRule = rule  # type: ignore[assignment]
    return SearchOptions(colliders=chosen)


def _needs_large_sets(path: AlphaPath, dag: PDAG, rule: str) -> bool:
    """Whether some pair is separated by no set small enough for the rule's votes."""
    most = VOTING_SIZES.get(rule, -1)
    if most < 0:
        return False
    sets = (path.first.sepset(a, b, 0) for a, b in combinations(dag.names, 2))
    return any(found is not None and len(found) > most for found in sets)
