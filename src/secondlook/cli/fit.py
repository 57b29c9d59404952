"""`secondlook fit`: from a table to a graph, by SecondLook, AutoPC or PC."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003  (typer evaluates annotations)
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from secondlook.cli.columns import Choice, chosen_columns, table_in
from secondlook.cli.formats import WRITERS, is_stream, suffix_of
from secondlook.cli.method import Asked, Method, method_for
from secondlook.cli.outputs import refuse_targets, write_all
from secondlook.cli.progress import waiting
from secondlook.cli.rules import RULES
from secondlook.cli.talk import page, write, write_json
from secondlook.errors import OptionError
from secondlook.graphs import PDAG
from secondlook.metrics import AGREEMENTS
from secondlook.search import COLLIDER_RULES, DEFAULT_ALPHAS

if TYPE_CHECKING:
    from secondlook.selection import Selection
    from secondlook.tables import Table

EXAMPLE = "secondlook fit data.csv --drop id --out graph.json --out graph.dot"
_GRID = ",".join(map(str, DEFAULT_ALPHAS))


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the answer goes: graph files, the whole record, stdout as JSON or as text or not at all."""

    out: tuple[str, ...] = ()
    save: str | None = None
    json: bool = False
    force: bool = False
    quiet: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """All files to be written."""
        graphs = tuple(path for path in self.out if not is_stream(path))
        return graphs if self.save is None else (*graphs, self.save)

    @property
    def stream(self) -> str | None:
        """The one of the outputs that goes to stdout."""
        return next((path for path in self.out if is_stream(path)), None)


def fit(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="CSV or TSV file with a header line; - for stdin.")
    ],
    *,
    alphas: Annotated[
        str | None, typer.Option(metavar="A,B,...", help=f"Alphas to choose from.  [default: {_GRID}]")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="secondlook corrects what the second look finds, autopc chooses among PC's graphs, pc runs "
            "once.  [default: the one that the other options go with, else secondlook]",
        ),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(metavar="A", help="Run plain PC at this alpha, with nothing chosen.")
    ] = None,
    polish: Annotated[
        str | None,
        typer.Option(
            metavar="auto|yes|no",
            help="Whether secondlook ends with a search over orders; auto: up to 500 columns.  "
            "[default: auto]",
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"What chooses autopc's alpha: {', '.join(RULES)}; options follow a colon, "
            "as in stars:threshold=0.04,seed=1.  [default: double-check]",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"What the two looks should agree in: {', '.join(AGREEMENTS)}; for the double check.  "
            "[default: shd]",
        ),
    ] = None,
    early_stop: Annotated[
        bool, typer.Option("--early-stop", help="Stop at the first perfect agreement, as the paper does.")
    ] = False,
    colliders: Annotated[
        str | None,
        typer.Option(
            metavar="RULE", help=f"How edges are oriented: {', '.join(COLLIDER_RULES)}.  [default: vote]"
        ),
    ] = None,
    max_level: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Condition on at most N columns.  [default: no limit]"),
    ] = None,
    max_tests: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, help="Refuse a search that needs more tests at a level; 0 for no limit."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="Threads; -1 for all cores.")] = 1,
    columns: Annotated[
        list[str] | None, typer.Option(metavar="X,Y,...", help="Use these columns only; may be repeated.")
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="X,Y,...", help="Leave these columns out; may be repeated.")
    ] = None,
    out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Write the graph: .json, .dot, .graphml, .txt (Tetrad), .dagitty; may be repeated. "
            "- is JSON on stdout, -.dot is DOT on stdout, and so on.",
        ),
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the whole record as .json, see Selection.load.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no report and no notes.")] = False,
) -> Callable[[], int]:
    """Find the causal graph of a table.

    SecondLook runs the PC algorithm with Fisher's z test at every alpha, looks a second time at each graph
    with the parents it just found, corrects it where a guard agrees, and ends with a search over orders of
    the variables; its answer is always a valid CPDAG. With --method autopc, or an option that goes with it,
    a rule chooses among PC's graphs instead: the alpha whose two looks agree best, or --rule.
    """
    asked = Asked(method, alpha, alphas, rule, metric, early_stop, colliders, polish)
    chosen = method_for(asked, max_level, max_tests, jobs)
    goal = Destination(tuple(out or ()), save, json, force, quiet)
    _refuse_goal(goal, data, chosen)
    return partial(run, data, chosen_columns(columns or (), drop or ()), chosen, goal)


def run(data: str, choice: Choice, method: Method, goal: Destination) -> int:
    """Does what the command line asked for.

    Parameters
    ----------
    data : str
        The table's path, or "-".
    choice : Choice
        Which of its columns.
    method : Method
        What to run.
    goal : Destination
        Where the answer goes.
    """
    with waiting(f"reading {data}", quiet=goal.quiet):
        table = table_in(data, choice)
        _refuse_names(table, goal.out)
    with waiting(f"searching {len(table.names):,} columns", quiet=goal.quiet):
        graph, selection, model = _searched(table, method, "standard input" if data == "-" else data)
    deliver(graph, selection, model, goal)
    return 0


def deliver(graph: PDAG, selection: Selection | None, model: dict[str, Any], goal: Destination) -> None:
    """Writes the files and prints the report, which is printed even when a file fails at the last moment."""
    contents = [
        (path, WRITERS[suffix_of(path, "--out")](graph).encode()) for path in goal.out if not is_stream(path)
    ]
    if goal.save is not None and selection is not None:
        contents.append((goal.save, record_of(selection)))
    try:
        write_all(contents, quiet=goal.quiet)
    except OSError:
        _print(graph, model, goal)
        raise
    _print(graph, model, goal)


def record_of(selection: Selection) -> bytes:
    """The whole record as JSON, as `Selection.save` writes it."""
    from json import dumps

    from secondlook.selection.saving import to_dict

    return dumps(to_dict(selection), ensure_ascii=False).encode()


def _print(graph: PDAG, model: dict[str, Any], goal: Destination) -> None:
    from secondlook.report.text import say_report

    if goal.stream is not None:
        write(WRITERS[suffix_of(goal.stream, "--out")](graph))
    elif goal.json:
        write_json(model)
    elif not goal.quiet:
        report = page()
        say_report(report, model)
        write(report.text)


def _searched(table: Table, method: Method, label: str) -> tuple[PDAG, Selection | None, dict[str, Any]]:
    from secondlook.report import Run, pc_model, selection_model
    from secondlook.search import pc
    from secondlook.selection import autopc, secondlook

    options, rows = method.options, len(table.values)
    if method.alpha is not None:
        result = pc(
            table,
            alpha=method.alpha,
            colliders=options.colliders,
            max_level=options.max_level,
            max_tests=options.max_tests,
            n_jobs=options.n_jobs,
        )
        return result.graph, None, pc_model(result, Run(label, rows, options))
    if method.name == "secondlook":
        selection = secondlook(table, alphas=method.alphas, polish=method.polish, options=options)
    else:
        # the table and not a test made from it, because some rules draw rows
        selection = autopc(
            table, alphas=method.alphas, rule=method.rule, early_stop=method.early_stop, options=options
        )
    model = selection_model(selection, Run(label, rows, options, method.alphas))
    return selection.graph, selection, model


def _refuse_goal(goal: Destination, data: str, method: Method) -> None:
    for path in goal.out:
        suffix_of(path, "--out")
    if sum(map(is_stream, goal.out)) + goal.json > 1:
        raise OptionError("Only one thing can go to stdout; give --json or one '--out -', not both.")
    if goal.save is not None and (is_stream(goal.save) or not goal.save.lower().endswith(".json")):
        raise OptionError(f"The --save file must end in .json. Got {goal.save!r}.")
    if goal.save is not None and method.alpha is not None:
        raise OptionError(
            f"Plain PC makes no choice to save; use --alphas {method.alpha} instead, or --json."
        )
    refuse_targets(goal.files, force=goal.force, inputs=() if data == "-" else (data,))


def _refuse_names(table: Table, out: tuple[str, ...]) -> None:
    """Refuses names that a format cannot hold while the search has not begun."""
    for path in out:
        WRITERS[suffix_of(path, "--out")](PDAG(table.names))
