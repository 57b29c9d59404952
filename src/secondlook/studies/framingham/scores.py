"""The rows of table2 as one tally per bootstrap for every grid, method and metric it was tuned for."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from secondlook.studies.framingham.methods import AS_PRINTED, MEANT
from secondlook.studies.framingham.printed import ALPHAS, PRINTED_ORDER
from secondlook.studies.framingham.truth import COLUMNS, Tally
from secondlook.studies.synthetic.methods import MEAN, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from secondlook.studies.study import Results, Row

_PAPER = "overwrite"
_VISITS = {MEANT: tuple(range(len(ALPHAS))), AS_PRINTED: PRINTED_ORDER}


class Scores:
    """Tallies by bootstrap; None for failures.

    Parameters
    ----------
    results : Results
        Of table2.
    """

    def __init__(self, results: Results) -> None:
        self._found: defaultdict[tuple[str, str, str, str], dict[int, list[Tally | None]]] = defaultdict(dict)
        self._seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.failures = sum(row["status"] != "ok" for row in results.rows)
        for row in results.rows:
            key = str(row["grid"]), str(row["method"]), str(row["tuned_for"]), str(row["colliders"])
            self._found[key].setdefault(_whole(row["draw"]), []).append(_tally(row))
        for row in results.timings:
            if row["method"] != REFERENCE or row["colliders"] == _PAPER:
                self._seconds[str(row["method"])].append(float(row["seconds"] or 0.0))

    def tallies(self, grid: str, method: str, metric: str) -> list[list[Tally | None]]:
        """Per bootstrap the graphs to be averaged: one, or for "mean" one for each alpha of the grid."""
        if method == MEAN:
            of_draws = self._found["", REFERENCE, "", _PAPER]
            return [[of_draws[draw][k] for k in _VISITS[grid]] for draw in sorted(of_draws)]
        keys = [key for key in self._found if key[:2] == (grid, method) and key[2] in ("", metric)]
        of_draws = self._found[keys[0]] if keys else {}
        return [of_draws[draw] for draw in sorted(of_draws)]

    def values(
        self, grid: str, method: str, metric: str, measure: Callable[[Tally], float]
    ) -> NDArray[np.float64]:
        """One value per bootstrap, NaN for failures.

        Parameters
        ----------
        grid : str
            "meant" or "printed".
        method : str
            A key of the methods.
        metric : str
            What AutoPC was tuned for.
        measure : callable
            The value of a tally.
        """
        return np.array(
            [
                np.mean([np.nan if one is None else measure(one) for one in graphs])
                for graphs in self.tallies(grid, method, metric)
            ]
        )

    def seconds(self, method: str) -> float:
        """The median over the bootstraps, NaN for an unknown method."""
        found = self._seconds[method]
        return float(np.median(found)) if found else float("nan")


def _tally(row: Row) -> Tally | None:
    return Tally(*(_whole(row[column]) for column in COLUMNS)) if row["status"] == "ok" else None


def _whole(value: object) -> int:
    return int(value)  # type: ignore[call-overload, no-any-return]
