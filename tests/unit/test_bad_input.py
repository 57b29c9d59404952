"""One clear sentence for each kind of bad input, naming the columns and the remedy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from secondlook.errors import DataError
from secondlook.independence import FisherZ, Memo

NAMES = ["age", "income", "weight", "height"]


def people(n=50):
    """A sound table of four columns."""
    return np.random.default_rng(7).normal(size=(n, 4))


def changed(**columns):
    """The sound table with some columns replaced, as a dataframe."""
    return pd.DataFrame(people(), columns=NAMES).assign(**columns)


def with_cell(value, *cells):
    """The sound table with a value put into some cells."""
    X = people()
    for cell in cells:
        X[cell] = value
    return pd.DataFrame(X, columns=NAMES)


def refusal(*args, **options):
    """The sentence that FisherZ refuses with."""
    with pytest.raises(DataError) as refused:
        FisherZ(*args, **options)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


BAD_TABLES = {
    "duplicate column": (
        changed(weight=people()[:, 0]),
        "No two columns may say the same. Got 'age' and 'weight' with correlation +1; drop one of them.",
    ),
    "negated column": (changed(height=-3 * people()[:, 1] + 5), "'income' and 'height' with correlation -1;"),
    "nearly duplicate column": (
        changed(weight=people()[:, 0] + 1e-6 * people()[:, 1]),
        "Got 'age' and 'weight' with correlation +1; drop one",
    ),
    "one NaN": (
        with_cell(np.nan, (3, 1)),
        "A table must have no missing values. Got 1 of them in 'income' (1); "
        "drop those rows or columns, or impute them.",
    ),
    "many NaN": (with_cell(np.nan, (3, 1), (4, 1), (3, 2)), "Got 3 of them in 'income' (2), 'weight' (1);"),
    "a column of NaN": (changed(age=np.nan), "Got 50 of them in 'age' (50);"),
    "one inf": (
        with_cell(np.inf, (3, 3)),
        "A table must have no infinite values. Got 1 of them in 'height' (1); "
        "replace them or drop those rows.",
    ),
    "one -inf": (with_cell(-np.inf, (0, 0)), "Got 1 of them in 'age' (1);"),
    "both infinities": (with_cell(np.inf, (0, 0), (1, 1)), "Got 2 of them in 'age' (1), 'income' (1);"),
    "constant column": (
        changed(income=3.0),
        "Every column must vary. Got the constant column 'income'; drop what never changes.",
    ),
    "zero column": (changed(income=0.0), "constant column 'income'"),
    "two constant columns": (changed(age=1e9, income=0.1), "constant columns 'age', 'income'; drop"),
    "constant up to rounding": (
        changed(age=0.1 + 1e-17 * np.arange(50), income=np.where(np.arange(50) % 2, 0.3, 0.1 + 0.2)),
        "constant columns 'age', 'income'",
    ),
    "tiny constant": (changed(age=1e-300), "constant column 'age'"),
    "huge constant": (changed(age=1e300), "constant column 'age'"),
    "n=2, d=4": (
        people(2),
        "A table must have at least 4 rows, because a Fisher z test on n rows needs n - 3 >= 1. "
        "Got 2 rows; add rows.",
    ),
    "n=3": (people(3), "Got 3 rows"),
    "one row": (people(1), "Got 1 rows"),
    "zero rows": (people(0), "Got 0 rows"),
    "zero rows, dataframe": (pd.DataFrame(columns=NAMES, dtype=float), "Got 0 rows"),
    "one column": (
        people()[:, :1],
        "A table must have at least 2 columns to ask whether they are independent. Got 1 ('x0').",
    ),
    "no columns": (people()[:, :0], "at least 2 columns to ask whether they are independent. Got 0 (none)."),
    "text": (changed(age="old"), "Every column must hold numbers. Got text such as 'old' in column 'age';"),
    "numbers as text": (changed(age=[str(k) for k in range(50)]), "Got text such as '0' in column 'age';"),
    "complex": (changed(age=people()[:, 0] + 1j), "Got complex numbers in column 'age';"),
    "objects": (changed(age=pd.Series([{}] * 50)), "Got values of type dict in column 'age';"),
    "dates": (changed(age=pd.date_range("2020", periods=50)), "Got dates or times in column 'age';"),
    "nullable integers with NA": (
        changed(age=pd.array([None, *range(49)], dtype="Int64")),
        "missing values. Got 1 of them in 'age' (1);",
    ),
    "duplicate names": (
        pd.DataFrame(people(), columns=["age", "age", "b", "c"]),
        "Column names must be unique as text. Got more than one of 'age'; rename or drop the repeats.",
    ),
}


@pytest.mark.parametrize("case", BAD_TABLES)
def test_bad_table(case):
    """Each kind of unusable table is refused in one sentence that names the columns and the remedy."""
    table, expected = BAD_TABLES[case]
    assert expected in refusal(table)


def test_bad_table_names_at_most_five_columns():
    """With many bad columns five are named with their counts and the others are counted."""
    X = np.random.default_rng(0).normal(size=(20, 12))
    X[:4, :9] = np.nan
    expected = "Got 36 of them in 'x0' (4), 'x1' (4), 'x2' (4), 'x3' (4), 'x4' (4) and 4 more;"
    assert expected in refusal(X)


def test_bad_table_several_duplicates():
    """Of several duplicate pairs the first is named and the others are counted."""
    X = people()
    assert "Got 'x0' and 'x4' with correlation +1 (and 3 more such pairs);" in refusal(np.hstack([X, X]))


def test_bad_table_duplicates_far_apart():
    """A pair of duplicates is found wherever it stands in a wide table."""
    X = np.random.default_rng(0).normal(size=(30, 700))
    X[:, 698] = X[:, 411]
    assert "Got 'x411' and 'x698' with correlation +1;" in refusal(X)


def test_exact_sum_of_two_columns_is_reported():
    """An exact sum makes some questions untestable; the memo lists them and the others are answered."""
    X = people()
    X[:, 2] = X[:, 0] + X[:, 1]
    memo = Memo(FisherZ(X, names=NAMES))
    memo.p_values([(0, 1, ()), (2, 3, (0, 1)), (0, 1, (2,)), (0, 3, (1, 2))])
    assert memo.untestable == ((2, 3, (0, 1)), (0, 3, (1, 2)))


@pytest.mark.parametrize("n", [4, 8])
def test_few_rows_are_allowed(n):
    """From four rows on a table is usable: n = 8 with 12 columns is no error."""
    X = np.random.default_rng(0).normal(size=(n, 12))
    assert 0 <= FisherZ(X).p_value(0, 1, ()) <= 1


def matrix(**entries):
    """A sound 3 x 3 correlation matrix with some entries (like r01) replaced."""
    C = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]])
    for place, value in entries.items():
        C[int(place[1]), int(place[2])] = value
    return C


UNEVEN = [[1, 0], [0]]

BAD_MATRICES = {
    "not square": (np.ones((2, 3)), "A correlation matrix must be square. Got shape (2, 3)."),
    "one-dimensional": (np.ones(3), "must have two dimensions, rows by columns. Got shape (3,);"),
    "one column": ([[1.0]], "must have at least 2 columns. Got 1."),
    "NaN": (
        matrix(r02=np.nan, r20=np.nan),
        "A correlation matrix must be finite. Got nan for 'a', 'c'; "
        "compute it from complete rows of columns that vary.",
    ),
    "inf": (matrix(r12=np.inf), "must be finite. Got inf for 'b', 'c'"),
    "covariance": (
        4 * matrix(),
        "A correlation matrix must have ones on its diagonal. Got 4 for 'a'; "
        "divide a covariance matrix by its standard deviations.",
    ),
    "beyond one": (matrix(r01=1.5, r10=1.5), "Correlations must lie in [-1, 1]. Got 1.5 for 'a', 'b'."),
    "not symmetric": (
        matrix(r12=0.3),
        "The correlation matrix must be symmetric. Got 0.3 for 'b', 'c' and 0.4 for 'c', 'b'.",
    ),
    "duplicate": (matrix(r01=1, r10=1, r12=0.2, r21=0.2), "Got 'a' and 'b' with correlation +1; drop one"),
    "indefinite": (
        matrix(r01=0.9, r10=0.9, r12=0.9, r21=0.9, r02=-0.9, r20=-0.9),
        "A correlation matrix must be positive semi-definite. Got one whose smallest eigenvalue is -0.8; "
        "compute all its entries from the same rows.",
    ),
    "text": ([["1", "a"], ["a", "1"]], "must hold numbers. Got text such as '1' in columns 'x0', 'x1';"),
    "complex": (np.eye(2) * (1 + 1j), "must hold numbers. Got complex numbers in columns 'x0', 'x1';"),
    "uneven": (UNEVEN, "must have the same length. Got 2 values in row 1 and 1 in row 2;"),
}


@pytest.mark.parametrize("case", BAD_MATRICES)
def test_bad_correlation_matrix(case):
    """Each kind of unusable correlation matrix is refused in one sentence that names the columns."""
    C, expected = BAD_MATRICES[case]
    names = list("abc") if C is not UNEVEN and np.shape(C) == (3, 3) else None
    assert expected in refusal(correlation=C, n=100, names=names)


def test_bad_correlation_matrix_large():
    """In a large matrix the asymmetric entry is found and named."""
    C = np.eye(600)
    C[590, 3] = 0.25
    assert "Got 0 for 'x3', 'x590' and 0.25 for 'x590', 'x3'" in refusal(correlation=C, n=100)


def test_correlation_matrix_rounded_is_accepted():
    """A matrix off by rounding is accepted and made exactly symmetric, with unit diagonal."""
    C = matrix(r01=0.5 + 1e-10, r00=1 - 1e-10)
    used = FisherZ(correlation=C, n=100).correlation
    assert (used == used.T).all()
    assert (used.diagonal() == 1).all()


def test_correlation_matrix_dataframe_keeps_names():
    """A dataframe of correlations, as pandas computes it, gives its names."""
    frame = pd.DataFrame(people(), columns=NAMES)
    test = FisherZ(correlation=frame.corr(), n=50)
    assert test.names == tuple(NAMES)
    np.testing.assert_allclose(test.correlation, FisherZ(frame).correlation, atol=1e-14, rtol=0)


def test_correlation_matrix_singular_is_accepted():
    """A singular but semi-definite matrix is accepted; its collinear questions are untestable."""
    C = np.array([[1, 0, 0.6], [0, 1, 0.8], [0.6, 0.8, 1]])
    test = FisherZ(correlation=C, n=100)
    assert test.p_value(0, 1, []) == 1.0
    four = np.eye(4)
    four[:3, :3] = C
    assert np.isnan(FisherZ(correlation=four, n=100).p_value(2, 3, [0, 1]))


@pytest.mark.parametrize("n", [None, 100.0, 10.5, "100", True, 3, 0, -5, np.float64(50)])
def test_bad_n(n):
    """The number of rows must be an integer of at least 4."""
    expected = f"must be the number of rows, an integer of at least 4 (n - 3 >= 1). Got {n!r}."
    assert refusal(correlation=matrix(), n=n) == f"The 'n' parameter of FisherZ {expected}"


@pytest.mark.parametrize("n", [4, np.int32(100), 10**12])
def test_good_n(n):
    """Any integer type of at least 4 is a number of rows."""
    assert FisherZ(correlation=matrix(), n=n).n == int(n)


def test_bad_names_for_a_matrix():
    """Names of the wrong number or repeated are refused."""
    expected = "There must be one name per column. Got 2 names for 3 columns."
    assert refusal(correlation=matrix(), n=9, names=["a", "b"]) == expected
    assert "more than one of 'a'" in refusal(correlation=matrix(), n=9, names=["a", "b", "a"])
