"""The sparse arrays that engines exchange: edges, separating sets and votes of up to 64 alphas at once.

Bit a of a mask stands for the a-th alpha of the chunk. All arrays are read-only by convention.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_ALPHAS = 64
"""One engine pass serves this many alphas."""


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Pairs first < second, sorted, and the alphas at which they are adjacent."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    alphas: NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Sepsets:
    """Non-empty separating sets, sorted by pair: record r holds members[begin[r]:begin[r + 1]]."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    alphas: NDArray[np.uint64]
    begin: NDArray[np.uint64]
    members: NDArray[np.int32]

    def find(self, i: int, j: int, alpha: int) -> tuple[int, ...] | None:
        """The set recorded for a pair at one alpha, or None."""
        low, high = min(i, j), max(i, j)
        start, stop = np.searchsorted(self.first, [low, low + 1])
        lo, hi = start + np.searchsorted(self.second[start:stop], [high, high + 1])
        for r in range(int(lo), int(hi)):
            if int(self.alphas[r]) >> alpha & 1:
                return tuple(self.members[int(self.begin[r]) : int(self.begin[r + 1])].tolist())
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """What conditioning sets say about unshielded triples x - y - z, x < z, sorted by (y, x, z).

    `separating` and `containing` hold one number per triple and alpha of its mask, in order.
    """

    x: NDArray[np.int32]
    y: NDArray[np.int32]
    z: NDArray[np.int32]
    alphas: NDArray[np.uint64]
    separating: NDArray[np.uint32]
    containing: NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Conflicts:
    """Edges x - y that colliders asked to point both ways.

    `where` holds rows (position of the alpha in the chunk, x, y), shape (m, 3); `support` what asked for
    x -> y and for y -> x, shape (m, 2): sums of weights, or 1 for rules over separating sets.
    """

    where: NDArray[np.int32]
    support: NDArray[np.float64]

    @classmethod
    def from_rows(cls, rows: list[list[float]]) -> Conflicts:
        """The conflicts of rows (alpha, x, y, toward y, toward x)."""
        return cls(
            np.array([row[:3] for row in rows], dtype=np.int32).reshape(-1, 3),
            np.array([row[3:] for row in rows], dtype=np.float64).reshape(-1, 2),
        )

    def rows(self) -> list[tuple[int, int, int, float, float]]:
        """What `from_rows` reads, sorted."""
        both = zip(self.where.tolist(), self.support.tolist(), strict=True)
        return sorted((a, x, y, to_y, to_x) for (a, x, y), (to_y, to_x) in both)


@dataclass(frozen=True, slots=True)
class VoteLimits:
    """How large the sets of a vote may be; what a limit cuts off is in the look's report.

    Attributes
    ----------
    max_size : int
        Of a set; -1 for any size.
    max_sets : float
        A neighbourhood that offers more sets than this uses smaller ones only.
    max_questions : float
        When an alpha would ask more than this, all its neighbourhoods use smaller sets.
    """

    max_size: int
    max_sets: float = 5000.0
    max_questions: float = 1e6


@dataclass(frozen=True, slots=True)
class StepReport:
    """What one engine step counted and could not do. Variables are column indices here."""

    tests: tuple[int, ...] = ()
    untestable_count: int = 0
    untestable: tuple[tuple[int, ...], ...] = ()
    level_capped: bool = False
    rows_exhausted: bool = False
    held: tuple[tuple[int, int, int], ...] = field(default=())
    """Per alpha whose votes were limited: its index, the size held to, the number of neighbourhoods."""


def bits(mask: int) -> list[int]:
    """The positions of the bits that are set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
