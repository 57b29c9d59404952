"""Columns of any kind to float64, or one sentence that names the columns which hold no numbers."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from secondlook.errors import DataError
from secondlook.tables.naming import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_REMEDIES = {
    "text": "encode it as numbers or drop it",
    "dates or times": "convert them to numbers, such as days since a start, or drop them",
    "complex numbers": "split them into real and imaginary parts",
    "records": "select the fields as separate columns",
}


class _NotNumbers(Exception):  # noqa: N818  (a private signal from column to table, not an error to see)
    """Carries what a column holds instead of numbers, and an example of it."""

    def __init__(self, kind: str, example: object = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.example = example


def from_array(array: NDArray[Any], names: Sequence[str]) -> NDArray[np.float64]:
    """The float64 values of a two-dimensional array of any dtype.

    Parameters
    ----------
    array : ndarray, shape (n, d)
        Any layout and dtype.
    names : sequence of str
        d column names, for messages.

    Returns
    -------
    ndarray of float64, shape (n, d)
        C-contiguous; the same memory when `array` already is that.

    Raises
    ------
    DataError
        If columns hold something else than real numbers.
    """
    if array.dtype.kind in "fiub":
        return np.ascontiguousarray(array, dtype=np.float64)
    return _collected([partial(_numbers, column) for column in array.T], len(array), names)


def from_frame(frame: Any, names: Sequence[str]) -> NDArray[np.float64]:
    """The float64 values of a narwhals dataframe; nulls become NaN.

    Parameters
    ----------
    frame : narwhals.DataFrame
        n rows, d columns.
    names : sequence of str
        d column names, for messages.

    Returns
    -------
    ndarray of float64, shape (n, d)

    Raises
    ------
    DataError
        If columns hold something else than real numbers.
    """
    if frame.columns and all(dtype.is_float() for dtype in frame.schema.dtypes()):
        whole = frame.to_numpy()
        if whole.dtype.kind == "f":  # nullable columns may arrive as objects: those go one by one
            # A dataframe's buffer stays the user's: ours must not change when theirs does.
            return np.array(whole, dtype=np.float64, order="C", copy=True)
    columns = [partial(_frame_column, frame[:, k]) for k in range(len(names))]
    return _collected(columns, len(frame), names)


def _collected(
    columns: Sequence[Callable[[], NDArray[Any]]], n: int, names: Sequence[str]
) -> NDArray[np.float64]:
    """The columns side by side; all that hold no numbers are refused in one sentence per kind."""
    values = np.empty((n, len(columns)))
    strange: dict[str, list[tuple[str, object]]] = {}
    for k, column in enumerate(columns):
        try:
            values[:, k] = column()
        except _NotNumbers as found:
            strange.setdefault(found.kind, []).append((names[k], found.example))
    if strange:
        _refuse(*next(iter(strange.items())))
    return values


def _refuse(kind: str, culprits: list[tuple[str, object]]) -> NoReturn:
    example = culprits[0][1]
    such = "" if example is None else f" such as {example!r}"
    remedy = _REMEDIES.get(kind, "convert it to numbers or drop it")
    where = listed([name for name, _ in culprits], noun="column")
    raise DataError(f"Every column must hold numbers. Got {kind}{such} in {where}; {remedy}.")


def _frame_column(series: Any) -> NDArray[Any]:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        return np.asarray(series.cast(nw.Float64).to_numpy())
    if dtype.is_temporal():
        raise _NotNumbers("dates or times")
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        example = next((value for value in series.head(100).to_list() if value is not None), None)
        raise _NotNumbers("text", example)
    if dtype in (nw.Object, nw.Unknown):
        return _numbers(series.to_numpy())
    raise _NotNumbers(f"values of type {dtype}")


def _numbers(column: NDArray[Any]) -> NDArray[np.float64]:
    kind = column.dtype.kind
    if kind in "fiub":
        return column.astype(np.float64)
    if kind == "O":
        return np.array([_number(value) for value in column.tolist()], dtype=np.float64)
    if kind in "Mm":
        raise _NotNumbers("dates or times")
    if kind == "c":
        raise _NotNumbers("complex numbers")
    if kind in "USTa":
        raise _NotNumbers("text", str(column[0]) if len(column) else None)
    raise _NotNumbers("records" if kind == "V" else f"values of type {column.dtype}")


def _number(value: object) -> float:
    if isinstance(value, (Real, Decimal, np.bool_)):
        return float(value)
    if value is None or type(value).__name__ in {"NAType", "MaskedConstant"}:
        return float("nan")
    if isinstance(value, (str, bytes)):
        raise _NotNumbers("text", value)
    if isinstance(value, complex):
        raise _NotNumbers("complex numbers")
    if isinstance(value, np.datetime64 | np.timedelta64) or type(value).__module__ == "datetime":
        raise _NotNumbers("dates or times")
    raise _NotNumbers(f"values of type {type(value).__name__}")
