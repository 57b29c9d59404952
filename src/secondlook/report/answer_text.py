"""In words: what the second look disputed and corrected, what the polish found, which edges were settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from secondlook.report.cells import column_of
from secondlook.report.page import number

if TYPE_CHECKING:
    from secondlook.report.page import Page

_PAIRS_SHOWN = 4
_SETTLED_SHOWN = 10


def correction_columns(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Headers, and one column of cells for each: disputes, repairs, what was kept and its score."""
    found = [row["correction"] for row in rows]
    header = ["disputed marks", "joined", "parted", "graph kept"]
    columns = [
        [f"{correction['disputed_marks']:,}" for correction in found],
        [f"{len(correction['joined']):,}" for correction in found],
        [f"{len(correction['parted']):,}" for correction in found],
        [correction["kept"] for correction in found],
    ]
    if found[0]["ebic"] is not None:
        header.append("ebic")
        columns.append(column_of([correction["kept_ebic"] for correction in found]))
    return header, columns


def say_guard(page: Page, model: dict[str, Any]) -> None:
    """Says what the repair did at the kept alpha, and what the guard made of it."""
    correction = next(row["correction"] for row in model["alphas"] if row["chosen"])
    said = [f"{deed} {_pairs(page, correction[deed])}" for deed in ("joined", "parted") if correction[deed]]
    did = f"The repair {' and '.join(said)}. " if said else ""
    page.say(f"At alpha {model['choice']['alpha']}: {did}{correction['why']}")


def _pairs(page: Page, pairs: list[list[str]]) -> str:
    return page.listed([f"{page.name(a)} - {page.name(b)}" for a, b in pairs], _PAIRS_SHOWN)


def say_polish(page: Page, model: dict[str, Any]) -> None:
    """Says where the search over orders began, and what it gained."""
    found = model["polish"]
    if found is None:
        return
    if found["skipped"]:
        page.say(f"No polish: {found['skipped'].replace('polish=True', '--polish yes')}.", "yellow")
        return
    starts = number(len(found["starts"]), "kept graph")
    before, after = column_of([found["before"], found["after"]])
    gained = f"took the score from {before} to {after}" if before != after else f"left the score at {after}"
    page.say(f"Polish: a search over orders of the variables, from {starts}, {gained} (small is good).")


def say_settled(page: Page, model: dict[str, Any]) -> None:
    """Lists the edges whose raw marks no DAG can have together, and what they became."""
    settled = model["settled"]
    if not settled:
        return
    page.say(
        f"{number(len(settled), 'edge was', 'edges were')} settled, so that a DAG fits the graph:", "yellow"
    )
    shown = settled[:_SETTLED_SHOWN] if page.terminal else settled
    rows = [
        [
            f"{page.name(edge['from'])} - {page.name(edge['to'])}",
            edge["raw"],
            edge["answer"] or "none",
            f"{edge['support_forward']:.2f}",
            f"{edge['support_backward']:.2f}",
        ]
        for edge in shown
    ]
    page.table(["between", "raw", "answer", "support for ->", "for <-"], rows, right=(3, 4))
    if len(shown) < len(settled):
        page.say(f"and {len(settled) - len(shown):,} more (use --json)", "dim", indent=2)
