"""One random data set of the paper's experiments, and the grid of cells that they cover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from secondlook.graphs import cpdag
from secondlook.independence import FisherZ
from secondlook.simulation import random_dag, random_linear_model, wishart_covariance
from secondlook.tables import as_table

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.tables import Table

DEGREE = 2
WEIGHTS = (0.3, 1.3)


class Cell(NamedTuple):
    """One row of the paper's tables: n rows of d variables."""

    n: int
    d: int

    @property
    def label(self) -> str:
        """What plots call it."""
        return f"n = {self.n:,}, d = {self.d}"


CELLS = tuple(Cell(n, d) for d in (10, 20, 50) for n in (1_000, 10_000, 100_000))
"""In the paper's order."""


class Block(NamedTuple):
    """Consecutive draws of one cell."""

    cell: Cell
    first: int
    draws: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A data set whose truth is known.

    Attributes
    ----------
    truth : PDAG
        The CPDAG of the DAG that made the data.
    test : FisherZ
        Bound to the data.
    table : Table or None
        The rows, where there are any.
    """

    truth: PDAG
    test: FisherZ
    table: Table | None


def drawn(cell: Cell, draw: int, seed: int, *, rows: bool) -> Drawn:
    """The data set of one draw, the same in whatever order draws are made.

    Parameters
    ----------
    cell : Cell
        Its size.
    draw : int
        Its number within the cell.
    seed : int
        The study's seed.
    rows : bool
        Whether rows are drawn. Without them the covariance is drawn from its exact distribution: the same
        model, another sample.
    """
    rng = np.random.default_rng(np.random.SeedSequence((seed, cell.d, cell.n, draw)))
    dag = random_dag(cell.d, DEGREE, rng)
    model = random_linear_model(dag, rng, weights=WEIGHTS)
    truth = cpdag(dag)
    if rows:
        table = as_table(model.sample(cell.n, rng), dag.names)
        return Drawn(truth, FisherZ(table), table)
    covariance = wishart_covariance(model.covariance(), cell.n, rng)
    return Drawn(truth, FisherZ(correlation=_correlation(covariance), n=cell.n, names=dag.names), None)


def _correlation(covariance: Any) -> Any:
    scale = np.sqrt(covariance.diagonal())
    correlation = np.clip(covariance / np.outer(scale, scale), -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return correlation
