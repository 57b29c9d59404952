"""Fisher's z test: its numbers, its symmetry, and the questions it declines."""

from __future__ import annotations

import math
import pickle
from statistics import NormalDist

import numpy as np
import pandas as pd
import polars as pl
import pytest

from secondlook.errors import OptionError
from secondlook.independence import FisherZ

TRIPLE = np.array([[1.0, 0.6, 0.3], [0.6, 1.0, 0.5], [0.3, 0.5, 1.0]])


def chain(rng, n=500):
    """Rows of x0 -> x1 -> x2 -> x3 and two columns apart."""
    X = rng.normal(size=(n, 6))
    for k in (1, 2, 3):
        X[:, k] += 0.8 * X[:, k - 1]
    return X


def residual_correlation(X, i, j, S):
    """The partial correlation by its definition: correlate what regression on S leaves."""
    Z = np.column_stack([np.ones(len(X)), X[:, list(S)]])
    left = X[:, [i, j]] - Z @ np.linalg.lstsq(Z, X[:, [i, j]], rcond=None)[0]
    return np.corrcoef(left.T)[0, 1]


def test_statistic_first_order_formula():
    """With one variable in S the statistic is the textbook formula."""
    expected = (0.3 - 0.6 * 0.5) / math.sqrt((1 - 0.36) * (1 - 0.25))
    assert FisherZ(correlation=TRIPLE, n=100).statistic(0, 2, [1]) == pytest.approx(expected, abs=1e-15)
    expected = (0.6 - 0.3 * 0.5) / math.sqrt((1 - 0.09) * (1 - 0.25))
    assert FisherZ(correlation=TRIPLE, n=100).statistic(0, 1, [2]) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("S", [(), (2,), (2, 4), (1, 2, 4), (1, 2, 4, 5)])
def test_statistic_is_the_correlation_of_residuals(rng, S):
    """The statistic is the correlation of what regression on S leaves of the two columns."""
    X = chain(rng)
    assert FisherZ(X).statistic(0, 3, S) == pytest.approx(residual_correlation(X, 0, 3, S), abs=1e-13)


@pytest.mark.parametrize(("n", "S"), [(4, ()), (10, ()), (10, (1,)), (1000, (1,)), (7, (1,))])
def test_p_value_formula(n, S):
    """The p-value is two-sided normal in sqrt(n - |S| - 3) times the arc hyperbolic tangent."""
    test = FisherZ(correlation=TRIPLE + 0.05 * (1 - np.eye(3)), n=n)
    z = math.sqrt(n - len(S) - 3) * abs(math.atanh(test.statistic(0, 2, S)))
    assert test.p_value(0, 2, S) == pytest.approx(2 * (1 - NormalDist().cdf(z)), rel=1e-6, abs=1e-14)


def test_p_value_independence_is_one():
    """A partial correlation of exactly zero has p-value one."""
    assert FisherZ(correlation=np.eye(3), n=50).p_value(0, 2, [1]) == 1.0


def test_p_value_perfect_dependence_is_clipped():
    """Columns that are equal given S are dependent: the correlation is clipped, not infinite."""
    X = np.random.default_rng(0).normal(size=(30, 3))
    X[:, 2] = X[:, 0] + X[:, 1]
    test = FisherZ(X)
    assert test.statistic(0, 2, [1]) == pytest.approx(1.0, abs=1e-12)
    expected = math.erfc(math.sqrt(26) * math.atanh(0.9999999) / math.sqrt(2))
    assert test.p_value(0, 2, [1]) == expected


def test_p_value_far_tail():
    """Strong dependence keeps its order: p-values far below 1e-16 are not rounded to zero."""
    weak, strong = (FisherZ(correlation=[[1, r], [r, 1]], n=500).p_value(0, 1, ()) for r in (0.7, 0.8))
    assert 0 < strong < weak < 1e-60


@pytest.mark.parametrize(("n", "testable"), [(4, 1), (5, 2), (6, 3), (7, 4)])
def test_p_value_too_few_rows_for_the_question(n, testable):
    """A question needs n - |S| - 3 >= 1; without that its answer is NaN, and others are answered."""
    test = FisherZ(correlation=np.eye(5), n=n)
    answers = test.p_values([(0, 1, ()), (0, 1, (2,)), (0, 1, (2, 3)), (0, 1, (2, 3, 4))])
    assert np.isfinite(answers).sum() == testable
    assert np.isfinite(answers[:testable]).all()


def test_p_values_collinear_conditioning_set(rng):
    """An exact sum among S, or of i by S, is untestable; the other questions are answered."""
    X = rng.normal(size=(100, 5))
    X[:, 2] = X[:, 0] + X[:, 1]
    questions = [
        (3, 4, (0, 1, 2)),
        (2, 3, (0, 1)),
        (3, 4, (0, 1)),
        (0, 3, (1, 2)),
        (0, 2, (1,)),
        (2, 3, (0,)),
    ]
    answers = FisherZ(X).p_values(questions)
    assert np.isnan(answers).tolist() == [True, True, False, True, False, False]


@pytest.mark.parametrize("place", range(4))
def test_p_values_collinear_in_any_place(rng, place):
    """A sum of two columns is noticed as i, as j and within S, wherever it stands in the table."""
    X = rng.normal(size=(100, 4))
    others = [k for k in range(4) if k != place]
    a, b, c = others
    X[:, place] = X[:, a] - 2 * X[:, b]
    test = FisherZ(X)
    assert np.isnan(test.p_value(place, c, [a, b]))
    assert np.isnan(test.statistic(c, place, [a, b]))
    assert np.isnan(test.p_value(a, c, [b, place]))
    assert np.isfinite(test.p_value(a, c, [b]))


def test_p_values_not_canonical(rng):
    """A batch that was not made canonical has the same bits: i and j swapped, S in any order."""
    test = FisherZ(rng.normal(size=(40, 9)) @ (np.eye(9) + 0.4 * rng.normal(size=(9, 9))))
    canonical = [(i, j, S) for S in [(2, 4, 5, 7, 8), (2, 5, 8), (4, 7)] for i, j in [(0, 1), (1, 3), (0, 6)]]
    swapped = [(j, i, S[::-1]) for i, j, S in canonical]
    rotated = [(j, i, S[1:] + S[:1]) for i, j, S in canonical]
    expected = test.p_values(canonical).tobytes()
    assert test.p_values(swapped).tobytes() == test.p_values(rotated).tobytes() == expected


@pytest.mark.parametrize(("noise", "testable"), [(3e-4, True), (3e-5, False)])
def test_p_values_collinear_threshold(rng, noise, testable):
    """The line lies at a residual variance of 1e-8 of the column's own."""
    X = rng.normal(size=(1000, 4))
    X[:, 2] = X[:, 0] + X[:, 1] + noise * rng.normal(size=1000)
    answers = FisherZ(X).p_values([(2, 3, (0, 1)), (0, 3, (1, 2))])
    assert np.isfinite(answers).tolist() == [testable, testable]


def test_p_values_mixed_sizes_keep_their_order(rng):
    """A batch of many sizes gives each question the answer it gets alone."""
    test = FisherZ(chain(rng))
    questions = [(0, 3, (1, 2)), (0, 1, ()), (2, 5, (4,)), (0, 2, ()), (1, 4, (0, 2, 3, 5)), (0, 3, (1, 2))]
    assert test.p_values(questions).tolist() == [test.p_value(*question) for question in questions]


def test_p_values_large_batch_equals_single_answers(rng):
    """Batches that are worked off in blocks give the same bits as single questions."""
    test = FisherZ(rng.normal(size=(60, 12)))
    questions = [
        (
            i,
            j,
            tuple(
                sorted(rng.choice([k for k in range(12) if k not in (i, j)], size=4, replace=False).tolist())
            ),
        )
        for i in range(12)
        for j in range(i + 1, 12)
        for _ in range(70)
    ]
    some = rng.choice(len(questions), size=40, replace=False)
    answers = test.p_values(questions)
    assert [answers[k] for k in some] == [test.p_value(*questions[k]) for k in some]


@pytest.mark.parametrize("question", [(0, 3, ()), (0, 0, ()), (0, 1, (1,)), (0, 1, (2, 2)), (-1, 1, ())])
def test_p_values_nonsense(question):
    """A question that repeats a column or names one that does not exist is refused."""
    with pytest.raises(OptionError, match="A question must name different columns from 0 to 2"):
        FisherZ(correlation=np.eye(3), n=9).p_values([(0, 1, ()), question])


def test_correlation_is_exact_in_form(rng):
    """The matrix is symmetric to the bit, has ones on its diagonal, is C-contiguous and read-only."""
    C = FisherZ(rng.normal(size=(40, 301)) @ rng.normal(size=(301, 301))).correlation
    assert (C == C.T).all()
    assert (C.diagonal() == 1.0).all()
    assert np.abs(C).max() <= 1.0
    assert C.flags.c_contiguous
    assert C.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        C[0, 1] = 0.0


def test_correlation_agrees_with_numpy(rng):
    """The matrix is NumPy's, to a few units in the last place."""
    X = chain(rng)
    np.testing.assert_allclose(FisherZ(X).correlation, np.corrcoef(X.T), atol=4e-15, rtol=0)


@pytest.mark.parametrize("factor", [2.0**-40, 2.0**500, 2.0**-500])
def test_correlation_units_by_powers_of_two(rng, factor):
    """Units that are powers of two change no bit, even where squares would over- or underflow."""
    X = chain(rng)
    scaled = X.copy()
    scaled[:, 2] *= factor
    assert FisherZ(scaled).correlation.tobytes() == FisherZ(X).correlation.tobytes()
    assert FisherZ(X * factor).correlation.tobytes() == FisherZ(X).correlation.tobytes()


@pytest.mark.parametrize("factor", [1e-12, 1e160, 1e-300, 1e300])
def test_correlation_extreme_units(rng, factor):
    """A column in units of 1e-12, or all data in units of 1e160, gives the same matrix."""
    X = chain(rng)
    one = X.copy()
    one[:, 1] *= factor
    expected = FisherZ(X).correlation
    np.testing.assert_allclose(FisherZ(one).correlation, expected, atol=1e-14, rtol=0)
    np.testing.assert_allclose(FisherZ(X * factor).correlation, expected, atol=1e-14, rtol=0)


@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9])
def test_correlation_large_offset(rng, offset):
    """A mean of 1e9 costs no more than the digits the data themselves lost."""
    X = chain(rng, n=5000) + offset
    exact = np.array((X - offset).tolist())  # the subtraction is exact: these are the data as stored
    np.testing.assert_allclose(FisherZ(X).correlation, FisherZ(exact).correlation, atol=1e-13, rtol=0)


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=1)[:, ::2],
        lambda X: X[::-1][::-1],
        np.ndarray.tolist,
    ],
    ids=["fortran", "strided", "negative strides", "list"],
)
def test_correlation_any_layout(rng, layout):
    """The memory layout of the data changes no bit."""
    X = chain(rng)
    assert FisherZ(layout(X)).correlation.tobytes() == FisherZ(X).correlation.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.int64, np.uint16, np.longdouble])
def test_correlation_any_dtype(rng, dtype):
    """Equal values in another number type change no bit."""
    X = rng.integers(0, 100, size=(200, 5)).astype(np.float64)
    assert FisherZ(X.astype(dtype)).correlation.tobytes() == FisherZ(X).correlation.tobytes()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_fisher_z_dataframes(rng, frame):
    """A dataframe gives the array's numbers and keeps its names."""
    X = chain(rng)
    test = FisherZ(frame({name: X[:, k] for k, name in enumerate("abcdef")}))
    assert test.names == tuple("abcdef")
    assert test.correlation.tobytes() == FisherZ(X).correlation.tobytes()


def test_fisher_z_boolean_column(rng):
    """A column of booleans counts as zeros and ones."""
    X = rng.normal(size=(50, 2))
    flag = X[:, 0] > 0
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "flag": flag})
    assert FisherZ(frame).correlation.tobytes() == FisherZ(np.column_stack([X, flag])).correlation.tobytes()


def test_fisher_z_more_columns_than_rows(rng):
    """More columns than rows are allowed; only questions that n cannot answer are untestable."""
    test = FisherZ(rng.normal(size=(8, 12)))
    assert np.isfinite(test.p_value(0, 1, [2, 3, 4, 5]))
    assert math.isnan(test.p_value(0, 1, [2, 3, 4, 5, 6]))


def test_fisher_z_from_its_own_correlation(rng):
    """A test made from another's matrix, n and names is the same test."""
    one = FisherZ(chain(rng))
    other = FisherZ(correlation=one.correlation, n=one.n, names=one.names)
    assert other.correlation.tobytes() == one.correlation.tobytes()
    assert other.p_value(0, 3, [1, 5]) == one.p_value(0, 3, [1, 5])


def test_fisher_z_keeps_its_own_copy():
    """Changing the matrix or table it was made from does not change the test."""
    C = TRIPLE.copy()
    test = FisherZ(correlation=C, n=100)
    C[0, 1] = C[1, 0] = 0.0
    assert test.correlation[0, 1] == 0.6


def test_fisher_z_pickle(rng):
    """A pickled test answers the same, and its matrix stays read-only."""
    test = FisherZ(chain(rng))
    copy = pickle.loads(pickle.dumps(test))
    assert (copy.names, copy.n) == (test.names, test.n)
    assert copy.p_value(0, 2, [1]) == test.p_value(0, 2, [1])
    assert not copy.correlation.flags.writeable


def test_fisher_z_repr():
    """A test shows its size."""
    assert repr(FisherZ(correlation=TRIPLE, n=100)) == "FisherZ(3 columns, n=100)"


@pytest.mark.parametrize("options", [{}, {"X": TRIPLE, "correlation": TRIPLE}, {"X": np.eye(5), "n": 5}])
def test_fisher_z_contradicting_arguments(options):
    """Either a table, or a matrix with n: neither, both and a mixture are refused."""
    with pytest.raises(OptionError, match="FisherZ"):
        FisherZ(**options)
