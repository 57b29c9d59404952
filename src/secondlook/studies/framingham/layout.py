"""What Table 2 shows: our count of mistakes, every reading of the paper's scores, and the time."""

from __future__ import annotations

from functools import partial
from math import isnan, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from secondlook.studies.framingham.methods import AS_PRINTED, GRIDS, MEANT, TABLE2_METHODS
from secondlook.studies.framingham.printed import COLUMNS, PRINTED, PRINTED_SECONDS
from secondlook.studies.framingham.truth import DEFINITIONS, REQUIRED, Tally, half_skips
from secondlook.studies.statistics import mean_of, paired
from secondlook.studies.study import Report, ReportTable
from secondlook.studies.synthetic.layout import BONFERRONI
from secondlook.studies.synthetic.methods import AUTOPC, MEAN, METRICS, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from secondlook.studies.framingham.scores import Scores

_TITLES = {MEANT: "grid with 1E-6 as the fourth alpha", AS_PRINTED: "grid as printed, 1E-5 twice"}
_OURS: dict[str, Callable[[Tally], float]] = {
    "mistakes": lambda found: float(found.mistakes),
    "required found": lambda found: found.found / REQUIRED,
    "required, as arrows": lambda found: found.next_ahead / REQUIRED,
    "arrows back in time": lambda found: float(found.next_back + found.skip_back + found.other_back),
}
_OURS_NOTE = (
    "Means ± standard errors over the bootstraps; the fewest mistakes are bold, * marks methods from which "
    f"AutoPC differs in a paired t-test at p < {BONFERRONI}. Mistakes are required arrows without a mark, "
    "and arrows back in time; a line between exams claims no direction and is no mistake. Bootstraps repeat "
    "rows, so that OCTs' folds share some."
)


class Reading(NamedTuple):
    """A way of reading a score, with our means for the methods of the paper, and how far they are from it."""

    text: str
    means: tuple[float, ...]
    off: float


def report_of(scores: Scores, methods: tuple[str, ...]) -> Report:
    """Verdict and tables.

    Parameters
    ----------
    scores : Scores
        Of table2.
    methods : tuple of str
        Keys of the methods that were compared.
    """
    compared = tuple(m for m in COLUMNS if m in methods)
    readings = {(g, metric): _readings(scores, g, metric, compared) for g in GRIDS for metric in METRICS}
    verdict = [_ours_said(scores, grid, methods) for grid in GRIDS]
    if compared:
        verdict += [_closest_said(readings, metric) for metric in METRICS]
        verdict.append(
            "The paper does not say how it scores against a partial truth, and a close reading settles "
            "nothing."
        )
    verdict.append(
        f"Failures: {scores.failures:,} rows; their status and message are in results.csv."
        if scores.failures
        else "No method failed on any bootstrap."
    )
    tables = [_ours_table(scores, grid, methods) for grid in GRIDS]
    if compared:
        tables += [
            _readings_table(readings[grid, metric], grid, metric, compared)
            for grid in GRIDS
            for metric in METRICS
        ]
    return Report(verdict, [*tables, _time_table(scores, methods)])


def _ours_table(scores: Scores, grid: str, methods: tuple[str, ...]) -> ReportTable:
    rows = []
    for name, measure in _OURS.items():
        found = {m: mean_of(scores.values(grid, m, "shd", measure)) for m in methods}
        best = min((mean.value for mean in found.values() if not isnan(mean.value)), default=None)
        cells = []
        for method, mean in found.items():
            text = f"{mean.value:.3f} ± {mean.error:.3f}"
            text = f"**{text}**" if name == "mistakes" and mean.value == best else text
            cells.append(text + _star(scores, grid, method, measure, methods))
        rows.append((name, *cells))
    header = ("", *(TABLE2_METHODS[m].label for m in methods))
    return ReportTable(f"Ours, {_TITLES[grid]}", header, rows, _OURS_NOTE)


def _star(
    scores: Scores, grid: str, method: str, measure: Callable[[Tally], float], methods: tuple[str, ...]
) -> str:
    if AUTOPC not in methods or method == AUTOPC:
        return ""
    ours, theirs = (scores.values(grid, m, "shd", measure) for m in (AUTOPC, method))
    return " *" if paired(ours, theirs).p < BONFERRONI else ""


def _readings(scores: Scores, grid: str, metric: str, methods: tuple[str, ...]) -> list[Reading]:
    """Every way of reading a score, the closest first."""
    measures: dict[str, Callable[[Tally], float]] = {
        definition.text: partial(definition.value, metric)
        for definition in DEFINITIONS
        if metric != "mcc" or definition.has_negatives
    }
    if metric == "shd":
        measures["ours: missing required marks + arrows back in time"] = _OURS["mistakes"]
        measures["half of (missing required marks + marks two exams apart)"] = half_skips
    printed = [PRINTED[metric][COLUMNS.index(m)] for m in methods]
    found = []
    for text, measure in measures.items():
        means = tuple(mean_of(scores.values(grid, m, metric, measure)).value for m in methods)
        off = sqrt(float(np.mean((np.array(means) - printed) ** 2))) if methods else float("nan")
        found.append(Reading(text, means, off))
    return sorted(found, key=lambda reading: reading.off)


def _readings_table(readings: list[Reading], grid: str, metric: str, methods: tuple[str, ...]) -> ReportTable:
    rows = [("**the paper**", *(f"{PRINTED[metric][COLUMNS.index(m)]:.3f}" for m in methods), "")]
    rows += [
        (reading.text, *(f"{value:.3f}" for value in reading.means), f"{reading.off:.3f}")
        for reading in readings
    ]
    return ReportTable(
        f"{metric.upper()} read in every way, {_TITLES[grid]}",
        ("the 16 required marks are positive", *(TABLE2_METHODS[m].label for m in methods), "off"),
        rows,
        "Off is the root of the mean squared distance to the printed figures; marks neither positive nor "
        "negative are ignored. Where lines count, a line is a mark both ways; otherwise it is no claim.",
    )


def _time_table(scores: Scores, methods: tuple[str, ...]) -> ReportTable:
    reference = scores.seconds(REFERENCE)
    rows: list[tuple[str, ...]] = []
    for method in methods:
        spent, theirs = scores.seconds(method), PRINTED_SECONDS.get(method)
        if method != MEAN:
            factor = f"{1e3 * spent:.2f} ms", f"{spent / reference:.2f}x"
            rows.append((TABLE2_METHODS[method].label, *factor, "-" if theirs is None else f"{theirs:.3f} s"))
    return ReportTable(
        "Time on top of PC at every alpha",
        ("", "ours", "as a factor", "the paper"),
        rows,
        f"Medians over the bootstraps, one core, from the finished correlation matrix; PC at every alpha "
        f"takes {1e3 * reference:.2f} ms. AutoPC's time is that of its second look and its scores.",
    )


def _ours_said(scores: Scores, grid: str, methods: tuple[str, ...]) -> str:
    parts = []
    for method in methods:
        mistakes = mean_of(scores.values(grid, method, "shd", _OURS["mistakes"])).value
        share = mean_of(scores.values(grid, method, "shd", _OURS["required found"])).value
        parts.append(f"{TABLE2_METHODS[method].label} {mistakes:.3f} ({share:.3f})")
    return f"Ours, {_TITLES[grid]}: mistakes (and share of required arrows found): {', '.join(parts)}."


def _closest_said(readings: dict[tuple[str, str], list[Reading]], metric: str) -> str:
    grid = min(GRIDS, key=lambda g: readings[g, metric][0].off)
    best = readings[grid, metric][0]
    return (
        f"{metric.upper()}: of {len(readings[grid, metric])} readings, each on both grids, the closest to "
        f"the paper's figures is '{best.text}' ({_TITLES[grid]}): {best.off:.3f} off."
    )
