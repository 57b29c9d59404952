"""The tables and the plot of the flagship study."""

from __future__ import annotations

from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from secondlook.studies.flagship.methods import METHODS, METRICS, OURS, PAPER, VOTE
from secondlook.studies.flagship.recorded import RECORDED, WHAT
from secondlook.studies.flagship.verdict import FEWEST, reached
from secondlook.studies.study import Plot, ReportTable

if TYPE_CHECKING:
    from secondlook.studies.flagship.cells import Cell
    from secondlook.studies.flagship.scores import Scores
    from secondlook.studies.statistics import Mean

_TITLES = {"shd": "SHD (differing marks)", "f1": "F1", "mcc": "MCC"}
_LABELS = tuple(method.label for method in METHODS.values())
_NAMED = (
    "A cell is a kind of data: d variables, n rows, expected degree 2, weights ±U(0.3, 1.3), Gaussian noise "
    "of variance 1, unless its name says otherwise. weak: weights ±U(0.1, 0.5). unequal: noise variances "
    "U(0.5, 2), which Fisher's z, as always, sees standardised. scale-free: each new node joins m older "
    "ones, edges along a random order or, with sink, towards the older node."
)
_DRAWN = (
    "A draw's seed is the sequence (study's seed, CRC-32 of the cell's name, number of the draw, 0), with 1 "
    "last for the permutation of the columns. Gaussian cells draw the exact Wishart covariance."
)


def tables(scores: Scores) -> list[ReportTable]:
    """Accuracy, paired tests, recorded figures, validity, time."""
    found = [_accuracy(scores, metric) for metric in METRICS]
    found += [_tests(scores, other) for other in (PAPER, VOTE)]
    recorded = _recorded(scores)
    return [*found, *([recorded] if recorded.rows else []), _validity(scores), _times(scores)]


def plots(scores: Scores) -> list[Plot]:
    """SHD of every method in every cell."""
    height = 1.5 + 0.28 * len(scores.cells)
    caption = "SHD of every method in every cell, means with two standard errors; left is better."
    return [Plot("flagship-shd", caption, partial(_draw, scores), (9.0, height))]


def _accuracy(scores: Scores, metric: str) -> ReportTable:
    rows = []
    for cell in scores.cells:
        means = [scores.mean(cell, name, metric) for name in METHODS]
        most = max(mean.size for mean in means)  # a lucky few draws are no best
        known = [mean.value for mean in means if mean.size == most > 0]
        best = (min if metric == "shd" else max)(known, default=None)
        texts = [_mean_text(m, metric, best=m.size == most and m.value == best) for m in means]
        rows.append((cell.key, *texts, _draws(scores, cell)))
    note = (
        "Means ± standard errors, the best of each row bold. On the right the draws, after a comma those of "
        "the search that sees p-values only, where it is too slow for all. All methods choose for SHD."
    )
    note = f"{note} {_NAMED} {_DRAWN}" if metric == "shd" else note
    return ReportTable(_TITLES[metric], ("cell", *_LABELS, "draws"), rows, note)


def _mean_text(mean: Mean, metric: str, *, best: bool) -> str:
    if not mean.size:
        return "-"
    places = 2 if metric == "shd" else 3
    text = f"{mean.value:.{places}f} ± {mean.error:.{places}f}"
    return f"**{text}**" if best else text


def _draws(scores: Scores, cell: Cell) -> str:
    counts = {len(scores.values(cell, name, "shd")) for name in METHODS} - {0}
    return ", ".join(f"{count:,}" for count in sorted(counts, reverse=True))


def _tests(scores: Scores, other: str) -> ReportTable:
    rows = []
    for cell in scores.cells:
        texts = []
        for name in OURS:
            test, ratio = scores.compared(cell, name, other), scores.ratio(cell, name, other)
            change = "" if isnan(ratio) else f", {100.0 * (ratio - 1.0):+.0f} %"
            texts.append("-" if test.size < FEWEST else f"{test.difference:+.2f} (t {test.t:+.1f}{change})")
        rows.append((cell.key, *texts))
    return ReportTable(
        f"Ours minus {METHODS[other].label}: SHD",
        ("cell", *(METHODS[name].label for name in OURS)),
        rows,
        "Mean differences on the same draws, t of the paired test, change of the mean; below 0 ours wins. "
        f"A test of fewer than {FEWEST} draws is not shown.",
    )


def _recorded(scores: Scores) -> ReportTable:
    rows = []
    for cell in scores.cells:
        texts = []
        for name in OURS:
            there, mean = reached(scores, cell, name), scores.mean(cell, name, "shd")
            if there is None:
                texts.append("-")
                continue
            word = "reached" if there else "missed"
            texts.append(f"{mean.value:.2f} ± {mean.error:.2f}; {RECORDED[name][cell.key]:.2f}: {word}")
        if set(texts) != {"-"}:
            rows.append((cell.key, *texts))
    header = ("cell", *(f"{METHODS[name].label}; {WHAT[name]}" for name in OURS))
    return ReportTable(
        "Beside what was recorded before",
        header,
        rows,
        "Our mean SHD; the recorded one, which is of other draws. Reached is at most two of our standard "
        "errors above it. The prototypes of the repair were unguarded.",
    )


def _validity(scores: Scores) -> ReportTable:
    rows = []
    for cell in scores.cells:
        counts = [scores.counted(name, "valid", (cell,)) for name in METHODS]
        texts = [f"{100.0 * valid / asked:.1f} %" if asked else "-" for valid, asked in counts]
        moved = [scores.counted(name, "relabelled", (cell,)) for name in OURS]
        changed, runs = sum(a - s for s, a in moved), sum(a for _, a in moved)
        rows.append((cell.key, *texts, f"{changed:,} of {runs:,}"))
    return ReportTable(
        "Valid CPDAGs, and answers that the column order changes",
        ("cell", *_LABELS, "ours changed"),
        rows,
        "AutoPC's graphs are raw, as the paper judges them. Our answers were asked for again with the "
        "columns permuted, the slow search's only where it runs on all draws; the last column counts those "
        "that were not the same graph.",
    )


def _times(scores: Scores) -> ReportTable:
    rows = []
    for cell in scores.cells:
        seconds = [scores.seconds(cell, name) for name in METHODS]
        texts = ["-" if isnan(s) else f"{1e3 * s:.1f} ms" for s in seconds]
        rows.append((cell.key, *texts))
    return ReportTable(
        "Time",
        ("cell", *_LABELS),
        rows,
        "Medians over the draws, one core, all six alphas, from the correlation matrix to the graph.",
    )


def _draw(scores: Scores, figure: Any) -> None:
    panel = figure.subplots()
    places = np.arange(len(scores.cells))[::-1]
    for k, (name, method) in enumerate(METHODS.items()):
        means = [scores.mean(cell, name, "shd") for cell in scores.cells]
        values = np.array([mean.value for mean in means])
        errors = np.nan_to_num([2.0 * mean.error for mean in means])
        shift = 0.15 * (2 - k)
        panel.errorbar(
            values, places + shift, xerr=errors, fmt="o", markersize=3, linewidth=1, label=method.label
        )
    panel.set_xscale("symlog", linthresh=1.0)
    panel.set_xlim(left=0.0)
    panel.set_yticks(places, [cell.key for cell in scores.cells], fontsize=7)
    panel.grid(axis="x", linewidth=0.3)
    panel.set_xlabel("SHD")
    panel.legend(fontsize=7, loc="lower right")
