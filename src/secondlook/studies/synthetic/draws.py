"""One random data set of the paper's experiments, and the grid of cells that they cover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from secondlook.graphs import cpdag
from secondlook.independence import FisherZ
from secondlook.simulation import random_dag, random_linear_model, wishart_covariance, wishart_folds
from secondlook.tables import FoldMoments, Moments, as_table

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.tables import Table

Need: TypeAlias = Literal["rows", "folds"]
DEGREE = 2
WEIGHTS = (0.3, 1.3)
FOLDS = 10
"""What OCTs cuts the rows into."""


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
    moments : FoldMoments or None
        The moments of ten folds, where they were asked for.
    """

    truth: PDAG
    test: FisherZ
    table: Table | None = None
    moments: FoldMoments | None = None


def drawn(cell: Cell, draw: int, seed: int, needs: frozenset[Need] = frozenset()) -> Drawn:
    """The data set of one draw, the same in whatever order draws are made.

    Parameters
    ----------
    cell : Cell
        Its size.
    draw : int
        Its number within the cell.
    seed : int
        The study's seed.
    needs : set of "rows" and "folds"
        What methods need beyond correlations. Without "rows" the moments are drawn from their exact
        distribution: the same model, another sample.
    """
    rng = np.random.default_rng(np.random.SeedSequence((seed, cell.d, cell.n, draw)))
    dag = random_dag(cell.d, DEGREE, rng)
    model = random_linear_model(dag, rng, weights=WEIGHTS)
    table, folds = None, None
    if "rows" in needs:
        table = as_table(model.sample(cell.n, rng), dag.names)
        # rows are independent, so that consecutive ones are as good a fold as random ones
        folds = FoldMoments.of_rows(table.values, np.array_split(np.arange(cell.n), FOLDS))
    elif "folds" in needs:
        folds = wishart_folds(model.covariance(), cell.n, FOLDS, rng)
    if folds is not None:
        merged = folds.merged()
    else:
        covariance = wishart_covariance(model.covariance(), cell.n, rng)
        merged = Moments(cell.n, np.zeros(cell.d), covariance * (cell.n - 1))
    test = FisherZ(correlation=merged.correlation(), n=cell.n, names=dag.names)
    return Drawn(cpdag(dag), test, table, folds if "folds" in needs else None)
