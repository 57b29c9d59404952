"""The commands, put together; parsing a command line gives a job that is then run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from secondlook.cli import compare, demo, fit, simulate, study

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ABOUT = """Causal discovery that checks its own answer.

The PC algorithm runs at every significance level of a grid and looks a second time at each answer with the
parents it just found. SecondLook corrects what it then finds; AutoPC keeps the level whose two answers agree
best.
"""
_MORE = """\b
Examples:
  secondlook demo
  secondlook fit data.csv --out graph.json --out graph.dot
  secondlook simulate --nodes 20 --rows 1000 --seed 1 --out data.csv --truth truth.json
  secondlook compare truth.json graph.json
  secondlook study table1 --quick

\b
Exit codes: 0 done, 1 data, graph, file or budget, 2 command line, 70 a fault of
secondlook's own (SECONDLOOK_TRACEBACK=1 shows where), 130 Ctrl-C, 141 reader gone.
"""
_COMMANDS = (
    (fit.fit, fit.EXAMPLE),
    (compare.compare, compare.EXAMPLE),
    (simulate.simulate, simulate.EXAMPLE),
    (demo.demo, demo.EXAMPLE),
    (study.study, study.EXAMPLE),
)


def parsed(words: Sequence[str]) -> Callable[[], int]:
    """The job that a command line asks for.

    Parameters
    ----------
    words : sequence of str
        The words after the program's name.

    Returns
    -------
    callable
        Does the work and returns the exit code. Help and version are written at once.
    """
    app = typer.Typer(
        help=_ABOUT,
        epilog=_MORE,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback(invoke_without_command=True)(_secondlook)
    for command, example in _COMMANDS:
        app.command(epilog=f"\b\nExample:\n  {example}")(command)
    # Not standalone: errors come here as exceptions, and what the command returns comes back.
    found: Any = get_command(app).main(args=list(words), prog_name="secondlook", standalone_mode=False)
    return found if callable(found) else lambda: int(found or 0)


def _secondlook(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as version_of

        typer.echo(f"secondlook {version_of('secondlook')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        sys.stderr.write(f"{context.get_help()}\n")
        raise typer.Exit(2)
