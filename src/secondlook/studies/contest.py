"""A contest: rules that choose from the same graphs of the same data, each with its cost on top of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from secondlook.errors import BudgetError, OptionError
from secondlook.search import alpha_path
from secondlook.studies.study import Outcome
from secondlook.studies.synthetic.methods import REFERENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from secondlook.graphs import PDAG
    from secondlook.search import AlphaPath
    from secondlook.search.options import ColliderRule
    from secondlook.selection import Problem, Rule
    from secondlook.studies.study import Row

_STATUS: tuple[tuple[type[Exception], str], ...] = (
    (BudgetError, "refused"),
    (OptionError, "not applicable"),
    (Exception, "failed"),
)
"""What a row without an answer is called: work beyond a budget, a rule not made for such data, a fault."""


class Entry(NamedTuple):
    """One rule, and the cells that tell its rows from others of the same method."""

    labels: Row
    rule: Rule


@dataclass(frozen=True, slots=True)
class Entrant:
    """One method of a contest.

    Attributes
    ----------
    name : str
        What its rows call it.
    colliders : str
        The collider rule of the graphs that it chooses from.
    entries : tuple of Entry
        Its rules; only the first is timed.
    """

    name: str
    colliders: ColliderRule
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows and timings of one data set, as they come.

    Attributes
    ----------
    head : dict
        The cells that all rows begin with.
    columns : tuple of str
        The names of the scores.
    score : callable
        The scores of a graph.
    """

    head: Row
    columns: tuple[str, ...]
    score: Callable[[PDAG], Row]
    outcome: Outcome = field(default_factory=lambda: Outcome([]))

    def answer(self, method: str, labels: Row, alpha: float, graph: PDAG) -> None:
        """A row with the scores of a graph."""
        said: Row = {"status": "ok", "message": None}
        scores = self.score(graph)
        self.outcome.rows.append(
            {**self.head, "method": method, **labels, "alpha": alpha}
            | {name: scores[name] for name in self.columns}
            | said
        )

    def failure(self, method: str, labels: Row, error: Exception) -> None:
        """A row without scores, which says why."""
        status = next(name for kind, name in _STATUS if isinstance(error, kind))
        nothing: Row = dict.fromkeys(("alpha", *self.columns))
        said: Row = {"status": status, "message": f"{type(error).__name__}: {error}"}
        self.outcome.rows.append({**self.head, "method": method, **labels, **nothing, **said})

    def time(self, method: str, colliders: str, seconds: float) -> None:
        """What a method took beyond the graphs that it chose from."""
        self.outcome.timings.append(
            {**self.head, "method": method, "colliders": colliders, "seconds": seconds}
        )


class Searched(NamedTuple):
    """Both looks at one data set, with the seconds that each took until its graphs were there."""

    path: AlphaPath
    problem: Problem
    first: float
    second: float


def searched(problem: Problem, alphas: Iterable[float], *, twice: bool) -> Searched:
    """Both looks, or the first only.

    Parameters
    ----------
    problem : Problem
        The test, and how it is searched.
    alphas : iterable of float
        The ascending grid.
    twice : bool
        Whether there is a second look.
    """
    path = alpha_path(problem.test, alphas, problem.options, looks=2 if twice else 1)
    seconds = [sum(t for step, t in path.seconds.items() if step.startswith(n)) for n in ("first", "second")]
    for k, look in enumerate((path.first, path.second)):
        started = perf_counter()
        if look is not None:
            look.graphs[:]  # graphs are made when asked for, and belong to the search's time
        seconds[k] += perf_counter() - started
    return Searched(path, problem, *seconds)


def contested(
    sheet: Sheet, bind: Callable[[ColliderRule], Problem], alphas: tuple[float, ...], entrants: list[Entrant]
) -> None:
    """Puts PC at every alpha and every method's choices on the sheet, collider rule by collider rule.

    Parameters
    ----------
    sheet : Sheet
        Where to.
    bind : callable
        The problem to be searched with a collider rule.
    alphas : tuple of float
        The grid.
    entrants : list of Entrant
        The methods; what goes wrong with one is a row that says so.
    """
    for colliders in dict.fromkeys(entrant.colliders for entrant in entrants):
        mine = [entrant for entrant in entrants if entrant.colliders == colliders]
        twice = any(entry.rule.looks == 2 for entrant in mine for entry in entrant.entries)
        reference: Row = {**_blank(mine), "colliders": colliders}
        try:
            found = searched(bind(colliders), alphas, twice=twice)
        except Exception as error:  # whatever it is, it belongs into the results
            for _ in alphas:
                sheet.failure(REFERENCE, reference, error)
            for entrant in mine:
                for entry in entrant.entries:
                    sheet.failure(entrant.name, {**entry.labels, "colliders": colliders}, error)
            continue
        for alpha, graph in zip(found.path.alphas, found.path.first.graphs, strict=True):
            sheet.answer(REFERENCE, reference, alpha, graph)
        sheet.time(REFERENCE, colliders, found.first)
        for entrant in mine:
            _judge(sheet, entrant, found)


def _judge(sheet: Sheet, entrant: Entrant, found: Searched) -> None:
    for k, (own, rule) in enumerate(entrant.entries):
        labels: Row = {**own, "colliders": entrant.colliders}
        started = perf_counter()
        try:
            chosen = rule.choose(found.path, found.problem).chosen
        except Exception as error:  # a rule may fail on a draw; the study goes on
            sheet.failure(entrant.name, labels, error)
            continue
        if k == 0:
            spent = perf_counter() - started + (found.second if rule.looks == 2 else 0.0)
            sheet.time(entrant.name, entrant.colliders, spent)
        sheet.answer(entrant.name, labels, found.path.alphas[chosen], found.path.first.graphs[chosen])


def _blank(entrants: list[Entrant]) -> Row:
    """The labels of methods, empty: PC itself is no method, but its rows have the same columns."""
    return dict.fromkeys(
        (name for entrant in entrants for entry in entrant.entries for name in entry.labels), ""
    )
