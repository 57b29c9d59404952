"""One search: skeleton, orientation, second look, orientation, chunk of alphas by chunk of alphas."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Literal

from secondlook.errors import OptionError
from secondlook.independence import FisherZ, Memo
from secondlook.search.arrays import MAX_ALPHAS, VoteLimits
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

VOTING_RULES = {"vote": VoteLimits(3), "majority": VoteLimits(-1), "conservative": VoteLimits(-1)}
"""The rules that count sets, and the sizes they use: three is our choice, the literature has no limit."""


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
    _add(seconds, "first skeleton", started)
    return _oriented(engine, (edges, sepsets, report), d, options, (seconds, "first orientation"))


def _second_chunk(
    engine: Engine, first: Chunk, d: int, options: SearchOptions, seconds: dict[str, float]
) -> Chunk:
    started = perf_counter()
    found = engine.second_look(first.edges, first.forward, first.backward, first.sepsets)
    _add(seconds, "second skeleton", started)
    return _oriented(engine, found, d, options, (seconds, "second orientation"))


def _oriented(
    engine: Engine,
    found: tuple[Edges, Sepsets, StepReport],
    d: int,
    options: SearchOptions,
    clock: tuple[dict[str, float], str],
) -> Chunk:
    started = perf_counter()
    edges, sepsets, report = found
    rule = options.colliders
    vote_report = None
    if rule in VOTING_RULES:
        votes, vote_report = engine.vote(edges, VOTING_RULES[rule])
        marks = orient_by_votes(d, edges, votes, rule)
    else:
        marks = orient_by_sepsets(d, edges, sepsets, rule)
    _add(clock[0], clock[1], started)
    conflicts = tuple(marks["conflicts"])
    return Chunk(edges, marks["forward"], marks["backward"], sepsets, conflicts, report, vote_report)


def _add(seconds: dict[str, float], step: str, started: float) -> None:
    seconds[step] = seconds.get(step, 0.0) + perf_counter() - started
