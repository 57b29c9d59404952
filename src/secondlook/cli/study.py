"""`secondlook study`: the experiments, resumable."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable  # noqa: TC003  (typer evaluates annotations)
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from secondlook.cli.talk import note, page, write
from secondlook.errors import DataError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from secondlook.studies import Settings, Study, Workers

EXAMPLE = "secondlook study table1 --draws 500 --jobs 2 --out table1"


class Stopped(KeyboardInterrupt):
    """Raised when Ctrl-C stops a study; its finished units are on disk."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a study's results go, and whether anything is said on the way."""

    out: str
    force: bool
    quiet: bool


def study(
    *,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Which study; see --list.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the studies and exit.")] = False,
    draws: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Data sets per cell.  [default: the paper's]")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few draws only, for a first look.")] = False,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Same seed, same results.")] = 0,
    methods: Annotated[
        str | None, typer.Option(metavar="A,B", help="Which methods.  [default: all of the study]")
    ] = None,
    cells: Annotated[
        str | None, typer.Option(metavar="A,B", help="Which kinds of data.  [default: all of the study]")
    ] = None,
    data: Annotated[
        str | None, typer.Option(metavar="PATH", help="Your own data, for the studies that need some.")
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="The folder of results.  [default: NAME]")
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="Processes; -1 for one per core.")] = 1,
    backend: Annotated[
        str, typer.Option(metavar="WHO", help="loky (processes here) or dask (a running cluster).")
    ] = "loky",
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The Dask scheduler, such as tcp://host:8786.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Throw away what --out holds of other settings.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no notes.")] = False,
) -> Callable[[], int]:
    """Rerun an experiment of the AutoPC paper.

    Stop it whenever you like: the same command goes on where it stopped, and ends with the same results. The
    folder then holds results.csv, tables, plots and page.md, which says what came out.
    """
    if list_:
        return _listed
    from secondlook.studies import Settings, Workers, study_named
    from secondlook.studies.study import refuse_unknown_options

    if name is None:
        raise OptionError("The study command needs the NAME of a study; secondlook study --list shows them.")
    if quick and draws is not None:
        raise OptionError("The --quick option sets the number of draws; leave out --draws, or --quick.")
    chosen = study_named(name)
    count = draws or (chosen.quick_draws if quick else chosen.draws)
    asked = {"methods": methods, "cells": cells, "data": data}
    settings = Settings(count, seed, {key: value for key, value in asked.items() if value is not None})
    refuse_unknown_options(chosen, settings)
    workers = Workers(jobs, backend, scheduler)
    return partial(run, chosen, chosen.settled(settings), workers, Place(out or name, force, quiet))


def run(study: Study, settings: Settings, workers: Workers, place: Place) -> int:
    """Runs a study, shows how far it is, and prints its verdict.

    Parameters
    ----------
    study : Study
        Which one.
    settings : Settings
        Settled ones.
    workers : Workers
        Who does the work.
    place : Place
        Where to.
    """
    from secondlook.studies import run_study

    try:
        with _progress(study.name, quiet=place.quiet) as told:
            found = run_study(study, settings, place.out, workers=workers, progress=told, force=place.force)
    except KeyboardInterrupt:
        raise Stopped(
            f"Interrupted; what was finished is in {place.out!r}, and the same command goes on from there."
        ) from None
    except OSError as error:
        raise _worded(error, place.out) from error
    report = page()
    for sentence in found.report.verdict:
        report.say(f"* {sentence}")
    write(report.text)
    if not found.plotted:
        note("No plots: matplotlib is not installed (pip install 'secondlook[plot]').", quiet=place.quiet)
    note(f"Wrote {Path(place.out) / 'page.md'} and {len(found.files) - 1} files beside it", quiet=place.quiet)
    return 0


def _listed() -> int:
    from secondlook.studies import STUDIES

    report = page()
    report.table(
        ["study", "draws", "what"],
        [[study.name, f"{study.draws:,}", study.about] for study in STUDIES.values()],
        right=[1],
    )
    write(report.text)
    return 0


def _worded(error: OSError, out: str) -> DataError:
    reason = error.strerror or str(error)
    return DataError(f"Writing to the folder {out!r} failed: {reason}; name another one with --out.")


@contextlib.contextmanager
def _progress(name: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr; on a terminal only."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
