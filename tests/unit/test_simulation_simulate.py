"""A table with a known truth in one call."""

from __future__ import annotations

import numpy as np
import pytest

from secondlook.errors import OptionError
from secondlook.simulation import Recipe, random_dag, random_linear_model, simulate


def test_simulation_is_its_three_steps() -> None:
    """The record holds the graph, the model and the rows that the parts would have given."""
    found = simulate(6, 30, rng=np.random.default_rng(4), degree=3)
    rng = np.random.default_rng(4)
    truth = random_dag(6, 3, rng)
    model = random_linear_model(truth, rng)
    assert found.truth == truth
    assert found.model.dag is found.truth
    assert np.array_equal(found.model.weights, model.weights)
    assert np.array_equal(found.data, model.sample(30, rng))
    assert found.names == ("x0", "x1", "x2", "x3", "x4", "x5")


def test_recipe_reaches_every_step(rng: np.random.Generator) -> None:
    """Graph, weights, noise, variances and standardizing are all as asked."""
    recipe = Recipe(
        kind="scale-free",
        hubs="sink",
        weights=(0.1, 0.5),
        noise="uniform",
        variances=(3.0, 4.0),
        standardize=True,
    )
    found = simulate(30, 100, rng=rng, degree=4, recipe=recipe)
    assert found.truth.n_edges == 2 * 28
    assert np.bincount(found.truth.arrows[:, 0]).max() == 2
    assert abs(found.model.weights).max() <= 0.5
    assert found.model.noise == "uniform"
    assert found.model.variances.min() >= 3.0
    np.testing.assert_allclose(found.data.var(axis=0, ddof=1), 1.0, rtol=1e-12)


def test_printed_simulation_does_not_hold_its_rows(rng: np.random.Generator) -> None:
    """The representation names graph and model and stays short."""
    text = repr(simulate(3, 1000, rng=rng, degree=1))
    assert text.startswith("Simulation(truth=PDAG with 3 nodes")
    assert "data=" not in text


def test_refusal_of_a_step_is_the_users_answer(rng: np.random.Generator) -> None:
    """A degree that two nodes cannot have is refused where it is used."""
    with pytest.raises(OptionError, match=r"must be in \[0, d - 1\] = \[0, 1\]\. Got 2\.0"):
        simulate(2, 10, rng=rng)
