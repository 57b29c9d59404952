"""Linear models: exact moments, rows against a matrix twin, noises and refusals."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest

import zoo
from secondlook.errors import DataError, GraphError, OptionError
from secondlook.graphs import PDAG
from secondlook.simulation import LinearModel, random_dag, random_linear_model

NOISES = ["gaussian", "uniform", "exponential", "t5"]
CHAIN = PDAG("abc", ["ca", "ab"])


def inverse(model: LinearModel) -> np.ndarray:
    """The total effects (I - B)^-1, by the inverse that the library avoids."""
    return np.linalg.inv(np.eye(model.dag.d) - model.weight_matrix)


def test_weight_matrix_holds_the_weight_of_each_arrow_at_tail_and_head() -> None:
    """The weight of i -> j stands at [i, j] and nothing stands elsewhere."""
    model = LinearModel(CHAIN, np.array([0.5, -2.0]), np.ones(3))
    assert CHAIN.directed == (("a", "b"), ("c", "a"))
    assert np.array_equal(model.weight_matrix, [[0, 0.5, 0], [0, 0, 0], [-2.0, 0, 0]])


def test_covariance_of_a_chain_is_the_one_by_hand() -> None:
    """C has variance 1, a = -2c + e and b = a/2 + e follow."""
    model = LinearModel(CHAIN, np.array([0.5, -2.0]), np.array([1.0, 3.0, 1.0]))
    assert np.array_equal(model.covariance(), [[5.0, 2.5, -2.0], [2.5, 4.25, -1.0], [-2.0, -1.0, 1.0]])


def test_covariance_equals_the_inverse_formula(rng: np.random.Generator) -> None:
    """The walk from causes to effects gives T' diag(v) T with T the inverse of I - B."""
    for degree in (0, 2, 5, 11):
        model = random_linear_model(random_dag(12, degree, rng), rng, variances=(0.5, 2.0))
        T = inverse(model)
        expected = T.T @ np.diag(model.variances) @ T
        found = model.covariance()
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)
        assert np.array_equal(found, found.T)


def test_correlation_is_the_scaled_covariance(rng: np.random.Generator) -> None:
    """Ones stand on the diagonal and every other entry is scaled by both standard deviations."""
    model = random_linear_model(random_dag(9, 4, rng), rng)
    covariance, correlation = model.covariance(), model.correlation()
    scale = np.sqrt(np.outer(covariance.diagonal(), covariance.diagonal()))
    np.testing.assert_allclose(correlation, covariance / scale, rtol=1e-14)
    assert np.array_equal(correlation.diagonal(), np.ones(9))
    assert np.array_equal(correlation, correlation.T)


def test_sample_equals_the_matrix_twin(rng: np.random.Generator) -> None:
    """The rows are the same noise multiplied by the inverse of I - B."""
    model = random_linear_model(random_dag(15, 5, rng), rng, variances=(0.5, 2.0))
    noise = np.random.default_rng(5).standard_normal((15, 40)).T * np.sqrt(model.variances)
    found = model.sample(40, np.random.default_rng(5))
    np.testing.assert_allclose(found, noise @ inverse(model), rtol=1e-9, atol=1e-9)
    assert found.dtype == np.float64
    assert found.flags.c_contiguous


@pytest.mark.parametrize("noise", NOISES)
def test_large_sample_has_the_population_moments(noise: str, rng: np.random.Generator) -> None:
    """Whatever the noise, the mean is zero and the covariance that of the model."""
    model = random_linear_model(random_dag(6, 3, rng), rng, noise=noise, variances=(0.5, 2.0))
    rows, covariance = model.sample(200_000, rng), model.covariance()
    scale = np.sqrt(covariance.diagonal())
    assert abs(rows.mean(axis=0) / scale).max() < 0.012
    assert abs((np.cov(rows, rowvar=False) - covariance) / np.outer(scale, scale)).max() < 0.04


@pytest.mark.parametrize(
    ("noise", "kurtosis", "skewness"),
    [("gaussian", 3.0, 0.0), ("uniform", 1.8, 0.0), ("exponential", 9.0, 2.0)],
)
def test_noise_has_the_shape_of_its_name(
    noise: str, kurtosis: float, skewness: float, rng: np.random.Generator
) -> None:
    """Third and fourth moments are those of the distribution."""
    model = LinearModel(PDAG("a"), np.empty(0), np.array([4.0]), noise)
    x = model.sample(400_000, rng)[:, 0] / 2
    assert np.mean(x**3) == pytest.approx(skewness, abs=0.25)
    assert np.mean(x**4) == pytest.approx(kurtosis, rel=0.15)


def test_t5_noise_has_the_tails_of_students_t(rng: np.random.Generator) -> None:
    """Beyond three standard deviations lie 1.17 % of the values, four times as many as for a Gaussian."""
    x = LinearModel(PDAG("a"), np.empty(0), np.ones(1), "t5").sample(200_000, rng)
    assert abs(np.mean(abs(x) > 3) - 0.0117) < 0.0013


def test_standardized_columns_have_mean_zero_and_variance_one(rng: np.random.Generator) -> None:
    """Standardizing is affine, so that correlations stay."""
    model = random_linear_model(random_dag(8, 3, rng), rng)
    raw = model.sample(50, np.random.default_rng(3))
    scaled = model.sample(50, np.random.default_rng(3), standardize=True)
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-14)
    np.testing.assert_allclose(scaled.var(axis=0, ddof=1), 1, rtol=1e-12)
    np.testing.assert_allclose(np.corrcoef(scaled, rowvar=False), np.corrcoef(raw, rowvar=False), atol=1e-12)


@pytest.mark.parametrize("name", zoo.DAGS)
def test_every_dag_of_the_zoo_carries_a_model(name: str, rng: np.random.Generator) -> None:
    """Graphs of no and of one node included, rows and covariance have the graph's shape."""
    dag = zoo.DAGS[name]
    model = random_linear_model(dag, rng)
    assert model.covariance().shape == (dag.d, dag.d)
    assert model.sample(3, rng).shape == (3, dag.d)


def test_random_weights_lie_in_the_range_with_either_sign(rng: np.random.Generator) -> None:
    """Sizes are uniform over the range and signs are fair."""
    model = random_linear_model(random_dag(60, 40, rng), rng, weights=(0.1, 0.5))
    sizes = abs(model.weights)
    assert sizes.min() >= 0.1
    assert sizes.max() <= 0.5
    assert abs(sizes.mean() - 0.3) < 5 * 0.4 / np.sqrt(12 * len(sizes))
    assert abs(np.mean(model.weights > 0) - 0.5) < 2.5 / np.sqrt(len(sizes))


def test_variances_are_constant_or_drawn_from_their_range(rng: np.random.Generator) -> None:
    """A number is everybody's variance and a pair the range it is drawn from."""
    dag = random_dag(300, 1, rng)
    assert np.array_equal(random_linear_model(dag, rng, variances=2).variances, np.full(300, 2.0))
    drawn = random_linear_model(dag, rng, variances=(0.5, 1.5)).variances
    assert 0.5 <= drawn.min() < 0.6
    assert 1.4 < drawn.max() <= 1.5


def test_same_seed_gives_the_same_model_and_rows() -> None:
    """Nothing but the generator decides."""
    dag = zoo.DAGS["complete"]
    one, two, other = (random_linear_model(dag, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(one.weights, two.weights)
    assert not np.array_equal(one.weights, other.weights)
    assert np.array_equal(one.sample(5, np.random.default_rng(3)), two.sample(5, np.random.default_rng(3)))


def test_relabelling_the_columns_permutes_the_covariance(rng: np.random.Generator) -> None:
    """The same weights under other names and in another order give the same numbers elsewhere."""
    model = random_linear_model(random_dag(7, 3, rng), rng, variances=(0.5, 2.0))
    order = rng.permutation(7)
    dag = model.dag.relabelled([model.dag.names[i] for i in order])
    weights = model.weight_matrix[np.ix_(order, order)][dag.arrows[:, 0], dag.arrows[:, 1]]
    moved = LinearModel(dag, weights, model.variances[order])
    np.testing.assert_allclose(moved.covariance(), model.covariance()[np.ix_(order, order)], atol=1e-12)


def test_model_keeps_its_own_read_only_arrays() -> None:
    """Writing to the caller's array changes nothing, and the model's cannot be written to."""
    weights = np.array([0.5, -2.0])
    model = LinearModel(CHAIN, weights, np.ones(3))
    weights[0] = 9.0
    assert model.weights[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        model.variances[0] = 2.0


def test_model_survives_pickling() -> None:
    """Worker processes draw the same rows."""
    model = LinearModel(CHAIN, np.array([0.5, -2.0]), np.ones(3), "uniform")
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(
        again.sample(4, np.random.default_rng(0)), model.sample(4, np.random.default_rng(0))
    )


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"dag": PDAG("abc", ["ab", "bc", "ca"])},
            GraphError,
            "LinearModel needs a DAG. Got a directed cycle",
        ),
        (
            {"dag": PDAG("abc", ["ab"], ["bc"])},
            GraphError,
            "LinearModel needs a DAG. Got the line 'b' -- 'c'",
        ),
        ({"dag": np.eye(3)}, TypeError, "The 'dag' of LinearModel must be a PDAG. Got ndarray."),
        ({"weights": np.ones(3)}, DataError, "'weights' of LinearModel must have shape (2,). Got (3,)."),
        ({"weights": np.array([1, np.nan])}, DataError, "'weights' of LinearModel must be finite. Got nan."),
        ({"variances": np.ones(2)}, DataError, "'variances' of LinearModel must have shape (3,). Got (2,)."),
        ({"variances": np.array([1, 0, 1])}, DataError, "must be positive. Got 0.0 for 'b'."),
        ({"noise": "cauchy"}, OptionError, "must be one of 'gaussian', 'uniform', 'exponential', 't5'."),
    ],
)
def test_broken_model_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    """Each refusal names what is wrong with the model."""
    good: dict[str, Any] = {"dag": CHAIN, "weights": np.ones(2), "variances": np.ones(3)}
    with pytest.raises(error, match=re.escape(message)):
        LinearModel(**(good | arguments))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"weights": (1.3, 0.3)}, OptionError, "must be a pair with 0 < low <= high. Got (1.3, 0.3)."),
        ({"weights": (0.0, 0.3)}, OptionError, "must be a pair with 0 < low <= high. Got (0.0, 0.3)."),
        ({"weights": (0.3, float("inf"))}, OptionError, "must be finite. Got inf."),
        ({"weights": 0.3}, TypeError, "must be a pair (low, high). Got 0.3."),
        (
            {"variances": 0},
            OptionError,
            "'variances' parameter of random_linear_model must be positive. Got 0.",
        ),
        ({"variances": (2, 1)}, OptionError, "must be a pair with 0 < low <= high. Got (2, 1)."),
        ({"variances": "one"}, TypeError, "must be a number. Got 'one'."),
        ({"noise": "laplace"}, OptionError, "The 'noise' parameter of random_linear_model must be one of"),
        ({"dag": "abc"}, TypeError, "The 'dag' of random_linear_model must be a PDAG. Got str."),
        ({"rng": 1}, TypeError, "must be a numpy Generator. Got int"),
    ],
)
def test_option_of_a_random_model_is_refused(
    options: dict[str, Any], error: type[Exception], message: str, rng: np.random.Generator
) -> None:
    """Each refusal names the option, its value and the rule."""
    with pytest.raises(error, match=re.escape(message)):
        random_linear_model(**({"dag": CHAIN, "rng": rng} | options))


def test_too_few_rows_are_refused(rng: np.random.Generator) -> None:
    """One row is enough, but two are needed for a standard deviation."""
    model = LinearModel(CHAIN, np.ones(2), np.ones(3))
    with pytest.raises(OptionError, match=r"The 'n' parameter of sample must be at least 1\. Got 0"):
        model.sample(0, rng)
    with pytest.raises(OptionError, match=r"must be at least 2\. Got 1"):
        model.sample(1, rng, standardize=True)
    with pytest.raises(TypeError, match=r"must be an integer\. Got 3\.0"):
        model.sample(3.0, rng)  # type: ignore[arg-type]
