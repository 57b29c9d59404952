"""`secondlook demo`: the bundled data set from end to end."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003  (typer evaluates annotations)
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from secondlook.cli.fit import record_of
from secondlook.cli.outputs import refuse_targets, write_all
from secondlook.cli.talk import page, write, write_json
from secondlook.errors import DataError

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.metrics import Comparison
    from secondlook.selection import Selection

EXAMPLE = "secondlook demo --out sachs"
_FILES = ("graph.json", "graph.dot", "selection.json")
_CAUTION = (
    "The consensus is no certainty: it is a DAG put together from the literature, and it is disputed. PC can "
    "find its CPDAG at best, and only if all cells were alike and undisturbed; these come from several "
    "interventions. So expect few of its edges: here {shared} of its {true} pairs are joined."
)
_TRUTH, _GUESS = "the consensus graph", "SecondLook's graph"


def load_sachs_truth() -> PDAG:
    """The consensus graph of 20 edges that goes with the bundled Sachs data: a DAG, and a disputed one."""
    from secondlook.graphs import from_json
    from secondlook.tables import bundled

    return from_json(bundled("sachs_truth.json").read_text(encoding="utf-8"))


def demo(
    *,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help=f"Write {', '.join(_FILES)} into this folder.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> Callable[[], int]:
    """Run SecondLook on a real data set that comes with secondlook.

    Protein signalling in human immune cells (Sachs et al. 2005), compared with the graph that biologists
    agreed on. Writes nothing unless --out says where, and opens nothing.
    """
    if out is not None:
        _refuse_folder(out, force=force)
    return partial(run, out, json=json)


def run(out: str | None, *, json: bool) -> int:
    """Runs SecondLook on the bundled data, prints what it found and compares.

    Parameters
    ----------
    out : str or None
        The folder to write to.
    json : bool
        Whether to print JSON.
    """
    from secondlook.cli.comparison import comparison_model
    from secondlook.metrics import compare
    from secondlook.report import Run, selection_model
    from secondlook.selection import secondlook
    from secondlook.tables import load_sachs

    table = load_sachs()
    selection = secondlook(table)
    model = selection_model(selection, Run("Sachs protein signalling", len(table.values)))
    found = compare(load_sachs_truth(), selection.graph)
    if out is not None:
        _write_folder(out, selection)
    if json:
        write_json({**model, "comparison": comparison_model(found)})
    else:
        _print(model, found)
    return 0


def _print(model: dict[str, Any], found: Comparison) -> None:
    from secondlook.cli.comparison import say_comparison
    from secondlook.report.text import say_report

    report = page()
    say_report(report, model)
    report.blank()
    say_comparison(report, found, _TRUTH, _GUESS)
    shared = round(found.skeleton_recall * found.truth_edges)
    report.say(_CAUTION.format(shared=shared, true=found.truth_edges))
    report.blank()
    report.say("Your own data: secondlook fit data.csv", "bold")
    write(report.text)


def _refuse_folder(out: str, *, force: bool) -> None:
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise DataError(f"{out!r} is a file; --out of demo names a folder.")
    if folder.is_dir():
        refuse_targets([str(folder / name) for name in _FILES], force=force)
    elif not folder.absolute().parent.is_dir():
        raise DataError(
            f"There is no folder {str(folder.parent)!r} to make {folder.name!r} in; create it first."
        )


def _write_folder(out: str, selection: Selection) -> None:
    from secondlook.cli.formats import WRITERS

    folder = Path(out)
    folder.mkdir(exist_ok=True)
    graph = selection.graph
    texts = [WRITERS[".json"](graph).encode(), WRITERS[".dot"](graph).encode(), record_of(selection)]
    write_all([(str(folder / name), text) for name, text in zip(_FILES, texts, strict=True)])
