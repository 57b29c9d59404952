"""The graph a user gets, and what was done to the raw graphs on the way to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.search.validity import Settled

Pairs = tuple[tuple[str, str], ...]
Kept = Literal["first look", "repaired"]
FIRST_LOOK: Final = "first look"
REPAIRED: Final = "repaired"


@dataclass(frozen=True, slots=True)
class Correction:
    """What the second look made of the first look's graph at one alpha.

    Attributes
    ----------
    alpha : float
        The alpha.
    kept : str
        "first look" or "repaired".
    why : str
        One sentence: what the guard said.
    disputed : tuple of (str, str)
        Pairs that the second look joins and the first does not.
    joined, parted : tuple of (str, str)
        Pairs that the repair joined and those it parted.
    extendable : (bool, bool)
        Whether some DAG has the marks of the first look's graph, and of the repaired one.
    ebic : (float, float) or None
        Extended BIC of both, for Gaussian tests; inf where it is not defined.
    """

    alpha: float
    kept: Kept
    why: str
    disputed: Pairs
    joined: Pairs
    parted: Pairs
    extendable: tuple[bool, bool]
    ebic: tuple[float, float] | None

    @property
    def is_repaired(self) -> bool:
        """Whether the guard kept the repaired graph."""
        return self.kept == REPAIRED


@dataclass(frozen=True, slots=True)
class Polish:
    """What the search over orders made of the corrected graphs.

    Attributes
    ----------
    starts : tuple of float
        The alphas whose graphs it started from; of equal graphs the smallest alpha.
    scores : tuple of float
        The penalised log-likelihood that each start ended with, small is good.
    before : float
        The best score among the starts themselves.
    chosen : float
        The alpha of the start that ended best, the first of equals.
    penalty : float
        Per edge.
    skipped : str
        Why there was no such search; empty when there was.
    """

    starts: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    before: float = 0.0
    chosen: float = 0.0
    penalty: float = 0.0
    skipped: str = ""


@dataclass(frozen=True, eq=False)
class Answer:
    """A valid graph and how it came about.

    Attributes
    ----------
    graph : PDAG
        Without directed cycle; the CPDAG of a DAG.
    settled : tuple of Settled
        The edges of the chosen raw graph that the answer marks otherwise.
    corrections : tuple of Correction
        One per alpha after `secondlook`, none after `autopc`.
    polish : Polish or None
        The search over orders; None where it was not asked for.
    """

    graph: PDAG
    settled: tuple[Settled, ...] = ()
    corrections: tuple[Correction, ...] = ()
    polish: Polish | None = None
