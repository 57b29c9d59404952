"""One search: skeleton, orientation, second look, orientation, chunk of alphas by chunk of alphas."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal, cast

from secondlook.errors import OptionError
from secondlook.independence import FisherZ, Memo
from secondlook.search.arrays import MAX_ALPHAS, Conflicts, VoteLimits, bits
from secondlook.search.generic import GenericEngine, Spread
from secondlook.search.native import NativeEngine, orient_by_sepsets
from secondlook.search.options import SearchOptions, checked_alphas, unknown_choice
from secondlook.search.orientation import chunk_by_votes
from secondlook.search.path import AlphaPath, Chunk, Look
from secondlook.search.ranking import data_rank
from secondlook.search.repair import repaired

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from secondlook.independence import CITest
    from secondlook.search.arrays import Edges, Sepsets, StepReport

EngineChoice = Literal["auto", "native", "generic"]
Engine = NativeEngine | GenericEngine

_REPAIR_VOTES = "A repair orients by colliders='vote'. Got {!r}."
VOTING_SIZES = {"vote": 3, "majority": -1, "conservative": -1}
"""The rules that count sets, and how large these may be: three is our choice, the literature has no limit."""


def vote_limits(rule: str, look: Literal[1, 2], d: int) -> VoteLimits:
    """How many sets a vote may ask about, per alpha.

    The first look's graph is what users get, so its votes are cut only where hubs would make them explode.
    The second look's graph is only compared with the first; at large alphas it is dense, and its votes would
    cost more than all the rest. Up to some 100 variables neither limit is usually met.

    Parameters
    ----------
    rule : str
        A key of `VOTING_SIZES`.
    look : 1 or 2
        Which look votes.
    d : int
        The number of variables.
    """
    most = max(1e6, 5000.0 * d) if look == 1 else max(2.5e5, 250.0 * d)
    return VoteLimits(VOTING_SIZES[rule], max_questions=most)


def alpha_path(
    test: CITest,
    alphas: Iterable[float],
    options: SearchOptions | None = None,
    *,
    looks: Literal[1, 2] = 2,
    repair: bool = False,
    order_free: bool = False,
    engine: EngineChoice = "auto",
) -> AlphaPath:
    """PC's raw graph at every alpha of a grid, all found together, and the second look at each.

    Parameters
    ----------
    test : CITest
        The bound test of independence.
    alphas : iterable of float
        Any number of ascending alphas in (0, 1).
    options : SearchOptions, optional
        Collider rule, limits, threads.
    looks : 1 or 2
        1 leaves out the second look.
    repair : bool
        Whether the parents found are also to correct all graphs; see `repaired_path`.
    order_free : bool
        Whether orientation goes through the columns in an order that the data decide, so that permuting the
        columns permutes the graphs; for the rules that count votes. Without it the column order decides
        where Meek's rules conflict.
    engine : str
        "auto" takes the native engine for a `FisherZ` and the generic one for any other test.

    Returns
    -------
    AlphaPath

    Raises
    ------
    OptionError
        If the grid or the engine is not as described.
    BudgetError
        If a level would take more tests than the budget; the sentence names the variables and the remedies.
    """
    options = options or SearchOptions()
    grid = checked_alphas(alphas)
    if repair and options.colliders != "vote":
        raise OptionError(_REPAIR_VOTES.format(options.colliders))
    make, asked, chosen = _engine_maker(test, options, engine)
    rank = _Rank(asked) if order_free and options.colliders in VOTING_SIZES else None
    seconds: dict[str, float] = {}
    names = tuple(test.names)
    chunks: tuple[list[Chunk], list[Chunk]] = ([], [])
    for start in range(0, len(grid), MAX_ALPHAS):
        one = _Pass(make(grid[start : start + MAX_ALPHAS]), len(names), options, rank, seconds)
        first = one.first()
        chunks[0].append(first)
        if looks == 2:
            chunks[1].append(one.second(first))
    look = Look(names, grid, tuple(chunks[0]))
    again = Look(names, grid, tuple(chunks[1])) if looks == 2 else None
    order = None if rank is None else rank.found()
    path = AlphaPath(names, grid, options.colliders, look, again, seconds, chosen, rank=order)
    return repaired_path(path, asked, range(len(grid)), options) if repair else path


def repaired_path(
    path: AlphaPath,
    test: CITest,
    which: Iterable[int],
    options: SearchOptions | None = None,
) -> AlphaPath:
    """A path whose graphs at some alphas have been corrected by their own parents; see `repaired`.

    Parameters
    ----------
    path : AlphaPath
        Made with this test and these options, and the collider rule "vote".
    test : CITest
        The test; where it is a `Memo`, what was asked before is not asked again.
    which : iterable of int
        Positions of the alphas to repair; at all others `repaired` holds the first look.
    options : SearchOptions, optional
        As for the path.

    Returns
    -------
    AlphaPath
        With `repaired`, and with `unrepaired`: how many pairs were not asked about again.
    """
    options = options or SearchOptions()
    if path.colliders != "vote":
        raise OptionError(_REPAIR_VOTES.format(path.colliders))
    make, asked, _ = _engine_maker(test, options, cast("EngineChoice", path.engine))
    rank = None if path.rank is None else _Rank(asked, path.rank)
    wanted, seconds, d = set(which), dict(path.seconds), len(path.names)
    chunks, alone = [], [0] * len(path.alphas)
    for c, first in enumerate(path.first.chunks):
        start = c * MAX_ALPHAS
        here = sum(1 << (k - start) for k in wanted if start <= k < start + MAX_ALPHAS)
        one = _Pass(make(path.alphas[start : start + MAX_ALPHAS]), d, options, rank, seconds)
        chunk, unasked = one.repaired(first, here)
        chunks.append(chunk)
        for k, count in zip(bits(here), unasked, strict=True):
            alone[start + k] = count
    return replace(
        path,
        repaired=Look(path.names, path.alphas, tuple(chunks)),
        unrepaired=tuple(alone),
        seconds=seconds,
    )


def _engine_maker(
    test: CITest, options: SearchOptions, engine: EngineChoice
) -> tuple[Callable[[tuple[float, ...]], Engine], CITest, str]:
    choices = ("auto", "native", "generic")
    if engine not in choices:
        raise OptionError(unknown_choice("engine", engine, choices))
    # A subclass may answer p_value differently, which the native engine would never ask.
    if engine != "generic" and type(test) is FisherZ:
        fisher: FisherZ = test
        return lambda alphas: NativeEngine(fisher, alphas, options), fisher, "native"
    if engine == "native":
        raise OptionError(
            f"The native engine serves FisherZ only; use engine='auto'. Got {type(test).__name__}."
        )
    memo = memo_for(test, options)
    return lambda alphas: GenericEngine(memo, alphas, options), memo, "generic"


def memo_for(test: CITest, options: SearchOptions) -> Memo:
    """The test's memo; one that is given keeps its answers, so that several searches can share it."""
    if isinstance(test, Memo):
        return test
    return Memo(test if options.threads == 1 else Spread(test, options.threads))


class _Rank:
    """The order that the data decide, found when first needed: level 0 has asked about all pairs by then."""

    def __init__(self, test: CITest, known: NDArray[np.int32] | None = None) -> None:
        self._test = test
        self._rank = known

    def found(self) -> NDArray[np.int32]:
        if self._rank is None:
            self._rank = data_rank(self._test)
        return self._rank


@dataclass(frozen=True, slots=True)
class _Pass:
    """One pass of up to 64 alphas: its steps, and the clock that they add to."""

    engine: Engine
    d: int
    options: SearchOptions
    rank: _Rank | None
    seconds: dict[str, float]

    def first(self) -> Chunk:
        started = perf_counter()
        found = self.engine.first_look()
        self._add("first skeleton", started)
        return self._oriented(found, 1)

    def second(self, first: Chunk) -> Chunk:
        started = perf_counter()
        found = self.engine.second_look(first.edges, first.forward, first.backward, first.sepsets)
        self._add("second skeleton", started)
        return self._oriented(found, 2)

    def repaired(self, first: Chunk, which: int) -> tuple[Chunk, list[int]]:
        started = perf_counter()
        limits = vote_limits(self.options.colliders, 1, self.d)
        found = repaired(self.engine, first, self.d, limits, which=which, rank=self._found_rank())
        self._add("repair", started)
        return found

    def _oriented(self, found: tuple[Edges, Sepsets, StepReport], look: Literal[1, 2]) -> Chunk:
        started = perf_counter()
        edges, sepsets, report = found
        rule = self.options.colliders
        if rule in VOTING_SIZES:
            voted = self.engine.vote(edges, vote_limits(rule, look, self.d))
            chunk = chunk_by_votes(found, voted, rule, self.d, self._found_rank())
        else:
            marks = orient_by_sepsets(self.d, edges, sepsets, rule, self.options.threads)
            conflicts = Conflicts(marks["conflicts"].reshape(-1, 3), marks["conflict_support"].reshape(-1, 2))
            chunk = Chunk(edges, marks["forward"], marks["backward"], sepsets, conflicts, report, None)
        self._add("first orientation" if look == 1 else "second orientation", started)
        return chunk

    def _found_rank(self) -> NDArray[np.int32] | None:
        return None if self.rank is None else self.rank.found()

    def _add(self, step: str, started: float) -> None:
        self.seconds[step] = self.seconds.get(step, 0.0) + perf_counter() - started
