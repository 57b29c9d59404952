"""`secondlook simulate`: a table whose true graph is known."""

from __future__ import annotations

import gzip
import io
import secrets
from collections.abc import Callable  # noqa: TC003  (typer evaluates annotations)
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from secondlook.cli.formats import WRITERS, is_stream, suffix_of
from secondlook.cli.numbers import numbers
from secondlook.cli.outputs import refuse_targets, write_all
from secondlook.cli.talk import note, write
from secondlook.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from secondlook.simulation import Recipe, Simulation

EXAMPLE = "secondlook simulate --nodes 20 --rows 1000 --seed 1 --out data.csv --truth truth.json"
_TABBED = (".tsv", ".tab")
_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Size:
    """How much is simulated, and from which seed."""

    nodes: int
    rows: int
    degree: float
    seed: int


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the table, the true DAG and its CPDAG go."""

    out: str
    truth: str | None
    cpdag: str | None
    force: bool
    quiet: bool

    @property
    def graphs(self) -> list[tuple[str, str]]:
        """The options that ask for graphs, with their paths."""
        both = (("--truth", self.truth), ("--cpdag", self.cpdag))
        return [(option, path) for option, path in both if path is not None]


def simulate(
    *,
    nodes: Annotated[int, typer.Option(metavar="D", min=1, help="How many columns.")],
    rows: Annotated[int, typer.Option(metavar="N", min=1, help="How many rows.")],
    degree: Annotated[float, typer.Option(metavar="K", help="Expected number of edges at a node.")] = 2.0,
    seed: Annotated[
        int | None, typer.Option(metavar="S", min=0, help="Same seed, same data.  [default: a new one, said]")
    ] = None,
    out: Annotated[
        str, typer.Option(metavar="FILE", help="The table: .csv, .tsv, either with .gz; - is CSV on stdout.")
    ] = "-",
    truth: Annotated[
        str | None, typer.Option(metavar="FILE", help="The true DAG: .json, .dot, .graphml, .txt, .dagitty.")
    ] = None,
    cpdag: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The CPDAG of the true DAG, all that a search can find."),
    ] = None,
    kind: Annotated[str, typer.Option(metavar="KIND", help="erdos-renyi or scale-free.")] = "erdos-renyi",
    hubs: Annotated[
        str, typer.Option(metavar="HOW", help="Hubs of scale-free graphs: random, sink or source.")
    ] = "random",
    weights: Annotated[
        str, typer.Option(metavar="LOW,HIGH", help="Range of the size of an edge's weight.")
    ] = "0.3,1.3",
    noise: Annotated[
        str, typer.Option(metavar="NAME", help="gaussian, uniform, exponential or t5.")
    ] = "gaussian",
    variances: Annotated[
        str, typer.Option(metavar="V|LOW,HIGH", help="Variance of the noises, or its range.")
    ] = "1",
    standardize: Annotated[
        bool, typer.Option("--standardize", help="Scale every column to mean 0 and variance 1.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no notes.")] = False,
) -> Callable[[], int]:
    """Draw a table whose true graph is known.

    A random DAG with a linear model on it; the defaults are those of the AutoPC paper.
    """
    from secondlook.simulation import Recipe

    spread = numbers("--variances", variances)
    recipe = Recipe(
        kind=kind,
        hubs=hubs,
        weights=_pair("--weights", numbers("--weights", weights)),
        noise=noise,
        variances=spread[0] if len(spread) == 1 else _pair("--variances", spread),
        standardize=standardize,
    )
    goal = Destination(out, truth, cpdag, force, quiet)
    _refuse_goal(goal)
    size = Size(nodes, rows, degree, secrets.randbits(32) if seed is None else seed)
    return partial(run, size, recipe, goal)


def run(size: Size, recipe: Recipe, goal: Destination) -> int:
    """Draws the table and writes it with its graphs.

    Parameters
    ----------
    size : Size
        How much, and the seed.
    recipe : Recipe
        How.
    goal : Destination
        Where to.
    """
    import numpy as np

    from secondlook.graphs import cpdag
    from secondlook.simulation import simulate as simulated

    if not 0 <= size.degree <= size.nodes - 1:
        raise OptionError(
            f"The --degree option must be from 0 to --nodes minus 1, here {size.nodes - 1}. "
            f"Got {size.degree:g}."
        )
    rng = np.random.default_rng(size.seed)
    drawn = simulated(size.nodes, size.rows, rng=rng, degree=size.degree, recipe=recipe)
    graphs = {"--truth": drawn.truth, "--cpdag": cpdag(drawn.truth)}
    texts = [(path, WRITERS[suffix_of(path, option)](graphs[option])) for option, path in goal.graphs]
    contents = [(path, text.encode()) for path, text in texts if not is_stream(path)]
    if goal.out != "-":
        contents.insert(0, (goal.out, _file(drawn, goal.out)))
    write_all(contents, quiet=goal.quiet)
    note(
        f"{size.rows:,} rows x {size.nodes:,} columns, {drawn.truth.n_edges:,} true edges, seed {size.seed}",
        quiet=goal.quiet,
    )
    for path, text in texts:
        if is_stream(path):
            write(text)
    if goal.out == "-":
        for part in _table(drawn, ","):
            write(part)
    return 0


def _pair(option: str, found: tuple[float, ...]) -> tuple[float, float]:
    if len(found) != 2:
        raise OptionError(f"The {option} option must be two numbers, LOW,HIGH. Got {len(found)} of them.")
    return found[0], found[1]


def _refuse_goal(goal: Destination) -> None:
    for option, path in goal.graphs:
        suffix_of(path, option)
    if goal.out != "-" and _suffix(goal.out) not in (".csv", *_TABBED):
        raise OptionError(
            f"The --out file {goal.out!r} must end in .csv, .tsv or .tab, with or without .gz, or be '-'."
        )
    streams = (goal.out == "-") + sum(is_stream(path) for _, path in goal.graphs)
    if streams > 1:
        raise OptionError(
            "The table and a graph cannot both go to stdout; name files for all but one (--out data.csv)."
        )
    files = [path for _, path in goal.graphs if not is_stream(path)]
    refuse_targets([*([] if goal.out == "-" else [goal.out]), *files], force=goal.force)


def _suffix(path: str) -> str:
    return Path(path.lower().removesuffix(".gz")).suffix


def _file(drawn: Simulation, path: str) -> bytes:
    separator = "\t" if _suffix(path) in _TABBED else ","
    out = io.BytesIO()
    for part in _table(drawn, separator):
        out.write(part.encode())
    # without a time in its header, the same seed gives the same file
    return gzip.compress(out.getvalue(), mtime=0) if path.lower().endswith(".gz") else out.getvalue()


def _table(drawn: Simulation, separator: str) -> Iterator[str]:
    """The table as text, some rows at a time; every number reads back as it was."""
    yield separator.join(drawn.names) + "\n"
    for start in range(0, len(drawn.data), _ROWS_AT_ONCE):
        rows = drawn.data[start : start + _ROWS_AT_ONCE].tolist()
        yield "".join(f"{separator.join(map(repr, row))}\n" for row in rows)
