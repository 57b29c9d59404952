"""Two thresholds per alpha in one engine pass: alpha, and a tenth of it for pairs that want to come back."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from secondlook.search.arrays import MAX_ALPHAS, Edges, Sepsets, StepReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

STRICTER = 10.0
"""What nothing has joined yet is joined only if every p-value is below alpha / 10; chosen on simulations."""
MAX_LADDER = MAX_ALPHAS // 2
"""So many alphas fit into one pass with two thresholds each."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """All thresholds of some alphas, ascending, and where each alpha's two stand.

    Attributes
    ----------
    thresholds : tuple of float
        Two per alpha, ascending.
    plain, strict : tuple of int
        By alpha, the position of alpha itself and of alpha / 10.
    """

    thresholds: tuple[float, ...]
    plain: tuple[int, ...]
    strict: tuple[int, ...]

    @classmethod
    def of(cls, alphas: tuple[float, ...]) -> Ladder:
        """The ladder of at most 32 ascending alphas."""
        n = len(alphas)
        steps = [*alphas, *(alpha / STRICTER for alpha in alphas)]
        order = sorted(range(2 * n), key=lambda k: steps[k])
        place = {k: at for at, k in enumerate(order)}
        return cls(
            tuple(steps[k] for k in order),
            tuple(place[k] for k in range(n)),
            tuple(place[n + k] for k in range(n)),
        )

    def both(self, masks: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Masks of alphas as masks of all their thresholds."""
        return self.split(masks, np.zeros_like(masks)) | self.split(masks, masks)

    def split(self, masks: NDArray[np.uint64], strict: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Masks of alphas as masks of one threshold each: the strict one where `strict` says so."""
        out = np.zeros_like(masks)
        for a, (plain, stricter) in enumerate(zip(self.plain, self.strict, strict=True)):
            bit = np.uint64(a)
            wanted, tight = masks >> bit & _ONE, strict >> bit & _ONE
            out |= (wanted & ~tight) << np.uint64(plain) | (wanted & tight) << np.uint64(stricter)
        return out

    def folded(self, masks: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Masks of thresholds as masks of their alphas."""
        out = np.zeros_like(masks)
        for a, (plain, stricter) in enumerate(zip(self.plain, self.strict, strict=True)):
            either = masks >> np.uint64(plain) | masks >> np.uint64(stricter)
            out |= (either & _ONE) << np.uint64(a)
        return out


def joined_halves(
    halves: Sequence[tuple[Edges, Sepsets, StepReport]],
) -> tuple[Edges, Sepsets, StepReport]:
    """One answer from those of two half passes, whose alphas differ."""
    edges = [half[0] for half in halves]
    first, second, masks = (
        np.concatenate([getattr(e, name) for e in edges]) for name in ("first", "second", "alphas")
    )
    order = np.lexsort((second, first))
    first, second, masks = first[order], second[order], masks[order]
    start = np.flatnonzero(np.diff(first, prepend=-1) | np.diff(second, prepend=-1))
    united = Edges(first[start], second[start], np.bitwise_or.reduceat(masks, start) if len(start) else masks)
    reports = [half[2] for half in halves]
    report = StepReport(
        tuple(map(sum, zip_longest(*(r.tests for r in reports), fillvalue=0))),
        sum(r.untestable_count for r in reports),
        tuple(sorted({sets for r in reports for sets in r.untestable})),
        any(r.level_capped for r in reports),
        any(r.rows_exhausted for r in reports),
    )
    return united, _joined_sepsets([half[1] for half in halves]), report


def _joined_sepsets(parts: Sequence[Sepsets]) -> Sepsets:
    """All records by pair, then by their lowest alpha: the lower half comes first."""
    first, second, masks, members = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("first", "second", "alphas", "members")
    )
    sizes = np.concatenate([np.diff(part.begin) for part in parts])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    order = np.lexsort((second, first))  # stable
    sets = [members[starts[r] : starts[r + 1]] for r in order]
    begin = np.concatenate([[0], np.cumsum(sizes[order])]).astype(np.uint64)
    flat = np.concatenate(sets) if sets else members
    return Sepsets(first[order], second[order], masks[order], begin, flat)


_ONE = np.uint64(1)
