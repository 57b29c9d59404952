"""Correlation matrices: exact symmetry, one BLAS call, and one clear refusal per kind of bad input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import DataError
from secondlook.tables.naming import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from secondlook.tables.table import Table

# Below this residual variance (of a unit-variance column) a column counts as a combination of others.
COLLINEAR = 1e-8
# How far a given matrix may be from symmetric with unit diagonal, and from positive semi-definite.
_SLACK = 1e-8
# Above this size the Cholesky check of a given matrix is left to the pivots that every question has anyway.
_CHECKED_SIZE = 500
_BLOCK_NUMBERS = 1 << 16
# Sums of squares outside this range may have overflowed or lost digits: the columns are then scaled.
_SAFE = (1e-200, 1e200)


def correlation_of(table: Table) -> NDArray[np.float64]:
    """The Pearson correlation matrix of a table, exactly symmetric with unit diagonal.

    Columns with a large offset are centred twice, so a mean of 1e9 costs no digits; extreme units are
    scaled away by powers of two, so a factor of 1e160 changes nothing. Nothing of size (d, d) is allocated
    but the result.

    Parameters
    ----------
    table : Table
        n >= 4 rows and d >= 2 columns, no missing or infinite values, no constant or duplicate columns.

    Returns
    -------
    ndarray of float64, shape (d, d)
        C-contiguous and read-only; entries in [-1, 1].

    Raises
    ------
    DataError
        If the table cannot be used; the sentence names the columns and the remedy.
    """
    _check_shape(table)
    # Overflow and NaN are not errors here but signs: they send the table to the careful path.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        products, means = _moments(table.values)
        squares = products.diagonal()
        if not ((squares > _SAFE[0]) & (squares < _SAFE[1])).all():
            _refuse_not_finite(table)
            products, means = _moments(_rescaled(table.values))
        _refuse_constant(table, products, means)
        scale = 1.0 / np.sqrt(products.diagonal())
    for rows in _row_blocks(len(products)):
        block = products[rows]
        block *= scale[rows, None] * scale[None, :]  # the product of the scales commutes, hence symmetry
        np.clip(block, -1.0, 1.0, out=block)
    return _finished(products, table.names)


def checked_correlation(correlation: NDArray[np.float64], names: tuple[str, ...]) -> NDArray[np.float64]:
    """A user's correlation matrix, verified and copied.

    Positive semi-definiteness is verified (by a Cholesky factorisation, to 1e-8) up to 500 columns. Above
    that it is left to the questions: a negative pivot makes a question untestable, never a wrong answer.

    Parameters
    ----------
    correlation : ndarray of float64, shape (d, d)
        d >= 2; symmetric with unit diagonal to 1e-8, entries in [-1, 1].
    names : tuple of str
        d column names.

    Returns
    -------
    ndarray of float64, shape (d, d)
        C-contiguous, read-only, exactly symmetric, unit diagonal.

    Raises
    ------
    DataError
        If the matrix is not the correlation matrix of at least two distinct columns.
    """
    _check_entries(correlation, names)
    matrix = np.array(correlation, dtype=np.float64, order="C", copy=True)
    for rows in _row_blocks(len(matrix)):
        across = matrix[:, rows].T
        gap = np.abs(matrix[rows] - across)
        if gap.max() > _SLACK:
            a, b = divmod(int(np.argmax(gap)), gap.shape[1])
            i = rows.start + a
            raise DataError(
                f"The correlation matrix must be symmetric. Got {matrix[i, b]:.6g} for {names[i]!r}, "
                f"{names[b]!r} and {matrix[b, i]:.6g} for {names[b]!r}, {names[i]!r}."
            )
        # Copy the upper half onto the lower one, so that the last bits agree as well.
        matrix[rows, : rows.stop] = np.where(
            np.arange(rows.stop) < np.arange(rows.start, rows.stop)[:, None],
            across[:, : rows.stop],
            matrix[rows, : rows.stop],
        )
    np.clip(matrix, -1.0, 1.0, out=matrix)
    finished = _finished(matrix, names)
    _check_definite(finished)
    return finished


def _check_shape(table: Table) -> None:
    n, d = table.values.shape
    if d < 2:
        raise DataError(
            f"A table must have at least 2 columns to ask whether they are independent. "
            f"Got {d} ({listed(table.names) if d else 'none'})."
        )
    if n < 4:
        raise DataError(
            f"A table must have at least 4 rows, because a Fisher z test on n rows needs n - 3 >= 1. "
            f"Got {n} rows; add rows."
        )


def _moments(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The centred cross products, shape (d, d) and exactly symmetric, and the means, shape (d,)."""
    n = len(values)
    ones = np.ones(n)
    means = ones @ values / n
    centred = values - means
    left = ones @ centred / n
    products = centred.T @ centred  # NumPy sees X'X and calls syrk: half the work, one triangle mirrored
    if (np.abs(left) > 2.0**-30 * np.sqrt(products.diagonal() / n)).any():
        centred -= left  # a large offset had cost the first mean its last digits
        np.matmul(centred.T, centred, out=products)
    return products, means


def _rescaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The columns brought to size 1 by powers of two, which changes units but no digit."""
    size = np.maximum(values.max(axis=0), -values.min(axis=0))
    scaled: NDArray[np.float64] = np.ldexp(values, -np.frexp(size)[1])
    return scaled


def _refuse_constant(table: Table, products: NDArray[np.float64], means: NDArray[np.float64]) -> None:
    spread = np.sqrt(products.diagonal() / len(table.values))
    flat = np.flatnonzero(spread <= 64 * np.finfo(np.float64).eps * np.abs(means))
    if len(flat):
        shown = listed([table.names[k] for k in flat], noun="column")
        raise DataError(f"Every column must vary. Got the constant {shown}; drop what never changes.")


def _refuse_not_finite(table: Table) -> None:
    for what, test, remedy in (
        ("missing", np.isnan, "drop those rows or columns, or impute them"),
        ("infinite", np.isinf, "replace them or drop those rows"),
    ):
        counts = test(table.values).sum(axis=0)
        bad = np.flatnonzero(counts)
        if len(bad):
            shown = listed([table.names[k] for k in bad], notes=[f" ({counts[k]})" for k in bad])
            raise DataError(
                f"A table must have no {what} values. Got {counts.sum()} of them in {shown}; {remedy}."
            )


def _finished(matrix: NDArray[np.float64], names: Sequence[str]) -> NDArray[np.float64]:
    """The matrix with an exact unit diagonal and made read-only; refuses duplicate columns."""
    limit = np.sqrt(1.0 - COLLINEAR)
    np.fill_diagonal(matrix, 0.0)
    twins: list[tuple[int, int]] = []
    for rows in _row_blocks(len(matrix)):
        block = matrix[rows]
        if block.max() >= limit or block.min() <= -limit:
            near = np.argwhere(np.abs(block) >= limit).tolist()
            twins.extend((rows.start + a, b) for a, b in near if rows.start + a < b)
    if twins:
        a, b = twins[0]
        more = f" (and {len(twins) - 1} more such pairs)" if len(twins) > 1 else ""
        raise DataError(
            f"No two columns may say the same. Got {names[a]!r} and {names[b]!r} with correlation "
            f"{matrix[a, b]:+.9g}{more}; drop one of them."
        )
    np.fill_diagonal(matrix, 1.0)
    matrix.flags.writeable = False
    return matrix


def _check_entries(matrix: NDArray[np.float64], names: Sequence[str]) -> None:
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"A correlation matrix must be square. Got shape {matrix.shape}.")
    if len(matrix) < 2:
        raise DataError(f"A correlation matrix must have at least 2 columns. Got {len(matrix)}.")
    # Two reductions tell whether anything is wrong; only then are full-size masks made, to say where.
    low, high = float(matrix.min()), float(matrix.max())
    if not (np.isfinite(low) and np.isfinite(high)):
        i, j = np.argwhere(~np.isfinite(matrix))[0].tolist()
        raise DataError(
            f"A correlation matrix must be finite. Got {matrix[i, j]} for {names[i]!r}, {names[j]!r}; "
            f"compute it from complete rows of columns that vary."
        )
    diagonal = matrix.diagonal()
    off = np.flatnonzero(np.abs(diagonal - 1.0) > _SLACK).tolist()
    if len(off):
        raise DataError(
            f"A correlation matrix must have ones on its diagonal. Got {diagonal[off[0]]:.6g} for "
            f"{names[off[0]]!r}; divide a covariance matrix by its standard deviations."
        )
    if max(high, -low) > 1.0 + _SLACK:
        i, j = np.argwhere(np.abs(matrix) > 1.0 + _SLACK)[0].tolist()
        raise DataError(
            f"Correlations must lie in [-1, 1]. Got {matrix[i, j]:.6g} for {names[i]!r}, {names[j]!r}."
        )


def _check_definite(matrix: NDArray[np.float64]) -> None:
    d = len(matrix)
    if d > _CHECKED_SIZE:
        return
    try:
        np.linalg.cholesky(matrix + _SLACK * np.eye(d))
    except np.linalg.LinAlgError:
        smallest = float(np.linalg.eigvalsh(matrix)[0])
        raise DataError(
            f"A correlation matrix must be positive semi-definite. Got one whose smallest eigenvalue is "
            f"{smallest:.3g}; compute all its entries from the same rows."
        ) from None


def _row_blocks(d: int) -> Iterator[slice]:
    height = max(1, _BLOCK_NUMBERS // d)
    for start in range(0, d, height):
        yield slice(start, min(start + height, d))
