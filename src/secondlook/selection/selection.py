"""The record of a choice: every alpha tried, both graphs of each, their scores, and the one kept."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from secondlook.metrics import agreement
from secondlook.search.arrays import MAX_ALPHAS, bits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from secondlook.graphs import PDAG
    from secondlook.metrics.agreement import Agreement, Score
    from secondlook.search import AlphaPath

    Metric = str | Callable[[PDAG, PDAG], float] | Agreement


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
    """AutoPC's choice and everything it was made from.

    Attributes
    ----------
    path : AlphaPath
        The graphs of both looks at every alpha tried.
    metric : str
        The name of the metric that was maximised.
    scores : tuple of Score
        The agreement of the two looks at every alpha, compared exactly.
    chosen : int
        The position of the alpha kept: the first with the best score.
    rule : str
        How the choice was made.
    """

    path: AlphaPath
    metric: str
    scores: tuple[Score, ...]
    chosen: int
    rule: str = "double check"

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
        """The first look's graph at the alpha kept."""
        return self.path.first.graphs[self.chosen]

    @property
    def second_graph(self) -> PDAG:
        """The second look's graph at the alpha kept."""
        return self.path.second_look.graphs[self.chosen]

    @property
    def agreement(self) -> float:
        """How well the two looks agree at the alpha kept, in [0, 1]."""
        return self.scores[self.chosen].value

    @property
    def ties(self) -> tuple[float, ...]:
        """All alphas with the best score; the smallest of them was kept."""
        best = self.scores[self.chosen].key
        return tuple(
            alpha for alpha, score in zip(self.alphas, self.scores, strict=True) if score.key == best
        )

    @property
    def n_tests(self) -> int:
        """Tests of both looks, votes included."""
        second = 0 if self.path.second is None else self.path.second.n_tests
        return self.path.first.n_tests + second

    def rescored(self, metric: Metric) -> Selection:
        """The choice another metric would have made from the same graphs; no test is run.

        Parameters
        ----------
        metric : str or callable
            As in `autopc`.

        Returns
        -------
        Selection
            With the same path.
        """
        return scored(self.path, agreement(metric))

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
        return (
            f"Selection(alpha={self.alpha}, metric={self.metric!r}, agreement={self.agreement:.4f}, "
            f"{len(self.alphas)} alphas, {self.graph.d} variables, {self.graph.n_edges} edges)"
        )


def scored(path: AlphaPath, agree: Agreement) -> Selection:
    """The choice of the first alpha whose two looks agree best.

    Parameters
    ----------
    path : AlphaPath
        With both looks.
    agree : Agreement
        What is maximised.
    """
    scores = tuple(
        agree(first, second) for first, second in zip(path.first.graphs, path.second_look.graphs, strict=True)
    )
    # max() keeps the first of equals, so equal scores always give the smallest alpha.
    chosen = max(range(len(scores)), key=lambda k: scores[k].key)
    return Selection(path, agree.name, scores, chosen)
