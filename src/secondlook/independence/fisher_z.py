"""Fisher's z test of partial correlations, from a table or from a correlation matrix."""

from __future__ import annotations

from collections import defaultdict
from math import atanh, erfc, sqrt
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from secondlook.errors import DataError, OptionError
from secondlook.independence.correlation import COLLINEAR, checked_correlation, correlation_of
from secondlook.independence.protocol import CITest, Question, canonical, worded
from secondlook.tables.table import as_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_CLIP = 0.9999999
_BATCH_NUMBERS = 1 << 17


class FisherZ(CITest):
    """Fisher's z test that a partial correlation is zero, for continuous columns.

    The p-value is erfc(z / sqrt 2) with z = sqrt(n - |S| - 3) |atanh r|, where r is the partial
    correlation of i and j given S, clipped to +-0.9999999. A question cannot be tested, and answers NaN,
    when n - |S| - 3 <= 0 or when S, or i or j given S, is collinear: a residual variance at or below
    1e-8 of the column's own.

    Parameters
    ----------
    X : dataframe or array_like, shape (n, d), optional
        n >= 4 rows of d >= 2 numeric columns, complete and finite. More columns than rows are allowed.
    correlation : dataframe or array_like, shape (d, d), optional
        Instead of `X`: symmetric with unit diagonal, positive semi-definite. The latter is verified up to
        500 columns; beyond, a negative pivot makes a question untestable, never a wrong answer.
    n : int, optional
        With `correlation`: the number of rows it came from, at least 4.
    names : iterable of str, optional
        One name per column; the default is the dataframe's names, or x0, x1, …

    Attributes
    ----------
    names : tuple of str
        The columns' names.
    correlation : ndarray of float64, shape (d, d)
        Read-only, C-contiguous, exactly symmetric, unit diagonal.
    n : int
        The number of rows.

    Raises
    ------
    DataError
        If the table or matrix cannot be used: one sentence naming the columns and the remedy.

    References
    ----------
    Fisher, R. A. (1924). The distribution of the partial correlation coefficient. Metron 3, 329-332.

    Examples
    --------
    >>> test = FisherZ(correlation=[[1, 0.6, 0.3], [0.6, 1, 0.5], [0.3, 0.5, 1]], n=100)
    >>> round(test.p_value(0, 2, [1]), 6)
    1.0
    """

    names: tuple[str, ...]
    correlation: NDArray[np.float64]
    n: int

    def __init__(
        self,
        X: Any = None,
        *,
        correlation: Any = None,
        n: int | None = None,
        names: Iterable[str] | None = None,
    ) -> None:
        if (X is None) == (correlation is None):
            raise OptionError("FisherZ must be given either a table X or a correlation matrix with its n.")
        if X is not None:
            if n is not None:
                raise OptionError(f"The 'n' parameter of FisherZ goes with a correlation matrix. Got n={n}.")
            table = as_table(X, names)
            self.names, self.n = table.names, len(table.values)
            self.correlation = correlation_of(table)
        else:
            self.n = _checked_n(n)
            given = as_table(correlation, names)
            self.names = given.names
            self.correlation = checked_correlation(given.values, given.names)

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """The p-value of "the partial correlation of i and j given S is zero".

        Parameters
        ----------
        i, j : int
            Two different columns.
        S : sequence of int
            The columns conditioned on, in any order; repeats are ignored.

        Returns
        -------
        float
            In [0, 1], or NaN when the question cannot be tested.

        Raises
        ------
        OptionError
            If the question names a column twice or one that does not exist.
        """
        return float(self.p_values([canonical(i, j, S)])[0])

    def p_values(self, questions: Sequence[Question]) -> NDArray[np.float64]:
        """The p-values of many canonical questions, in their order.

        Parameters
        ----------
        questions : sequence of (int, int, tuple of int)
            Canonical questions: i < j, S ascending.

        Returns
        -------
        ndarray of float64, shape (len(questions),)
            Each in [0, 1] or NaN.

        Raises
        ------
        OptionError
            If a question names a column twice or one that does not exist.
        """
        answers = np.full(len(questions), np.nan)
        for size, where, columns in self._by_size(questions):
            freedom = self.n - size - 3
            if freedom <= 0:
                continue
            r = np.clip(self._partial_correlations(columns), -_CLIP, _CLIP)
            root = sqrt(freedom)
            # The C library's functions, number by number: vector versions differ between processors.
            answers[where] = [erfc(root * abs(atanh(value)) / sqrt(2.0)) for value in r.tolist()]
        return answers

    def statistic(self, i: int, j: int, S: Sequence[int]) -> float:
        """The partial correlation of i and j given S.

        Parameters
        ----------
        i, j : int
            Two different columns.
        S : sequence of int
            The columns conditioned on, in any order.

        Returns
        -------
        float
            In [-1, 1], or NaN when S, or i or j given S, is collinear.

        Raises
        ------
        OptionError
            If the question names a column twice or one that does not exist.
        """
        ((_, _, columns),) = self._by_size([canonical(i, j, S)])
        return float(self._partial_correlations(columns)[0])

    def _by_size(self, questions: Sequence[Question]) -> list[tuple[int, NDArray[np.intp], NDArray[np.intp]]]:
        """Per size of S: the positions of its questions, and their columns as (m, size + 2), S first."""
        groups: dict[int, list[int]] = defaultdict(list)
        for k, question in enumerate(questions):
            groups[len(question[2])].append(k)
        parts = []
        for size, where in sorted(groups.items()):
            rows = [(*questions[k][2], questions[k][0], questions[k][1]) for k in where]
            columns = np.array(rows, dtype=np.intp)
            self._check_columns(columns, questions, where)
            parts.append((size, np.array(where, dtype=np.intp), columns))
        return parts

    def _check_columns(
        self, columns: NDArray[np.intp], questions: Sequence[Question], where: list[int]
    ) -> None:
        ordered = np.sort(columns, axis=1)
        wrong = (ordered[:, 0] < 0) | (ordered[:, -1] >= len(self.names))
        wrong |= (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        if wrong.any():
            question = questions[where[int(np.argmax(wrong))]]
            raise OptionError(
                f"A question must name different columns from 0 to {len(self.names) - 1}. Got {question!r}: "
                f"{worded(question, self.names)}."
            )
        columns[:, :-2].sort(axis=1)

    def _partial_correlations(self, columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """The partial correlation of the last two columns of every row given the others, or NaN."""
        m, width = columns.shape
        r = np.empty(m)
        height = max(1, _BATCH_NUMBERS // (width * width))
        for start in range(0, m, height):
            rows = slice(start, start + height)
            r[rows] = _eliminated(self.correlation, columns[rows].T)
        return r

    def __getstate__(self) -> dict[str, Any]:
        return {"names": self.names, "n": self.n, "correlation": self.correlation}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.correlation.flags.writeable = False  # pickling forgets the flag

    def __repr__(self) -> str:
        return f"FisherZ({len(self.names)} columns, n={self.n})"


def _eliminated(correlation: NDArray[np.float64], columns: NDArray[np.intp]) -> NDArray[np.float64]:
    """Partial correlations by Schur elimination of S in ascending order, a whole batch per step.

    `columns` is (|S| + 2, m). Every update is (a * b) / pivot, whose bits do not depend on the order of a
    and b, so that the answer is the same for (i, j) and (j, i).
    """
    left = correlation[columns[:, None, :], columns[None, :, :]]
    usable = np.ones(columns.shape[1], dtype=bool)
    while len(left) > 2:
        pivot = left[0, 0]
        usable &= pivot > COLLINEAR
        column = left[0, 1:]
        left = left[1:, 1:] - column[:, None] * column[None, :] / np.where(usable, pivot, 1.0)
    usable &= (left[0, 0] > COLLINEAR) & (left[1, 1] > COLLINEAR)
    r = left[0, 1] / np.sqrt(np.where(usable, left[0, 0] * left[1, 1], 1.0))
    return np.where(usable, np.clip(r, -1.0, 1.0), np.nan)


def _checked_n(n: object) -> int:
    if isinstance(n, bool) or not isinstance(n, Integral) or int(n) < 4:
        raise DataError(
            f"The 'n' parameter of FisherZ must be the number of rows, an integer of at least 4 "
            f"(n - 3 >= 1). Got {n!r}."
        )
    return int(n)
