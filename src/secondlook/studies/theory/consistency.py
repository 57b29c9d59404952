"""Theorems 2 and 3: what happens to AutoPC's answer as the number of rows grows."""

from __future__ import annotations

from math import erfc, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from secondlook.graphs import cpdag
from secondlook.independence import FisherZ
from secondlook.metrics.pairs import skeleton_confusion
from secondlook.search import DEFAULT_ALPHAS, SearchOptions, alpha_path
from secondlook.selection import DoubleCheck, Problem
from secondlook.simulation import random_dag, random_linear_model, wishart_covariance
from secondlook.studies.study import Outcome
from secondlook.tables import Moments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from secondlook.graphs import PDAG
    from secondlook.search.options import ColliderRule
    from secondlook.studies.study import Row

ROWS = tuple(10**k for k in range(2, 8))
NODES = (5, 10, 20)
DEGREE = 2
WEIGHTS = (0.3, 1.3)
FIXED, BY_N, BY_C = "fixed", "by 1/n", "by c"
COLLIDERS: tuple[ColliderRule, ...] = ("overwrite", "vote")
LARGEST_C = 0.022
"""c of the smallest alpha: at 10^7 rows it is 1e-265, and a float ends at 1e-308."""


class Models(NamedTuple):
    """Consecutive models of d variables."""

    d: int
    first: int
    draws: int


def slowly_shrinking(n: int) -> tuple[float, ...]:
    """The paper's grid at up to 1000 rows, beyond them each alpha times 1000 / n.

    Critical values grow as sqrt(2 log n), slower than any partial correlation's sqrt(n).

    Examples
    --------
    >>> slowly_shrinking(100) == DEFAULT_ALPHAS, slowly_shrinking(100_000)[0]
    (True, 5e-06)
    """
    return tuple(alpha * min(1.0, 1000.0 / n) for alpha in DEFAULT_ALPHAS)


def shrinking_by_c(n: int) -> tuple[float, ...]:
    """The paper's grid, each alpha replaced by 2 (1 - Phi(sqrt(n) c / 2)) as soon as that is smaller.

    The c of the six alphas are in proportion to their critical values, `LARGEST_C` for the smallest alpha, so
    that the grid keeps its shape.

    Examples
    --------
    >>> shrinking_by_c(1000) == DEFAULT_ALPHAS
    True
    >>> [f"{alpha:.0e}" for alpha in shrinking_by_c(1_000_000)]
    ['4e-28', '3e-25', '7e-19', '4e-16', '6e-10', '2e-07']
    """
    normal = NormalDist()
    critical = [-normal.inv_cdf(alpha / 2.0) for alpha in DEFAULT_ALPHAS]
    found = []
    for alpha, z in zip(DEFAULT_ALPHAS, critical, strict=True):
        reach = sqrt(n) * LARGEST_C * (z / critical[0]) / 2.0
        found.append(alpha if reach <= z else erfc(reach / sqrt(2.0)))
    return tuple(found)


GRIDS: dict[str, Callable[[int], tuple[float, ...]]] = {
    FIXED: lambda _: DEFAULT_ALPHAS,
    BY_N: slowly_shrinking,
    BY_C: shrinking_by_c,
}


def drawn(d: int, n: int, draw: int, seed: int) -> tuple[FisherZ, PDAG]:
    """The test and the true CPDAG of one model at n rows; the model is the same for all n."""
    rng = np.random.default_rng(np.random.SeedSequence((seed, 2, d, draw)))
    dag = random_dag(d, DEGREE, rng)
    model = random_linear_model(dag, rng, weights=WEIGHTS)
    sample = np.random.default_rng(np.random.SeedSequence((seed, 3, d, draw, n)))
    scatter = wishart_covariance(model.covariance(), n, sample) * (n - 1)
    correlation = Moments(n, np.zeros(d), scatter).correlation()
    return FisherZ(correlation=correlation, n=n, names=dag.names), cpdag(dag)


def judged(models: Models, seed: int) -> Outcome:
    """AutoPC's answer on every model of a block at every number of rows, for all grids and collider rules.

    Parameters
    ----------
    models : Models
        Which models.
    seed : int
        The study's seed.
    """
    found = [
        row
        for draw in range(models.first, models.first + models.draws)
        for n in ROWS
        for row in _judged_sample(models.d, n, draw, seed)
    ]
    return Outcome(found)


def _judged_sample(d: int, n: int, draw: int, seed: int) -> Iterator[Row]:
    test, truth = drawn(d, n, draw, seed)
    for grid, alphas_at in GRIDS.items():
        for colliders in COLLIDERS:
            options = SearchOptions(colliders=colliders)
            path = alpha_path(test, alphas_at(n), options)
            choice = DoubleCheck("shd").choose(path, Problem(test, options))
            graph = path.first.graphs[choice.chosen]
            edges = skeleton_confusion(truth, graph)
            head: Row = {"part": "consistency", "d": d, "n": n, "draw": draw, "grid": grid}
            yield {
                **head,
                "colliders": colliders,
                "alpha": path.alphas[choice.chosen],
                "right": int(graph == truth),
                "too_many": int(edges.fp > 0),
                "too_few": int(edges.fn > 0),
                "somewhere": int(any(one == truth for one in path.first.graphs)),
                "agreement": choice.scores[choice.chosen].value,
            }
