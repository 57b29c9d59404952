"""The BIC of a graph from the rows themselves: one least-squares fit per variable."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.graphs import PDAG


def gaussian_bic(dag: PDAG, rows: NDArray[np.float64], gamma: float = 0.0) -> float:
    """Minus twice the largest log-likelihood plus the penalty, less what is the same for all graphs."""
    n, d = rows.shape
    deviance = 0.0
    for name in dag.names:
        i = dag.index(name)
        parents = [dag.index(parent) for parent in dag.parents(name)]
        design = np.column_stack([np.ones(n), rows[:, parents]])
        residuals = rows[:, i] - design @ np.linalg.lstsq(design, rows[:, i], rcond=None)[0]
        variance = float(np.mean(residuals**2))
        deviance += n * log(variance / float(np.var(rows[:, i])))
    return deviance + (log(n) + 4 * gamma * log(d)) * dag.n_edges


def naive_bic(graph: PDAG, rows: NDArray[np.float64]) -> float:
    """The same, every line read as an arrow from the earlier column to the later one."""
    lines = graph.undirected
    arrows = [*graph.directed, *lines]
    deviance = 0.0
    for i, name in enumerate(graph.names):
        parents = [graph.index(tail) for tail, head in arrows if head == name]
        design = np.column_stack([np.ones(len(rows)), rows[:, parents]])
        residuals = rows[:, i] - design @ np.linalg.lstsq(design, rows[:, i], rcond=None)[0]
        deviance += len(rows) * log(float(np.mean(residuals**2)) / float(np.var(rows[:, i])))
    return deviance + log(len(rows)) * len(arrows)
