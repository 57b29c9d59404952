"""The record of a choice: every alpha tried, both graphs of each, their scores, and the one kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any

from secondlook.errors import OptionError
from secondlook.search.arrays import MAX_ALPHAS, bits
from secondlook.search.validity import valid_answer
from secondlook.selection.answer import Answer
from secondlook.selection.double_check import DoubleCheck

if TYPE_CHECKING:
    from pathlib import Path

    from secondlook.graphs import PDAG
    from secondlook.metrics.agreement import Score
    from secondlook.search import AlphaPath
    from secondlook.selection.double_check import Metric
    from secondlook.selection.rule import Choice


@dataclass(frozen=True, slots=True)
class EdgeRange:
    """Over which alphas a pair is adjacent in the first look.

    Attributes
    ----------
    a, b : str
        The pair, the earlier column first.
    alphas : tuple of float
        The alphas at which it is adjacent, ascending.
    a_to_b, b_to_a, undirected : tuple of float
        The same alphas by how the edge is oriented there.
    """

    a: str
    b: str
    alphas: tuple[float, ...]
    a_to_b: tuple[float, ...]
    b_to_a: tuple[float, ...]
    undirected: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Selection:
    """The choice of an alpha and everything it was made from.

    Attributes
    ----------
    path : AlphaPath
        The graphs at every alpha tried; of both looks where the rule needs the second.
    metric : str
        What the scores are: the metric of the double check, or "bic", "instability", …
    scores : tuple of Score
        One per alpha, compared exactly: the agreement of the two looks, or what another rule says.
    chosen : int
        The position of the alpha kept.
    tied : tuple of int
        The positions of the alphas that the rule could not tell from the best, the chosen among them.
    rule : str
        How the choice was made.
    details : dict of str to tuple
        What else the rule found, one entry per alpha.
    rule_seconds : float
        Wall time of the choice, on top of ``path.seconds``.
    answer : Answer or None
        The valid graph and what was done for it; None where the rule's raw graph is the answer.
    """

    path: AlphaPath
    metric: str
    scores: tuple[Score, ...]
    chosen: int
    tied: tuple[int, ...]
    rule: str = "double check"
    details: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    rule_seconds: float = 0.0
    answer: Answer | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return self.path.names

    @property
    def alphas(self) -> tuple[float, ...]:
        """The alphas tried, ascending."""
        return self.path.alphas

    @property
    def alpha(self) -> float:
        """The alpha kept."""
        return self.path.alphas[self.chosen]

    @property
    def graph(self) -> PDAG:
        """The answer: a valid CPDAG, but after "overwrite" and "first", which give their raw graph."""
        return self.raw_graph if self.answer is None else self.answer.graph

    @property
    def raw_graph(self) -> PDAG:
        """The first look's graph at the alpha kept, as the collider rule left it."""
        return self.path.first.graphs[self.chosen]

    @property
    def second_graph(self) -> PDAG:
        """The second look's graph at the alpha kept."""
        return self.path.second_look.graphs[self.chosen]

    @property
    def agreement(self) -> float:
        """How well the two looks agree at the alpha kept, in [0, 1]; OptionError after another rule."""
        if self.rule != DoubleCheck.name:
            raise OptionError(
                f"The rule {self.rule} measures no agreement; see `scores`, which are its {self.metric}."
            )
        return self.scores[self.chosen].value

    @property
    def ties(self) -> tuple[float, ...]:
        """All alphas that the rule could not tell from the best; the double check keeps the smallest."""
        return tuple(self.alphas[k] for k in self.tied)

    @property
    def n_tests(self) -> int:
        """Tests of both looks and of the repair, votes included."""
        looks = (self.path.first, self.path.second, self.path.repaired)
        return sum(look.n_tests for look in looks if look is not None)

    def rescored(self, metric: Metric) -> Selection:
        """The choice of the double check by another metric, from the same graphs; no test is run.

        Parameters
        ----------
        metric : str or callable
            As in `autopc`.

        Returns
        -------
        Selection
            With the same path.
        """
        started = perf_counter()
        return selection_by(DoubleCheck.name, DoubleCheck(metric).choose(self.path), self.path, started)

    @property
    def edge_ranges(self) -> tuple[EdgeRange, ...]:
        """For every pair adjacent at some alpha: over which alphas, and how it is oriented there."""
        marks: dict[tuple[int, int], tuple[list[float], list[float], list[float]]] = {}
        for c, chunk in enumerate(self.path.first.chunks):
            grid = self.alphas[c * MAX_ALPHAS : (c + 1) * MAX_ALPHAS]
            live = (1 << len(grid)) - 1
            columns = (chunk.edges.first, chunk.edges.second, chunk.forward, chunk.backward)
            for i, j, ahead, back in zip(*(column.tolist() for column in columns), strict=True):
                kinds = (ahead & ~back & live, back & ~ahead & live, ahead & back & live)
                if not any(kinds):
                    continue
                lists = marks.setdefault((i, j), ([], [], []))
                for alphas, kind in zip(lists, kinds, strict=True):
                    alphas.extend(grid[a] for a in bits(kind))
        return tuple(
            EdgeRange(self.names[i], self.names[j], tuple(sorted(chain(*lists))), *map(tuple, lists))
            for (i, j), lists in sorted(marks.items())
        )

    def save(self, file: str | Path) -> None:
        """Writes the record as versioned JSON; `Selection.load` reads it back."""
        from secondlook.selection.saving import save

        save(self, file)

    @staticmethod
    def load(file: str | Path) -> Selection:
        """Reads what `save` wrote."""
        from secondlook.selection.saving import load

        return load(file)

    def __repr__(self) -> str:
        score = self.scores[self.chosen].value
        by_agreement = self.rule == DoubleCheck.name
        how = (
            f"metric={self.metric!r}, agreement={score:.4f}"
            if by_agreement
            else f"rule={self.rule!r}, {self.metric}={score:.4g}"
        )
        return (
            f"Selection(alpha={self.alpha}, {how}, {len(self.alphas)} alphas, {self.graph.d} variables, "
            f"{self.graph.n_edges} edges)"
        )


def selection_by(rule: str, choice: Choice, path: AlphaPath, started: float) -> Selection:
    """The record of what the rule of this name chose from a path, its answer made valid.

    Parameters
    ----------
    rule : str
        Its name.
    choice : Choice
        What it chose.
    path : AlphaPath
        From which.
    started : float
        When, by `time.perf_counter`.
    """
    valid = valid_answer(path, choice.chosen)
    return Selection(
        path,
        choice.measure,
        choice.scores,
        choice.chosen,
        choice.ties,
        rule,
        choice.details,
        perf_counter() - started,
        None if valid is None else Answer(*valid),
    )
