"""The problems that are timed: linear Gaussian data of random graphs, made once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from secondlook.independence import FisherZ
from secondlook.simulation import Recipe, simulate

Table = np.ndarray[tuple[int, int], np.dtype[np.float64]]


@lru_cache(maxsize=2)
def table(d: int, n: int, degree: float, *, seed: int = 1) -> Table:
    """Rows of a random graph of this expected degree, weights ±[0.3, 1.3]."""
    return simulate(d, n, degree=degree, rng=np.random.default_rng(seed)).data


@lru_cache(maxsize=1)
def hubs(d: int, n: int, pointing: str, *, seed: int = 1) -> Table:
    """Rows of a scale-free graph of degree 4, whose oldest nodes have very many neighbours."""
    recipe = Recipe(kind="scale-free", hubs=pointing)
    return simulate(d, n, degree=4.0, recipe=recipe, rng=np.random.default_rng(seed)).data


def test_of(data: Table) -> FisherZ:
    """The test whose correlation matrix is finished, which is where our times start."""
    return FisherZ(data)
