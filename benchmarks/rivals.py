"""python -m benchmarks.rivals: causal-learn's BOSS and GRaSP on the flagship study's draws, SHD and time.

All have the same score: n times the log residual variances plus 2 log n per edge, Tetrad's penalty discount
of 2. causal-learn's `local_score_BIC_from_cov` is -n/2 (1 + log variance) - lambda (parents + 1) log n, and
large is good; minus twice that has 2 lambda log n per edge, so that lambda is 1. Its default of 2 is a
discount of 4.
"""

from __future__ import annotations

import argparse
import os
import random
from dataclasses import dataclass, replace
from math import isnan, log
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar
from unittest import mock

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy loads

import numpy as np

from secondlook.graphs import from_causallearn
from secondlook.metrics import shd
from secondlook.selection import polish, secondlook
from secondlook.simulation import read_gaussian_network
from secondlook.studies import Outcome, Report, ReportTable, Settings, Unit, Workers, run_study
from secondlook.studies.flagship.cells import CELLS, Cell, cells_of, checked_cells
from secondlook.studies.flagship.draws import Block, drawn
from secondlook.studies.statistics import mean_of, paired

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from secondlook import PDAG, FisherZ
    from secondlook.studies import Results

LAMBDA = 1.0
MOST_VARIABLES = 50
"""Beyond, causal-learn takes minutes a draw."""
SURE = 2.5
OURS, SAME = "polished", "polished, same penalty"
PEERS = ("BOSS", "GRaSP")


def rows_of(test: FisherZ) -> NDArray[np.float64]:
    """Rows whose sample covariance (ddof 0) is the test's correlation matrix: what causal-learn asks for.

    Cosines of different frequencies are orthogonal with mean zero, so no row has to be drawn.
    """
    d, n = len(test.names), test.n
    waves = np.cos(np.pi * np.outer(np.arange(n) + 0.5, np.arange(1, d + 1)) / n) * np.sqrt(2.0)
    found: NDArray[np.float64] = waves @ np.linalg.cholesky(test.correlation).T
    return found


def with_same_penalty(test: FisherZ) -> PDAG:
    """Our answer when its polish has exactly the peers' penalty, which ours exceeds in many variables."""
    with mock.patch.object(polish, "edge_penalty", lambda n, _: 2.0 * LAMBDA * log(n)):
        return secondlook(test).graph


def boss(test: FisherZ) -> PDAG:
    """causal-learn's BOSS: one start, the order of the columns."""
    from causallearn.search.PermutationBased.BOSS import boss as search

    return _answer(search, test)


def grasp(test: FisherZ) -> PDAG:
    """causal-learn's GRaSP at its own depth of 3: one start, a random order."""
    from causallearn.search.PermutationBased.GRaSP import grasp as search

    return _answer(search, test)


def _answer(search: Callable[..., object], test: FisherZ) -> PDAG:
    random.seed(0)  # it takes its randomness from the module
    found = search(
        rows_of(test), "local_score_BIC_from_cov", parameters={"lambda_value": LAMBDA}, verbose=False
    )
    return from_causallearn(found, test.names)


METHODS: dict[str, Callable[[FisherZ], PDAG]] = {
    OURS: lambda test: secondlook(test).graph,
    SAME: with_same_penalty,
    "BOSS": boss,
    "GRaSP": grasp,
}


@dataclass(frozen=True)
class Rivals:
    """The polished answer beside searches over orders; the draws are those of the study flagship."""

    name: ClassVar[str] = "rivals"
    about: ClassVar[str] = (
        "SecondLook's polish beside causal-learn's BOSS and GRaSP, the same draws and score."
    )
    command: ClassVar[str] = "python -m benchmarks.rivals"
    draws: ClassVar[int] = 60
    quick_draws: ClassVar[int] = 4
    options: ClassVar[tuple[str, ...]] = ("cells", "data")

    def settled(self, settings: Settings) -> Settings:
        """All cells of at most fifty variables; networks where their folder is given."""
        data = settings.options.get("data")
        asked = settings.options.get("cells") or ",".join(
            key for key, cell in CELLS.items() if cell.d <= MOST_VARIABLES and (data or not cell.network)
        )
        chosen = {"cells": checked_cells(asked)} | ({"data": data} if data else {})
        return replace(settings, options=chosen)

    def units(self, settings: Settings) -> list[Unit]:
        """One draw each: the peers are slow. Fifty variables have a third of the draws, hubs a tenth."""
        found = []
        for cell in cells_of(settings.options["cells"]):
            model = None
            if cell.network:
                model = read_gaussian_network(Path(settings.options["data"]) / f"{cell.network}.json")
            less = 10 if cell.recipe.kind == "scale-free" and cell.degree > 2 else 3 if cell.d > 20 else 1
            draws = -(-settings.draws // less)
            found += [Unit(f"{cell.key}-{k:06d}", Block(cell, k, 1, model)) for k in range(draws)]
        return found

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        """Every search on one draw; a failure is a row that says so."""
        cell, draw, _, model = unit.task
        data = drawn(cell, draw, settings.seed, model)
        outcome = Outcome([])
        for name, search in METHODS.items():
            head = {"cell": cell.key, "draw": draw, "method": name}
            started = perf_counter()
            try:
                mistakes, status, message = shd(data.truth, search(data.test)), "ok", None
            except Exception as error:  # whatever it is, it belongs into the results
                mistakes, status, message = None, "failed", f"{type(error).__name__}: {error}"
            outcome.timings.append({**head, "seconds": perf_counter() - started})
            outcome.rows.append({**head, "shd": mistakes, "status": status, "message": message})
        return outcome

    def report(self, results: Results, settings: Settings) -> Report:
        """Means, paired tests of ours minus the peers', and times."""
        cells = cells_of(settings.options["cells"])
        return Report([_verdict(results, cells, name) for name in (OURS, SAME)], [_table(results, cells)])


def _values(results: Results, cell: Cell, method: str, column: str = "shd") -> NDArray[np.float64]:
    rows = results.rows if column == "shd" else results.timings
    found = [row[column] for row in rows if (row["cell"], row["method"]) == (cell.key, method)]
    return np.array([np.nan if value is None else value for value in found], dtype=np.float64)


def _verdict(results: Results, cells: tuple[Cell, ...], ours: str) -> str:
    parts = []
    for peer in PEERS:
        t = {c.key: paired(_values(results, c, ours), _values(results, c, peer)).t for c in cells}
        worse = [key for key, value in t.items() if value > SURE]
        better = sum(value < -SURE for value in t.values())
        where = f" ({', '.join(worse)})" if worse else ""
        parts.append(f"{peer}: better in {better}, worse in {len(worse)}{where}")
    return f"{ours}, SHD in {len(cells)} cells at |t| > {SURE}, against causal-learn's {'; '.join(parts)}."


def _table(results: Results, cells: tuple[Cell, ...]) -> ReportTable:
    lines = []
    for cell in cells:
        values = {name: _values(results, cell, name) for name in METHODS}
        means = [mean_of(values[name]) for name in METHODS]
        tests = [paired(values[name], values[peer]).t for name in (OURS, SAME) for peer in PEERS]
        seconds = [np.median(_values(results, cell, name, "seconds")) for name in (OURS, *PEERS)]
        lines.append(
            (
                cell.key,
                str(len(values[OURS])),
                *(f"{mean.value:.2f} ± {mean.error:.2f}" for mean in means),
                *("-" if isnan(t) else f"{t:+.1f}" for t in tests),
                *(f"{1e3 * s:.1f}" for s in seconds),
            )
        )
    header = (
        "cell",
        "draws",
        *METHODS,
        *(f"t: {name} - {peer}" for name in ("ours", "same") for peer in PEERS),
        *(f"ms {name}" for name in (OURS, *PEERS)),
    )
    return ReportTable(
        "SHD and time",
        header,
        lines,
        "Means ± standard errors, paired t (below 0 ours is better), medians of milliseconds on one core. "
        "The peers have one start each. The second column of ours is the polish at their penalty of 2 log n "
        "per edge, which our own exceeds where log n < 2.5 log d.",
    )


def main() -> None:
    """Runs it into a folder."""
    parser = argparse.ArgumentParser(prog=Rivals.command, description=__doc__)
    parser.add_argument("--draws", type=int, default=Rivals.draws)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cells", help="groups or cells of the study flagship, comma-separated")
    parser.add_argument("--data", help="the folder of the networks")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", default="rivals")
    asked = parser.parse_args()
    own = {name: value for name in ("cells", "data") if (value := getattr(asked, name)) is not None}
    settings = Settings(asked.draws, asked.seed, own)
    finished = run_study(Rivals(), settings, asked.out, workers=Workers(asked.jobs))
    for sentence in finished.report.verdict:
        print(f"* {sentence}")
    print(f"Wrote {Path(asked.out) / 'page.md'}")


if __name__ == "__main__":
    main()
