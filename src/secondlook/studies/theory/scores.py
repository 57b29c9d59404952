"""The rows of the study of the theorems, by part and place."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from secondlook.studies.statistics import mean_of

if TYPE_CHECKING:
    from secondlook.studies.statistics import Mean
    from secondlook.studies.study import Results, Row


class Where(NamedTuple):
    """A line of the tables of growing samples."""

    d: int
    grid: str
    colliders: str


class Scores:
    """Means by place.

    Parameters
    ----------
    results : Results
        Of the study of the theorems.

    Attributes
    ----------
    oracle : list of dict
        The rows of the part that asks the oracle.
    """

    def __init__(self, results: Results) -> None:
        self.oracle: list[Row] = []
        self._growth: defaultdict[tuple[Where, int], list[Row]] = defaultdict(list)
        self._tests: defaultdict[tuple[str, int, int], list[Row]] = defaultdict(list)
        for row in results.rows:
            if row["part"] == "oracle":
                self.oracle.append(row)
            elif row["part"] == "consistency":
                where = Where(whole(row["d"]), str(row["grid"]), str(row["colliders"]))
                spurious = int(bool(row["too_many"]) and not row["too_few"])
                self._growth[where, whole(row["n"])].append({**row, "spurious": spurious})
            else:
                self._tests[str(row["engine"]), whole(row["d"]), whole(row["n"])].append(row)

    def growth(self, where: Where, n: int, column: str) -> Mean:
        """The mean of a column over the models; "spurious" is an edge too many and none too few."""
        return mean_of([float(row[column] or 0.0) for row in self._growth[where, n]])

    def tests(self, engine: str, d: int, n: int) -> tuple[float, float]:
        """The mean numbers of tests of the first and the second look, NaN where none were counted."""
        found = self._tests[engine, d, n]
        first, second = (mean_of([float(row[look] or 0.0) for row in found]) for look in ("first", "second"))
        return first.value, second.value


def whole(value: object) -> int:
    """A cell that holds a whole number."""
    return int(value)  # type: ignore[call-overload, no-any-return]
