"""Every metric of two graphs in one record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondlook.errors import GraphError
from secondlook.metrics.adjustment import ancestor_aid, oset_aid, parent_aid, sid
from secondlook.metrics.alignment import aligned
from secondlook.metrics.marks import confusion
from secondlook.metrics.pairs import arrowhead_confusion, pair_shd, skeleton_confusion

if TYPE_CHECKING:
    from secondlook.graphs import PDAG

_DISTANCES = {"parent_aid": parent_aid, "ancestor_aid": ancestor_aid, "oset_aid": oset_aid, "sid": sid}


@dataclass(frozen=True, slots=True)
class Comparison:
    """All metrics of a guess against the truth; each is the value of the function of the same name.

    Attributes
    ----------
    d : int
        The number of nodes.
    truth_edges, guess_edges : int
        The numbers of edges, arrows and lines together.
    shd, pair_shd : int
        The number of differing marks and of differing pairs.
    f1, mcc : float
        On the marks, in [0, 1] and [-1, 1].
    skeleton_precision, skeleton_recall, skeleton_f1 : float
        On the adjacencies, in [0, 1].
    arrowhead_precision, arrowhead_recall, arrowhead_f1 : float
        On the arrowheads, in [0, 1].
    parent_aid, ancestor_aid, oset_aid, sid : float or None
        Adjustment distances in [0, 1], 0 for perfect; None when these graphs have none.
    undefined : tuple of (str, str)
        The name of each distance that is None, and why.
    """

    d: int
    truth_edges: int
    guess_edges: int
    shd: int
    pair_shd: int
    f1: float
    mcc: float
    skeleton_precision: float
    skeleton_recall: float
    skeleton_f1: float
    arrowhead_precision: float
    arrowhead_recall: float
    arrowhead_f1: float
    parent_aid: float | None
    ancestor_aid: float | None
    oset_aid: float | None
    sid: float | None
    undefined: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, int | float | dict[str, str] | None]:
        """Every field under its name, ready for JSON; ``undefined`` becomes a dictionary."""
        fields: dict[str, int | float | dict[str, str] | None] = {
            name: getattr(self, name) for name in self.__slots__ if name != "undefined"
        }
        fields["undefined"] = dict(self.undefined)
        return fields

    def __str__(self) -> str:
        rows = [
            ("marks", ("shd", "f1", "mcc")),
            ("edges", ("pair_shd",)),
            ("skeleton", ("skeleton_precision", "skeleton_recall", "skeleton_f1")),
            ("arrowheads", ("arrowhead_precision", "arrowhead_recall", "arrowhead_f1")),
            ("adjustment", tuple(_DISTANCES)),
        ]
        lines = [f"Comparison: d {self.d}, truth_edges {self.truth_edges}, guess_edges {self.guess_edges}"]
        for title, names in rows:
            cells = [
                f"{name.removeprefix(title.removesuffix('s') + '_')} {_shown(getattr(self, name))}"
                for name in names
            ]
            lines.append(f"  {title:<11} {', '.join(cells)}")
        lines += [f"  no {name}: {reason}" for name, reason in self.undefined]
        return "\n".join(lines)


def compare(truth: PDAG, guess: PDAG, *, adjustment: bool = True) -> Comparison:
    """Every metric of a guess against the truth.

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names; the guess is realigned when its order differs.
    adjustment : bool
        Whether to compute the adjustment distances, which take seconds from about 3,000 nodes.

    Returns
    -------
    Comparison
        An adjustment distance that these graphs do not have is None, with its reason in ``undefined``.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> print(compare(PDAG("abc", directed=["ab", "bc"]), PDAG("abc", directed=["ab", "cb"])))
    Comparison: d 3, truth_edges 2, guess_edges 2
      marks       shd 2, f1 0.500, mcc 0.250
      edges       pair_shd 1
      skeleton    precision 1.000, recall 1.000, f1 1.000
      arrowheads  precision 0.500, recall 0.500, f1 0.500
      adjustment  parent_aid 0.500, ancestor_aid 0.500, oset_aid 0.667, sid 0.500
    """
    guess = aligned(truth, guess)
    on_marks = confusion(truth, guess)
    skeleton, arrowheads = skeleton_confusion(truth, guess), arrowhead_confusion(truth, guess)
    distances, undefined = _distances(truth, guess, adjustment)
    return Comparison(
        d=truth.d,
        truth_edges=truth.n_edges,
        guess_edges=guess.n_edges,
        shd=on_marks.mistakes,
        pair_shd=pair_shd(truth, guess),
        f1=on_marks.f1,
        mcc=on_marks.mcc,
        skeleton_precision=skeleton.precision,
        skeleton_recall=skeleton.recall,
        skeleton_f1=skeleton.f1,
        arrowhead_precision=arrowheads.precision,
        arrowhead_recall=arrowheads.recall,
        arrowhead_f1=arrowheads.f1,
        parent_aid=distances["parent_aid"],
        ancestor_aid=distances["ancestor_aid"],
        oset_aid=distances["oset_aid"],
        sid=distances["sid"],
        undefined=undefined,
    )


def _distances(
    truth: PDAG, guess: PDAG, adjustment: bool
) -> tuple[dict[str, float | None], tuple[tuple[str, str], ...]]:
    distances: dict[str, float | None] = dict.fromkeys(_DISTANCES)
    if not adjustment:
        return distances, tuple((name, "Not asked for.") for name in _DISTANCES)
    undefined = []
    for name, distance in _DISTANCES.items():
        try:
            distances[name] = distance(truth, guess)
        except GraphError as error:
            undefined.append((name, str(error)))
    return distances, tuple(undefined)


def _shown(value: float | None) -> str:
    if value is None:
        return "undefined"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
