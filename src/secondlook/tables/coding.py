"""Columns of categories to codes 0, 1, …, or one sentence that names the columns which hold none."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from secondlook.errors import DataError
from secondlook.tables.naming import checked_names, default_names, listed
from secondlook.tables.table import Table, as_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

Level: TypeAlias = "str | int | bool"


@dataclass(frozen=True, eq=False, repr=False)
class Codes:
    """Named columns of categories, each category as a whole number from 0.

    Attributes
    ----------
    names : tuple of str
        d unique, non-empty names.
    codes : ndarray of int32, shape (n, d)
        In [0, number of levels), read-only, each column's rows side by side in memory.
    levels : tuple of tuple
        Per column what its codes stand for. A level need not occur.
    """

    names: tuple[str, ...]
    codes: NDArray[np.int32]
    levels: tuple[tuple[Level, ...], ...]

    def table(self) -> Table:
        """The codes as a table of numbers, for what takes or resamples rows of any table."""
        values = np.ascontiguousarray(self.codes, dtype=np.float64)
        values.flags.writeable = False
        return Table(self.names, values)

    def __repr__(self) -> str:
        n, d = self.codes.shape
        return f"Codes({n} rows, {d} columns{': ' + listed(self.names) if d else ''})"


def as_codes(X: Any, names: Iterable[object] | None = None) -> Codes:
    """The columns of a dataframe or array as codes, the distinct values of each column sorted.

    Parameters
    ----------
    X : dataframe or array_like, shape (n, d)
        Texts, categories, truth values and whole numbers, floating-point ones included. A `Codes` and a
        `Table` will do as well.
    names : iterable, optional
        One name per column; the default is the dataframe's names, or x0, x1, …

    Returns
    -------
    Codes

    Raises
    ------
    DataError
        If values are missing, are numbers with decimals, or are neither texts nor numbers: one sentence that
        names the columns and the remedy.
    TypeError
        If X is neither a dataframe nor an array.

    Examples
    --------
    >>> found = as_codes([["rain", 2], ["sun", 1], ["rain", 1]], names=["sky", "count"])
    >>> found.codes.tolist(), found.levels
    ([[0, 1], [1, 0], [0, 0]], (('rain', 'sun'), (1, 2)))
    """
    if isinstance(X, Codes):
        return X if names is None else Codes(checked_names(names, len(X.names)), X.codes, X.levels)
    labels, columns = _columns(X, names)
    coded = [_coded(column) for column in columns]
    _refuse_if_any("missing", labels, [bad.missing for _, _, bad in coded])
    _refuse_if_any("decimals", labels, [bad.decimals for _, _, bad in coded])
    _refuse_if_any("strange", labels, [bad.strange for _, _, bad in coded])
    n = len(columns[0]) if columns else 0
    codes = np.empty((n, len(columns)), dtype=np.int32, order="F")
    for k, (column, _, _) in enumerate(coded):
        codes[:, k] = column
    codes.flags.writeable = False
    return Codes(labels, codes, tuple(levels for _, levels, _ in coded))


@dataclass(frozen=True, slots=True)
class _Bad:
    """What a column holds that has no code: how many missing values, an example of others."""

    missing: int | None = None
    decimals: object = None
    strange: object = None


_Coded: TypeAlias = "tuple[NDArray[Any], tuple[Level, ...], _Bad]"
_NO_CODES = np.empty(0, dtype=np.int32)


def _columns(X: Any, names: Iterable[object] | None) -> tuple[tuple[str, ...], list[NDArray[Any]]]:
    """Names and columns as NumPy arrays of whatever they hold."""
    if isinstance(X, (list, tuple)):
        X = _as_objects(X)
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OUSb":
        if isinstance(X, np.ma.MaskedArray):
            values = np.array(X.data, dtype=object)
            values[np.ma.getmaskarray(X)] = None
            X = values
        labels = default_names(X.shape[1]) if names is None else checked_names(names, X.shape[1])
        return labels, list(np.asarray(X).T)
    if isinstance(X, (np.ndarray, Table)) or any(hasattr(X, name) for name in ("nnz", "collect", "compute")):
        table = as_table(X, names)
        return table.names, list(table.values.T)
    return _frame_columns(X, names)


def _as_objects(rows: Sequence[Any]) -> NDArray[Any]:
    """Nested lists as they came; NumPy would turn a list with one word into words throughout."""
    try:
        array = np.array(rows, dtype=object)
    except ValueError:
        array = np.empty(0)
    return array if array.ndim == 2 else as_table(rows).values  # which refuses it, with the odd row named


def _frame_columns(X: Any, names: Iterable[object] | None) -> tuple[tuple[str, ...], list[NDArray[Any]]]:
    import narwhals.stable.v2 as nw

    own = getattr(X, "column_names", getattr(X, "columns", None))
    labels = checked_names(own, len(own)) if own is not None and hasattr(own, "__len__") else None
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        table = as_table(X, names)  # arrays of other libraries; and what is no table is refused there
        return table.names, list(table.values.T)
    if names is not None:
        labels = checked_names(names, len(frame.columns))
    return labels or checked_names(frame.columns, len(frame.columns)), [
        _frame_column(frame[:, k]) for k in range(len(frame.columns))
    ]


def _frame_column(series: Any) -> NDArray[Any]:
    import narwhals.stable.v2 as nw

    if series.dtype.is_numeric() and not series.is_null().any():
        return np.asarray(series.to_numpy())
    if series.dtype in (nw.String, nw.Categorical, nw.Enum, nw.Boolean) or series.is_null().any():
        return np.array(series.to_list(), dtype=object)
    return np.asarray(series.to_numpy())


def _coded(column: NDArray[Any]) -> _Coded:
    kind = column.dtype.kind
    if kind in "iub":
        return _coded_numbers(column)
    if kind == "f":
        return _coded_floats(column)
    if kind in "OUS":
        return _coded_objects(column.tolist())
    return _NO_CODES, (), _Bad(strange=column[0] if len(column) else column.dtype)


def _coded_floats(column: NDArray[Any]) -> _Coded:
    missing = int(np.isnan(column).sum())
    far, broken = abs(column) >= 2.0**63, column != np.floor(column)
    if missing:
        return _NO_CODES, (), _Bad(missing)
    if far.any():
        return _NO_CODES, (), _Bad(strange=float(column[far][0]))
    if broken.any():
        return _NO_CODES, (), _Bad(decimals=float(column[broken][0]))
    return _coded_numbers(column.astype(np.int64))


def _coded_numbers(column: NDArray[Any]) -> _Coded:
    levels, codes = np.unique(column, return_inverse=True)
    return codes, tuple(levels.tolist()), _Bad()


def _coded_objects(column: list[Any]) -> _Coded:
    seen: dict[Any, int] = {}
    try:
        codes = [seen.setdefault(value, len(seen)) for value in column]
    except TypeError:  # a list or a dictionary in a cell
        strange = next(value for value in column if type(value).__hash__ is None)
        return _NO_CODES, (), _Bad(strange=strange)
    if any(map(_is_missing, seen)):
        return _NO_CODES, (), _Bad(missing=sum(map(_is_missing, column)))
    levels: list[Level] = []
    for value in seen:
        level = _level(value)
        if level is None:
            number = isinstance(value, (Real, Decimal)) and isfinite(value)
            return _NO_CODES, (), _Bad(decimals=value) if number else _Bad(strange=value)
        levels.append(level)
    ordered = sorted(set(levels), key=_numbers_first)
    place = {level: k for k, level in enumerate(ordered)}
    final = np.array([place[level] for level in levels], dtype=np.int32)
    return final[np.array(codes, dtype=np.intp)], tuple(ordered), _Bad()


def _numbers_first(level: Level) -> tuple[bool, Level]:
    """Orders texts and numbers of one column, which are different levels."""
    return isinstance(level, str), level


def _level(value: Any) -> Level | None:
    """The value as a level; None when it is none."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (str, bytes)):
        return value if isinstance(value, str) else value.decode("utf-8", "backslashreplace")
    if isinstance(value, Integral):
        return int(value)
    number: Any = value
    whole = isinstance(value, (Real, Decimal)) and isfinite(value) and number == int(number)
    return int(number) if whole else None


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType", "MaskedConstant"}:
        return True
    return isinstance(value, (Real, Decimal)) and bool(value != value)  # noqa: PLR0124  (NaN)


_SENTENCES = {
    "decimals": (
        "Every column must hold categories: texts, truth values or whole numbers. Got {example} in {where}; "
        "cut it into classes, or use FisherZ where all columns are continuous."
    ),
    "strange": (
        "Every column must hold categories: texts, truth values or whole numbers. Got {example} in {where}; "
        "turn it into one of these, or drop it."
    ),
    "missing": (
        "A table of categories must be complete. Got missing values in {where}; drop these rows or fill them."
    ),
}


def _refuse_if_any(kind: str, names: Sequence[str], found: Sequence[object]) -> None:
    culprits = [(name, what) for name, what in zip(names, found, strict=True) if what is not None]
    if culprits:
        notes = [f" ({what})" for _, what in culprits] if kind == "missing" else None
        where = listed([name for name, _ in culprits], notes=notes, noun="column")
        raise DataError(_SENTENCES[kind].format(example=repr(culprits[0][1]), where=where))
