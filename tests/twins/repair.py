"""The repair at one alpha, word for word: every pair asked about again given the parents, twice over."""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING

from twins.orientation import oriented
from twins.skeleton import Skeleton, parents_found, pc_stable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from twins.evidence import Separates


def repaired(
    d: int, separates: Separates, strictly: Separates, max_level: int | None = None
) -> NDArray[np.int64]:
    """The graph after two passes; `strictly` tests at alpha / 10, for pairs that nothing joins."""
    first = pc_stable(d, separates, max_level=max_level)
    marks, _ = oriented(first, separates, "vote", max_level)
    current = first
    for _ in range(2):
        pa = parents_found(marks)
        adjacent: list[set[int]] = [set() for _ in range(d)]
        for i, j in combinations(range(d), 2):
            if first.sepsets.get((i, j)) == ():
                continue
            joined = j in first.adjacent[i] or j in current.adjacent[i]
            test = separates if joined else strictly
            pools = (sorted(pa[i] - {j}), sorted(pa[j] - {i}))
            if not any(test(i, j, S) for S in chain(*(_non_empty(pool, max_level) for pool in pools))):
                adjacent[i].add(j)
                adjacent[j].add(i)
        current = Skeleton(adjacent, {})
        marks, _ = oriented(current, separates, "vote", max_level)
    return marks


def _non_empty(pool: list[int], max_level: int | None) -> chain[tuple[int, ...]]:
    most = len(pool) if max_level is None else min(len(pool), max_level)
    return chain.from_iterable(combinations(pool, size) for size in range(1, most + 1))
