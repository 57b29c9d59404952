"""The text that the command line prints about a search: what was kept, why, and what could not be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from secondlook.report.page import number, page_for
from secondlook.report.verdict import say_conflicts, say_limits, say_validity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from secondlook.report.page import Page

EDGES_SHOWN = 40
"""A terminal shows so many edges; streams and files get all."""
ALPHAS_SHOWN = 24
"""A terminal shows so many rows of the alpha table, those around the one that was kept."""
_MARKS_SHOWN = 24
_MISTAKES = {
    "shd": "differing marks",
    "pair_shd": "differing pairs",
    "parent_aid": "wrong effects",
    "ancestor_aid": "wrong effects",
    "oset_aid": "wrong effects",
}


def report_text(model: dict[str, Any], *, terminal: bool = False, width: int = 80) -> str:
    """The whole report as text.

    Parameters
    ----------
    model : dict
        From `selection_model` or `pc_model`.
    terminal : bool
        Whether to write for a terminal: colours, wrapped lines, long lists cut with a count of the rest.
    width : int
        The terminal's width in cells.

    Returns
    -------
    str
        Ends with a line break.
    """
    page = page_for(terminal=terminal, width=width)
    say_report(page, model)
    return page.text


def say_report(page: Page, model: dict[str, Any]) -> None:
    """Writes the whole report on a page."""
    _say_data(page, model)
    if model["method"] == "autopc":
        page.blank()
        _say_choice(page, model)
        page.blank()
        _alpha_table(page, model)
    page.blank()
    _say_graph(page, model)
    page.blank()
    say_validity(page, model)
    say_conflicts(page, model)
    say_limits(page, model)
    _say_cost(page, model)


def _say_data(page: Page, model: dict[str, Any]) -> None:
    data, options = model["data"], model["options"]
    source, columns = page.name(data["source"], whole=True), number(data["columns"], "column")
    page.say(f"{source}: {number(data['rows'], 'row')} x {columns}", "bold")
    page.say(f"{data['test']} test, collider rule {options['colliders']!r}")


def _say_choice(page: Page, model: dict[str, Any]) -> None:
    choice, tried, asked = model["choice"], len(model["alphas"]), len(model["options"]["alphas"])
    ties = [alpha for alpha in choice["ties"] if alpha != choice["alpha"]]
    if tried == 1 and asked == 1:
        why = "the only one asked for"
    elif len(ties) + 1 == tried > 1:
        why = f"all {tried} agree equally well with their second look, and the smallest is kept"
    elif ties:
        tied = page.listed([str(alpha) for alpha in ties])
        why = f"its two looks agree best, as do those of {tied}; of equals the smallest is kept"
    else:
        why = "its two looks agree best"
    page.say(f"alpha {choice['alpha']} kept: {why}", "bold green")
    if tried < asked:
        page.say(f"Stopped early, at the first perfect agreement: {tried} of {asked} alphas tried.", "yellow")


def _alpha_table(page: Page, model: dict[str, Any]) -> None:
    rows, metric = model["alphas"], model["choice"]["metric"]
    counted = metric in _MISTAKES and rows[0]["mistakes"] is not None
    digits = _digits([row["agreement"] for row in rows])
    header = ["", "alpha", "edges", "second look", *([_MISTAKES[metric]] if counted else [])]
    header += [f"agreement ({metric})", ""]
    shown = _window(rows, page)
    table = [
        [
            ">" if row["chosen"] else "",
            str(row["alpha"]),
            f"{row['edges']:,}",
            f"{row['edges_again']:,}",
            *([f"{row['mistakes']:,}"] if counted else []),
            f"{row['agreement']:.{digits}f}",
            "kept" if row["chosen"] else "tied" if row["tied"] else "",
        ]
        for row in shown
    ]
    chosen = next(k for k, row in enumerate(shown) if row["chosen"])
    page.table(header, table, right=range(2, len(header) - 1), marked=chosen)
    if len(shown) < len(rows):
        page.say(f"and {number(len(rows) - len(shown), 'more alpha')} (use --json)", "dim", indent=2)


def _window(rows: list[dict[str, Any]], page: Page) -> list[dict[str, Any]]:
    if not page.terminal or len(rows) <= ALPHAS_SHOWN:
        return rows
    chosen = next(k for k, row in enumerate(rows) if row["chosen"])
    start = min(max(0, chosen - ALPHAS_SHOWN // 2), len(rows) - ALPHAS_SHOWN)
    return rows[start : start + ALPHAS_SHOWN]


def _digits(values: Sequence[float]) -> int:
    """Four decimals, or as many as it takes to tell unequal values apart."""
    different = len(set(values))
    return next((k for k in range(4, 13) if len({f"{value:.{k}f}" for value in values}) == different), 13)


def _say_graph(page: Page, model: dict[str, Any]) -> None:
    edges, data = model["edges"], model["data"]
    arrows = sum(edge["kind"] == "arrow" for edge in edges)
    page.say(
        f"Graph at alpha {model['choice']['alpha']}: {number(len(edges), 'edge')} among "
        f"{number(data['columns'], 'variable')}"
        + (f" ({number(arrows, 'arrow')}, {number(len(edges) - arrows, 'line')})" if edges else ""),
        "bold",
    )
    if edges:
        _edge_table(page, model)
    joined = {edge[end] for edge in edges for end in ("from", "to")}
    alone = [name for name in data["names"] if name not in joined]
    if alone and edges:
        page.say(f"Without an edge: {page.listed([page.name(name) for name in alone])}.")
    if model["other_edges"]:
        others = model["other_edges"]
        pairs = page.listed([f"{page.name(edge['from'])} - {page.name(edge['to'])}" for edge in others], 4)
        page.say(f"Adjacent at other alphas only: {pairs}.")


def _edge_table(page: Page, model: dict[str, Any]) -> None:
    edges, alphas = model["edges"], [row["alpha"] for row in model["alphas"]]
    shown = edges[:EDGES_SHOWN] if page.terminal else edges
    compared, marked = len(alphas) > 1, 1 < len(alphas) <= _MARKS_SHOWN
    header = ["edge", *(["adjacent at alpha"] if compared else []), *(["by alpha"] if marked else [])]
    rows = []
    for edge in shown:
        joint = "->" if edge["kind"] == "arrow" else "--"
        row = [f"{page.name(edge['from'])} {joint} {page.name(edge['to'])}"]
        if compared:
            row.append(_where(edge, alphas))
        if marked:
            row.append("".join(_mark(edge, alpha) for alpha in alphas))
        rows.append(row)
    page.table(header, rows)
    if len(shown) < len(edges):
        page.say(f"and {len(edges) - len(shown):,} more (use --out or --json)", "dim", indent=2)
    if marked:
        page.say(
            "By alpha, smallest first: > as shown, < reversed, - undirected, . not adjacent.",
            "dim",
            indent=2,
        )


def _mark(edge: dict[str, Any], alpha: float) -> str:
    for mark, way in ((">", "forward"), ("<", "backward"), ("-", "line")):
        if alpha in edge[way]:
            return mark
    return "."


def _where(edge: dict[str, Any], alphas: list[float]) -> str:
    """At which alphas an edge stands, runs of neighbouring alphas as ranges."""
    at = {*edge["forward"], *edge["backward"], *edge["line"]}
    if len(at) == len(alphas):
        return "all"
    runs: list[list[float]] = []
    previous = False
    for alpha in alphas:
        present = alpha in at
        if present and previous:
            runs[-1][1:] = [alpha]
        elif present:
            runs.append([alpha])
        previous = present
    if len(runs) > 3:
        return f"{len(at)} of {len(alphas)}"
    return ", ".join(" to ".join(map(str, run)) for run in runs)


def _say_cost(page: Page, model: dict[str, Any]) -> None:
    tests, seconds = model["tests"], sum(model["seconds"].values())
    again = f" ({tests['second']:,} of them for the second look)" if tests["second"] else ""
    page.say(f"{number(tests['total'], 'test')}{again} in {seconds:.3g} s.", "dim")
