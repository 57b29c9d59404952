"""Bringing two graphs over the same nodes into one column order before they are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.errors import GraphError
from secondlook.graphs import PDAG
from secondlook.graphs.edges import listing

if TYPE_CHECKING:
    from collections.abc import Iterable


def aligned(truth: PDAG, guess: PDAG) -> PDAG:
    """The guess with its columns in the order of the truth; the guess itself when they already are.

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same set of names, in any order.

    Raises
    ------
    GraphError
        When one graph has a node that the other lacks.
    TypeError
        When either is not a PDAG.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> aligned(PDAG("ab"), PDAG("ba", directed=["ba"])).names
    ('a', 'b')
    """
    for role, graph in (("truth", truth), ("guess", guess)):
        if not isinstance(graph, PDAG):
            raise TypeError(f"The {role} of a comparison must be a PDAG. Got {type(graph).__name__}.")
    if truth.names == guess.names:
        return guess
    lacks = [
        f"the {role} lacks {listing(missing)}"
        for role, missing in (
            ("guess", _missing(truth.names, guess.names)),
            ("truth", _missing(guess.names, truth.names)),
        )
        if missing
    ]
    if lacks:
        raise GraphError(f"Two graphs must have the same nodes to be compared, but {' and '.join(lacks)}.")
    return guess.relabelled(truth.names)


def _missing(wanted: Iterable[str], found: Iterable[str]) -> list[str]:
    present = set(found)
    return [name for name in wanted if name not in present]
