"""Table 2 of the paper: bootstraps of the Framingham data, scored against what little is known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from secondlook.independence import FisherZ
from secondlook.search import SearchOptions
from secondlook.selection import Problem
from secondlook.studies.contest import Sheet, contested
from secondlook.studies.files import data_option, digest_of
from secondlook.studies.framingham.data import read_framingham
from secondlook.studies.framingham.layout import report_of
from secondlook.studies.framingham.methods import TABLE2_METHODS, entrants
from secondlook.studies.framingham.printed import ALPHAS
from secondlook.studies.framingham.scores import Scores
from secondlook.studies.framingham.truth import COLUMNS, tally
from secondlook.studies.study import Outcome, Unit
from secondlook.studies.synthetic.methods import checked_methods
from secondlook.tables import Table

if TYPE_CHECKING:
    from secondlook.search.options import ColliderRule
    from secondlook.studies.study import Report, Results, Settings

_DRAWS_PER_UNIT = 10
_WHAT = "the teaching table or the 2003 complete rows, a CSV file,"


class Bootstraps(NamedTuple):
    """Consecutive bootstraps."""

    first: int
    draws: int


class Table2:
    """Ways of choosing alpha compared on bootstraps of the Framingham data; the data are the user's own."""

    name: ClassVar[str] = "table2"
    about: ClassVar[str] = (
        "Table 2 of the AutoPC paper: bootstraps of the Framingham data; needs --data FILE."
    )
    draws: ClassVar[int] = 500
    quick_draws: ClassVar[int] = 20
    options: ClassVar[tuple[str, ...]] = ("data", "methods")

    def settled(self, settings: Settings) -> Settings:
        """All methods unless some are named; the data are read once to see that they are there."""
        path = data_option(self.name, settings, _WHAT)
        read_framingham(path)
        asked = settings.options.get("methods")
        methods = tuple(TABLE2_METHODS) if asked is None else checked_methods(asked, TABLE2_METHODS)
        return replace(settings, options={"data": str(path), "methods": ",".join(methods)})

    def units(self, settings: Settings) -> list[Unit]:
        """Blocks of bootstraps, named after the content of the file too."""
        digest = digest_of(data_option(self.name, settings, _WHAT))
        return [
            Unit(f"{digest}-{first:06d}", Bootstraps(first, min(_DRAWS_PER_UNIT, settings.draws - first)))
            for first in range(0, settings.draws, _DRAWS_PER_UNIT)
        ]

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        """PC at every alpha and every method on each bootstrap of a block."""
        table = read_framingham(data_option(self.name, settings, _WHAT))
        block: Bootstraps = unit.task
        found = [
            judged(table, draw, settings.seed, _methods(settings))
            for draw in range(block.first, block.first + block.draws)
        ]
        return Outcome(
            [row for outcome in found for row in outcome.rows],
            [row for outcome in found for row in outcome.timings],
        )

    def report(self, results: Results, settings: Settings) -> Report:
        """Our count of mistakes, every reading of the paper's scores beside its figures, and the time."""
        return report_of(Scores(results), _methods(settings))


def judged(table: Table, draw: int, seed: int, methods: tuple[str, ...]) -> Outcome:
    """What PC and the methods make of one bootstrap.

    Parameters
    ----------
    table : Table
        The data.
    draw : int
        The bootstrap's number; its rows follow from it and the seed alone.
    seed : int
        The study's seed.
    methods : tuple of str
        Keys of `TABLE2_METHODS`.
    """
    rng = np.random.default_rng(np.random.SeedSequence((seed, draw)))
    rule_seed = int(np.random.SeedSequence((seed, draw, 1)).generate_state(1)[0])
    n = len(table.values)
    drawn = Table(table.names, np.ascontiguousarray(table.values[rng.integers(n, size=n)]))
    test = FisherZ(drawn)

    def bound(colliders: ColliderRule) -> Problem:
        return Problem(test, SearchOptions(colliders=colliders), drawn)

    sheet = Sheet({"draw": draw}, COLUMNS, lambda graph: tally(graph).to_row())
    contested(sheet, bound, ALPHAS, entrants(methods, rule_seed))
    return sheet.outcome


def _methods(settings: Settings) -> tuple[str, ...]:
    return tuple(settings.options["methods"].split(","))
