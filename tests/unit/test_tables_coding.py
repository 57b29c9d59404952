"""Categories to codes: what is accepted, what the levels are, and one sentence for everything else."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from secondlook import DataError
from secondlook.tables import Codes, as_codes, as_table

ROWS = [["b", 3, True], ["a", 1, False], ["b", 1, True]]
CODES = [[1, 1, 1], [0, 0, 0], [1, 0, 1]]
LEVELS = (("a", "b"), (1, 3), (False, True))
COLUMNS = {"s": ["b", "a", "b"], "k": [3, 1, 1], "t": [True, False, True]}


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"s": "category", "k": "float64"}),
        pd.DataFrame(COLUMNS).convert_dtypes(),
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).with_columns(pl.col("s").cast(pl.Categorical)),
        pa.table(COLUMNS),
    ],
    ids=["pandas", "category and floats", "nullable", "polars", "polars categorical", "pyarrow"],
)
def test_dataframe_codes(X):
    """Texts, categories, whole numbers and truth values are coded in the order of their values."""
    found = as_codes(X)
    assert found.names == ("s", "k", "t")
    assert found.codes.tolist() == CODES
    assert found.levels == LEVELS


@pytest.mark.parametrize("X", [ROWS, np.array(ROWS, dtype=object)], ids=["lists", "objects"])
def test_array_codes(X):
    """Lists and object arrays are coded value by value."""
    found = as_codes(X, names=["s", "k", "t"])
    assert found.codes.tolist() == CODES
    assert found.levels == LEVELS
    assert found.codes.dtype == np.int32
    assert found.codes.flags.f_contiguous
    assert not found.codes.flags.writeable


def test_array_codes_of_other_kinds():
    """Numbers of any kind, NumPy texts and Tables are coded; numbers stand before texts in a mixed column."""
    assert as_codes(np.array([[2.0], [-1.0]])).levels == ((-1, 2),)
    assert as_codes(np.array([[2], [0]], dtype=np.uint8)).levels == ((0, 2),)
    assert as_codes(np.array([["x"], ["y"]])).levels == (("x", "y"),)
    assert as_codes([["x"], [2], [Decimal(1)], [2.0]]).levels == ((1, 2, "x"),)
    assert as_codes(as_table([[5, 1], [3, 1]])).codes.tolist() == [[1, 0], [0, 0]]
    masked = np.ma.array([["x"], ["y"]], mask=False, dtype=object)
    assert as_codes(masked).levels == (("x", "y"),)


def test_codes_of_codes():
    """Codes pass through, under other names if asked; their table gives the same codes again."""
    found = as_codes(ROWS)
    assert as_codes(found) is found
    renamed = as_codes(found, names=["a", "b", "c"])
    assert isinstance(renamed, Codes)
    assert renamed.names == ("a", "b", "c")
    assert as_codes(found.table()).codes.tolist() == CODES
    assert repr(found) == "Codes(3 rows, 3 columns: 'x0', 'x1', 'x2')"


REFUSED = {
    "decimals": ([[0.5, 1.0], [1.5, 2.0]], r"Got 0\.5 in column 'x0'; cut it into classes, or use FisherZ"),
    "decimals among objects": ([["a"], [Decimal("0.5")]], r"Got Decimal\('0\.5'\) in column 'x0'; cut it"),
    "NaN": (np.array([[1.0, np.nan], [np.nan, np.nan]]), r"missing values in columns 'x0' \(1\), 'x1' \(2\)"),
    "None": ([["a", 1], [None, 2]], r"missing values in column 'x0' \(1\)"),
    "null in polars": (pl.DataFrame({"k": [1, None]}), r"missing values in column 'k' \(1\)"),
    "NA in pandas": (pd.DataFrame({"s": ["a", pd.NA]}), r"missing values in column 's' \(1\)"),
    "NaN in pandas": (pd.DataFrame({"k": [1.0, np.nan]}), r"missing values in column 'k' \(1\)"),
    "masked": (np.ma.array([["a"], ["b"]], mask=[[True], [False]], dtype=object), r"missing values in"),
    "infinity": ([[np.inf], [1.0]], r"Got inf in column 'x0'"),
    "infinity in an array": (np.array([[np.inf], [1.0]]), r"Got inf in column 'x0'"),
    "lists in cells": (
        pd.DataFrame({"k": [[1], [2]]}),
        r"Got \[1\] in column 'k'; turn it into one of these",
    ),
    "dates": (pd.DataFrame({"k": pd.to_datetime(["2020-01-01", "2020-01-02"])}), r"in column 'k'; turn it"),
    "complex": (pd.DataFrame({"k": [1j, 2j]}), r"Got .*1j.* in column 'k'; turn it"),
    "uneven rows": ([["a", "b"], ["c"]], r"same length"),
    "lazy": (pl.LazyFrame({"k": [1]}), r"must be in memory"),
    "repeated names": (pa.table([[1], [2]], names=["a", "a"]), r"Column names must be unique"),
    "one dimension": (np.array([1, 2]), r"two dimensions"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_table_refused(name):
    """What has no categories is refused in one sentence that names the columns."""
    X, message = REFUSED[name]
    with pytest.raises(DataError, match=message):
        as_codes(X)


def test_no_table_at_all():
    """Something that is no table is a TypeError."""
    with pytest.raises(TypeError, match="must be a dataframe or a two-dimensional array"):
        as_codes(3)
