"""What a search leaves behind: the graphs of every alpha, of both looks, and how they came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from secondlook.errors import GraphError, OptionError
from secondlook.graphs import PDAG
from secondlook.search.arrays import MAX_ALPHAS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.search.arrays import Conflicts, Edges, Sepsets, StepReport

_ONE = np.uint64(1)


class Conflict(NamedTuple):
    """An edge that colliders asked to point both ways, with each way's support: 1 for rules over sepsets."""

    alpha: float
    a: str
    b: str
    toward_b: float
    toward_a: float


class Untestable(NamedTuple):
    """Variables too collinear (or too few rows) to be tested together; nothing was decided about them."""

    variables: tuple[str, ...]


class HeldVote(NamedTuple):
    """Votes that used smaller sets than their rule asks for, because there were too many."""

    alpha: float
    size: int
    neighbourhoods: int


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """One engine pass: up to 64 alphas of one look, as sparse arrays."""

    edges: Edges
    forward: NDArray[np.uint64]
    backward: NDArray[np.uint64]
    sepsets: Sepsets
    conflicts: Conflicts
    skeleton_report: StepReport
    vote_report: StepReport | None

    def graph(self, names: tuple[str, ...], alpha: int) -> PDAG:
        """The graph at the alpha of this index within the chunk."""
        bit = np.uint64(alpha)
        forward = (self.forward >> bit & _ONE).astype(bool)
        backward = (self.backward >> bit & _ONE).astype(bool)
        first, second = self.edges.first, self.edges.second
        ahead, back, line = forward & ~backward, backward & ~forward, forward & backward
        # One sort of keys costs a tenth of sorting pairs.
        d = len(names)
        keys = np.concatenate([_keys(first[ahead], second[ahead], d), _keys(second[back], first[back], d)])
        keys.sort()
        arrows = np.stack(np.divmod(keys, d), axis=1)
        lines = np.stack([first[line], second[line]], axis=1)
        return PDAG.from_indices(names, arrows, lines, validate=False)


Marks = tuple["NDArray[np.uint64]", "NDArray[np.uint64]"]


def _side_by_side(a: Chunk, b: Chunk, d: int) -> tuple[Marks, Marks]:
    """The marks of two passes at all pairs that either joins."""
    of_a, of_b = (_keys(chunk.edges.first, chunk.edges.second, d) for chunk in (a, b))
    keys = np.union1d(of_a, of_b)
    marks = []
    for own, chunk in ((of_a, a), (of_b, b)):
        at = np.searchsorted(keys, own)
        spread = np.zeros((2, len(keys)), dtype=np.uint64)
        spread[0, at], spread[1, at] = chunk.forward, chunk.backward
        marks.append((spread[0], spread[1]))
    return marks[0], marks[1]


def _keys(tails: NDArray[np.int32], heads: NDArray[np.int32], d: int) -> NDArray[np.int64]:
    return tails.astype(np.int64) * d + heads


class Graphs(Sequence[PDAG]):
    """The graphs of one look, one per alpha; made when first asked for."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._made: dict[int, PDAG] = {}

    def __len__(self) -> int:
        return len(self._look.alphas)

    @overload
    def __getitem__(self, k: int) -> PDAG: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[PDAG, ...]: ...
    def __getitem__(self, k: int | slice) -> PDAG | tuple[PDAG, ...]:
        if isinstance(k, slice):
            return tuple(self[at] for at in range(*k.indices(len(self))))
        at = range(len(self))[k]
        if at not in self._made:
            self._made[at] = self._look.chunks[at // MAX_ALPHAS].graph(self._look.names, at % MAX_ALPHAS)
        return self._made[at]


@dataclass(frozen=True, eq=False)
class Look:
    """One of the two looks, at every alpha.

    Attributes
    ----------
    names : tuple of str
        The columns.
    alphas : tuple of float
        The ascending grid.
    chunks : tuple of Chunk
        The engine's passes, 64 alphas each.
    """

    names: tuple[str, ...]
    alphas: tuple[float, ...]
    chunks: tuple[Chunk, ...]
    graphs: Graphs = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "graphs", Graphs(self))

    def __reduce__(self) -> tuple[type[Look], tuple[object, ...]]:
        return Look, (self.names, self.alphas, self.chunks)

    def sepset(self, a: str, b: str, k: int) -> tuple[str, ...] | None:
        """The set that separated a and b at the k-th alpha, or None when they are adjacent there.

        Raises
        ------
        GraphError
            If a or b is not a column, or both are the same.
        """
        graph = self.graphs[k]
        i, j = graph.index(a), graph.index(b)
        if i == j:
            raise GraphError(f"A separating set is between two different variables. Got {a!r} twice.")
        if graph.is_adjacent(a, b):
            return None
        at = range(len(self.alphas))[k]
        members = self.chunks[at // MAX_ALPHAS].sepsets.find(i, j, at % MAX_ALPHAS)
        return tuple(self.names[s] for s in members or ())

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Every edge that colliders asked to point both ways, by alpha."""
        return tuple(
            Conflict(self.alphas[c * MAX_ALPHAS + alpha], self.names[x], self.names[y], to_y, to_x)
            for c, chunk in enumerate(self.chunks)
            for alpha, x, y, to_y, to_x in chunk.conflicts.rows()
            # a path cut short shares the whole pass's arrays
            if c * MAX_ALPHAS + alpha < len(self.alphas)
        )

    @property
    def untestable(self) -> tuple[Untestable, ...]:
        """Sets of variables that could not be tested together; at most 1000 are kept per pass."""
        found = {variables for report in self._reports() for variables in report.untestable}
        return tuple(Untestable(tuple(self.names[v] for v in variables)) for variables in sorted(found))

    @property
    def n_untestable(self) -> int:
        """How many questions could not be tested."""
        return sum(report.untestable_count for report in self._reports())

    @property
    def n_tests(self) -> int:
        """How many tests were run (native engine) or distinct new questions asked (generic engine)."""
        return sum(sum(report.tests) for report in self._reports())

    @property
    def tests_by_level(self) -> tuple[int, ...]:
        """Tests of the skeleton by size of the conditioning set, votes not included."""
        levels = [chunk.skeleton_report.tests for chunk in self.chunks]
        return tuple(
            sum(tests[level] for tests in levels if level < len(tests))
            for level in range(max(map(len, levels)))
        )

    @property
    def level_capped(self) -> bool:
        """Whether max_level stopped a search that could have gone on."""
        return any(chunk.skeleton_report.level_capped for chunk in self.chunks)

    @property
    def rows_exhausted(self) -> bool:
        """Whether the search stopped because too few rows were left to test larger sets."""
        return any(report.rows_exhausted for report in self._reports())

    @property
    def held_votes(self) -> tuple[HeldVote, ...]:
        """Alphas at which votes used smaller sets than their rule asks for."""
        return tuple(
            HeldVote(self.alphas[c * MAX_ALPHAS + alpha], size, count)
            for c, chunk in enumerate(self.chunks)
            if chunk.vote_report is not None
            for alpha, size, count in chunk.vote_report.held
            if c * MAX_ALPHAS + alpha < len(self.alphas)
        )

    def _reports(self) -> list[StepReport]:
        both = [(chunk.skeleton_report, chunk.vote_report) for chunk in self.chunks]
        return [report for pair in both for report in pair if report is not None]


@dataclass(frozen=True, eq=False)
class AlphaPath:
    """PC's graphs at every alpha of a grid, and what the second look made of them.

    Attributes
    ----------
    names : tuple of str
        The columns.
    alphas : tuple of float
        The ascending grid.
    colliders : str
        The orientation rule.
    first, second : Look, Look or None
        The two looks; `second` is None when only one was asked for.
    seconds : dict of str to float
        Wall time by step.
    engine : str
        "native" or "generic".
    repaired : Look or None
        The graphs as the parents found correct them; None when that was not asked for.
    unrepaired : tuple of int
        By alpha, how many pairs the repair left as they were because their parents offer too many sets.
    rank : int32 array, shape (d,), or None
        The place of every column in the order that the data decide; None where the column order was used.
    """

    names: tuple[str, ...]
    alphas: tuple[float, ...]
    colliders: str
    first: Look
    second: Look | None
    seconds: dict[str, float]
    engine: str
    repaired: Look | None = None
    unrepaired: tuple[int, ...] = ()
    rank: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        return len(self.alphas)

    @property
    def second_look(self) -> Look:
        """The second look; OptionError when the search was told to look once."""
        if self.second is None:
            raise OptionError("This path was made with looks=1; make it with looks=2 to have a second look.")
        return self.second

    @property
    def repaired_look(self) -> Look:
        """The repaired graphs; OptionError when the search was told not to repair."""
        if self.repaired is None:
            raise OptionError("This path was made without repair; make it with repair=True.")
        return self.repaired

    @property
    def differing_marks(self) -> tuple[int, ...]:
        """How many marks the two looks do not share, at every alpha: their SHD."""
        found: list[int] = []
        for c, (a, b) in enumerate(zip(self.first.chunks, self.second_look.chunks, strict=True)):
            (ahead_a, back_a), (ahead_b, back_b) = _side_by_side(a, b, len(self.names))
            for k in range(min(len(self.alphas) - c * MAX_ALPHAS, MAX_ALPHAS)):
                bit = np.uint64(k)
                found.append(
                    int(((ahead_a ^ ahead_b) >> bit & _ONE).sum() + ((back_a ^ back_b) >> bit & _ONE).sum())
                )
        return tuple(found)

    @property
    def column_rank(self) -> NDArray[np.int32]:
        """The place of every column; OptionError when the search was told to keep the column order."""
        if self.rank is None:
            raise OptionError(
                "This path was made in the order of the columns; make it with order_free=True and a collider "
                "rule that votes."
            )
        return self.rank

    def index(self, alpha: float) -> int:
        """The position of an alpha in the grid; OptionError when it is not there."""
        if alpha not in self.alphas:
            raise OptionError(f"The grid holds {', '.join(map(str, self.alphas))}. Got {alpha!r}.")
        return self.alphas.index(alpha)

    def upto(self, count: int) -> AlphaPath:
        """The path of the first `count` alphas."""
        if count >= len(self.alphas):
            return self
        kept, chunks = self.alphas[:count], (count + MAX_ALPHAS - 1) // MAX_ALPHAS
        first = Look(self.names, kept, self.first.chunks[:chunks])
        second, repaired = (
            look and Look(self.names, kept, look.chunks[:chunks]) for look in (self.second, self.repaired)
        )
        unrepaired = self.unrepaired[:count]
        return replace(
            self, alphas=kept, first=first, second=second, repaired=repaired, unrepaired=unrepaired
        )
