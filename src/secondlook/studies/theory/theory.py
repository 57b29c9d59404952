"""The study of the theorems: oracle, growing samples, numbers of tests."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from secondlook.studies.study import Outcome, Report, Unit
from secondlook.studies.theory.complexity import COUNTED_NODES, MOST_DRAWS, Size, counted
from secondlook.studies.theory.consistency import NODES, Models, judged
from secondlook.studies.theory.layout import plots_of, tables_of, verdict_of
from secondlook.studies.theory.oracle import ALL_UP_TO, RANDOM_NODES, all_dags, random_dags, tried
from secondlook.studies.theory.scores import Scores

if TYPE_CHECKING:
    from secondlook.studies.study import Results, Settings

_MODELS_PER_UNIT = 50


class Theory:
    """Theorem 1 with the oracle, Theorems 2 and 3 by simulation, the second look's tests by counting."""

    name: ClassVar[str] = "theory"
    about: ClassVar[str] = (
        "The paper's theorems: the oracle, samples that grow to 10^7 rows, numbers of tests."
    )
    draws: ClassVar[int] = 500
    quick_draws: ClassVar[int] = 20
    options: ClassVar[tuple[str, ...]] = ()

    def settled(self, settings: Settings) -> Settings:
        """There is nothing to settle."""
        return replace(settings, options={})

    def units(self, settings: Settings) -> list[Unit]:
        """The oracle by number of nodes, blocks of models, the counts by number of variables."""
        draws = settings.draws
        oracle = [Unit(f"oracle-all-{d}", ("all", d)) for d in range(1, ALL_UP_TO + 1)]
        oracle += [Unit(f"oracle-random-{d}", ("random", d)) for d in RANDOM_NODES]
        models = [
            Unit(f"models-{d}-{first:06d}", Models(d, first, min(_MODELS_PER_UNIT, draws - first)))
            for d in NODES
            for first in range(0, draws, _MODELS_PER_UNIT)
        ]
        counts = [Unit(f"tests-{d}", Size(d, min(draws, MOST_DRAWS))) for d in COUNTED_NODES]
        return [*oracle, *models, *counts]

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        """One of the three parts."""
        task = unit.task
        if isinstance(task, Models):
            return judged(task, settings.seed)
        if isinstance(task, Size):
            return counted(task, settings.seed)
        kind, d = task
        dags = all_dags(d) if kind == "all" else random_dags(d, settings.draws, settings.seed)
        return tried(dags, kind, d)

    def report(self, results: Results, settings: Settings) -> Report:
        """A table for each part, and plots of the two that have a direction to grow in."""
        del settings
        scores = Scores(results)
        return Report(verdict_of(scores), tables_of(scores), plots_of(scores))
