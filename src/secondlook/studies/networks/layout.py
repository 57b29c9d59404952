"""What the study of networks shows."""

from __future__ import annotations

from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

from secondlook.studies.networks.budget import MAX_LEVEL, MAX_TESTS, MOST_CATEGORIES
from secondlook.studies.networks.methods import NETWORK_METHODS
from secondlook.studies.networks.scores import DISTANCES, SCORED, Scores
from secondlook.studies.statistics import mean_of
from secondlook.studies.study import Plot, Report, ReportTable
from secondlook.studies.synthetic.methods import MEAN

if TYPE_CHECKING:
    from secondlook.studies.networks.scores import Place
    from secondlook.studies.study import Results

_KINDS = ("gaussian", "discrete")
_MISSING = {"refused": "refused", "not applicable": "n/a", "failed": "failed", "ok": "-"}


def report_of(results: Results, methods: tuple[str, ...]) -> Report:
    """Verdict, a table per kind of network and metric, what is missing and why, and a plot of the ranks.

    Parameters
    ----------
    results : Results
        Of the study of networks.
    methods : tuple of str
        Keys of the methods that were compared.
    """
    scores = Scores(results)
    kinds = [kind for kind in _KINDS if any(place.kind == kind for place in scores.places)]
    verdict = [_ranks_said(scores, methods, kind) for kind in kinds]
    verdict.append(_missing_said(scores))
    tables = [_rank_table(scores, methods, kind) for kind in kinds]
    tables += [_metric_table(scores, methods, kind, metric) for kind in kinds for metric in SCORED]
    if scores.refusals:
        tables.append(_missing_table(scores))
    plots = [
        Plot(
            f"networks-{kind}",
            f"SHD relative to Mean on the {kind} networks; below 1 is better than an alpha picked blindly.",
            partial(_draw, scores, methods, kind),
            (9.0, 4.5),
        )
        for kind in kinds
    ]
    return Report(verdict, tables, plots)


def _places(scores: Scores, kind: str) -> list[Place]:
    return [place for place in scores.places if place.kind == kind]


def ranks(scores: Scores, methods: tuple[str, ...], kind: str, metric: str) -> tuple[dict[str, float], int]:
    """The mean rank of each method over the places where all answered, and how many places these are.

    Equal means share the mean of their ranks; a method that answered nowhere has the rank NaN.

    Parameters
    ----------
    scores : Scores
        The values.
    methods : tuple of str
        Who is ranked.
    kind : str
        On which kind of network.
    metric : str
        By what.
    """
    places = _places(scores, kind)
    able = [m for m in methods if any(not isnan(scores.mean(p, m, metric).value) for p in places)]
    found: dict[str, list[float]] = {m: [] for m in methods}
    counted = 0
    for place in places:
        values = {m: scores.mean(place, m, metric).value for m in able}
        if any(isnan(value) for value in values.values()):
            continue
        counted += 1
        sign = 1.0 if metric in DISTANCES else -1.0
        for m in able:
            better = sum(sign * value < sign * values[m] for value in values.values())
            equal = sum(value == values[m] for value in values.values())
            found[m].append(better + (equal + 1) / 2)
    return {m: mean_of(own).value for m, own in found.items()}, counted


def _rank_table(scores: Scores, methods: tuple[str, ...], kind: str) -> ReportTable:
    rows = []
    for metric in SCORED:
        found, places = ranks(scores, methods, kind, metric)
        best = min((rank for rank in found.values() if not isnan(rank)), default=None)
        cells = ("n/a" if isnan(r) else f"**{r:.2f}**" if r == best else f"{r:.2f}" for r in found.values())
        rows.append((metric, *cells, str(places)))
    return ReportTable(
        f"Mean ranks, {kind} networks",
        ("metric", *(NETWORK_METHODS[m].label for m in methods), "places"),
        rows,
        "1 is best; over the places (a network, a number of rows) at which every method that is made for "
        "such data has a value. Distances of adjustment need graphs that stand for an equivalence class, "
        "which few places have for all methods.",
    )


def _metric_table(scores: Scores, methods: tuple[str, ...], kind: str, metric: str) -> ReportTable:
    rows = []
    for place in _places(scores, kind):
        means = {m: scores.mean(place, m, metric) for m in methods}
        known = [mean.value for mean in means.values() if not isnan(mean.value)]
        best = (min if metric in DISTANCES else max)(known, default=None)
        cells = []
        for method, mean in means.items():
            digits = 2 if metric in ("shd", "pair_shd") else 3
            text = f"{mean.value:.{digits}f} ± {mean.error:.{digits}f}"
            if isnan(mean.value):
                text = _MISSING[scores.status(place, method)]
            cells.append(f"**{text}**" if mean.value == best else text)
        rows.append((place.network, str(place.d), f"{place.n:,}", *cells))
    return ReportTable(
        f"{metric}, {kind} networks",
        ("network", "d", "n", *(NETWORK_METHODS[m].label for m in methods)),
        rows,
        f"Means ± standard errors over samples, against the CPDAG of the network; "
        f"{'less' if metric in DISTANCES else 'more'} is better, the best of each row is bold."
        + (_AID_NOTE if metric.endswith("_aid") else ""),
    )


_AID_NOTE = (
    " Only samples whose graph stands for an equivalence class have this distance; others are left out."
)


def _missing_table(scores: Scores) -> ReportTable:
    rows: dict[tuple[str, str, str, str], list[str]] = {}
    counts: dict[tuple[str, str, str, str], int] = {}
    for refusal, count in scores.refusals.items():
        what = (
            refusal.message.partition(": ")[2] if refusal.status != "refused" else "more work than the budget"
        )
        key = refusal.place.kind, NETWORK_METHODS[refusal.method].label, refusal.status, what
        where = f"{refusal.place.network} {refusal.place.n:,}"
        if where not in rows.setdefault(key, []):
            rows[key].append(where)
        counts[key] = counts.get(key, 0) + count
    return ReportTable(
        "What has no answer",
        ("kind", "method", "status", "why", "rows", "where"),
        [
            (*key[:3], key[3], str(counts[key]), _everywhere(scores, key[0], where))
            for key, where in rows.items()
        ],
        "Every missing answer is a row of results.csv with its status and message. Categories have a budget: "
        f"sets of at most {MAX_LEVEL} variables; what has a variable of more than {MOST_CATEGORIES} "
        f"categories, or a level or vote that could take more than {MAX_TESTS:,} tests, is refused.",
    )


def _everywhere(scores: Scores, kind: str, where: list[str]) -> str:
    return "everywhere" if len(where) == len(_places(scores, kind)) else ", ".join(where)


def _ranks_said(scores: Scores, methods: tuple[str, ...], kind: str) -> str:
    found = {m: r for m, r in ranks(scores, methods, kind, "shd")[0].items() if not isnan(r)}
    order = sorted(found, key=lambda m: found[m])
    said = ", ".join(f"{NETWORK_METHODS[m].label} {found[m]:.2f}" for m in order)
    return f"Mean rank by SHD on the {kind} networks, 1 being best: {said or 'nothing to rank'}."


def _missing_said(scores: Scores) -> str:
    counts: dict[str, int] = {}
    for refusal, count in scores.refusals.items():
        counts[refusal.status] = counts.get(refusal.status, 0) + count
    parts = ", ".join(f"{count:,} {status}" for status, count in sorted(counts.items()))
    return f"Rows without an answer: {parts or 'none'}."


def _draw(scores: Scores, methods: tuple[str, ...], kind: str, figure: Any) -> None:
    panel = figure.subplots()
    places = _places(scores, kind)
    marks = "osv^D*PX<>"
    for k, method in enumerate(m for m in methods if m != MEAN):
        ratios = [scores.mean(p, method, "shd").value / (_mean_shd(scores, p) or 1.0) for p in places]
        panel.plot(range(len(places)), ratios, marks[k % len(marks)], label=NETWORK_METHODS[method].label)
    panel.axhline(1.0, color="black", linewidth=0.8)
    panel.set_xticks(range(len(places)), [f"{p.network} {p.n:,}" for p in places], rotation=90, fontsize=6)
    panel.set_ylabel("SHD / SHD of Mean")
    panel.legend(fontsize=7, ncols=2)


def _mean_shd(scores: Scores, place: Place) -> float:
    return scores.mean(place, MEAN, "shd").value
