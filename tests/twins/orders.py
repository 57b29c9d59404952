"""The search over orders, slowly: parents of a variable among those before it, and the score of an order."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Correlation = NDArray[np.float64]


def left_of(correlation: Correlation, v: int, parents: Sequence[int]) -> float:
    """The residual variance of v given its parents."""
    if not parents:
        return 1.0
    among = correlation[np.ix_(parents, parents)]
    across = correlation[parents, v]
    return float(1.0 - across @ np.linalg.solve(among, across))


def family_score(correlation: Correlation, n: float, penalty: float, v: int, parents: Sequence[int]) -> float:
    """N times the log residual variance plus the penalty per parent."""
    return n * log(left_of(correlation, v, parents)) + penalty * len(parents)


def grown_and_shrunk(
    correlation: Correlation, n: float, penalty: float, v: int, before: Sequence[int]
) -> list[int]:
    """Parents added one by one by the best gain while there is one, then taken out in the same way."""

    def score(parents: list[int]) -> float:
        return family_score(correlation, n, penalty, v, parents)

    parents: list[int] = []
    while True:
        tried = [[*parents, z] for z in before if z not in parents]
        best = min(tried, key=score, default=parents)
        if not score(best) < score(parents):
            break
        parents = best
    while len(parents) > 1:
        best = min(([p for p in parents if p != z] for z in parents), key=score)
        if not score(best) < score(parents):
            break
        parents = best
    return sorted(parents)


def order_score(correlation: Correlation, n: float, penalty: float, order: Sequence[int]) -> float:
    """The score of the DAG in which each variable takes the best parents among those before it."""
    total = 0.0
    for place, v in enumerate(order):
        parents = grown_and_shrunk(correlation, n, penalty, v, order[:place])
        total += family_score(correlation, n, penalty, v, parents)
    return total


def best_single_move(correlation: Correlation, n: float, penalty: float, order: Sequence[int]) -> float:
    """The best score among the orders in which one variable stands elsewhere."""
    scores = []
    for v in order:
        others = [w for w in order if w != v]
        scores += [
            order_score(correlation, n, penalty, [*others[:place], v, *others[place:]])
            for place in range(len(order))
        ]
    return min(scores)
