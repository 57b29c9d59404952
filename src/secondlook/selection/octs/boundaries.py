"""Markov boundaries: what a graph says a variable should be predicted from, fold by fold, alpha by alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from secondlook.graphs import markov_boundaries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from secondlook.graphs import PDAG

Boundary = tuple[int, ...]


def ranked_boundaries(graph: PDAG, rank: Sequence[int]) -> tuple[Boundary, ...]:
    """The Markov boundary of every variable, both as places in the order that `rank` gives the nodes."""
    found: list[Boundary] = [()] * graph.d
    for i, boundary in enumerate(markov_boundaries(graph)):
        found[rank[i]] = tuple(sorted(rank[j] for j in boundary))
    return tuple(found)


@dataclass(frozen=True, eq=False, slots=True)
class Fits:
    """The distinct predictors of a grid: each predicts one variable in one fold from one boundary.

    Alphas share most of them, so each is fitted once.

    Attributes
    ----------
    wanted : tuple of (int, int, tuple of int)
        Fold, variable and boundary of each fit, fold by fold.
    where : int array, shape (alphas, folds, d)
        Which fit serves a variable in a fold at an alpha.
    """

    wanted: tuple[tuple[int, int, Boundary], ...]
    where: NDArray[np.intp]

    def of_fold(self, fold: int) -> list[int]:
        """The positions of a fold's fits."""
        found: list[int] = np.unique(self.where[:, fold]).tolist()
        return found

    def mean_sizes(self) -> tuple[float, ...]:
        """The mean size of a boundary over folds and variables, at every alpha."""
        sizes = np.array([len(boundary) for _, _, boundary in self.wanted])
        # whole numbers, added exactly and divided once: equal means are equal floats
        totals = sizes[self.where].sum(axis=(1, 2)).tolist()
        return tuple(total / self.where[0].size for total in totals)


def distinct_fits(by_fold: Sequence[Sequence[Sequence[Boundary]]]) -> Fits:
    """The distinct fits of boundaries by fold, alpha and variable."""
    known: dict[tuple[int, int, Boundary], int] = {}
    where = [
        [
            [known.setdefault((fold, i, boundary), len(known)) for i, boundary in enumerate(boundaries)]
            for boundaries in by_alpha
        ]
        for fold, by_alpha in enumerate(by_fold)
    ]
    return Fits(tuple(known), np.array(where, dtype=np.intp).transpose(1, 0, 2))
