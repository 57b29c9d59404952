"""How well a DAG fits: residual variances of Gaussian families, counts of discrete ones, and their BIC."""

from __future__ import annotations

from collections import defaultdict
from math import fsum, inf, log
from typing import TYPE_CHECKING

import numpy as np

from secondlook.independence import GSquare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from secondlook.graphs import PDAG
    from secondlook.independence import FisherZ
    from secondlook.selection.rule import Problem

Family = tuple[int, tuple[int, ...]]
"""A variable and its parents, ascending."""

PIVOT_FLOOR = 1e-8
"""A variable with no more of its variance left than this is collinear with those before it."""


def residual_variances(correlation: NDArray[np.float64], families: Sequence[Family]) -> NDArray[np.float64]:
    """What its parents leave of each variable's unit variance; 0 where they are collinear.

    Parameters
    ----------
    correlation : float64 array, shape (d, d)
        Unit diagonal.
    families : sequence of (int, tuple of int)
        Variables with their parents.

    Returns
    -------
    float64 array, shape (len(families),)
        In [0, 1].
    """
    left = np.ones(len(families))
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for k, (_, parents) in enumerate(families):
        by_size[len(parents)].append(k)
    for size, where in by_size.items():
        if size:
            columns = np.array([(*families[k][1], families[k][0]) for k in where])
            left[where] = _last_pivots(correlation[columns[:, :, None], columns[:, None, :]])
    return left


def _last_pivots(matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """The last pivot of each symmetric matrix; 0 when an earlier one, or itself, is too small."""
    sound = np.ones(len(matrices), dtype=bool)
    for _ in range(matrices.shape[1] - 1):
        pivot = matrices[:, 0, 0]
        sound &= pivot > PIVOT_FLOOR
        column = matrices[:, 1:, 0]
        share = column / np.where(sound, pivot, 1.0)[:, None]
        matrices = matrices[:, 1:, 1:] - share[:, :, None] * column[:, None, :]
    last = matrices[:, 0, 0]
    return np.where(sound & (last > PIVOT_FLOOR), last, 0.0)


class GaussianScore:
    """BIC and EBIC of DAGs over one data set; a family met again is not computed again.

    Parameters
    ----------
    test : FisherZ
        Correlation matrix and number of rows.
    gamma : float
        Weight of the extended penalty: 0 is the BIC.
    """

    def __init__(self, test: FisherZ, gamma: float = 0.0) -> None:
        self._correlation = test.correlation
        self._n = test.n
        self._per_edge = log(test.n) + 4.0 * gamma * log(max(len(test.names), 1))
        self._known: dict[Family, float] = {}

    def __call__(self, families: Iterable[Family]) -> float:
        """The score: n times the sum of log residual variances plus the penalty; inf when not defined.

        It is not defined when a family has as many parents as rows less one, or is collinear.
        """
        wanted = list(families)
        self._learn([family for family in wanted if family not in self._known])
        # fsum rounds once, so the order of the variables plays no part.
        fit = fsum(self._known[family] for family in wanted)
        return self._n * fit + self._per_edge * sum(len(parents) for _, parents in wanted)

    def _learn(self, families: list[Family]) -> None:
        left = residual_variances(self._correlation, families)
        for family, variance in zip(families, left.tolist(), strict=True):
            defined = variance > 0.0 and self._n > len(family[1]) + 1
            self._known[family] = log(variance) if defined else inf


class DiscreteScore:
    """BIC and EBIC of DAGs over categories; a family met again is not counted again.

    The score is -2 times the largest log-likelihood, plus log n for each free parameter: for every
    combination of its parents' levels, seen or not, a variable has one less than its own levels. The extended
    penalty is 4 * gamma * log d per edge, as for Gaussian data.

    Parameters
    ----------
    test : GSquare
        The counts.
    gamma : float
        Weight of the extended penalty: 0 is the BIC.

    References
    ----------
    Schwarz, G. (1978). Estimating the dimension of a model. Annals of Statistics 6, 461-464.
    """

    def __init__(self, test: GSquare, gamma: float = 0.0) -> None:
        self._test = test
        self._levels = [len(levels) for levels in test.levels]
        self._per_edge = 4.0 * gamma * log(len(test.names))
        self._known: dict[Family, float] = {}

    def __call__(self, families: Iterable[Family]) -> float:
        """The score; inf when a family has more parameters than a number can hold."""
        wanted = list(families)
        self._learn([family for family in wanted if family not in self._known])
        return fsum(self._known[family] for family in wanted)

    def _learn(self, families: list[Family]) -> None:
        fitted = self._test.log_likelihoods(families)
        for family, likelihood in zip(families, fitted.tolist(), strict=True):
            variable, parents = family
            free = float(self._levels[variable] - 1)
            for parent in parents:
                free *= self._levels[parent]
            penalty = log(self._test.n) * free + self._per_edge * len(parents)
            self._known[family] = penalty - 2.0 * likelihood


def score_for(problem: Problem, rule: str, gamma: float = 0.0) -> GaussianScore | DiscreteScore:
    """The BIC, or with gamma the EBIC, that goes with the test at hand.

    Raises
    ------
    OptionError
        When the test is neither a `FisherZ` nor a `GSquare`.
    """
    if isinstance(problem.test, GSquare):
        return DiscreteScore(problem.test, gamma)
    return GaussianScore(problem.gaussian_for(rule), gamma)


def families_of(dag: PDAG) -> list[Family]:
    """Every variable with its parents: the tails of its arrows."""
    return [(i, tuple(sorted(parents))) for i, parents in enumerate(dag.adjacency.parents)]


def naive_families(graph: PDAG) -> list[Family]:
    """Every variable with its directed parents and its undirected neighbours of lower index."""
    near = graph.adjacency
    return [
        (i, tuple(sorted([*near.parents[i], *(j for j in near.neighbors[i] if j < i)])))
        for i in range(graph.d)
    ]
