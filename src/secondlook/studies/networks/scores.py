"""The rows of the study of networks as one value per sample for every method and metric."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from secondlook.studies.statistics import Mean, mean_of
from secondlook.studies.synthetic.methods import MEAN, METRICS, REFERENCE

if TYPE_CHECKING:
    from secondlook.studies.study import Results, Row

DISTANCES = ("shd", "pair_shd", "parent_aid", "ancestor_aid", "oset_aid")
"""Metrics of which less is better."""
SCORED = (
    "shd",
    "f1",
    "mcc",
    "pair_shd",
    "skeleton_f1",
    "arrowhead_f1",
    "parent_aid",
    "ancestor_aid",
    "oset_aid",
)
"""Metrics in the order of the tables."""
_MEAN_COLLIDERS = "vote"


class Place(NamedTuple):
    """A network and a number of rows."""

    kind: str
    network: str
    d: int
    n: int


class Refusal(NamedTuple):
    """Answers that are missing for one reason."""

    place: Place
    method: str
    status: str
    message: str


class Scores:
    """Means by place, method and metric; a method is judged by what was tuned for the metric, else for SHD.

    Parameters
    ----------
    results : Results
        Of the study of networks.
    """

    def __init__(self, results: Results) -> None:
        self._found: defaultdict[tuple[Place, str, str], defaultdict[int, list[Row]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.refusals: Counter[Refusal] = Counter()
        for row in results.rows:
            self._take(row)
        self.places = tuple(dict.fromkeys(place for place, _, _ in self._found))

    def _take(self, row: Row) -> None:
        place = Place(str(row["kind"]), str(row["network"]), _whole(row["d"]), _whole(row["n"]))
        method = str(row["method"])
        if method == REFERENCE:
            if row["colliders"] != _MEAN_COLLIDERS:
                return
            method = MEAN
        self._found[place, method, str(row["tuned_for"])][_whole(row["draw"])].append(row)
        if row["status"] != "ok":
            self.refusals[Refusal(place, method, str(row["status"]), str(row["message"]))] += 1

    def mean(self, place: Place, method: str, metric: str) -> Mean:
        """The mean over the samples that were answered and have this metric.

        Parameters
        ----------
        place : Place
            Which network, how many rows.
        method : str
            A key of the methods; "mean" averages over the alphas first.
        metric : str
            A name in `SCORED`.
        """
        values = []
        for rows in self._rows(place, method, metric).values():
            known = [float(row[metric] or 0.0) for row in rows if row[metric] is not None]
            if known:
                values.append(sum(known) / len(known))
        return mean_of(values)

    def status(self, place: Place, method: str) -> str:
        """What the first missing answer is called; "ok" when none is missing."""
        rows = [row for of_draw in self._rows(place, method, "shd").values() for row in of_draw]
        return next((str(row["status"]) for row in rows if row["status"] != "ok"), "ok")

    def _rows(self, place: Place, method: str, metric: str) -> dict[int, list[Row]]:
        wanted = metric if metric in METRICS else "shd"
        tuned = self._found.get((place, method, wanted))
        return tuned if tuned is not None else self._found.get((place, method, ""), defaultdict(list))


def _whole(value: object) -> int:
    return int(value)  # type: ignore[call-overload, no-any-return]
