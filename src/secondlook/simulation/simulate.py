"""Data with a known truth in one call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from secondlook.simulation.dags import random_dag
from secondlook.simulation.linear import random_linear_model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from secondlook.graphs import PDAG
    from secondlook.simulation.linear import LinearModel


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a simulation is made; the defaults are those of the AutoPC paper.

    Values are checked where they are used. Fields are explained by the function they go to.

    Attributes
    ----------
    kind, hubs : str
        The kind of graph; see ``random_dag``.
    weights : (float, float)
        The range of the size of a weight; see ``random_linear_model``.
    noise : str
        The distribution of the noise; see ``LinearModel``.
    variances : float or (float, float)
        The noise variances; see ``random_linear_model``.
    standardize : bool
        Whether the columns are standardized; see ``LinearModel.sample``.
    """

    kind: str = "erdos-renyi"
    hubs: str = "random"
    weights: tuple[float, float] = (0.3, 1.3)
    noise: str = "gaussian"
    variances: float | tuple[float, float] = 1.0
    standardize: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """A table whose true graph is known.

    Attributes
    ----------
    truth : PDAG
        The DAG.
    model : LinearModel
        The DAG with its weights and noises.
    data : float64 array, shape (n, d)
        The rows, one column for each name.
    """

    truth: PDAG
    model: LinearModel
    data: NDArray[np.float64] = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the d columns."""
        return self.truth.names


def simulate(
    d: int, n: int, *, rng: np.random.Generator, degree: float = 2.0, recipe: Recipe | None = None
) -> Simulation:
    """A random DAG, a linear model on it and rows drawn from the model.

    Parameters
    ----------
    d : int
        The number of variables, at least 1.
    n : int
        The number of rows, at least 1.
    rng : numpy.random.Generator
        The only source of randomness.
    degree : float
        The expected number of edges at a node; see ``random_dag``.
    recipe : Recipe, optional
        Everything else; the paper's settings by default.

    Raises
    ------
    OptionError
        When an option has a value outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> found = simulate(5, 100, rng=np.random.default_rng(0))
    >>> found.names, found.data.shape
    (('x0', 'x1', 'x2', 'x3', 'x4'), (100, 5))
    """
    recipe = Recipe() if recipe is None else recipe
    truth = random_dag(d, degree, rng, kind=recipe.kind, hubs=recipe.hubs)
    model = random_linear_model(
        truth, rng, weights=recipe.weights, noise=recipe.noise, variances=recipe.variances
    )
    return Simulation(truth, model, model.sample(n, rng, standardize=recipe.standardize))
