"""An order of the columns that the data decide: conflicts are then settled alike in any arrangement."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from secondlook.independence import FisherZ
from secondlook.independence.protocol import batched_p_values
from secondlook.search.arrays import Edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.independence import CITest

Scale = Callable[["NDArray[np.float64]"], "NDArray[np.float64]"]

_GRAINS = 2.0**40
_ROWS = 256
_SMALLEST = float(np.finfo(np.float64).tiny)


def data_rank(test: CITest) -> NDArray[np.int32]:
    """The place of every column in an order that only the data decide.

    Columns are sorted by how strongly they depend on all others: squared correlations, or the p-values of
    all pairs, in whole grains of 2^-40, so that sums are exact and know no order. Sums that tie are told
    apart by fourth powers, or by squares and logarithms. Columns that still tie keep their order: they are
    interchangeable, as far as pairs can tell.

    Parameters
    ----------
    test : CITest
        A `FisherZ`, or any test, which is asked about every pair.

    Returns
    -------
    int32 array, shape (d,)
        A permutation of 0..d - 1.
    """
    strength = test.correlation if isinstance(test, FisherZ) else _pairwise_p_values(test)
    scales = (_square, _fourth_power) if isinstance(test, FisherZ) else (_itself, _square, _logarithm)
    keys: list[NDArray[np.int64]] = []
    for scale in scales:  # sums can meet by chance: those on another scale tell them apart
        keys.insert(0, _exact_sums(strength, scale))
        if len(set(zip(*map(np.ndarray.tolist, keys), strict=True))) == len(strength):
            break
    order = np.lexsort(keys)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank


def _exact_sums(matrix: NDArray[np.float64], scale: Scale) -> NDArray[np.int64]:
    """The sum of every row on a scale, in whole grains; block by block, so that no second matrix is made."""
    sums = np.zeros(len(matrix), dtype=np.int64)
    for start in range(0, len(matrix), _ROWS):
        block = scale(matrix[start : start + _ROWS]) * _GRAINS
        sums[start : start + _ROWS] = np.rint(block, out=block).astype(np.int64).sum(axis=1)
    return sums


def _itself(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return x


def _square(x: NDArray[np.float64]) -> NDArray[np.float64]:
    squared: NDArray[np.float64] = x * x
    return squared


def _fourth_power(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return _square(_square(x))


def _logarithm(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tells p-values apart that are all far below a grain; 0 counts as the smallest number there is."""
    logs: NDArray[np.float64] = np.log(np.maximum(x, _SMALLEST))
    return logs


def _pairwise_p_values(test: CITest) -> NDArray[np.float64]:
    d = len(test.names)
    pairs = list(combinations(range(d), 2))
    matrix = np.zeros((d, d))
    if pairs:
        found = batched_p_values(test, [(i, j, ()) for i, j in pairs])
        first, second = np.array(pairs).T
        matrix[first, second] = matrix[second, first] = np.where(np.isnan(found), 2.0, found)
    return matrix


class RankedEdges:
    """Edges with their ends renamed to their ranks and sorted anew.

    Parameters
    ----------
    edges : Edges
        With column indices.
    rank : int32 array, shape (d,)
        The place of every column.
    """

    def __init__(self, edges: Edges, rank: NDArray[np.int32]) -> None:
        first, second = rank[edges.first], rank[edges.second]
        self._flipped = first > second
        low, high = np.minimum(first, second), np.maximum(first, second)
        self._order = np.argsort(low.astype(np.int64) * len(rank) + high, kind="stable")
        self.edges = Edges(low[self._order], high[self._order], edges.alphas[self._order])

    def marks(
        self, forward: NDArray[np.uint64], backward: NDArray[np.uint64]
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """The marks of the edges as they were given, as ranked ones."""
        ahead, back = np.where(self._flipped, (backward, forward), (forward, backward))
        return ahead[self._order], back[self._order]
