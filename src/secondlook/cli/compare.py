"""`secondlook compare`: every metric of a guessed graph against the true one."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003  (typer evaluates annotations)
from functools import partial
from typing import Annotated

import typer

from secondlook.cli.formats import graph_in, is_stream, suffix_of
from secondlook.cli.progress import waiting
from secondlook.cli.talk import page, write, write_json
from secondlook.errors import OptionError

EXAMPLE = "secondlook compare truth.json guess.dot --json"


def compare(
    truth: Annotated[
        str,
        typer.Argument(metavar="TRUTH", help="Graph file: .json, .dot, .graphml, .txt (Tetrad), .dagitty."),
    ],
    guess: Annotated[
        str,
        typer.Argument(metavar="GUESS", help="Graph file; either one may be -, JSON on stdin."),
    ],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    adjustment: Annotated[
        bool, typer.Option(help="The adjustment distances; slow from about 3,000 nodes.")
    ] = True,
) -> Callable[[], int]:
    """Measure how far a guessed graph is from the true one.

    A search can at best find the CPDAG of the true DAG: compare with that, which simulate --cpdag writes.
    """
    if is_stream(truth) and is_stream(guess):
        raise OptionError("Only one of TRUTH and GUESS can come from stdin; name a file for the other one.")
    for role, path in (("TRUTH", truth), ("GUESS", guess)):
        suffix_of(path, role)
    return partial(run, truth, guess, json=json, adjustment=adjustment)


def run(truth: str, guess: str, *, json: bool, adjustment: bool) -> int:
    """Reads both graphs and prints every metric.

    Parameters
    ----------
    truth, guess : str
        Paths, or a stream.
    json : bool
        Whether to print JSON.
    adjustment : bool
        Whether to compute the adjustment distances.
    """
    from secondlook.cli.comparison import comparison_model, say_comparison
    from secondlook.metrics import compare as compared

    first, second = graph_in(truth, "TRUTH"), graph_in(guess, "GUESS")
    with waiting("comparing"):
        found = compared(first, second, adjustment=adjustment)
    if json:
        write_json({"truth": truth, "guess": guess, **comparison_model(found)})
        return 0
    report = page()
    say_comparison(report, found, *("standard input" if is_stream(path) else path for path in (truth, guess)))
    write(report.text)
    return 0
