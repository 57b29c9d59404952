"""What every method makes of one data set, and what it costs beyond PC at every alpha."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from secondlook.metrics.marks import confusion
from secondlook.search import SearchOptions
from secondlook.search.options import DEFAULT_ALPHAS
from secondlook.selection import Problem
from secondlook.studies.contest import searched
from secondlook.studies.study import Outcome
from secondlook.studies.synthetic.draws import drawn
from secondlook.studies.synthetic.methods import METHODS, METRICS, REFERENCE

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.search.options import ColliderRule
    from secondlook.selection import Rule
    from secondlook.studies.contest import Searched
    from secondlook.studies.study import Row, Value
    from secondlook.studies.synthetic.draws import Cell, Drawn, Need

_PAPER: ColliderRule = "overwrite"


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The rows and timings of one draw, as they come."""

    head: dict[str, Value]
    outcome: Outcome = field(default_factory=lambda: Outcome([]))

    def answer(self, method: str, tuned_for: str, alpha: float, pair: tuple[PDAG, PDAG]) -> None:
        found = confusion(*pair)
        scores: Row = {"alpha": alpha, "shd": found.mistakes, "f1": found.f1, "mcc": found.mcc}
        said: Row = {"status": "ok", "message": None}
        self.outcome.rows.append({**self._named(method, tuned_for), **scores, **said})

    def failure(self, method: str, tuned_for: str, error: Exception) -> None:
        nothing: Row = dict.fromkeys(("alpha", *METRICS))
        said: Row = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
        self.outcome.rows.append({**self._named(method, tuned_for), **nothing, **said})

    def time(self, method: str, seconds: float) -> None:
        self.outcome.timings.append({**self.head, "method": method, "seconds": seconds})

    def _named(self, method: str, tuned_for: str) -> Row:
        return {**self.head, "method": method, "tuned_for": tuned_for}


def judged(cell: Cell, draw: int, seed: int, methods: tuple[str, ...]) -> Outcome:
    """What PC at every alpha and every method make of one draw; a failure is a row that says so.

    Parameters
    ----------
    cell : Cell
        The size of the data.
    draw : int
        The draw's number.
    seed : int
        The study's seed.
    methods : tuple of str
        Keys of `METHODS`.
    """
    sheet = _Sheet({"n": cell.n, "d": cell.d, "draw": draw})
    rule_seed = int(np.random.SeedSequence((seed, cell.d, cell.n, draw, 1)).generate_state(1)[0])
    rules = {name: METHODS[name].rules(rule_seed) for name in methods}
    reference = 0.0
    needs: frozenset[Need] = frozenset(need for name in methods for need in METHODS[name].needs)
    data: Drawn | None = None
    for colliders in dict.fromkeys((_PAPER, *(METHODS[name].colliders for name in methods))):
        mine = {name: rules[name] for name in methods if METHODS[name].colliders == colliders}
        try:
            if data is None:
                data = drawn(cell, draw, seed, needs)
            found = _searched(data, colliders, mine)
        except Exception as error:  # whatever it is, it belongs into the results
            _all_failed(sheet, colliders, mine, error)
            continue
        if colliders == _PAPER:
            reference = found.first
            _judge_reference(sheet, found, data.truth)
        for name, of_method in mine.items():
            spent = _judge_method(sheet, name, of_method, found, data.truth)
            if spent is not None:
                sheet.time(name, found.first - reference + spent)
    return sheet.outcome


def _searched(data: Drawn, colliders: ColliderRule, rules: dict[str, dict[str, Rule]]) -> Searched:
    twice = any(rule.looks == 2 for of_method in rules.values() for rule in of_method.values())
    problem = Problem(data.test, SearchOptions(colliders=colliders), data.table, moments=data.moments)
    return searched(problem, DEFAULT_ALPHAS, twice=twice)


def _judge_reference(sheet: _Sheet, found: Searched, truth: PDAG) -> None:
    for alpha, graph in zip(found.path.alphas, found.path.first.graphs, strict=True):
        sheet.answer(REFERENCE, "", alpha, (truth, graph))
    sheet.time(REFERENCE, found.first)


def _judge_method(
    sheet: _Sheet, name: str, rules: dict[str, Rule], found: Searched, truth: PDAG
) -> float | None:
    """Seconds that the first rule of a method takes beyond the first look; None when it failed."""
    spent: float | None = None
    for k, (tuned_for, rule) in enumerate(rules.items()):
        started = perf_counter()
        try:
            chosen = rule.choose(found.path, found.problem).chosen
        except Exception as error:  # a rule may fail on a draw; the study goes on
            sheet.failure(name, tuned_for, error)
            continue
        if k == 0:
            spent = perf_counter() - started + (found.second if rule.looks == 2 else 0.0)
        sheet.answer(name, tuned_for, found.path.alphas[chosen], (truth, found.path.first.graphs[chosen]))
    return spent


def _all_failed(
    sheet: _Sheet, colliders: ColliderRule, rules: dict[str, dict[str, Rule]], error: Exception
) -> None:
    if colliders == _PAPER:
        for _ in DEFAULT_ALPHAS:
            sheet.failure(REFERENCE, "", error)
    for name, of_method in rules.items():
        for tuned_for in of_method:
            sheet.failure(name, tuned_for, error)
