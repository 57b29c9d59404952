"""What counts as a table, and the one sentence each other thing gets."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from secondlook.errors import DataError
from secondlook.tables import Table, as_table

VALUES = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]


class Tensor:
    """An object whose data NumPy can ask for, as tensors and labelled arrays are."""

    def __array__(self, dtype=None, copy=None):
        """The data."""
        return np.array(VALUES)


class Sparse:
    """The part of a scipy sparse matrix that tells it apart."""

    nnz = 3
    shape = (2, 3)

    def toarray(self):
        """Not called: users decide on memory."""
        raise AssertionError


def frame(maker):
    """A dataframe of VALUES named a, b, c."""
    return maker({name: [row[k] for row in VALUES] for k, name in enumerate("abc")})


@pytest.mark.parametrize(
    "thing",
    [
        np.array(VALUES),
        np.asfortranarray(VALUES),
        np.array(VALUES, dtype=np.float32),
        np.array(VALUES, dtype=np.float16),
        np.array(VALUES, dtype=np.longdouble),
        np.array(VALUES, dtype=">f8"),
        np.array(VALUES, dtype=object),
        np.repeat(np.array(VALUES), 2, axis=0)[::2],
        np.array(VALUES).T.copy().T,
        np.ma.MaskedArray(VALUES),
        VALUES,
        tuple(map(tuple, VALUES)),
        [np.array(row) for row in VALUES],
        [[Fraction(1), Decimal(2), 3], [4.0, np.float32(5), 6.5]],
        Tensor(),
    ],
)
def test_as_table_arrays(thing):
    """Every real array or nested list becomes C-contiguous, read-only float64 with names x0, x1, …."""
    table = as_table(thing)
    assert table.values.tolist() == VALUES
    assert table.values.dtype == np.float64
    assert table.values.dtype.isnative
    assert table.values.flags.c_contiguous
    assert not table.values.flags.writeable
    assert type(table.values) is np.ndarray
    assert table.names == ("x0", "x1", "x2")


@pytest.mark.parametrize("maker", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_as_table_dataframes(maker):
    """Dataframes keep their names and their numbers."""
    table = as_table(frame(maker))
    assert table.names == ("a", "b", "c")
    assert table.values.tolist() == VALUES
    assert table.values.flags.c_contiguous
    assert not table.values.flags.writeable


def test_as_table_mixed_number_columns():
    """Integers, booleans, decimals and nullable columns side by side become numbers; nulls become NaN."""
    table = as_table(
        pd.DataFrame(
            {
                "int": [1, 2, 3],
                "bool": [True, False, True],
                "nullable int": pd.array([1, None, 3], dtype="Int64"),
                "nullable bool": pd.array([True, None, False], dtype="boolean"),
                "nullable float": pd.array([0.5, None, 1.5], dtype="Float64"),
                "arrow": pd.array([1, None, 3], dtype="int64[pyarrow]"),
                "objects": pd.Series([1, None, Decimal("2.5")], dtype=object),
                "object bools": pd.Series([True, pd.NA, np.False_], dtype=object),
            }
        )
    )
    nan = float("nan")
    expected = [
        [1, 1, 1, 1, 0.5, 1, 1, 1],
        [2, 0, nan, nan, nan, nan, nan, nan],
        [3, 1, 3, 0, 1.5, 3, 2.5, 0],
    ]
    np.testing.assert_array_equal(table.values, np.array(expected, dtype=float))


@pytest.mark.parametrize("maker", [pl.DataFrame, pa.table], ids=["polars", "pyarrow"])
def test_as_table_nulls(maker):
    """Nulls of any column kind become NaN, an empty column included."""
    table = as_table(maker({"i": [1, None], "b": [None, True], "f": [0.5, None], "n": [None, None]}))
    nan = float("nan")
    np.testing.assert_array_equal(table.values, [[1, nan, 0.5, nan], [nan, 1, nan, nan]])


def test_as_table_all_float_nullable_columns():
    """Nullable floats only, which pandas hands out as objects, become NaN as well."""
    table = as_table(pd.DataFrame({"a": pd.array([0.5, None], dtype="Float64"), "b": [1.0, 2.0]}))
    np.testing.assert_array_equal(table.values, [[0.5, 1], [float("nan"), 2]])


def test_as_table_contiguous_array_is_not_copied():
    """A big array in the right form is used where it is."""
    X = np.array(VALUES)
    assert np.shares_memory(as_table(X).values, X)
    assert X.flags.writeable


def test_as_table_dataframe_is_copied():
    """A dataframe changed afterwards does not change the table."""
    X = np.array(VALUES)
    data = pd.DataFrame(X, copy=False)
    assert np.shares_memory(data.to_numpy(), X)
    table = as_table(data)
    X[0, 0] = 99.0
    assert table.values[0, 0] == 1.0


def test_as_table_of_table():
    """A table passes through, or takes new names."""
    table = as_table(VALUES)
    assert as_table(table) is table
    assert as_table(table, names=["a", "b", "c"]).names == ("a", "b", "c")


def test_as_table_names_become_text():
    """Names that are not text become text; MultiIndex names too."""
    assert as_table(pd.DataFrame(VALUES)).names == ("0", "1", "2")
    assert as_table(VALUES, names=[1, 2.5, ("u", 3)]).names == ("1", "2.5", "('u', 3)")
    columns = pd.MultiIndex.from_tuples([("u", 1), ("u", 2), ("v", 1)])
    assert as_table(pd.DataFrame(VALUES, columns=columns)).names == ("('u', 1)", "('u', 2)", "('v', 1)")


def test_as_table_names_replace_the_dataframes():
    """Given names win over the dataframe's own."""
    assert as_table(frame(pl.DataFrame), names=["u", "v", "w"]).names == ("u", "v", "w")


@pytest.mark.parametrize(
    ("thing", "names", "message"),
    [
        (VALUES, ["a", "b"], r"one name per column\. Got 2 names for 3 columns"),
        (VALUES, ["a", "b", "a"], r"unique as text\. Got more than one of 'a'; rename or drop"),
        (VALUES, ["a", "", "c"], r"must have a name\. Column number 2 has none"),
        (VALUES, "abc", r"list of 3 names\. Got the single text 'abc'"),
        (pd.DataFrame(VALUES, columns=["a", "b", "a"]), None, r"more than one of 'a'"),
        (pd.DataFrame(VALUES, columns=[1, "1", "b"]), None, r"more than one of '1'"),
        (pa.Table.from_arrays([pa.array([1.0])] * 2, names=["a", "a"]), None, r"more than one of 'a'"),
    ],
)
def test_as_table_names_refused(thing, names, message):
    """Names that are too few, repeated, empty or one single text are refused."""
    with pytest.raises(DataError, match=message):
        as_table(thing, names)


DATES = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]")


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (np.array([["1", "2"], ["3", "4"]]), r"text such as '1' in columns 'x0', 'x1'; encode"),
        ([[1, "u"], [2, "v"]], r"text such as 'u' in column 'x1'; encode it as numbers or drop it"),
        (np.array([[1, b"u"]], dtype=object), r"text such as b'u' in column 'x1'"),
        (np.ones((2, 2), dtype=complex), r"complex numbers in columns 'x0', 'x1'; split"),
        ([[1, 2j]], r"complex numbers in columns"),
        (np.column_stack([DATES, DATES]), r"dates or times in columns 'x0', 'x1'; convert them"),
        (np.array([[1, DATES[0].item()]], dtype=object), r"dates or times in column 'x1'"),
        (np.array([[1, {}]], dtype=object), r"values of type dict in column 'x1'; convert"),
        (np.zeros((2, 2), dtype=[("a", float)]), r"records in columns 'x0', 'x1'; select the fields"),
        (pd.DataFrame({"a": [1.0, 2], "sex": ["f", "m"]}), r"text such as 'f' in column 'sex'"),
        (pd.DataFrame({"a": [1.0], "o": [object()]}), r"values of type object in column 'o'"),
        (pd.DataFrame({"z": [1j]}), r"complex numbers in column 'z'"),
        (pd.DataFrame({"k": pd.Categorical(["u", "v"])}), r"text such as 'u' in column 'k'"),
        (pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])}), r"dates or times in column 't'"),
        (pl.DataFrame({"s": [None, "u"], "b": [1, 2]}), r"text such as 'u' in column 's'"),
        (
            pl.DataFrame({"t": DATES, "u": (DATES - DATES[0]).astype("m8[ms]")}),
            r"dates or times in columns 't', 'u'",
        ),
        (pl.DataFrame({"nested": [[1], [2]]}), r"values of type List\(Int64\) in column 'nested'"),
        (pa.table({"s": ["u"]}), r"text such as 'u' in column 's'"),
        (
            pl.DataFrame({f"t{k}": ["u"] for k in range(7)}),
            r"text such as 'u' in columns 't0', 't1', 't2', 't3', 't4' and 2 more; encode",
        ),
    ],
)
def test_as_table_columns_without_numbers(thing, message):
    """Text, dates, complex numbers and other things are named, with what to do about them."""
    with pytest.raises(DataError, match=r"Every column must hold numbers\. Got " + message):
        as_table(thing)


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (np.ones(5), r"two dimensions, rows by columns\. Got shape \(5,\); put the variables side by side"),
        (np.ones((2, 3, 4)), r"Got shape \(2, 3, 4\)"),
        (np.array(3.0), r"Got shape \(\)"),
        ([1, 2, 3], r"Got shape \(3,\)"),
        ([], r"Got shape \(0,\)"),
        (pd.Series([1, 2]), r"Got shape \(2,\)"),
        (pl.Series([1, 2]), r"Got shape \(2,\)"),
        ([[1, 2, 3], [1, 2, 3], [1, 2]], r"same length\. Got 3 values in row 1 and 2 in row 3"),
        (Sparse(), r"must be dense\. Got the sparse Sparse; pass X\.toarray\(\)"),
        (np.ma.MaskedArray(VALUES, mask=[[0, 1, 0], [0, 0, 1]]), r"no masked values\. Got 2 of them"),
        (pl.LazyFrame({"a": [1]}), r"must be in memory\. Got the lazy LazyFrame; call its collect\(\) first"),
    ],
)
def test_as_table_shapes_refused(thing, message):
    """Wrong dimensions, uneven rows, sparse, masked and lazy data are refused with a remedy."""
    with pytest.raises(DataError, match=message):
        as_table(thing)


@pytest.mark.parametrize("thing", [None, 3, "data.csv", {"a": [1]}, object(), {1, 2}])
def test_as_table_wrong_type(thing):
    """What is no table at all is a TypeError naming its type."""
    with pytest.raises(TypeError, match=f"dataframe or a two-dimensional array. Got {type(thing).__name__}"):
        as_table(thing)


def test_table_repr():
    """A table shows its size and its first names."""
    assert repr(as_table(VALUES)) == "Table(2 rows, 3 columns: 'x0', 'x1', 'x2')"
    assert repr(Table((), np.empty((4, 0)))) == "Table(4 rows, 0 columns)"


@pytest.mark.parametrize("maker", ["numpy", "polars"])
def test_as_table_imports_only_what_it_needs(maker):
    """An array imports no dataframe library, and a polars frame does not import pandas."""
    data = {"numpy": "np.ones((3, 2))", "polars": "__import__('polars').DataFrame({'a': [1.0]})"}[maker]
    code = (
        "import sys, numpy as np; from secondlook.tables import as_table; "
        f"as_table({data}); print(*[m for m in ('narwhals', 'pandas', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == {"numpy": [], "polars": ["narwhals"]}[maker]
