"""Meek's rules: every arrow that the arrows already present force.

The rules come from Meek, "Causal inference and causal explanation with background knowledge" (UAI 1995),
figure 1. Each needs at least one arrow, so it is enough to look at every arrow once, when it appears.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import GraphError
from secondlook.graphs.pdag import PDAG

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


def closure(pdag: PDAG, *, ambiguous: Collection[tuple[str, str, str]] = frozenset()) -> PDAG:
    """The graph after Meek's rules R1 to R4 have turned every line they can into an arrow.

    An existing arrow is never turned round. On a graph with a consistent extension the answer is unique;
    elsewhere two rules may ask for opposite arrows, and the first to ask (lowest columns first) wins.
    R4 can only apply when some arrows come from background knowledge or from conflicts.

    Parameters
    ----------
    pdag : PDAG
        The graph to close.
    ambiguous : collection of (str, str, str)
        Triples (x, y, z) with middle y, ends in any order, of which nobody knows whether y is a collider:
        R1, R3 and R4 draw no conclusion from them.

    Returns
    -------
    PDAG
        The closed graph, with the same skeleton.

    Raises
    ------
    GraphError
        When a triple names an unknown node.

    Examples
    --------
    >>> closure(PDAG("abc", directed=["ab"], undirected=["bc"]))
    PDAG with 3 nodes, 2 edges: a -> b, b -> c
    """
    work = _Orientation(pdag, _ambiguous_keys(pdag, ambiguous))
    work.run()
    lines = [(i, j) for i, joined in enumerate(work.neighbors) for j in joined if i < j]
    arrows = [(i, j) for i, heads in enumerate(work.children) for j in heads]
    return PDAG.from_indices(pdag.names, _sorted_pairs(arrows), _sorted_pairs(lines), validate=False)


def _sorted_pairs(pairs: list[tuple[int, int]]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)


def _ambiguous_keys(
    pdag: PDAG, ambiguous: Collection[tuple[str, str, str]]
) -> frozenset[tuple[int, int, int]]:
    keys = set()
    for triple in ambiguous:
        if len(triple) != 3:
            raise GraphError(f"An ambiguous triple must hold three names. Got {triple!r}.")
        x, y, z = (pdag.index(name) for name in triple)
        keys.update([(x, y, z), (z, y, x)])
    return frozenset(keys)


class _Orientation:
    """A graph being oriented: sets per node, and a queue of arrows not yet looked at."""

    def __init__(self, pdag: PDAG, ambiguous: frozenset[tuple[int, int, int]]) -> None:
        near = pdag.adjacency
        self.parents = [set(nodes) for nodes in near.parents]
        self.children = [set(nodes) for nodes in near.children]
        self.neighbors = [set(nodes) for nodes in near.neighbors]
        self.adjacent = [
            p | c | n for p, c, n in zip(self.parents, self.children, self.neighbors, strict=True)
        ]
        self.ambiguous = ambiguous
        self.queue = deque((tail, head) for tail, head in pdag.arrows.tolist())

    def run(self) -> None:
        while self.queue:
            a, b = self.queue.popleft()
            if not (self.neighbors[a] or self.neighbors[b]):
                continue  # every rule needs a line at one of the two
            for rule in (self._rule_1, self._rule_2, self._rule_3, self._rule_4):
                for tail, head in list(rule(a, b)):
                    self._orient(tail, head)

    def _orient(self, tail: int, head: int) -> None:
        if head not in self.neighbors[tail]:
            return  # another rule was first
        self.neighbors[tail].discard(head)
        self.neighbors[head].discard(tail)
        self.children[tail].add(head)
        self.parents[head].add(tail)
        self.queue.append((tail, head))

    def _rule_1(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """R1: a -> b -- c with a, c not adjacent gives b -> c, or b would be a new collider."""
        for c in sorted(self.neighbors[b] - self.adjacent[a]):
            if (a, b, c) not in self.ambiguous:
                yield b, c

    def _rule_2(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """R2: a chain x -> y -> z with x -- z gives x -> z, or it would close a cycle."""
        for c in sorted(self.neighbors[a] & self.children[b]):
            yield a, c
        for c in sorted(self.neighbors[b] & self.parents[a]):
            yield c, b

    def _rule_3(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """R3: x -- a -> b, x -- e -> b and x -- b with a, e not adjacent gives x -> b."""
        for x in sorted(self.neighbors[a] & self.neighbors[b]):
            others = (self.neighbors[x] & self.parents[b]) - self.adjacent[a] - {a}
            if any((a, x, e) not in self.ambiguous for e in others):
                yield x, b

    def _rule_4(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """R4: x -- c -> e -> z, x -- e and x -- z with c, z not adjacent gives x -> z.

        The edge x, e may be of any kind in Meek's figure; when it is an arrow R1 and R2 already answer.
        """
        for x in sorted(self.neighbors[a] & self.neighbors[b]):
            for z in sorted((self.children[b] & self.neighbors[x]) - self.adjacent[a]):
                if (a, x, z) not in self.ambiguous:
                    yield x, z
            starts = (self.parents[a] & self.neighbors[x]) - self.adjacent[b]
            if any((c, x, b) not in self.ambiguous for c in starts):
                yield x, b
