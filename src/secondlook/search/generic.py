"""The generic engine: PC for any test, every question asked once for all alphas and both looks.

Pairs advance in lockstep: each asks the next conditioning set its own sequential search would ask, the
round's new questions go to the test in one batch, and what the memo knows is never asked again.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from secondlook import _native
from secondlook.errors import BudgetError
from secondlook.independence.protocol import Question, batched_p_values
from secondlook.search.arrays import Edges, Sepsets, StepReport, VoteLimits, Votes, bits
from secondlook.search.ladder import STRICTER
from secondlook.search.native import held_alphas, over_budget

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from secondlook.independence import CITest, Memo
    from secondlook.search.options import SearchOptions
    from secondlook.search.path import Chunk

MAX_QUESTIONS = 10_000_000
"""The default budget of distinct questions."""

Job = tuple[int, int, int]
"""A pair i < j at the index of one alpha."""


class Spread:
    """A test whose batches are cut into pieces for joblib's workers: processes, or a Dask or Ray cluster."""

    def __init__(self, test: CITest, workers: int) -> None:
        self.test = test
        self.names = tuple(test.names)
        self._workers = workers

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """The p-value of one question."""
        return self.test.p_value(i, j, S)

    def p_values(self, questions: Sequence[Question]) -> NDArray[np.float64]:
        """The p-values of many questions, in their order."""
        from joblib import Parallel, delayed

        pieces = min(len(questions), 4 * self._workers)
        if pieces < 2:
            return batched_p_values(self.test, questions)
        cuts = np.linspace(0, len(questions), pieces + 1).astype(int)
        work = (delayed(batched_p_values)(self.test, questions[a:b]) for a, b in pairwise(cuts))
        return np.concatenate(Parallel(n_jobs=self._workers)(work))


class GenericEngine:
    """Answers the search's steps for any test and up to 64 alphas.

    Parameters
    ----------
    memo : Memo
        The test with its answers so far; chunks of a longer grid share it.
    alphas : tuple of float
        1 to 64 ascending alphas.
    options : SearchOptions
        Limits; workers are the memo's test's affair.
    """

    def __init__(self, memo: Memo, alphas: tuple[float, ...], options: SearchOptions) -> None:
        self._memo = memo
        self._alphas = alphas
        self._d = len(memo.names)
        self._max_level = options.max_level
        self._budget = MAX_QUESTIONS if options.max_tests is None else options.max_tests

    def first_look(self) -> tuple[Edges, Sepsets, StepReport]:
        """PC-stable's skeleton and separating sets for every alpha."""
        report = _Counter(self._memo)
        d, n_alphas = self._d, len(self._alphas)
        pairs = list(combinations(range(d), 2))
        p = self._ask([(i, j, ()) for i, j in pairs], "level 0")
        report.close_level()
        joined = [
            {pair for pair, value in zip(pairs, p, strict=True) if not value >= alpha}
            for alpha in self._alphas
        ]
        found: dict[Job, tuple[int, ...]] = {}
        level, capped = 1, False
        while True:
            near = [_neighbours(edges, d) for edges in joined]
            jobs = {
                (i, j, a): _sets(near[a], i, j, level)
                for a in range(n_alphas)
                for i, j in sorted(joined[a])
                if max(len(near[a][i]), len(near[a][j])) > level
            }
            capped = bool(jobs) and self._max_level is not None and level > self._max_level
            if not jobs or capped:
                break
            for (i, j, a), S in self._separate(jobs, f"level {level}").items():
                found[i, j, a] = S
                joined[a].discard((i, j))
            report.close_level()
            level += 1
        return _edges(joined), _sepsets(found), report.done(level_capped=capped)

    def second_look(
        self, edges: Edges, forward: NDArray[np.uint64], backward: NDArray[np.uint64], sepsets: Sepsets
    ) -> tuple[Edges, Sepsets, StepReport]:
        """The skeleton that conditioning on the parents just found leaves, for every alpha."""
        report = _Counter(self._memo)
        parents = _parents(edges, forward, backward, self._d, len(self._alphas))
        jobs: dict[Job, Iterator[tuple[int, ...]]] = {}
        beyond: set[Job] = set()
        for i, j, mask in zip(
            sepsets.first.tolist(), sepsets.second.tolist(), sepsets.alphas.tolist(), strict=True
        ):
            for a in bits(mask):
                jobs[i, j, a], capped = self._sets_of_parents(parents[a], i, j)
                if capped:
                    beyond.add((i, j, a))
        found = self._separate(jobs, "the second look")
        capped = not beyond <= found.keys()
        joined: list[set[tuple[int, int]]] = [set() for _ in self._alphas]
        for i, j, mask in zip(
            edges.first.tolist(), edges.second.tolist(), edges.alphas.tolist(), strict=True
        ):
            for a in bits(mask):
                joined[a].add((i, j))
        for i, j, a in jobs.keys() - found.keys():
            joined[a].add((i, j))
        report.close_level()
        return _edges(joined), _sepsets(found), report.done(level_capped=capped)

    def ask_parents(
        self, asked: Edges, strict: NDArray[np.uint64], graph: Chunk
    ) -> tuple[Edges, Sepsets, StepReport]:
        """The pairs that no non-empty set of a graph's parents separates; see `NativeEngine.ask_parents`."""
        report = _Counter(self._memo)
        parents = _parents(graph.edges, graph.forward, graph.backward, self._d, len(self._alphas))
        jobs: dict[Job, Iterator[tuple[int, ...]]] = {}
        beyond: set[Job] = set()
        tight: set[Job] = set()
        rows = zip(
            asked.first.tolist(), asked.second.tolist(), asked.alphas.tolist(), strict.tolist(), strict=True
        )
        for i, j, mask, stricter in rows:
            tight.update((i, j, a) for a in bits(stricter))
            for a in bits(mask):
                jobs[i, j, a], capped = self._sets_of_parents(parents[a], i, j)
                if capped:
                    beyond.add((i, j, a))
        found = self._separate(jobs, "the repair", tight)
        joined: list[set[tuple[int, int]]] = [set() for _ in self._alphas]
        for i, j, a in jobs.keys() - found.keys():
            joined[a].add((i, j))
        report.close_level()
        return _edges(joined), _sepsets(found), report.done(level_capped=not beyond <= found.keys())

    def vote(self, edges: Edges, limits: VoteLimits) -> tuple[Votes, StepReport]:
        """What every affordable conditioning set says about the unshielded triples."""
        report = _Counter(self._memo)
        n_alphas = len(self._alphas)
        sized = _native.voting_sizes(
            first=edges.first,
            second=edges.second,
            alphas=edges.alphas,
            d=self._d,
            n_alphas=n_alphas,
            max_size=limits.max_size,
            max_level=-1 if self._max_level is None else self._max_level,
            max_sets=limits.max_sets,
            max_questions=limits.max_questions,
        )
        triples = _native.unshielded_triples(
            first=edges.first, second=edges.second, alphas=edges.alphas, d=self._d
        )
        near = _neighbours_by_alpha(edges, self._d, n_alphas)
        sizes = sized["sizes"].reshape(self._d, n_alphas)
        ballots: dict[Job, list[tuple[int, ...]]] = {}
        columns = (triples["x"], triples["y"], triples["z"], triples["alphas"])
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        for x, _, z, mask in rows:
            for a in bits(mask):
                if (x, z, a) not in ballots:
                    ballots[x, z, a] = list(_ballot(near[a], x, z, sizes[:, a]))
        separating = self._separating(ballots)
        counts, holding = [], []
        for x, y, z, mask in rows:
            for a in bits(mask):
                counts.append(len(separating[x, z, a]))
                holding.append(sum(y in S for S in separating[x, z, a]))
        votes = Votes(
            triples["x"],
            triples["y"],
            triples["z"],
            triples["alphas"],
            np.array(counts, dtype=np.uint32),
            np.array(holding, dtype=np.uint32),
        )
        report.close_level()
        return votes, report.done(held=held_alphas(sized["held_to"], sized["held_variables"]))

    def _separating(self, ballots: dict[Job, list[tuple[int, ...]]]) -> dict[Job, list[tuple[int, ...]]]:
        questions = sorted({(x, z, S) for (x, z, _), sets in ballots.items() for S in sets})
        p = dict(zip(questions, self._ask(questions, "the vote"), strict=True))
        return {
            (x, z, a): [S for S in sets if p[x, z, S] >= self._alphas[a]]
            for (x, z, a), sets in ballots.items()
        }

    def _sets_of_parents(
        self, near: list[list[int]], i: int, j: int
    ) -> tuple[Iterator[tuple[int, ...]], bool]:
        """The non-empty sets to ask about a pair, by size, and whether max_level leaves some out."""
        most = max(len(set(near[x]) - {y}) for x, y in ((i, j), (j, i)))
        capped = self._max_level is not None and most > self._max_level
        if capped and self._max_level is not None:
            most = self._max_level
        return _growing_sets(near, i, j, most), capped

    def _separate(
        self, jobs: dict[Job, Iterator[tuple[int, ...]]], where: str, tight: Collection[Job] = ()
    ) -> dict[Job, tuple[int, ...]]:
        """The first set of each job that separates its pair at its alpha, at a tenth of it for `tight` jobs.

        Jobs without one are left out.
        """
        found: dict[Job, tuple[int, ...]] = {}
        waiting = list(jobs.items())
        while waiting:
            asking = [(job, sets, S) for job, sets in waiting if (S := next(sets, None)) is not None]
            questions = [(job[0], job[1], S) for job, _, S in asking]
            p = self._ask(questions, where).tolist()
            waiting = []
            for (job, sets, S), value in zip(asking, p, strict=True):
                threshold = self._alphas[job[2]] / STRICTER if job in tight else self._alphas[job[2]]
                if value >= threshold:
                    found[job] = S
                else:  # NaN comes here too
                    waiting.append((job, sets))
        return found

    def _ask(self, questions: list[Question], where: str) -> NDArray[np.float64]:
        # What is known already is looked up only where the budget could depend on it.
        if self._budget and self._memo.n_asked + len(questions) > self._budget:
            new = len({question for question in questions if question not in self._memo})
            if self._memo.n_asked + new > self._budget:
                busiest = _busiest(questions, self._memo.names)
                raise BudgetError(over_budget(where, self._memo.n_asked + new, self._budget, busiest))
        return self._memo.p_values(questions)


class _Counter:
    """Counts the distinct questions of one step, level by level, and those that could not be tested."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo
        self._asked = memo.n_asked
        self._untestable = memo.n_untestable
        self._levels: list[int] = []

    def close_level(self) -> None:
        self._levels.append(self._memo.n_asked - self._asked)
        self._asked = self._memo.n_asked

    def done(self, *, level_capped: bool = False, held: tuple[tuple[int, int, int], ...] = ()) -> StepReport:
        new = self._memo.untestable[self._untestable :]
        return StepReport(
            tests=tuple(self._levels),
            untestable_count=len(new),
            untestable=tuple((i, j, *S) for i, j, S in new),
            level_capped=level_capped,
            held=held,
        )


def _sets(near: list[list[int]], i: int, j: int, size: int) -> Iterator[tuple[int, ...]]:
    """Subsets of i's candidates, then of j's, each in lexicographic order."""
    return chain(
        combinations([s for s in near[i] if s != j], size), combinations([s for s in near[j] if s != i], size)
    )


def _growing_sets(near: list[list[int]], i: int, j: int, most: int) -> Iterator[tuple[int, ...]]:
    """Subsets of both candidate lists, by size from 1 on."""
    for size in range(1, most + 1):
        yield from _sets(near, i, j, size)


def _ballot(near: list[list[int]], x: int, z: int, sizes: NDArray[np.int32]) -> Iterator[tuple[int, ...]]:
    """All sets that vote about x and z; one within both neighbourhoods comes twice."""
    for end in (x, z):
        for size in range(int(sizes[end]) + 1):
            yield from combinations(near[end], size)


def _neighbours(edges: Iterable[tuple[int, int]], d: int) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in range(d)]
    for i, j in edges:
        near[i].append(j)
        near[j].append(i)
    for others in near:
        others.sort()
    return near


def _neighbours_by_alpha(edges: Edges, d: int, n_alphas: int) -> list[list[list[int]]]:
    joined: list[list[tuple[int, int]]] = [[] for _ in range(n_alphas)]
    for i, j, mask in zip(edges.first.tolist(), edges.second.tolist(), edges.alphas.tolist(), strict=True):
        for a in bits(mask):
            joined[a].append((i, j))
    return [_neighbours(pairs, d) for pairs in joined]


def _parents(
    edges: Edges, forward: NDArray[np.uint64], backward: NDArray[np.uint64], d: int, n_alphas: int
) -> list[list[list[int]]]:
    """For each alpha and node: what points into it or is joined by a line, ascending."""
    into: list[list[list[int]]] = [[[] for _ in range(d)] for _ in range(n_alphas)]
    rows = zip(edges.first.tolist(), edges.second.tolist(), forward.tolist(), backward.tolist(), strict=True)
    for i, j, ahead, back in rows:
        for a in bits(ahead):
            into[a][j].append(i)
        for a in bits(back):
            into[a][i].append(j)
    for nodes in into:
        for others in nodes:
            others.sort()
    return into


def _edges(joined: list[set[tuple[int, int]]]) -> Edges:
    masks: dict[tuple[int, int], int] = defaultdict(int)
    for a, pairs in enumerate(joined):
        for pair in pairs:
            masks[pair] |= 1 << a
    pairs_sorted = sorted(masks)
    ends = np.array(pairs_sorted, dtype=np.int32).reshape(-1, 2)
    alphas = np.array([masks[pair] for pair in pairs_sorted], dtype=np.uint64)
    return Edges(np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1]), alphas)


def _sepsets(found: dict[Job, tuple[int, ...]]) -> Sepsets:
    """One record per pair and set; those of a pair by their lowest alpha, as in the native engine."""
    masks: dict[tuple[int, int, tuple[int, ...]], int] = defaultdict(int)
    for (i, j, a), S in found.items():
        masks[i, j, S] |= 1 << a
    records = sorted(masks, key=lambda record: (record[0], record[1], masks[record] & -masks[record]))
    sizes = [len(S) for _, _, S in records]
    return Sepsets(
        np.array([i for i, _, _ in records], dtype=np.int32),
        np.array([j for _, j, _ in records], dtype=np.int32),
        np.array([masks[record] for record in records], dtype=np.uint64),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64),
        np.array([s for _, _, S in records for s in S], dtype=np.int32),
    )


def _busiest(questions: list[Question], names: tuple[str, ...]) -> list[str]:
    """The variables that most of a batch's questions are about."""
    count: dict[int, int] = defaultdict(int)
    for i, j, _ in questions:
        count[i] += 1
        count[j] += 1
    return [names[i] for i in sorted(count, key=lambda i: (-count[i], i))[:5]]
