"""One table type: names and float64 values, made from whatever the user holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from secondlook.errors import DataError
from secondlook.tables.columns import from_array, from_frame
from secondlook.tables.naming import checked_names, default_names, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns of numbers; missing values are NaN.

    Attributes
    ----------
    names : tuple of str
        d unique, non-empty names.
    values : ndarray of float64, shape (n, d)
        C-contiguous and read-only.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]

    def __repr__(self) -> str:
        n, d = self.values.shape
        return f"Table({n} rows, {d} columns{': ' + listed(self.names) if d else ''})"


def as_table(X: Any, names: Iterable[object] | None = None) -> Table:
    """A table with named float64 columns, from a dataframe or a two-dimensional array.

    Parameters
    ----------
    X : dataframe or array_like, shape (n, d)
        pandas, polars, pyarrow or any other eager dataframe that narwhals reads; a NumPy array of any
        layout and any real dtype; nested lists; an object with ``__array__``. Booleans become 0 and 1.
        Missing values become NaN; whether they are allowed is for the test to say.
    names : iterable, optional
        One name per column; replaces the dataframe's own. The default for arrays is x0, x1, …

    Returns
    -------
    Table
        Its values share memory with a C-contiguous float64 array, and are a copy of anything else.

    Raises
    ------
    DataError
        If a column does not hold numbers, if X is not two-dimensional, is sparse or has masked entries, or
        if names repeat. The sentence names the columns and the remedy.
    TypeError
        If X is neither a dataframe nor an array.

    Examples
    --------
    >>> as_table([[1, 2], [3, 4]], names=["a", "b"])
    Table(2 rows, 2 columns: 'a', 'b')
    """
    if isinstance(X, Table):
        return X if names is None else Table(checked_names(names, len(X.names)), X.values)
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise DataError(
            f"A table must be dense. Got the sparse {type(X).__name__}; pass X.toarray() "
            f"or leave out columns until that fits in memory."
        )
    if isinstance(X, (np.ndarray, list, tuple)):
        return _from_array_like(X, names)
    return _from_other(X, names)


def _from_other(X: Any, names: Iterable[object] | None) -> Table:
    import narwhals.stable.v2 as nw

    if hasattr(X, "collect") or hasattr(X, "compute"):
        # Lazy frames must not be run behind the user's back: that may take hours.
        raise DataError(
            f"A table must be in memory. Got the lazy {type(X).__name__}; call its "
            f"{'collect' if hasattr(X, 'collect') else 'compute'}() first."
        )
    # pyarrow keeps its names in `column_names`; its `columns` are the data. Look before narwhals does,
    # because repeated names deserve our own sentence.
    own = getattr(X, "column_names", getattr(X, "columns", None))
    frame_names = checked_names(own, len(own)) if own is not None and hasattr(own, "__len__") else None
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        d = len(frame.columns)
        labels = frame_names or checked_names(frame.columns, d)
        if names is not None:
            labels = checked_names(names, d)
        return _table(labels, from_frame(frame, labels))
    if hasattr(X, "__array__"):
        return _from_array_like(np.asarray(X), names)
    raise TypeError(f"A table must be a dataframe or a two-dimensional array. Got {type(X).__name__}.")


def _from_array_like(X: Any, names: Iterable[object] | None) -> Table:
    try:
        array = np.asanyarray(X)
    except ValueError:
        raise DataError(
            f"All rows of a table must have the same length. Got {_uneven(X)}; complete or drop the odd rows."
        ) from None
    if array.ndim != 2:
        raise DataError(
            f"A table must have two dimensions, rows by columns. Got shape {array.shape}; "
            f"put the variables side by side, for example with np.column_stack."
        )
    if isinstance(array, np.ma.MaskedArray):
        n_masked = int(np.ma.getmaskarray(array).sum())
        if n_masked:
            raise DataError(f"A table must have no masked values. Got {n_masked} of them; drop or fill them.")
        array = np.asarray(array.data)
    if isinstance(X, (list, tuple)) and array.dtype.kind in "USOMm":
        # NumPy turns a list with one word into words throughout; look at the values as they came.
        array = np.array(X, dtype=object)
    d = array.shape[1]
    labels = default_names(d) if names is None else checked_names(names, d)
    return _table(labels, from_array(np.asarray(array), labels))


def _uneven(rows: Any) -> str:
    lengths = [len(row) if hasattr(row, "__len__") else 1 for row in rows]
    odd = next((k for k, length in enumerate(lengths) if length != lengths[0]), 0)
    return f"{lengths[0]} values in row 1 and {lengths[odd]} in row {odd + 1}"


def _table(names: tuple[str, ...], values: NDArray[np.float64]) -> Table:
    readable = np.ascontiguousarray(values, dtype=np.float64).view()
    readable.flags.writeable = False
    return Table(names, readable)
