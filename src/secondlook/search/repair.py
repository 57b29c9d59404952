"""Repair: the second look corrects the graph it looked at, instead of only scoring it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from secondlook.search.arrays import Conflicts, Edges, bits
from secondlook.search.orientation import chunk_by_votes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.search.arrays import Sepsets, StepReport, VoteLimits, Votes
    from secondlook.search.path import Chunk

PASSES = 2
MOST_SETS = 2.0**14
"""A pair whose ends have parents for more sets than this is not asked about again."""


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
    engine: RepairEngine,
    first: Chunk,
    d: int,
    limits: VoteLimits,
    *,
    which: int,
    rank: NDArray[np.int32] | None = None,
) -> tuple[Chunk, list[int]]:
    """The graphs of one pass after their parents have been asked about every pair, twice.

    Each time every pair that level 0 did not remove is joined unless some non-empty set of the parents of
    either end, as the current graph has them, separates it: with p >= alpha where the first look or the
    current graph joins the pair, with p >= alpha / 10 elsewhere. Votes then orient what stands.

    Parameters
    ----------
    engine : RepairEngine
        Native or generic.
    first : Chunk
        The first look, oriented by votes.
    d : int
        The number of variables.
    limits : VoteLimits
        Of the votes.
    which : int
        Mask of the alphas to repair; at others the first look stays.
    rank : int32 array, shape (d,), optional
        See `chunk_by_votes`.

    Returns
    -------
    (Chunk, list of int)
        The graphs, and for each alpha of the pass at how many pairs the parents offer too many sets: these
        stay as the first look has them.
    """
    asked_for = np.uint64(which)
    everything = joined_masks(_masked(first.sepsets, d), keyed(first.edges, d))
    in_first = keyed(first.edges, d)
    current = at_alphas(first, asked_for)
    alone = everything[0], np.zeros_like(everything[1])
    for number in range(PASSES):
        alone = everything[0], alone[1] | _crowded(everything[0], current, d)
        # What the parents of the first look may ask about its edges, the first look asked in vain.
        pairs = without(without(everything, alone), in_first if number == 0 else _NOTHING)
        asked = edges_of((pairs[0], pairs[1] & asked_for), d)
        keys, alphas = keyed(asked, d)
        strict = alphas & ~(masks_at(keys, in_first) | masks_at(keys, keyed(current.edges, d)))
        left, sepsets, report = engine.ask_parents(asked, strict, current)
        # What was not asked about stays as the first look has it.
        unasked = in_first[1] & asked_for & ~masks_at(in_first[0], (keys, alphas))
        edges = edges_of(joined_masks(keyed(left, d), (in_first[0], unasked)), d)
        current = chunk_by_votes((edges, sepsets, report), engine.vote(edges, limits), "vote", d, rank)
    left_alone = [int((alone[1] >> np.uint64(a) & _ONE).sum()) for a in bits(which)]
    return both(current, at_alphas(first, ~asked_for), d), left_alone


def at_alphas(chunk: Chunk, alphas: np.uint64) -> Chunk:
    """A pass as if it had been run at some of its alphas only."""
    kept = chunk.edges.alphas & alphas != 0
    edges = Edges(chunk.edges.first[kept], chunk.edges.second[kept], chunk.edges.alphas[kept] & alphas)
    conflicts = [row for row in chunk.conflicts.rows() if int(alphas) >> row[0] & 1]
    return replace(
        chunk,
        edges=edges,
        forward=chunk.forward[kept] & alphas,
        backward=chunk.backward[kept] & alphas,
        conflicts=Conflicts.from_rows([list(row) for row in conflicts]),
    )


def both(repaired_ones: Chunk, others: Chunk, d: int) -> Chunk:
    """One pass of two whose alphas differ; sets and counts are those of the first."""
    a, b = keyed(repaired_ones.edges, d), keyed(others.edges, d)
    keys, masks = joined_masks(a, b)
    forward, backward = (
        masks_at(keys, (a[0], getattr(repaired_ones, name))) | masks_at(keys, (b[0], getattr(others, name)))
        for name in ("forward", "backward")
    )
    rows = sorted([*repaired_ones.conflicts.rows(), *others.conflicts.rows()])
    return replace(
        repaired_ones,
        edges=edges_of((keys, masks), d),
        forward=forward,
        backward=backward,
        conflicts=Conflicts.from_rows([list(row) for row in rows]),
    )


def _crowded(keys: NDArray[np.int64], graph: Chunk, d: int) -> NDArray[np.uint64]:
    """By pair, the alphas at which the parents of its ends offer more than `MOST_SETS` sets."""
    masks = np.zeros(len(keys), dtype=np.uint64)
    first, second = keys // d, keys % d
    for a in bits(int(np.bitwise_or.reduce(graph.edges.alphas)) if len(graph.edges.alphas) else 0):
        bit = np.uint64(a)
        into_second, into_first = (marks >> bit & _ONE for marks in (graph.forward, graph.backward))
        sets = np.exp2(
            np.bincount(graph.edges.second, into_second, d) + np.bincount(graph.edges.first, into_first, d)
        )
        if 2.0 * sets.max() > MOST_SETS:
            masks |= (sets[first] + sets[second] > MOST_SETS).astype(np.uint64) << bit
    return masks


_ONE = np.uint64(1)
_NOTHING = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint64)


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
