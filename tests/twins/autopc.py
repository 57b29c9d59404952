"""Both looks at one alpha, and AutoPC's choice, word for word."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from twins.orientation import oriented
from twins.skeleton import Skeleton, pc_stable, second_look_equivalent, second_look_rerun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from secondlook import PDAG
    from twins.evidence import Separates

    Marks = NDArray[np.int64]


class Looks(NamedTuple):
    """Both graphs of one alpha, their skeletons, and whether colliders were in conflict in the first."""

    first: Marks
    second: Marks
    first_skeleton: Skeleton
    second_skeleton: Skeleton
    conflict: bool


def both_looks(
    d: int, separates: Separates, rule: str, *, max_level: int | None = None, literal: bool = True
) -> Looks:
    """PC, then PC among the parents it found; literally rerun, or in the equivalent form."""
    skeleton = pc_stable(d, separates, max_level=max_level)
    first, conflict = oriented(skeleton, separates, rule, max_level)
    if literal:
        again = second_look_rerun(d, separates, first, max_level)
    else:
        again = second_look_equivalent(skeleton, separates, first, max_level)
    second, _ = oriented(again, separates, rule, max_level)
    return Looks(first, second, skeleton, again, conflict)


def chosen(pairs: Sequence[tuple[Marks, Marks]], metric: str) -> int:
    """The first strict maximum of the agreement of each pair of graphs, stopping at a perfect one."""
    best, kept = None, 0
    for k, (first, second) in enumerate(pairs):
        score = _score(first, second, metric)
        if best is None or score > best:
            best, kept = score, k
        if (first == second).all():
            break
    return kept


def _score(first: Marks, second: Marks, metric: str) -> Fraction:
    tp, fp, fn, tn = confusion(first, second)
    if metric == "shd":
        return Fraction(-(fp + fn))
    if metric == "f1":
        return Fraction(2 * tp, 2 * tp + fp + fn) if 2 * tp + fp + fn else Fraction(1)
    square = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    top = tp * tn - fp * fn
    if not square:
        return Fraction(int(fp + fn == 0))
    # x -> sign(x) x^2 is increasing: the MCC is compared without its root
    return Fraction(top * abs(top), square)


def confusion(truth: Marks, guess: Marks) -> tuple[int, int, int, int]:
    """TP, FP, FN, TN of the off-diagonal marks."""
    off = ~np.eye(len(truth), dtype=bool)
    t, g = truth[off] == 1, guess[off] == 1
    return int((t & g).sum()), int((~t & g).sum()), int((t & ~g).sum()), int((~t & ~g).sum())


def marks_of(graph: PDAG) -> Marks:
    """The mark matrix of a graph."""
    A = np.zeros((graph.d, graph.d), dtype=np.int64)
    for i, j in graph.arrows:
        A[i, j] = 1
    for i, j in graph.lines:
        A[i, j] = A[j, i] = 1
    return A
