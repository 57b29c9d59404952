"""The tables of the studies on synthetic data, in the paper's layout."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from secondlook.studies.statistics import mean_of, paired, z_against
from secondlook.studies.study import ReportTable
from secondlook.studies.synthetic.methods import AUTOPC, MEAN, METHODS, METRICS, REFERENCE
from secondlook.studies.synthetic.printed import DRAWS, printed, printed_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from secondlook.studies.statistics import Mean, Paired
    from secondlook.studies.synthetic.draws import Cell
    from secondlook.studies.synthetic.scores import Scores

BONFERRONI = 0.05 / 4
"""The paper's threshold for paired t-tests."""
_TITLES = {"shd": "SHD (differing marks)", "f1": "F1", "mcc": "MCC"}
_LETTERS = dict(zip(METRICS, "abc", strict=True))
_Z_NOTE = (
    "The paper's figure, and in brackets z of ours against it. The paper prints no standard errors, but its "
    f"{DRAWS} draws have the variance s² of our m, so z = difference / sqrt(s²/m + s²/{DRAWS})."
)


def score_tables(scores: Scores, methods: tuple[str, ...]) -> list[ReportTable]:
    """Tables 1 (a) to (c), each with the paper's figures in a table beside it."""
    tables = []
    for metric in METRICS:
        means = {(cell, m): mean_of(scores.values(cell, m, metric)) for cell in scores.cells for m in methods}
        tables.append(_means_table(scores, methods, metric, means))
        in_paper = tuple(m for m in methods if any(printed(metric, m, cell) for cell in scores.cells))
        if in_paper:
            tables.append(_paper_table(scores, in_paper, metric, means))
    return tables


def time_table(scores: Scores, methods: tuple[str, ...]) -> ReportTable:
    """Table 1 (d): time beyond PC at every alpha, and as a factor of it, beside the paper's seconds."""
    timed = tuple(m for m in methods if m != MEAN)
    rows = []
    for cell in scores.cells:
        reference = scores.seconds(cell, REFERENCE)
        cells = [f"{1e3 * reference:.2f} ms"]
        for method in timed:
            spent, theirs = scores.seconds(cell, method), printed_seconds(method, cell)
            factor = f"{1e3 * spent:.2f} ms = {spent / reference:.2f}x"
            cells.append("-" if isnan(spent) else factor + ("" if theirs is None else f" ({theirs:.3f} s)"))
        rows.append((*_size(cell), *cells))
    return ReportTable(
        "1 (d) Time on top of PC at every alpha",
        ("n", "d", "PC, all alphas", *(METHODS[m].label for m in timed)),
        rows,
        "Medians over the draws, one core, from the finished correlation matrix; the factor is that of the "
        "PC runs in the third column; in brackets the paper's seconds. AutoPC adds its second look and its "
        "scores. Its negative times in the paper come from stopping at the first perfect score; here all "
        "alphas share one pass, so stopping would save nothing.",
    )


def test_tables(scores: Scores, methods: tuple[str, ...]) -> list[ReportTable]:
    """AutoPC against every other method: paired t-tests."""
    others = tuple(m for m in methods if m != AUTOPC)
    if AUTOPC not in methods or not others:
        return []
    return [
        ReportTable(
            f"AutoPC minus the others: {_TITLES[metric]}",
            ("n", "d", *(METHODS[m].label for m in others)),
            [
                (*_size(cell), *(_tested(compared(scores, cell, metric, m)) for m in others))
                for cell in scores.cells
            ],
            f"Mean differences with two-sided p of paired t-tests; * is p < {BONFERRONI} as in the paper. "
            f"{'Below' if metric == 'shd' else 'Above'} 0 AutoPC is better.",
        )
        for metric in METRICS
    ]


def compared(scores: Scores, cell: Cell, metric: str, other: str) -> Paired:
    """The paired t-test of AutoPC minus another method in one cell."""
    return paired(scores.values(cell, AUTOPC, metric), scores.values(cell, other, metric))


def _means_table(
    scores: Scores, methods: tuple[str, ...], metric: str, means: dict[tuple[Cell, str], Mean]
) -> ReportTable:
    rows = []
    for cell in scores.cells:
        values = [means[cell, m].value for m in methods]
        known = [value for value in values if not isnan(value)]
        best = (min if metric == "shd" else max)(known, default=None)
        texts = [f"{means[cell, m].value:.3f} ± {means[cell, m].error:.3f}" for m in methods]
        texts = [f"**{t}**" if value == best else t for t, value in zip(texts, values, strict=True)]
        rows.append((*_size(cell), *texts))
    return ReportTable(
        f"1 ({_LETTERS[metric]}) {_TITLES[metric]}",
        ("n", "d", *(METHODS[m].label for m in methods)),
        rows,
        f"Means ± standard errors over {_counted(scores, methods)} draws; the best of each row is bold.",
    )


def _paper_table(
    scores: Scores, methods: tuple[str, ...], metric: str, means: dict[tuple[Cell, str], Mean]
) -> ReportTable:
    rows = []
    for cell in scores.cells:
        texts = []
        for method in methods:
            theirs = printed(metric, method, cell)
            z = None if theirs is None else z_against(means[cell, method], theirs, DRAWS)
            texts.append("-" if z is None else f"{theirs:.3f} ({z:+.1f})")
        rows.append((*_size(cell), *texts))
    header = ("n", "d", *(METHODS[m].label for m in methods))
    return ReportTable(f"1 ({_LETTERS[metric]}) in the paper", header, rows, _Z_NOTE)


def _counted(scores: Scores, methods: Iterable[str]) -> str:
    counts = {len(scores.values(cell, m, "shd")) for cell in scores.cells for m in methods}
    return " to ".join(f"{count:,}" for count in sorted({min(counts), max(counts)}))


def _size(cell: Cell) -> tuple[str, str]:
    return f"{cell.n:,}", str(cell.d)


def _tested(found: Paired) -> str:
    star = " *" if found.p < BONFERRONI else ""
    return f"{found.difference:+.3f} (p {found.p:.1g}){star}"
