"""The rows of a study as arrays: one value per draw for every cell, method and metric."""

from __future__ import annotations

from collections import defaultdict
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from secondlook.studies.synthetic.draws import Cell
from secondlook.studies.synthetic.methods import MEAN, METRICS, REFERENCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.studies.study import Results, Row


class Scores:
    """Values by cell, method and metric, NaN for failures; a method is judged by what was tuned for a metric.

    Parameters
    ----------
    results : Results
        Of table1 or figure1.
    """

    def __init__(self, results: Results) -> None:
        self._found: defaultdict[tuple[Cell, str, str], dict[int, list[float]]] = defaultdict(dict)
        self._seconds: defaultdict[tuple[Cell, str], list[float]] = defaultdict(list)
        self._alphas: dict[float, None] = {}
        for row in results.rows:
            self._take(row)
        for row in results.timings:
            self._seconds[_cell(row), str(row["method"])].append(_number(row["seconds"]))
        self.cells = tuple(dict.fromkeys(cell for cell, _, _ in self._found))
        self.failures = sum(row["status"] != "ok" for row in results.rows)

    def _take(self, row: Row) -> None:
        method, draw = str(row["method"]), int(_number(row["draw"]))
        if method == REFERENCE and row["alpha"] is not None:
            self._alphas[_number(row["alpha"])] = None
        for metric in METRICS:
            if row["tuned_for"] in ("", metric):
                values = self._found[_cell(row), method, metric].setdefault(draw, [])
                values.append(_number(row[metric]))

    @property
    def alphas(self) -> list[float]:
        """The grid that PC ran on, ascending."""
        return sorted(self._alphas)

    def values(self, cell: Cell, method: str, metric: str) -> NDArray[np.float64]:
        """One value per draw, in the order of the draws; for "mean" the mean over the alphas."""
        of_draws = self._found[cell, REFERENCE if method == MEAN else method, metric]
        return np.array([float(np.mean(of_draws[draw])) for draw in sorted(of_draws)])

    def at_alphas(self, cell: Cell, metric: str) -> NDArray[np.float64]:
        """PC's values, shape (draws, alphas)."""
        of_draws = self._found[cell, REFERENCE, metric]
        return np.array([of_draws[draw] for draw in sorted(of_draws)])

    def seconds(self, cell: Cell, method: str) -> float:
        """The median over the draws: a busy machine moves it less than a mean."""
        found = self._seconds[cell, method]
        return float(np.median(found)) if found else nan


def is_better(metric: str, difference: float) -> bool:
    """Whether a difference of values means better: fewer mistakes, or more of F1 or MCC."""
    return difference < 0 if metric == "shd" else difference > 0


def _cell(row: Row) -> Cell:
    return Cell(int(_number(row["n"])), int(_number(row["d"])))


def _number(value: object) -> float:
    return nan if value is None else float(value)  # type: ignore[arg-type]
