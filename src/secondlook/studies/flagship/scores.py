"""The rows of the flagship study as arrays: one value per draw for every cell, method and column."""

from __future__ import annotations

from collections import defaultdict
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from secondlook.studies.flagship.cells import CELLS
from secondlook.studies.statistics import mean_of, paired

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.studies.flagship.cells import Cell
    from secondlook.studies.statistics import Mean, Paired
    from secondlook.studies.study import Results

COLUMNS = ("shd", "f1", "mcc", "valid", "relabelled")


class Scores:
    """Values by cell, method and column; NaN for failures and for what was not asked.

    Parameters
    ----------
    results : Results
        Of the flagship study.
    """

    def __init__(self, results: Results) -> None:
        self._found: defaultdict[tuple[str, str, str], dict[int, float]] = defaultdict(dict)
        self._seconds: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for row in results.rows:
            cell, method, draw = str(row["cell"]), str(row["method"]), int(_number(row["draw"]))
            for column in COLUMNS:
                self._found[cell, method, column][draw] = _number(row[column])
        for row in results.timings:
            self._seconds[str(row["cell"]), str(row["method"])].append(_number(row["seconds"]))
        known = {cell for cell, _, _ in self._found}
        self.cells = tuple(cell for key, cell in CELLS.items() if key in known)
        self.failures = sum(row["status"] != "ok" for row in results.rows)

    def values(self, cell: Cell, method: str, column: str) -> NDArray[np.float64]:
        """One value per draw that the method was asked, in the order of the draws."""
        of_draws = self._found[cell.key, method, column]
        return np.array([of_draws[draw] for draw in sorted(of_draws)])

    def mean(self, cell: Cell, method: str, column: str) -> Mean:
        """The mean over the draws that did not fail."""
        return mean_of(self.values(cell, method, column))

    def compared(self, cell: Cell, method: str, other: str, column: str = "shd") -> Paired:
        """The paired t-test of one method minus another, on the draws that both were asked."""
        mine, theirs = (self._found[cell.key, name, column] for name in (method, other))
        shared = sorted(mine.keys() & theirs.keys())
        return paired([mine[draw] for draw in shared], [theirs[draw] for draw in shared])

    def ratio(self, cell: Cell, method: str, other: str) -> float:
        """The mean of one method over the mean of another on the draws of both; NaN where that is 0."""
        mine, theirs = (self._found[cell.key, name, "shd"] for name in (method, other))
        both = [(mine[k], theirs[k]) for k in mine.keys() & theirs.keys()]
        kept = np.array([pair for pair in both if not np.isnan(pair).any()]).reshape(-1, 2)
        below = kept[:, 1].sum()
        return float(kept[:, 0].sum() / below) if below else nan

    def counted(self, method: str, column: str, cells: tuple[Cell, ...] | None = None) -> tuple[int, int]:
        """How many answers have a property, and how many were asked about it."""
        values = np.concatenate([self.values(cell, method, column) for cell in cells or self.cells])
        values = values[~np.isnan(values)]
        return int(values.sum()), len(values)

    def seconds(self, cell: Cell, method: str) -> float:
        """The median over the draws: a busy machine moves it less than a mean."""
        found = self._seconds[cell.key, method]
        return float(np.median(found)) if found else nan


def _number(value: object) -> float:
    return nan if value is None else float(value)  # type: ignore[arg-type]
