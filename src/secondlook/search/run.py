"""One search: skeleton, orientation, second look, orientation, chunk of alphas by chunk of alphas."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple

from secondlook.errors import OptionError
from secondlook.independence import FisherZ, Memo
from secondlook.search.arrays import MAX_ALPHAS, Conflicts, VoteLimits
from secondlook.search.generic import GenericEngine, Spread
from secondlook.search.native import NativeEngine, orient_by_sepsets, orient_by_votes
from secondlook.search.options import SearchOptions, checked_alphas, unknown_choice
from secondlook.search.path import AlphaPath, Chunk, Look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from secondlook.independence import CITest
    from secondlook.search.arrays import Edges, Sepsets, StepReport

EngineChoice = Literal["auto", "native", "generic"]
Engine = NativeEngine | GenericEngine

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
    engine: EngineChoice = "auto",
) -> AlphaPath:
    """PC's graph at every alpha of a grid, all found together, and the second look at each.

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
    seconds: dict[str, float] = {}
    make, chosen = _engine_maker(test, options, engine)
    first: list[Chunk] = []
    second: list[Chunk] = []
    for start in range(0, len(grid), MAX_ALPHAS):
        pass_engine = make(grid[start : start + MAX_ALPHAS])
        names = tuple(test.names)
        first.append(_first_chunk(pass_engine, len(names), options, seconds))
        if looks == 2:
            second.append(_second_chunk(pass_engine, first[-1], len(names), options, seconds))
    names = tuple(test.names)
    looked_again = Look(names, grid, tuple(second)) if looks == 2 else None
    return AlphaPath(
        names, grid, options.colliders, Look(names, grid, tuple(first)), looked_again, seconds, chosen
    )


def _engine_maker(
    test: CITest, options: SearchOptions, engine: EngineChoice
) -> tuple[Callable[[tuple[float, ...]], Engine], str]:
    choices = ("auto", "native", "generic")
    if engine not in choices:
        raise OptionError(unknown_choice("engine", engine, choices))
    # A subclass may answer p_value differently, which the native engine would never ask.
    if engine != "generic" and type(test) is FisherZ:
        fisher: FisherZ = test
        return lambda alphas: NativeEngine(fisher, alphas, options), "native"
    if engine == "native":
        raise OptionError(
            f"The native engine serves FisherZ only; use engine='auto'. Got {type(test).__name__}."
        )
    memo = memo_for(test, options)
    return lambda alphas: GenericEngine(memo, alphas, options), "generic"


def memo_for(test: CITest, options: SearchOptions) -> Memo:
    """The test's memo; one that is given keeps its answers, so that several searches can share it."""
    if isinstance(test, Memo):
        return test
    return Memo(test if options.threads == 1 else Spread(test, options.threads))


def _first_chunk(engine: Engine, d: int, options: SearchOptions, seconds: dict[str, float]) -> Chunk:
    started = perf_counter()
    edges, sepsets, report = engine.first_look()
    _Clock(seconds, 1).add("skeleton", started)
    return _oriented(engine, (edges, sepsets, report), d, options, _Clock(seconds, 1))


def _second_chunk(
    engine: Engine, first: Chunk, d: int, options: SearchOptions, seconds: dict[str, float]
) -> Chunk:
    started = perf_counter()
    found = engine.second_look(first.edges, first.forward, first.backward, first.sepsets)
    _Clock(seconds, 2).add("skeleton", started)
    return _oriented(engine, found, d, options, _Clock(seconds, 2))


def _oriented(
    engine: Engine,
    found: tuple[Edges, Sepsets, StepReport],
    d: int,
    options: SearchOptions,
    clock: _Clock,
) -> Chunk:
    started = perf_counter()
    edges, sepsets, report = found
    rule = options.colliders
    vote_report = None
    if rule in VOTING_SIZES:
        votes, vote_report = engine.vote(edges, vote_limits(rule, clock.look, d))
        marks = orient_by_votes(d, edges, votes, rule)
    else:
        marks = orient_by_sepsets(d, edges, sepsets, rule, options.threads)
    clock.add("orientation", started)
    conflicts = Conflicts(marks["conflicts"].reshape(-1, 3), marks["conflict_support"].reshape(-1, 2))
    return Chunk(edges, marks["forward"], marks["backward"], sepsets, conflicts, report, vote_report)


class _Clock(NamedTuple):
    """Adds up the wall time of each look's steps over the passes of a search."""

    seconds: dict[str, float]
    look: Literal[1, 2]

    def add(self, step: str, started: float) -> None:
        name = f"{'first' if self.look == 1 else 'second'} {step}"
        self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - started
