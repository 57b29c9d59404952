"""PC-stable's skeleton and the second look, word for word."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from twins.evidence import Separates


class Skeleton(NamedTuple):
    """Neighbours of every vertex, and the set and the level at which each other pair fell."""

    adjacent: list[set[int]]
    sepsets: dict[tuple[int, int], tuple[int, ...]]

    def edges(self) -> set[tuple[int, int]]:
        """The pairs i < j that are still adjacent."""
        return {(i, j) for i, near in enumerate(self.adjacent) for j in near if i < j}


def pc_stable(
    d: int,
    separates: Separates,
    *,
    allowed: list[set[int]] | None = None,
    max_level: int | None = None,
) -> Skeleton:
    """The stable skeleton; `allowed` restricts the candidates of each vertex, as the second look does."""
    adjacent = [set(range(d)) - {x} for x in range(d)]
    sepsets: dict[tuple[int, int], tuple[int, ...]] = {}
    ell = 0
    while max_level is None or ell <= max_level:
        frozen = [set(near) for near in adjacent]
        can_go_on = False
        for x in range(d):
            for y in sorted(frozen[x]):
                if y not in adjacent[x]:
                    continue
                candidates = sorted((frozen[x] if allowed is None else frozen[x] & allowed[x]) - {y})
                can_go_on = can_go_on or len(candidates) > ell
                for S in combinations(candidates, ell):
                    if separates(x, y, S):
                        adjacent[x].discard(y)
                        adjacent[y].discard(x)
                        sepsets[min(x, y), max(x, y)] = S
                        break
        if not can_go_on:
            break
        ell += 1
    return Skeleton(adjacent, sepsets)


def parents_found(marks: NDArray[np.int64]) -> list[set[int]]:
    """Pa(i): what is directed into i, or joined with it by an undirected edge."""
    d = len(marks)
    return [{j for j in range(d) if marks[j, i] == 1} for i in range(d)]


def second_look_rerun(
    d: int, separates: Separates, marks: NDArray[np.int64], max_level: int | None = None
) -> Skeleton:
    """PC-stable once more, conditioning on members of Pa only."""
    return pc_stable(d, separates, allowed=parents_found(marks), max_level=max_level)


def second_look_equivalent(
    first: Skeleton, separates: Separates, marks: NDArray[np.int64], max_level: int | None = None
) -> Skeleton:
    """The first skeleton and every pair removed at level >= 1 that no non-empty subset of Pa separates."""
    pa = parents_found(marks)
    adjacent = [set(near) for near in first.adjacent]
    sepsets: dict[tuple[int, int], tuple[int, ...]] = {}
    for (i, j), old in first.sepsets.items():
        found = () if old == () else _first_of_parents(pa, (i, j), separates, max_level)
        if found is None:
            adjacent[i].add(j)
            adjacent[j].add(i)
        else:
            sepsets[i, j] = found
    return Skeleton(adjacent, sepsets)


def _first_of_parents(
    pa: list[set[int]], pair: tuple[int, int], separates: Separates, max_level: int | None
) -> tuple[int, ...] | None:
    i, j = pair
    pools = [sorted(pa[i] - {j}), sorted(pa[j] - {i})]
    largest = max(map(len, pools)) if max_level is None else max_level
    for size in range(1, largest + 1):
        for pool in pools:
            for S in combinations(pool, size):
                if separates(i, j, S):
                    return S
    return None
