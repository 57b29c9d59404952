"""Orientation by votes, in the column order or in the order that the data decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.search.arrays import Conflicts
from secondlook.search.native import orient_by_votes
from secondlook.search.path import Chunk

if TYPE_CHECKING:
    import numpy as np
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
    marks = orient_by_votes(d, edges, votes, rule, rank)
    conflicts = Conflicts(marks["conflicts"].reshape(-1, 3), marks["conflict_support"].reshape(-1, 2))
    return Chunk(edges, marks["forward"], marks["backward"], sepsets, conflicts, report, vote_report)
