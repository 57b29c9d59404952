"""Colliders and Meek's rules, word for word, on a mark matrix A: A[i, j] = 1, A[j, i] = 0 is i -> j."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from twins.evidence import Separates
    from twins.skeleton import Skeleton

    Marks = NDArray[np.int64]
    Triple = tuple[int, int, int]
    """x, y, z with the centre y in the middle and x < z."""

RULES = ("vote", "majority", "conservative", "first", "overwrite")


class Ballot(NamedTuple):
    """How many sets separate the ends of a triple, and how many of them contain its centre."""

    separating: int
    containing: int


def oriented(
    skeleton: Skeleton, separates: Separates, rule: str, max_level: int | None = None
) -> tuple[Marks, bool]:
    """The marks that a rule gives a skeleton, and whether any edge was asked to point both ways."""
    if rule in ("overwrite", "first"):
        A, conflict = overwrite(skeleton) if rule == "overwrite" else first(skeleton)
        return meek(A, set()), conflict
    limit = 3 if rule == "vote" else None
    if max_level is not None:
        limit = max_level if limit is None else min(limit, max_level)
    ballots = counted(skeleton, separates, limit)
    weights, ambiguous = _judged(ballots, rule)
    A, conflict = _by_support(skeleton, weights, exact=rule == "vote")
    return meek(A, ambiguous), conflict


def unshielded(skeleton: Skeleton) -> list[Triple]:
    """Every triple x - y - z with x < z not adjacent, by (y, x, z)."""
    near = skeleton.adjacent
    return [
        (x, y, z) for y in range(len(near)) for x, z in combinations(sorted(near[y]), 2) if z not in near[x]
    ]


def _undirected(skeleton: Skeleton) -> Marks:
    d = len(skeleton.adjacent)
    A = np.zeros((d, d), dtype=np.int64)
    for i, near in enumerate(skeleton.adjacent):
        for j in near:
            A[i, j] = 1
    return A


def _direct(A: Marks, tail: int, head: int) -> None:
    A[tail, head], A[head, tail] = 1, 0


def overwrite(skeleton: Skeleton) -> tuple[Marks, bool]:
    """Colliders of the separating sets in ascending order of y, x, z; the last one wins."""
    A, conflict, near = _undirected(skeleton), False, skeleton.adjacent
    for y in range(len(near)):
        for x in sorted(near[y]):
            for z in sorted(near[y] - {x}):
                if z not in near[x] and y not in skeleton.sepsets[min(x, z), max(x, z)]:
                    conflict = conflict or not (A[x, y] and A[z, y])
                    _direct(A, x, y)
                    _direct(A, z, y)
    return A, conflict


def first(skeleton: Skeleton) -> tuple[Marks, bool]:
    """Colliders in the same order; one is taken only if neither of its edges already points away from y."""
    A, conflict = _undirected(skeleton), False
    for x, y, z in unshielded(skeleton):
        if y in skeleton.sepsets[x, z]:
            continue
        if A[x, y] and A[z, y]:
            _direct(A, x, y)
            _direct(A, z, y)
        else:
            conflict = True
    return A, conflict


def counted(skeleton: Skeleton, separates: Separates, limit: int | None) -> dict[Triple, Ballot]:
    """The votes: all subsets of adj(x) and all of adj(z), one within both counted twice."""
    near = skeleton.adjacent
    ballots: dict[Triple, Ballot] = {}
    for x, y, z in unshielded(skeleton):
        separating = [
            S
            for pool in (sorted(near[x]), sorted(near[z]))
            for size in range((len(pool) if limit is None else min(limit, len(pool))) + 1)
            for S in combinations(pool, size)
            if separates(x, z, S)
        ]
        ballots[x, y, z] = Ballot(len(separating), sum(y in S for S in separating))
    return ballots


def _judged(ballots: dict[Triple, Ballot], rule: str) -> tuple[dict[Triple, Fraction], set[Triple]]:
    """The weights of the colliders, and the triples that stay ambiguous."""
    weights: dict[Triple, Fraction] = {}
    ambiguous: set[Triple] = set()
    for triple, (T, k) in ballots.items():
        if rule == "conservative":
            collider, undecided = T > 0 and k == 0, T == 0 or 0 < k < T
        else:
            collider, undecided = 2 * k < T, T == 0 or 2 * k == T
        if undecided:
            ambiguous.add(triple)
        elif collider:
            weights[triple] = 1 - Fraction(2 * k, T)
    return weights, ambiguous


def _by_support(skeleton: Skeleton, weights: dict[Triple, Fraction], *, exact: bool) -> tuple[Marks, bool]:
    """Each edge to the side with more support; without exact weights one asked both ways stays undirected."""
    support: dict[tuple[int, int], Fraction] = {}
    for (x, y, z), weight in weights.items():
        for end in (x, z):
            support[end, y] = support.get((end, y), Fraction(0)) + weight
    A = _undirected(skeleton)
    conflict = any((y, x) in support for x, y in support)
    for (x, y), toward_y in support.items():
        toward_x = support.get((y, x), Fraction(0))
        if toward_y > toward_x if exact else (y, x) not in support:
            _direct(A, x, y)
    return A, conflict


def meek(A: Marks, ambiguous: set[Triple]) -> Marks:
    """Meek's rules 1 to 3 in the listed order, until a round changes nothing."""
    A = A.copy()
    while True:
        before = A.copy()
        _rule_1(A, ambiguous)
        _rule_2(A)
        _rule_3(A, ambiguous)
        if (before == A).all():
            return A


def _is_arrow(A: Marks, tail: int, head: int) -> bool:
    return bool(A[tail, head] == 1 and A[head, tail] == 0)


def _is_line(A: Marks, a: int, b: int) -> bool:
    return bool(A[a, b] == 1 and A[b, a] == 1)


def _joined(A: Marks, a: int, b: int) -> bool:
    return bool(A[a, b] == 1 or A[b, a] == 1)


def _triple(x: int, y: int, z: int) -> Triple:
    return (min(x, z), y, max(x, z))


def _rule_1(A: Marks, ambiguous: set[Triple]) -> None:
    d = len(A)
    for a, b in [(a, b) for b in range(d) for a in range(d) if _is_arrow(A, a, b)]:
        for c in range(d):
            if c == a or not _is_line(A, b, c) or _joined(A, a, c) or _triple(a, b, c) in ambiguous:
                continue
            _direct(A, b, c)


def _lines(A: Marks) -> list[tuple[int, int]]:
    d = len(A)
    return [(a, b) for b in range(d) for a in range(d) if a != b and _is_line(A, a, b)]


def _rule_2(A: Marks) -> None:
    for a, b in _lines(A):
        if any(_is_arrow(A, a, c) and _is_arrow(A, c, b) for c in range(len(A))):
            _direct(A, a, b)


def _rule_3(A: Marks, ambiguous: set[Triple]) -> None:
    for a, b in _lines(A):
        between = [c for c in range(len(A)) if _is_line(A, a, c) and _is_arrow(A, c, b)]
        if any(
            not _joined(A, c, e) and _triple(c, a, e) not in ambiguous for c, e in combinations(between, 2)
        ):
            _direct(A, a, b)


def free_of_conflicts(skeleton: Skeleton, separates: Separates, rule: str) -> bool:
    """Whether no edge is ever asked to point both ways, by colliders or by Meek's rules in any order.

    Only then is the order of the columns without influence: all that the rules could ever ask for, starting
    from the colliders, is collected without ordering it, and looked through for an edge asked both ways.
    """
    weights, ambiguous = _judged(counted(skeleton, separates, 3 if rule == "vote" else None), rule)
    asked = {(end, y) for x, y, z in weights for end in (x, z)}
    near = skeleton.adjacent
    while True:
        if any((head, tail) in asked for tail, head in asked):
            return False
        more = set(asked)
        for x, y, z in set(unshielded(skeleton)) - ambiguous - set(weights):
            more |= {(y, end) for other, end in ((x, z), (z, x)) if (other, y) in asked}
            for b in near[x] & near[y] & near[z]:
                if {(x, b), (z, b)} <= asked:
                    more.add((y, b))
        for a, c in asked:
            more |= {(a, b) for b in near[a] & near[c] if (c, b) in asked}
        if more == asked:
            return True
        asked = more
