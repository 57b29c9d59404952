"""Linear models on a DAG: each variable is a weighted sum of its parents plus independent noise."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from secondlook.errors import DataError, OptionError
from secondlook.graphs import PDAG
from secondlook.graphs.order import dag_order
from secondlook.simulation.options import (
    checked_choice,
    checked_count,
    checked_generator,
    checked_number,
    checked_range,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    FloatArray: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearModel:
    """A DAG with a weight on every arrow and a noise of known variance at every node.

    Attributes
    ----------
    dag : PDAG
        The DAG over d variables.
    weights : float64 array, shape (m,)
        The weight of each arrow, in the order of ``dag.arrows``; read-only.
    variances : float64 array, shape (d,)
        The variance of each variable's noise, positive; read-only.
    noise : {"gaussian", "uniform", "exponential", "t5"}
        The noise's distribution, always with mean zero: Gaussian, uniform, shifted exponential, or Student's
        t with 5 degrees of freedom.
    intercepts : float64 array, shape (d,), optional
        What is added to each variable besides its parents and its noise; zeros by default; read-only.

    Raises
    ------
    GraphError
        When the graph is not a DAG.
    DataError
        When an array has the wrong shape, a weight is not finite or a variance not positive.
    OptionError
        When the noise is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from secondlook.graphs import PDAG
    >>> model = LinearModel(PDAG("ab", directed=["ab"]), np.array([2.0]), np.array([1.0, 3.0]))
    >>> model.covariance()
    array([[1., 2.],
           [2., 7.]])
    """

    dag: PDAG
    weights: FloatArray
    variances: FloatArray
    noise: str = "gaussian"
    intercepts: FloatArray | None = None
    _order: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.dag, PDAG):
            raise TypeError(f"The 'dag' of LinearModel must be a PDAG. Got {type(self.dag).__name__}.")
        order = dag_order(self.dag, "LinearModel")
        checked_choice("LinearModel", "noise", self.noise, _NOISES)
        object.__setattr__(self, "weights", _frozen_array("weights", self.weights, len(self.dag.arrows)))
        object.__setattr__(self, "variances", _frozen_array("variances", self.variances, self.dag.d))
        if (self.variances <= 0).any():
            lowest = int(self.variances.argmin())
            raise DataError(
                "The 'variances' of LinearModel must be positive. "
                f"Got {self.variances[lowest]} for {self.dag.names[lowest]!r}."
            )
        given = np.zeros(self.dag.d) if self.intercepts is None else self.intercepts
        object.__setattr__(self, "intercepts", _frozen_array("intercepts", given, self.dag.d))
        object.__setattr__(self, "_order", order)

    @property
    def weight_matrix(self) -> FloatArray:
        """The weights as a matrix of shape (d, d), the weight of i -> j at [i, j]."""
        matrix = np.zeros((self.dag.d, self.dag.d))
        matrix[self.dag.arrows[:, 0], self.dag.arrows[:, 1]] = self.weights
        return matrix

    def covariance(self) -> FloatArray:
        """The population covariance, shape (d, d), symmetric and positive definite.

        It is filled in from causes to effects, at a cost of d times the number of edges: no matrix is
        inverted. It holds for every noise, because covariances of linear models need variances only.
        """
        d = self.dag.d
        covariance = np.zeros((d, d))
        for j, parents, weights in self._steps:
            row = weights @ covariance[parents]
            own = weights @ row[parents]
            covariance[j] = covariance[:, j] = row
            covariance[j, j] = own + self.variances[j]
        return covariance

    def correlation(self) -> FloatArray:
        """The population correlation, shape (d, d), with ones on the diagonal."""
        covariance = self.covariance()
        scale = np.sqrt(covariance.diagonal())
        correlation: FloatArray = np.clip(covariance / np.outer(scale, scale), -1.0, 1.0)
        np.fill_diagonal(correlation, 1.0)
        return correlation

    def sample(self, n: int, rng: np.random.Generator, *, standardize: bool = False) -> FloatArray:
        """Independent rows of the model.

        Parameters
        ----------
        n : int
            The number of rows, at least 1 (2 when standardized).
        rng : numpy.random.Generator
            The only source of randomness.
        standardize : bool
            Whether every column is centred and divided by its own standard deviation (ddof 1).

        Returns
        -------
        float64 array, shape (n, d)
            Columns in the order of ``dag.names``, C-contiguous.

        Raises
        ------
        OptionError
            When n is too small.
        """
        checked_generator("sample", rng)
        n = checked_count("sample", "n", n, 2 if standardize else 1)
        # one variable a row while the walk lasts, so that a parent's values lie together in memory
        columns = _NOISES[self.noise](rng, (self.dag.d, n))
        columns *= np.sqrt(self.variances)[:, None]
        if self.intercepts is not None and self.intercepts.any():
            columns += self.intercepts[:, None]
        for j, parents, weights in self._steps:
            if len(parents):
                columns[j] += weights @ columns[parents]
        if standardize:
            columns -= columns.mean(axis=1, keepdims=True)
            columns /= columns.std(axis=1, ddof=1, keepdims=True)
        return np.ascontiguousarray(columns.T)

    @cached_property
    def _steps(self) -> list[tuple[int, NDArray[np.int32], FloatArray]]:
        """Every node after its parents: the node, its parents and their weights."""
        tails, heads = self.dag.arrows.T
        by_head = np.argsort(heads, kind="stable")
        ends = np.searchsorted(heads[by_head], np.arange(self.dag.d + 1))
        steps = []
        for j in self._order:
            own = by_head[ends[j] : ends[j + 1]]
            steps.append((j, tails[own], self.weights[own]))
        return steps


def random_linear_model(
    dag: PDAG,
    rng: np.random.Generator,
    *,
    weights: tuple[float, float] = (0.3, 1.3),
    noise: str = "gaussian",
    variances: float | tuple[float, float] = 1.0,
) -> LinearModel:
    """A linear model on a DAG with random weights of either sign.

    Parameters
    ----------
    dag : PDAG
        The DAG.
    rng : numpy.random.Generator
        The only source of randomness.
    weights : (float, float)
        The range (low, high) of a weight's size, 0 < low <= high; the sign is a fair coin.
    noise : {"gaussian", "uniform", "exponential", "t5"}
        The noise's distribution; see ``LinearModel``.
    variances : float or (float, float)
        The noise variance of every variable, or the range it is drawn from uniformly; positive.

    Raises
    ------
    GraphError
        When the graph is not a DAG.
    OptionError
        When an option has a value outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> from secondlook.graphs import PDAG
    >>> model = random_linear_model(PDAG("ab", directed=["ab"]), np.random.default_rng(0), weights=(1, 1))
    >>> abs(model.weights)
    array([1.])
    """
    checked_generator("random_linear_model", rng)
    if not isinstance(dag, PDAG):
        raise TypeError(f"The 'dag' of random_linear_model must be a PDAG. Got {type(dag).__name__}.")
    low, high = checked_range("random_linear_model", "weights", weights)
    checked_choice("random_linear_model", "noise", noise, _NOISES)
    if isinstance(variances, tuple | list):
        least, most = checked_range("random_linear_model", "variances", variances)
    else:
        least = most = checked_number("random_linear_model", "variances", variances)
        if least <= 0:
            raise OptionError(
                f"The 'variances' parameter of random_linear_model must be positive. Got {variances}."
            )
    m = len(dag.arrows)
    sizes = rng.uniform(low, high, m)
    signs = rng.choice(np.array([-1.0, 1.0]), m)
    drawn = rng.uniform(least, most, dag.d) if least < most else np.full(dag.d, least)
    return LinearModel(dag, sizes * signs, drawn, noise)


def _frozen_array(name: str, values: FloatArray, length: int) -> FloatArray:
    found = np.array(values, dtype=np.float64)
    if found.shape != (length,):
        raise DataError(f"The {name!r} of LinearModel must have shape ({length},). Got {found.shape}.")
    if not np.isfinite(found).all():
        raise DataError(f"The {name!r} of LinearModel must be finite. Got {found[~np.isfinite(found)][0]}.")
    found.flags.writeable = False
    return found


def _gaussian(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    return rng.standard_normal(shape)


def _uniform(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    return rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), shape)


def _exponential(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    return rng.standard_exponential(shape) - 1.0


def _t5(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    # Student's t with 5 degrees of freedom has variance 5/3
    drawn: FloatArray = rng.standard_t(5, shape) * np.sqrt(0.6)
    return drawn


_NOISES: dict[str, Callable[[np.random.Generator, tuple[int, int]], FloatArray]] = {
    "gaussian": _gaussian,
    "uniform": _uniform,
    "exponential": _exponential,
    "t5": _t5,
}
