"""OCTs row by row: boundaries by definition, information from whole columns, swaps one at a time."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

import numpy as np

from secondlook import FisherZ, alpha_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from secondlook import PDAG, SearchOptions

    Informs = Callable[[NDArray[np.float64], NDArray[np.float64]], float]


def boundary(graph: PDAG, name: str) -> set[str]:
    """Who is joined to a node, or points with it into the same node."""

    def points(a: str, b: str) -> bool:
        return a in graph.parents(b)

    near = {other for other in graph.names if other != name and graph.is_adjacent(name, other)}
    shared = {
        other
        for child in graph.names
        for other in graph.names
        if other != name and points(name, child) and points(other, child)
    }
    return near | shared


def gaussian_information(y: NDArray[np.float64], p: NDArray[np.float64]) -> float:
    """-1/2 ln(1 - r^2); 0 without variance."""
    if np.ptp(p) == 0 or np.ptp(y) == 0:
        return 0.0
    return -0.5 * log(1 - np.corrcoef(y, p)[0, 1] ** 2)


def plug_in_information(y: NDArray[np.float64], p: NDArray[np.float64]) -> float:
    """The mutual information of two columns of categories, from counts."""
    n, rows, columns, cells = len(y), Counter(y.tolist()), Counter(p.tolist()), Counter()
    cells.update(zip(y.tolist(), p.tolist(), strict=True))
    return sum(c / n * log(c * n / (rows[a] * columns[b])) for (a, b), c in cells.items())


def gain(informs: Informs, values: NDArray, best: NDArray, other: NDArray) -> float:
    """By how much the best configuration informs more, averaged over variables."""
    d = values.shape[1]
    return sum(informs(values[:, i], best[:, i]) - informs(values[:, i], other[:, i]) for i in range(d)) / d


def swap_p_value(
    informs: Informs, values: NDArray, best: NDArray, other: NDArray, halves: Iterable[NDArray[np.bool_]]
) -> float:
    """The share of given halves of the rows whose swap gains as much as was observed."""
    observed, reached = gain(informs, values, best, other), []
    for half in halves:
        mine, yours = best.copy(), other.copy()
        for row in np.flatnonzero(half):
            mine[row], yours[row] = other[row], best[row]
        reached.append(gain(informs, values, mine, yours) >= observed - 1e-12)
    return sum(reached) / len(reached)


def linear_scores(
    values: NDArray[np.float64],
    names: Sequence[str],
    folds: Sequence[NDArray[np.intp]],
    alphas: Sequence[float],
    options: SearchOptions,
) -> list[float]:
    """The mean information of least squares from the boundaries, at every alpha."""
    scores = []
    for alpha in alphas:
        predicted = np.empty_like(values)
        for held_out in folds:
            train = np.delete(values, held_out, axis=0)
            test = FisherZ(train, names=names)
            graph = alpha_path(test, [alpha], options, looks=1, order_free=True).first.graphs[0]
            for i, name in enumerate(names):
                columns = [names.index(other) for other in boundary(graph, name)]
                design = np.column_stack([np.ones(len(train)), train[:, columns]])
                slopes = np.linalg.lstsq(design, train[:, i], rcond=None)[0]
                predicted[held_out, i] = slopes[0] + values[np.ix_(held_out, columns)] @ slopes[1:]
        each = [gaussian_information(values[:, i], predicted[:, i]) for i in range(len(names))]
        scores.append(sum(each) / len(each))
    return scores
