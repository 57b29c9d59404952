"""Bayesian networks of categories: a DAG and, for each variable, its distribution given its parents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import DataError
from secondlook.graphs import PDAG
from secondlook.graphs.order import dag_order
from secondlook.simulation.options import checked_count, checked_generator
from secondlook.tables.coding import Codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_OFF = 0.01
"""Printed probabilities are rounded; a distribution that misses 1 by more than this is a mistake."""


@dataclass(frozen=True, eq=False, repr=False)
class DiscreteNetwork:
    """A DAG with a table of probabilities for every variable.

    Attributes
    ----------
    dag : PDAG
        The DAG over d variables.
    levels : tuple of tuple of str
        The categories of each variable, at least one each.
    tables : tuple of float64 arrays
        Variable k's probabilities: one axis for each of its parents in column order, then one for itself. The
        sums over the last axis may miss 1 by rounding and are made 1; read-only.

    Raises
    ------
    GraphError
        When the graph is not a DAG.
    DataError
        When a table has the wrong shape, or a distribution is negative or does not sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from secondlook.graphs import PDAG
    >>> sky, wet = np.array([0.7, 0.3]), np.array([[1.0, 0.0], [0.2, 0.8]])
    >>> dag = PDAG(["sky", "street"], [("sky", "street")])
    >>> network = DiscreteNetwork(dag, (("sun", "rain"), ("dry", "wet")), (sky, wet))
    >>> network.sample(4, np.random.default_rng(5)).codes.tolist()
    [[1, 0], [1, 1], [0, 0], [0, 0]]
    """

    dag: PDAG
    levels: tuple[tuple[str, ...], ...]
    tables: tuple[NDArray[np.float64], ...]
    _order: list[int] = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.dag, PDAG):
            raise TypeError(f"The 'dag' of DiscreteNetwork must be a PDAG. Got {type(self.dag).__name__}.")
        object.__setattr__(self, "_order", dag_order(self.dag, "DiscreteNetwork"))
        for what, given in (("levels", self.levels), ("tables", self.tables)):
            if len(given) != self.dag.d:
                raise DataError(
                    f"The '{what}' of DiscreteNetwork must be one for each of {self.dag.d} variables. "
                    f"Got {len(given)}."
                )
        object.__setattr__(self, "levels", tuple(tuple(map(str, own)) for own in self.levels))
        tables = tuple(self._checked(k, table) for k, table in enumerate(self.tables))
        object.__setattr__(self, "tables", tables)

    def sample(self, n: int, rng: np.random.Generator) -> Codes:
        """Independent rows of the network, parents drawn before their children.

        Parameters
        ----------
        n : int
            The number of rows, at least 1.
        rng : numpy.random.Generator
            The only source of randomness.

        Returns
        -------
        Codes
            Of n rows; `levels` are those of the network, drawn or not.
        """
        checked_generator("sample", rng)
        n = checked_count("sample", "n", n, 1)
        codes = np.empty((n, self.dag.d), dtype=np.int32, order="F")
        for k in self._order:
            row = np.zeros(n, dtype=np.int64)
            for parent in sorted(self.dag.adjacency.parents[k]):
                row = row * len(self.levels[parent]) + codes[:, parent]
            codes[:, k] = _drawn(self.tables[k].reshape(-1, len(self.levels[k])), row, rng)
        codes.flags.writeable = False
        return Codes(self.dag.names, codes, self.levels)

    def _checked(self, k: int, table: NDArray[np.float64]) -> NDArray[np.float64]:
        name = self.dag.names[k]
        parents = sorted(self.dag.adjacency.parents[k])
        shape = tuple(len(self.levels[v]) for v in (*parents, k))
        found = np.array(table, dtype=np.float64)
        if found.shape != shape or not found.size:
            raise DataError(
                f"The table of {name!r} must have shape {shape}, none of it 0. Got {found.shape}."
            )
        sums = found.sum(axis=-1, keepdims=True)
        if not (found >= 0).all() or not (abs(sums - 1.0) <= _MOST_OFF).all():
            worst = sums.flat[int(abs(sums - 1.0).argmax())]
            raise DataError(
                f"The probabilities of {name!r} must be at least 0 and sum to 1. "
                f"Got a sum of {worst:.6g} and a least of {found.min():.6g}."
            )
        found /= sums
        found.flags.writeable = False
        return found

    def __repr__(self) -> str:
        return f"DiscreteNetwork({self.dag.d} variables, {self.dag.n_edges} arrows)"


def _drawn(table: NDArray[np.float64], row: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """One code for each row number, from the distribution in that row of the table."""
    upto = np.cumsum(table, axis=1)
    # exactly 1 from the last possible level on, so that no impossible one is drawn
    upto[upto >= upto[:, -1:]] = 1.0
    # One ascending list for all rows: row r occupies [r, r + 1].
    places = (upto + np.arange(len(table))[:, None]).ravel()
    aim = np.minimum(row + rng.random(len(row)), np.nextafter(row + 1.0, 0.0))
    found: NDArray[np.int64] = np.searchsorted(places, aim, side="right") - row * table.shape[1]
    return found
