"""One random data set of the flagship study, the same in whatever order draws are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from secondlook.graphs import cpdag
from secondlook.independence import FisherZ
from secondlook.simulation import random_dag, random_linear_model, wishart_covariance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.graphs import PDAG
    from secondlook.simulation import LinearModel
    from secondlook.studies.flagship.cells import Cell


class Block(NamedTuple):
    """Consecutive draws of one cell, with the model where it is a network's."""

    cell: Cell
    first: int
    draws: int
    model: LinearModel | None = None


class Drawn(NamedTuple):
    """A data set whose truth is known: the CPDAG of the DAG that made it, and the test bound to it."""

    truth: PDAG
    test: FisherZ


def generator_of(cell: Cell, draw: int, seed: int, purpose: int = 0) -> np.random.Generator:
    """The source of a draw's randomness, which depends on nothing but these.

    Parameters
    ----------
    cell : Cell
        The kind of data.
    draw : int
        The draw's number within the cell.
    seed : int
        The study's seed.
    purpose : int
        0 for the data, other numbers for what else is random.
    """
    return np.random.default_rng(np.random.SeedSequence((seed, crc32(cell.key.encode()), draw, purpose)))


def drawn(cell: Cell, draw: int, seed: int, network: LinearModel | None = None) -> Drawn:
    """The data set of one draw: an exact Wishart covariance where noise is Gaussian, rows where it is not.

    Parameters
    ----------
    cell : Cell
        The kind of data.
    draw : int
        The draw's number within the cell.
    seed : int
        The study's seed.
    network : LinearModel, optional
        The model of a network's cell.
    """
    rng = generator_of(cell, draw, seed)
    model = _random_model(cell, rng) if network is None else network
    truth = cpdag(model.dag)
    if model.noise != "gaussian":
        return Drawn(truth, FisherZ(model.sample(cell.n, rng), names=truth.names))
    covariance = wishart_covariance(model.covariance(), cell.n, rng)
    scale = np.sqrt(covariance.diagonal())
    correlation = np.clip(covariance / np.outer(scale, scale), -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return Drawn(truth, FisherZ(correlation=correlation, n=cell.n, names=truth.names))


def permuted(test: FisherZ, order: NDArray[np.int64]) -> FisherZ:
    """The same data with the columns in another order, every number the same to the last bit."""
    names = [test.names[i] for i in order]
    return FisherZ(correlation=test.correlation[np.ix_(order, order)], n=test.n, names=names)


def _random_model(cell: Cell, rng: np.random.Generator) -> LinearModel:
    made = cell.recipe
    dag = random_dag(cell.d, cell.degree, rng, kind=made.kind, hubs=made.hubs)
    return random_linear_model(dag, rng, weights=made.weights, noise=made.noise, variances=made.variances)
