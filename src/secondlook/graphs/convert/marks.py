"""What several formats share: graphs from one-way marks, and the refusal of names a format cannot hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.errors import GraphError
from secondlook.graphs.edges import listing
from secondlook.graphs.pdag import PDAG

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping

_KINDS = ("arrow", "line")


def graph_of_marks(names: Iterable[str], marks: Mapping[tuple[str, str], str | None]) -> PDAG:
    """The graph whose marks are given one by one: both directions make a line, one makes an arrow.

    Parameters
    ----------
    names : iterable of str
        The node names in column order.
    marks : mapping of (str, str) to str or None
        For each ordered pair that is marked, the kind its source claims: "arrow", "line", or None when the
        source says nothing.

    Raises
    ------
    GraphError
        When a claimed kind is unknown or disagrees with the marks, or the result is no PDAG.
    """
    directed: list[tuple[str, str]] = []
    undirected: dict[tuple[str, str], None] = {}  # a set that keeps its order
    for (a, b), kind in marks.items():
        if kind is not None and kind not in _KINDS:
            raise GraphError(f"An edge's kind must be 'arrow' or 'line'. Got {kind!r} from {a!r} to {b!r}.")
        found = "line" if (b, a) in marks and a != b else "arrow"
        if kind is not None and kind != found:
            ways = "both directions" if found == "line" else "one direction only"
            raise GraphError(
                f"The edge from {a!r} to {b!r} says it is of kind {kind!r} but is given in {ways}: "
                "a line needs both directions, an arrow one."
            )
        if found == "arrow":
            directed.append((a, b))
        elif (b, a) not in undirected:
            undirected[a, b] = None
    return PDAG(names, directed, undirected)


def refuse_names(pdag: PDAG, forbidden: re.Pattern[str], form: str, reason: str) -> None:
    """Refuses a graph with names that a format cannot hold.

    Parameters
    ----------
    pdag : PDAG
        The graph about to be written.
    forbidden : re.Pattern
        Found (anywhere) in a name that the format cannot hold.
    form, reason : str
        The format, and what it cannot hold, for the message.

    Raises
    ------
    GraphError
        When a name is found, with all such names.
    """
    odd = [name for name in pdag.names if forbidden.search(name)]
    if odd:
        raise GraphError(
            f"{form} cannot hold names with {reason}. Got {listing(odd)}; use renamed() first, or write JSON."
        )
