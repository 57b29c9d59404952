"""Where the nodes of a drawing go: layers from top to bottom, few crossings, no overlap.

The method is Sugiyama's in its plainest form: layers by longest path, dummy points where an edge passes a
layer, barycenter sweeps for the order, and least-squares positions under that order. No randomness.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from secondlook.graphs.extension import extension
from secondlook.graphs.order import acyclic_prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from secondlook.graphs.pdag import PDAG

NODE_HEIGHT = 30.0
_GAP_X, _GAP_Y = 28.0, 80.0
_DUMMY_WIDTH = 8.0
_SWEEPS = 12
_LONERS_PER_ROW = 8


@dataclass(frozen=True, slots=True)
class Layout:
    """The place of every node and the bends of every edge.

    Attributes
    ----------
    centers : list of (float, float)
        The middle of each of the d nodes.
    bends : dict of (int, int) to list of (float, float)
        For each edge, the points between its ends, listed from the first index of the key to the second;
        the key is the pair of the edge in the layout's own direction.
    width, height : float
        The size of the box from (0, 0) that holds every middle with half a node around it.
    """

    centers: list[tuple[float, float]]
    bends: dict[tuple[int, int], list[tuple[float, float]]]
    width: float
    height: float


def layered(pdag: PDAG, widths: Sequence[float]) -> Layout:
    """A layout in which arrows point down, wherever the graph has a consistent extension.

    Parameters
    ----------
    pdag : PDAG
        Any graph.
    widths : sequence of float
        The width of each of the d nodes, at least 0.

    Returns
    -------
    Layout
        The same for the same graph, always.
    """
    dag = extension(pdag).dag  # lines take part too, and cycles are broken
    near = dag.adjacency
    depth = [0] * dag.d
    for i in acyclic_prefix(dag):
        depth[i] = max((depth[parent] + 1 for parent in near.parents[i]), default=0)
    chains = _Chains(depth, list(widths))
    for tail, head in dag.arrows.tolist():
        chains.add(tail, head)
    joined = [i for i in range(dag.d) if near.parents[i] or near.children[i]]
    chains.order(joined)
    chains.place()
    loners = [i for i in range(dag.d) if not (near.parents[i] or near.children[i])]
    return chains.layout(dag.d, loners)


class _Chains:
    """Points in layers: the nodes first, then a dummy for every layer that an edge passes."""

    def __init__(self, depth: list[int], widths: list[float]) -> None:
        self.depth = depth
        self.widths = widths
        self.above: list[list[int]] = [[] for _ in depth]
        self.below: list[list[int]] = [[] for _ in depth]
        self.dummies: dict[tuple[int, int], list[int]] = {}
        self.layers: list[list[int]] = []
        self.x: list[float] = []

    def add(self, tail: int, head: int) -> None:
        """An edge, with one dummy in each layer strictly between its ends."""
        passed = []
        for level in range(self.depth[tail] + 1, self.depth[head]):
            passed.append(len(self.depth))
            self.depth.append(level)
            self.widths.append(_DUMMY_WIDTH)
            self.above.append([])
            self.below.append([])
        self.dummies[tail, head] = passed
        points = [tail, *passed, head]
        for upper, lower in pairwise(points):
            self.below[upper].append(lower)
            self.above[lower].append(upper)

    def order(self, joined: list[int]) -> None:
        """Sorts every layer by the mean place of its points' partners, sweeping down and up."""
        points = joined + [p for passed in self.dummies.values() for p in passed]
        self.layers = [[] for _ in range(max((self.depth[p] for p in points), default=-1) + 1)]
        for p in points:
            self.layers[self.depth[p]].append(p)
        place = {p: float(k) for layer in self.layers for k, p in enumerate(layer)}
        for sweep in range(_SWEEPS):
            down = sweep % 2 == 0
            partners = self.above if down else self.below
            for layer in self.layers if down else reversed(self.layers):
                means = {p: _mean([place[q] for q in partners[p]], place[p]) for p in layer}
                layer.sort(key=lambda p: (means[p], p))
                place.update({p: float(k) for k, p in enumerate(layer)})

    def place(self) -> None:
        """Gives every point an x near the mean of its partners, keeping order and gaps."""
        self.x = [0.0] * len(self.depth)
        for sweep in range(_SWEEPS):
            down = sweep % 2 == 0
            for layer in self.layers if down else reversed(self.layers):
                wished = [_mean([self.x[q] for q in self.above[p] + self.below[p]], self.x[p]) for p in layer]
                for p, x in zip(layer, _spread(wished, [self.widths[p] for p in layer]), strict=True):
                    self.x[p] = x

    def layout(self, d: int, loners: list[int]) -> Layout:
        """The finished drawing, shifted to start at 0, with unjoined nodes in rows at the foot."""
        left = min((self.x[p] - self.widths[p] / 2 for layer in self.layers for p in layer), default=0.0)
        right = max((self.x[p] + self.widths[p] / 2 for layer in self.layers for p in layer), default=0.0)
        points = [
            (x - left, level * _GAP_Y + NODE_HEIGHT / 2) for x, level in zip(self.x, self.depth, strict=True)
        ]
        width, rows = right - left, len(self.layers)
        for start in range(0, len(loners), _LONERS_PER_ROW):
            at = 0.0
            for i in loners[start : start + _LONERS_PER_ROW]:
                points[i] = (at + self.widths[i] / 2, rows * _GAP_Y + NODE_HEIGHT / 2)
                at += self.widths[i] + _GAP_X
            width, rows = max(width, at - _GAP_X), rows + 1
        bends = {pair: [points[p] for p in passed] for pair, passed in self.dummies.items()}
        return Layout(points[:d], bends, width, (rows - 1) * _GAP_Y + NODE_HEIGHT)


def _mean(values: list[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _spread(wished: list[float], widths: list[float]) -> list[float]:
    """The places nearest to the wished ones, in least squares, that keep the order and the gaps.

    With the gaps subtracted this is isotonic regression, solved by pooling adjacent violators.
    """
    offsets, offset = [], 0.0
    for k, width in enumerate(widths):
        offset += (widths[k - 1] + width) / 2 + _GAP_X if k else 0.0
        offsets.append(offset)
    pools: list[list[float]] = []  # sum, count
    for wish, shift in zip(wished, offsets, strict=True):
        pools.append([wish - shift, 1.0])
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] >= pools[-1][0] * pools[-2][1]:
            total, count = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += count
    levels = [total / count for total, count in pools for _ in range(int(count))]
    return [level + shift for level, shift in zip(levels, offsets, strict=True)]
