"""Runs a study: what is recorded is not run again, what is not is, and then the results are written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from secondlook.studies.journal import Journal
from secondlook.studies.outputs import write_results
from secondlook.studies.study import Report, Results, refuse_unknown_options
from secondlook.studies.workers import Workers, outcomes

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from secondlook.studies.study import Settings, Study


@dataclass(frozen=True, slots=True)
class Finished:
    """What a finished study leaves.

    Attributes
    ----------
    report : Report
        Tables, plots and verdict.
    files : list of Path
        What was written.
    resumed : int
        How many units had been recorded before.
    plotted : bool
        Whether the plots were drawn; False without matplotlib.
    """

    report: Report
    files: list[Path]
    resumed: int
    plotted: bool


def run_study(
    study: Study,
    settings: Settings,
    out: str | PathLike[str],
    *,
    workers: Workers | None = None,
    progress: Callable[[int, int], None] | None = None,
    force: bool = False,
) -> Finished:
    """Runs a study into a folder, or goes on with it where it was stopped.

    Parameters
    ----------
    study : Study
        From `secondlook.studies.STUDIES`, or your own.
    settings : Settings
        Draws, seed and the study's own options.
    out : path
        A folder of its own.
    workers : Workers, optional
        One process by default.
    progress : callable, optional
        Told (finished units, all units) at the start and after every unit.
    force : bool
        Whether records of other settings in this folder are thrown away.

    Returns
    -------
    Finished

    Raises
    ------
    OptionError
        If a setting is not what the study takes.
    DataError
        If the folder holds something else, or workers keep dying.
    """
    refuse_unknown_options(study, settings)
    settings = study.settled(settings)
    units = study.units(settings)
    folder = Path(out)
    journal = Journal(folder, study, settings)
    with journal.opened(force=force):
        found = journal.done(units)
        resumed = len(found)
        told = progress or _silent
        told(len(found), len(units))
        missing = [unit for unit in units if unit.key not in found]
        for key, outcome in outcomes(study, settings, missing, workers or Workers()):
            journal.add(key, outcome)
            found[key] = outcome
            told(len(found), len(units))
        ordered = [found[unit.key] for unit in units]
        results = Results(
            [row for outcome in ordered for row in outcome.rows],
            [row for outcome in ordered for row in outcome.timings],
        )
        report = study.report(results, settings)
        files, plotted = write_results(folder, study, settings, results, report)
    return Finished(report, files, resumed, plotted)


def _silent(done: int, total: int) -> None:
    del done, total
