"""The text that the command line prints about a search: what was kept, why, and what could not be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from secondlook.report.answer_text import correction_columns, say_guard, say_polish, say_settled
from secondlook.report.cells import column_of, window
from secondlook.report.page import number, page_for
from secondlook.report.verdict import say_conflicts, say_limits, say_validity
from secondlook.selection import DoubleCheck

if TYPE_CHECKING:
    from secondlook.report.page import Page

EDGES_SHOWN = 40
"""A terminal shows so many edges; streams and files get all."""
_MARKS_SHOWN = 24
DOUBLE_CHECK, SECOND_LOOK = DoubleCheck.name, "second look"
_METHODS = {"secondlook": "SecondLook", "autopc": "AutoPC", "pc": "PC"}
_STEPS = {"second": "for the second look", "repair": "for the repair"}
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
    if model["method"] != "pc":
        page.blank()
        _say_choice(page, model)
        page.blank()
        _alpha_table(page, model)
    if model["method"] == "secondlook":
        say_guard(page, model)
        say_polish(page, model)
    page.blank()
    _say_graph(page, model)
    page.blank()
    say_validity(page, model)
    say_settled(page, model)
    if not _polished(model):  # which asks the score about directions, and not the colliders
        say_conflicts(page, model)
    say_limits(page, model)
    _say_cost(page, model)


def _say_data(page: Page, model: dict[str, Any]) -> None:
    data, options = model["data"], model["options"]
    source, columns = page.name(data["source"], whole=True), number(data["columns"], "column")
    page.say(f"{source}: {number(data['rows'], 'row')} x {columns}", "bold")
    method = _METHODS[model["method"]]
    page.say(f"{method}, {data['test']} test, collider rule {options['colliders']!r}")


def _say_choice(page: Page, model: dict[str, Any]) -> None:
    choice, tried, asked = model["choice"], len(model["alphas"]), len(model["options"]["alphas"])
    page.say(f"alpha {choice['alpha']} kept: {_reason(page, model)}", "bold green")
    if tried < asked:
        page.say(f"Stopped early, at the first perfect agreement: {tried} of {asked} alphas tried.", "yellow")


def _reason(page: Page, model: dict[str, Any]) -> str:
    choice, tried = model["choice"], len(model["alphas"])
    ties = [alpha for alpha in choice["ties"] if alpha != choice["alpha"]]
    if tried == 1 and len(model["options"]["alphas"]) == 1:
        return "the only one asked for"
    if model["method"] == "secondlook" and choice["metric"] == "ebic":
        return "of the alphas whose looks agree nearly best, its graph has the lowest extended BIC"
    if choice["rule"] not in (DOUBLE_CHECK, SECOND_LOOK):
        equal = f"; it could not tell {page.listed([str(alpha) for alpha in ties])} from it" if ties else ""
        return f"the rule {choice['rule']} says so{equal}"
    if len(ties) + 1 == tried > 1:
        return f"all {tried} agree equally well with their second look, and the smallest is kept"
    if ties:
        tied = page.listed([str(alpha) for alpha in ties])
        return f"its two looks agree best, as do those of {tied}; of equals the smallest is kept"
    return "its two looks agree best"


def _alpha_table(page: Page, model: dict[str, Any]) -> None:
    rows = model["alphas"]
    header, columns = _alpha_columns(model)
    shown = window(rows, page)
    table = [
        [
            ">" if row["chosen"] else "",
            str(row["alpha"]),
            f"{row['edges']:,}",
            *(column[k] for column in columns),
            "kept" if row["chosen"] else "tied" if row["tied"] else "",
        ]
        for k, row in ((k, rows[k]) for k in shown)
    ]
    chosen = next(at for at, k in enumerate(shown) if rows[k]["chosen"])
    page.table(["", "alpha", "edges", *header, ""], table, right=range(2, len(header) + 3), marked=chosen)
    if len(shown) < len(rows):
        page.say(f"and {number(len(rows) - len(shown), 'more alpha')} (use --json)", "dim", indent=2)


def _alpha_columns(model: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """What the rule says about each alpha: headers, and one column of cells for each."""
    rows, metric = model["alphas"], model["choice"]["metric"]
    if model["method"] == "secondlook":
        return correction_columns(rows)
    header, columns = [], []
    if rows[0]["edges_again"] is not None:
        header.append("second look")
        columns.append([f"{row['edges_again']:,}" for row in rows])
    if metric in _MISTAKES and rows[0]["mistakes"] is not None:
        header.append(_MISTAKES[metric])
        columns.append([f"{row['mistakes']:,}" for row in rows])
    by_agreement = model["choice"]["rule"] == DOUBLE_CHECK
    header.append(f"agreement ({metric})" if by_agreement else metric)
    columns.append(column_of([row["score"] for row in rows]))
    for name in rows[0]["details"]:
        header.append(name.replace("_", " "))
        columns.append(column_of([row["details"][name] for row in rows]))
    return header, columns


def _say_graph(page: Page, model: dict[str, Any]) -> None:
    edges, data = model["edges"], model["data"]
    arrows = sum(edge["kind"] == "arrow" for edge in edges)
    which = "Graph after the polish" if _polished(model) else f"Graph at alpha {model['choice']['alpha']}"
    page.say(
        f"{which}: {number(len(edges), 'edge')} among "
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
        where = "in the first look only" if model["method"] == "secondlook" else "at other alphas only"
        page.say(f"Adjacent {where}: {pairs}.")


def _polished(model: dict[str, Any]) -> bool:
    return model["polish"] is not None and not model["polish"]["skipped"]


def _edge_table(page: Page, model: dict[str, Any]) -> None:
    edges, alphas = model["edges"], [row["alpha"] for row in model["alphas"]]
    shown = edges[:EDGES_SHOWN] if page.terminal else edges
    compared, marked = len(alphas) > 1, 1 < len(alphas) <= _MARKS_SHOWN
    where = "first look, at alpha" if model["method"] == "secondlook" else "adjacent at alpha"
    header = ["edge", *([where] if compared else []), *(["by alpha"] if marked else [])]
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
    if not at:
        return "none"
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
    parts = [f"{tests[key]:,} {name}" for key, name in _STEPS.items() if tests[key]]
    again = f" ({' and '.join(parts)})".replace(" for", " of them for", 1) if parts else ""
    page.say(f"{number(tests['total'], 'test')}{again} in {seconds:.3g} s.", "dim")
