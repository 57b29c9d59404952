"""The native engine: Fisher's z on a correlation matrix, all alphas in one pass of C++."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from secondlook import _native
from secondlook.errors import BudgetError
from secondlook.search.arrays import Edges, Sepsets, StepReport, VoteLimits, Votes
from secondlook.search.ladder import MAX_LADDER, Ladder, joined_halves
from secondlook.search.options import critical_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.independence import FisherZ
    from secondlook.search.options import SearchOptions
    from secondlook.search.path import Chunk

MAX_TESTS = 20_000_000_000
"""The default budget of one level: some 20 to 60 seconds of one core."""


class NativeEngine:
    """Answers the search's steps for a `FisherZ` and up to 64 alphas.

    Parameters
    ----------
    test : FisherZ
        The bound test.
    alphas : tuple of float
        1 to 64 ascending alphas.
    options : SearchOptions
        Limits and threads.
    kernels : str
        The build of the innermost loops ("baseline", "avx2"); empty for the fastest that runs here.
    """

    def __init__(
        self, test: FisherZ, alphas: tuple[float, ...], options: SearchOptions, kernels: str = ""
    ) -> None:
        self._test = test
        self._n = float(test.n)
        self._alphas = alphas
        self._critical = critical_values(alphas)
        self._max_level = -1 if options.max_level is None else int(options.max_level)
        self._max_tests = float(MAX_TESTS if options.max_tests is None else options.max_tests)
        self._threads = options.threads
        self._kernels = kernels

    def first_look(self) -> tuple[Edges, Sepsets, StepReport]:
        """PC-stable's skeleton and separating sets for every alpha."""
        raw = _native.skeleton(
            self._test.correlation,
            self._n,
            self._critical,
            max_level=self._max_level,
            max_tests=self._max_tests,
            threads=self._threads,
            kernels=self._kernels,
        )
        return self._look(raw)

    def second_look(
        self, edges: Edges, forward: NDArray[np.uint64], backward: NDArray[np.uint64], sepsets: Sepsets
    ) -> tuple[Edges, Sepsets, StepReport]:
        """The skeleton that conditioning on the parents just found leaves, for every alpha."""
        raw = _native.second_look(
            self._test.correlation,
            self._n,
            self._critical,
            first=edges.first,
            second=edges.second,
            forward=forward,
            backward=backward,
            sepset_first=sepsets.first,
            sepset_second=sepsets.second,
            sepset_alphas=sepsets.alphas,
            sepset_begin=sepsets.begin,
            sepset_members=sepsets.members,
            max_level=self._max_level,
            max_tests=self._max_tests,
            threads=self._threads,
            kernels=self._kernels,
        )
        return self._look(raw)

    def ask_parents(
        self, asked: Edges, strict: NDArray[np.uint64], graph: Chunk
    ) -> tuple[Edges, Sepsets, StepReport]:
        """The pairs that no non-empty set of a graph's parents separates, for every alpha.

        Parameters
        ----------
        asked : Edges
            The pairs, and at which alphas; at most 32 alphas.
        strict : uint64 array
            By pair, the alphas at which p >= alpha / 10 separates already.
        graph : Chunk
            Whose parents and undirected neighbours are the candidates.
        """
        starts = range(0, len(self._alphas), MAX_LADDER)
        halves = [self._ask_parents(asked, strict, graph, start) for start in starts]
        return halves[0] if len(halves) == 1 else joined_halves(halves)

    def _ask_parents(
        self, asked: Edges, strict: NDArray[np.uint64], graph: Chunk, start: int
    ) -> tuple[Edges, Sepsets, StepReport]:
        ladder = Ladder.of(self._alphas[start : start + MAX_LADDER])
        shift = np.uint64(start)
        raw = _native.ask_parents(
            self._test.correlation,
            self._n,
            critical_values(ladder.thresholds),
            open_first=asked.first,
            open_second=asked.second,
            open_alphas=ladder.split(asked.alphas >> shift, strict >> shift),
            first=graph.edges.first,
            second=graph.edges.second,
            forward=ladder.both(graph.forward >> shift),
            backward=ladder.both(graph.backward >> shift),
            max_level=self._max_level,
            max_tests=self._max_tests,
            threads=self._threads,
            kernels=self._kernels,
        )
        edges, sepsets, report = self._look(raw)
        return (
            replace(edges, alphas=ladder.folded(edges.alphas) << shift),
            replace(sepsets, alphas=ladder.folded(sepsets.alphas) << shift),
            report,
        )

    def vote(self, edges: Edges, limits: VoteLimits) -> tuple[Votes, StepReport]:
        """What every affordable conditioning set says about the unshielded triples."""
        raw = _native.vote(
            self._test.correlation,
            self._n,
            self._critical,
            first=edges.first,
            second=edges.second,
            alphas=edges.alphas,
            max_size=limits.max_size,
            max_sets=limits.max_sets,
            max_questions=limits.max_questions,
            max_level=self._max_level,
            max_tests=self._max_tests,
            threads=self._threads,
            kernels=self._kernels,
        )
        self._refuse_if_over_budget(raw["report"], "vote")
        votes = Votes(raw["x"], raw["y"], raw["z"], raw["alphas"], raw["separating"], raw["containing"])
        return votes, _step_report(raw["report"], held_alphas(raw["held_to"], raw["held_variables"]))

    def _look(self, raw: _native.Look) -> tuple[Edges, Sepsets, StepReport]:
        self._refuse_if_over_budget(raw["report"], f"level {len(raw['report']['tests']) - 1}")
        sepsets = Sepsets(
            raw["sepset_first"],
            raw["sepset_second"],
            raw["sepset_alphas"],
            raw["sepset_begin"],
            raw["sepset_members"],
        )
        return Edges(raw["first"], raw["second"], raw["alphas"]), sepsets, _step_report(raw["report"])

    def _refuse_if_over_budget(self, report: _native.Report, where: str) -> None:
        if not report["over_budget"]:
            return
        names = self._test.names
        raise BudgetError(
            over_budget(where, report["estimate"], self._max_tests, [names[i] for i in report["hubs"]])
        )


def orient_by_sepsets(
    d: int, edges: Edges, sepsets: Sepsets, rule: str, threads: int = 1
) -> _native.Oriented:
    """The marks that a rule over separating sets gives the edges of d variables, for every alpha."""
    return _native.orient_by_sepsets(
        d=d,
        first=edges.first,
        second=edges.second,
        alphas=edges.alphas,
        sepset_first=sepsets.first,
        sepset_second=sepsets.second,
        sepset_alphas=sepsets.alphas,
        sepset_begin=sepsets.begin,
        sepset_members=sepsets.members,
        rule=rule,
        threads=threads,
    )


def orient_by_votes(
    d: int, edges: Edges, votes: Votes, rule: str, rank: NDArray[np.int32] | None = None
) -> _native.Oriented:
    """The marks that a rule over votes gives the edges of d variables, for every alpha.

    Where Meek's rules conflict, the order in which they go through the columns decides: `rank`, or their own.
    """
    return _native.orient_by_votes(
        d=d,
        first=edges.first,
        second=edges.second,
        alphas=edges.alphas,
        x=votes.x,
        y=votes.y,
        z=votes.z,
        triple_alphas=votes.alphas,
        separating=votes.separating,
        containing=votes.containing,
        rule=rule,
        rank=rank,
    )


def over_budget(where: str, estimate: float, budget: float, hubs: list[str]) -> str:
    """One sentence that refuses a search: what it would take, which variables are to blame, the remedies."""
    blamed = f" Most of them at {', '.join(map(repr, hubs))}." if hubs else ""
    upto = f"up to {estimate:.1e} tests" if estimate else "too many tests"
    return (
        f"The search was stopped at {where}: it could take {upto}, the budget is {budget:.1e}.{blamed} "
        "Use smaller alphas, set max_level, drop these variables, or raise max_tests."
    )


def held_alphas(held_to: list[int], variables: list[int]) -> tuple[tuple[int, int, int], ...]:
    """(alpha index, size, neighbourhoods) for every alpha whose votes were limited."""
    return tuple((a, size, variables[a]) for a, size in enumerate(held_to) if variables[a])


def _step_report(report: _native.Report, held: tuple[tuple[int, int, int], ...] = ()) -> StepReport:
    return StepReport(
        tests=tuple(report["tests"]),
        untestable_count=report["collinear_count"],
        untestable=tuple(report["collinear"]),
        level_capped=report["level_capped"],
        rows_exhausted=report["rows_exhausted"],
        held=held,
    )
