"""Orientation by votes, in the column order or in the order that the data decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.search.arrays import Conflicts
from secondlook.search.native import orient_by_votes
from secondlook.search.path import Chunk
from secondlook.search.ranking import RankedEdges, ranked_votes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.search.arrays import Edges, Sepsets, StepReport, Votes

Voted = tuple["Votes", "StepReport"]
Found = tuple["Edges", "Sepsets", "StepReport"]


def chunk_by_votes(found: Found, voted: Voted, rule: str, d: int, rank: NDArray[np.int32] | None) -> Chunk:
    """A skeleton, oriented by what conditioning sets say about its unshielded triples.

    Parameters
    ----------
    found : (Edges, Sepsets, StepReport)
        The skeleton of every alpha.
    voted : (Votes, StepReport)
        The votes about it.
    rule : str
        "vote", "majority" or "conservative".
    d : int
        The number of variables.
    rank : int32 array, shape (d,), or None
        The order in which Meek's rules go through the columns, which matters where they conflict; None for
        the column order.
    """
    edges, sepsets, report = found
    votes, vote_report = voted
    if rank is None:
        marks = orient_by_votes(d, edges, votes, rule)
        forward, backward = marks["forward"], marks["backward"]
        where, support = marks["conflicts"].reshape(-1, 3), marks["conflict_support"].reshape(-1, 2)
    else:
        ranked = RankedEdges(edges, rank)
        marks = orient_by_votes(d, ranked.edges, ranked_votes(votes, rank), rule)
        forward, backward = ranked.restored(marks["forward"], marks["backward"])
        where, support = _restored_conflicts(
            marks["conflicts"].reshape(-1, 3), marks["conflict_support"].reshape(-1, 2), rank
        )
    return Chunk(edges, forward, backward, sepsets, Conflicts(where, support), report, vote_report)


def _restored_conflicts(
    where: NDArray[np.int32], support: NDArray[np.float64], rank: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Conflicts about ranks as conflicts about columns, the lower column first."""
    column = np.argsort(rank).astype(np.int32)
    ends = column[where[:, 1:]]
    flipped = (ends[:, 0] > ends[:, 1])[:, None]
    ends = np.where(flipped, ends[:, ::-1], ends)
    support = np.where(flipped, support[:, ::-1], support)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    return np.column_stack([where[:, :1], ends])[order].astype(np.int32), support[order]
