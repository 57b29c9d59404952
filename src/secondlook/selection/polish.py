"""Polish: the kept graphs' DAGs as starts of a search over orders of the variables, for Gaussian tests."""

from __future__ import annotations

from math import isfinite, log
from typing import TYPE_CHECKING

import numpy as np

from secondlook import _native
from secondlook.search.validity import Dag, sorted_dag
from secondlook.selection.answer import Polish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from secondlook.independence import FisherZ

MOST_COLUMNS = 500
"""Beyond, the search takes more time and memory than all the rest; polish=True does it all the same."""
TIE = 1e-7
"""Scores this close, relative to their size, are equal: two equivalent DAGs differ by rounding."""


def edge_penalty(n: int, d: int) -> float:
    """What an edge has to gain in n times the log residual variance.

    Twice that of the BIC, or more where there are many variables: among d^2 / 2 pairs chance alone finds some
    strong ones. Both constants were chosen on simulations.
    """
    return max(2.0 * log(n), log(n) + 2.5 * log(max(d, 1)))


def dag_scores(test: FisherZ, dags: Sequence[Dag], penalty: float) -> list[float]:
    """The score of every DAG: n times the log residual variances plus the penalty per edge, small is good."""
    tails, heads, begin = _side_by_side(dags)
    return _native.scores(
        test.correlation, float(test.n), penalty=penalty, tails=tails, heads=heads, begin=begin
    )


def first_least(scores: Sequence[float]) -> int:
    """The position of the smallest score, the first of those equal to it up to rounding."""
    least = min(scores)
    if not isfinite(least):
        return 0
    return next(k for k, score in enumerate(scores) if score <= least + TIE * max(1.0, abs(least)))


def polished(
    test: FisherZ, dags: Sequence[Dag], alphas: Sequence[float], rank: NDArray[np.int32]
) -> tuple[Dag, Polish]:
    """The best DAG that a search over orders reaches from any of the given ones.

    One variable at a time moves to its best place in the order, its parents grown and shrunk among those
    before it, until no move gains. The search goes through the variables in the order of `rank`, so that the
    order of the columns plays no part.

    Parameters
    ----------
    test : FisherZ
        Correlation matrix and number of rows.
    dags : sequence of Dag
        Where to start; equal ones are tried once.
    alphas : sequence of float
        The alpha of each.
    rank : int32 array, shape (d,)
        The place of every column.
    """
    column = np.argsort(rank).astype(np.int32)
    d = len(rank)
    penalty = edge_penalty(test.n, d)
    before = dag_scores(test, dags, penalty)
    starts: dict[tuple[bytes, bytes], int] = {}
    for k, dag in enumerate(dags):
        starts.setdefault((dag.tails.tobytes(), dag.heads.tobytes()), k)
    chosen = list(starts.values())
    moved = np.ascontiguousarray(test.correlation[np.ix_(column, column)])
    ranked = [sorted_dag(rank[dags[k].tails], rank[dags[k].heads]) for k in chosen]
    tails, heads, begin = _side_by_side(ranked)
    raw = _native.best_orders(moved, float(test.n), penalty=penalty, tails=tails, heads=heads, begin=begin)
    best = first_least(raw["scores"])
    record = Polish(
        starts=tuple(alphas[k] for k in chosen),
        scores=tuple(raw["scores"]),
        before=min(before),
        chosen=alphas[chosen[best]],
        penalty=penalty,
    )
    # Parents are taken one by one, so that a start may score worse in the search than it did as it was.
    if record.before < raw["scores"][best] - TIE * max(1.0, abs(record.before)):
        return dags[first_least(before)], record
    part = slice(int(raw["begin"][best]), int(raw["begin"][best + 1]))
    return sorted_dag(column[raw["tails"][part]], column[raw["heads"][part]]), record


def _side_by_side(
    dags: Sequence[Dag],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint64]]:
    return (
        np.concatenate([dag.tails for dag in dags]).astype(np.int32),
        np.concatenate([dag.heads for dag in dags]).astype(np.int32),
        np.cumsum([0, *(len(dag.tails) for dag in dags)]).astype(np.uint64),
    )
