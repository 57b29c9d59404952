"""The files of a finished study: rows, timings, header, tables, plots, and the page that holds it all."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import shlex
import sys
from typing import TYPE_CHECKING, Any

from secondlook.studies.journal import described, write_whole
from secondlook.studies.markdown import bullets, table_text
from secondlook.studies.plots import svg_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from secondlook.studies.study import Plot, Report, Results, Row, Settings, Study

_PACKAGES = ("secondlook", "numpy", "scipy", "scikit-learn", "joblib")


def write_results(
    folder: Path, study: Study, settings: Settings, results: Results, report: Report
) -> tuple[list[Path], bool]:
    """Writes every file of a finished study; each is there completely or not at all.

    Parameters
    ----------
    folder : Path
        Where to.
    study, settings, results, report
        What.

    Returns
    -------
    files : list of Path
        What was written.
    plotted : bool
        Whether the plots are among them.
    """
    pictures = _pictures(report.plots)
    header = header_of(study, settings, results)
    tables = "\n".join(table_text(table) for table in report.tables)
    texts = {
        "results.csv": csv_text(results.rows),
        "timings.csv": csv_text(results.timings),
        "results.json": json.dumps(header, indent=2) + "\n",
        "table.md": tables,
        "page.md": page_text(study, header, report, plotted=pictures is not None),
        **(pictures or {}),
    }
    files = []
    for name, text in texts.items():
        files.append(folder / name)
        write_whole(files[-1], text.encode())
    return files, pictures is not None or not report.plots


def command_of(study: Study, settings: Settings) -> str:
    """The command that gives these results on any machine."""
    command = getattr(study, "command", f"secondlook study {study.name}")
    options = "".join(f" --{name} {shlex.quote(value)}" for name, value in sorted(settings.options.items()))
    return f"{command} --draws {settings.draws} --seed {settings.seed}{options}"


def header_of(study: Study, settings: Settings, results: Results) -> dict[str, Any]:
    """What one has to know about results: settings, command, versions, machine, counts."""
    failed = sum(row.get("status") == "failed" for row in results.rows)
    unanswered = sum(row.get("status", "ok") != "ok" for row in results.rows) - failed
    return {
        **described(study, settings),
        "command": command_of(study, settings),
        "versions": {"python": platform.python_version(), **dict(_versions())},
        "machine": {
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "byteorder": sys.byteorder,
        },
        "rows": len(results.rows),
        "failed_rows": failed,
        "unanswered_rows": unanswered,
        "columns": _columns(results.rows),
    }


def csv_text(rows: list[Row]) -> str:
    """Rows as CSV; every number reads back as it was, what is missing is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _columns(rows), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def page_text(study: Study, header: dict[str, Any], report: Report, *, plotted: bool) -> str:
    """The page that holds everything."""
    versions = ", ".join(f"{name} {version}" for name, version in header["versions"].items())
    machine = header["machine"]
    parts = [
        f"# {study.name}\n\n{study.about}\n\n```sh\n{header['command']}\n```\n",
        f"## Verdict\n\n{bullets(report.verdict)}",
        *(table_text(table) for table in report.tables),
    ]
    if report.plots and plotted:
        parts += [f"![{plot.caption}]({plot.name}.svg)\n\n{plot.caption}\n" for plot in report.plots]
    unanswered = header["unanswered_rows"]
    without = f"{unanswered:,} refused or not applicable, " if unanswered else ""
    parts.append(
        f"## How this was made\n\n{header['rows']:,} rows in results.csv, {without}"
        f"{header['failed_rows']:,} of them failures. {versions}; {machine['system']} on "
        f"{machine['processor']} with {machine['cores']} cores.\n"
    )
    return "\n".join(parts)


def _columns(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _pictures(plots: list[Plot]) -> dict[str, str] | None:
    try:
        return {f"{plot.name}.svg": svg_of(plot) for plot in plots}
    except ImportError:
        return None


def _versions() -> Iterable[tuple[str, str]]:
    from importlib.metadata import PackageNotFoundError, version

    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue
