"""Repair: the second look corrects the graph it looked at, instead of only scoring it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from secondlook.search.arrays import Edges
from secondlook.search.orientation import chunk_by_votes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.search.arrays import Sepsets, StepReport, VoteLimits, Votes
    from secondlook.search.path import Chunk

PASSES = 2


class RepairEngine(Protocol):
    """What a repair asks of an engine."""

    def ask_parents(
        self, asked: Edges, strict: NDArray[np.uint64], graph: Chunk
    ) -> tuple[Edges, Sepsets, StepReport]:
        """The pairs that no non-empty set of parents separates."""
        ...

    def vote(self, edges: Edges, limits: VoteLimits) -> tuple[Votes, StepReport]:
        """What conditioning sets say about unshielded triples."""
        ...


def repaired(
    engine: RepairEngine, first: Chunk, d: int, limits: VoteLimits, rank: NDArray[np.int32] | None = None
) -> Chunk:
    """The graphs of one pass after their parents have been asked about every pair, twice.

    Each time every pair that level 0 did not remove is joined unless some non-empty set of the parents of
    either end, as the current graph has them, separates it: with p >= alpha where the first look or the
    current graph joins the pair, with p >= alpha / 10 elsewhere. Votes then orient what stands.

    Parameters
    ----------
    engine : RepairEngine
        Native or generic.
    first : Chunk
        The first look, oriented by votes; at most 32 alphas.
    d : int
        The number of variables.
    limits : VoteLimits
        Of the votes.
    rank : int32 array, shape (d,), optional
        See `chunk_by_votes`.
    """
    everything = joined_masks(_masked(first.sepsets, d), keyed(first.edges, d))
    in_first = keyed(first.edges, d)
    current = first
    for number in range(PASSES):
        # What the parents of the first look may ask about its edges, the first look asked in vain.
        asked = edges_of(without(everything, in_first) if number == 0 else everything, d)
        keys, alphas = keyed(asked, d)
        strict = alphas & ~(masks_at(keys, in_first) | masks_at(keys, keyed(current.edges, d)))
        left, sepsets, report = engine.ask_parents(asked, strict, current)
        standing = keyed(left, d)
        if number == 0:
            standing = joined_masks(standing, in_first)
        edges = edges_of(standing, d)
        current = chunk_by_votes((edges, sepsets, report), engine.vote(edges, limits), "vote", d, rank)
    return current


Keyed = tuple["NDArray[np.int64]", "NDArray[np.uint64]"]
"""Pairs as first * d + second, ascending, with their masks."""


def keyed(edges: Edges, d: int) -> Keyed:
    """The pairs of edges by key."""
    return edges.first.astype(np.int64) * d + edges.second, edges.alphas


def edges_of(pairs: Keyed, d: int) -> Edges:
    """The edges of keyed pairs; those at no alpha are left out."""
    keys, masks = pairs[0][pairs[1] != 0], pairs[1][pairs[1] != 0]
    return Edges((keys // d).astype(np.int32), (keys % d).astype(np.int32), masks)


def joined_masks(a: Keyed, b: Keyed) -> Keyed:
    """The pairs of both, each at the alphas of either."""
    keys = np.union1d(a[0], b[0])
    return keys, masks_at(keys, a) | masks_at(keys, b)


def without(a: Keyed, b: Keyed) -> Keyed:
    """The pairs of a at the alphas at which b does not have them."""
    return a[0], a[1] & ~masks_at(a[0], b)


def masks_at(keys: NDArray[np.int64], pairs: Keyed) -> NDArray[np.uint64]:
    """The masks of the pairs of these keys, 0 for those that are not there."""
    if not len(pairs[0]):
        return np.zeros(len(keys), dtype=np.uint64)
    at = np.minimum(np.searchsorted(pairs[0], keys), len(pairs[0]) - 1)
    return np.where(pairs[0][at] == keys, pairs[1][at], np.uint64(0))


def _masked(sepsets: Sepsets, d: int) -> Keyed:
    """The pairs that non-empty sets separated, each with all its alphas."""
    keys = sepsets.first.astype(np.int64) * d + sepsets.second
    if not len(keys):
        return keys, sepsets.alphas
    start = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[start], np.bitwise_or.reduceat(sepsets.alphas, start)
