"""The G-square and chi-square tests of independence for categories, from counts within strata."""

from __future__ import annotations

from math import inf
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from secondlook import _native
from secondlook.errors import DataError, OptionError
from secondlook.independence.protocol import CITest, Question, canonical, worded
from secondlook.tables.coding import as_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from secondlook.tables.table import Table

Statistic = Literal["g2", "pearson"]
Untestable = Literal["nan", "independent"]
MIN_PER_DF = 10.0
"""The default of the minimum-count rule: rows per degree of freedom."""


class Counted(NamedTuple):
    """What the strata of one question add up to.

    Attributes
    ----------
    statistic : float
        G-square or Pearson's chi-square, at least 0.
    df : int
        (levels of i seen - 1) * (levels of j seen - 1), summed over the strata.
    rows : int
        The rows in strata where both columns vary; the others say nothing about the question.
    """

    statistic: float
    df: int
    rows: int


class GSquare(CITest):
    """The G-square test, or Pearson's chi-square, that categories are independent within strata.

    Rows that agree in all columns of S form a stratum. Both statistics add up over the strata what observed
    and expected counts differ by: 2 O log(O / E), or (O - E)^2 / E. The p-value is the upper tail of the
    chi-square distribution. Levels that a stratum does not show cost it no degrees of freedom: it has
    (levels of i seen - 1) * (levels of j seen - 1) of them, none where one of the two columns does not vary.

    A question cannot be tested, and answers NaN, when there are fewer than `min_per_df` rows per degree of
    freedom, or no degree of freedom at all because i or j never varies within a stratum. Only the rows of
    strata in which both columns vary are counted. A column of one level is independent of everything: its
    p-value is 1.

    The statistics are sums in fixed point: the same bits for any order of columns, levels and rows. There is
    no continuity correction.

    Parameters
    ----------
    X : dataframe, array_like of shape (n, d), Table or Codes
        Complete columns of texts, truth values or whole numbers; two columns at least.
    statistic : str
        "g2" (default) or "pearson".
    min_per_df : float
        At least 0: the fewest rows per degree of freedom; 0 tests whatever has one.
    untestable : str
        "nan" (default): what cannot be tested separates nothing, and the search reports it. "independent": it
        answers 1 and so separates, as other packages have it.
    names : iterable of str, optional
        One name per column; the default is the dataframe's names, or x0, x1, …

    Attributes
    ----------
    names : tuple of str
        The columns' names.
    codes : ndarray of int32, shape (n, d)
        The categories as whole numbers from 0; read-only.
    levels : tuple of tuple
        Per column what its codes stand for.
    n : int
        The number of rows.
    statistic : str
        Which statistic it is.
    min_per_df : float
        The minimum-count rule.
    untestable : str
        What becomes of questions that it, or want of degrees of freedom, stops.

    Raises
    ------
    DataError
        If the table holds no categories or values are missing: one sentence naming columns and remedy.
    OptionError
        If an option is not as described.

    References
    ----------
    Edwards, D. (2000). Introduction to Graphical Modelling. Springer, 2nd edition.
    Bishop, Y. M. M., Fienberg, S. E. and Holland, P. W. (1975). Discrete Multivariate Analysis. MIT Press.

    Examples
    --------
    >>> rows = [["sun", "dry"]] * 30 + [["rain", "wet"]] * 20 + [["rain", "dry"]] * 5
    >>> test = GSquare(rows, names=["sky", "street"])
    >>> statistic, df, rows = test.counted(0, 1, [])
    >>> round(statistic, 4), df, rows
    (47.0829, 1, 55)
    >>> test.p_value(0, 1, []) < 1e-10
    True
    """

    names: tuple[str, ...]
    codes: NDArray[np.int32]
    levels: tuple[tuple[Any, ...], ...]
    n: int
    statistic: Statistic
    min_per_df: float
    untestable: Untestable

    def __init__(
        self,
        X: Any,
        *,
        statistic: Statistic = "g2",
        min_per_df: float = MIN_PER_DF,
        untestable: Untestable = "nan",
        names: Iterable[str] | None = None,
    ) -> None:
        _check_choice("statistic", statistic, get_args(Statistic))
        _check_choice("untestable", untestable, get_args(Untestable))
        coded = as_codes(X, names)
        n, d = coded.codes.shape
        if d < 2 or n < 1:
            raise DataError(
                f"GSquare must be given at least two columns and one row. Got {d} columns and {n} rows."
            )
        self.names, self.codes, self.levels, self.n = coded.names, coded.codes, coded.levels, n
        self.statistic, self.min_per_df, self.untestable = statistic, _checked_number(min_per_df), untestable
        self._prepare()

    @staticmethod
    def table_from(X: Any) -> Table:
        """The codes of X as a table of numbers, whose rows rules may draw: see `secondlook.autopc`."""
        return as_codes(X).table()

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """The p-value of "i and j are independent in every stratum of S".

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
        from scipy.special import chdtrc

        asked = self._asked(questions)
        found = self._independence(asked)
        df, rows = found["freedom"], found["informative"]
        testable = (df > 0) & (rows >= self.min_per_df * df)
        answers = np.full(len(questions), np.nan if self.untestable == "nan" else 1.0)
        answers[testable] = chdtrc(df[testable], found["statistic"][testable])
        answers[self._constant[asked.first] | self._constant[asked.second]] = 1.0
        return answers

    def counted(self, i: int, j: int, S: Sequence[int]) -> Counted:
        """Statistic, degrees of freedom and informative rows of one question.

        Parameters
        ----------
        i, j : int
            Two different columns.
        S : sequence of int
            The columns conditioned on, in any order.

        Returns
        -------
        Counted

        Raises
        ------
        OptionError
            If the question names a column twice or one that does not exist.
        """
        found = self._independence(self._asked([canonical(i, j, S)]))
        return Counted(float(found["statistic"][0]), int(found["freedom"][0]), int(found["informative"][0]))

    def log_likelihoods(self, families: Sequence[tuple[int, tuple[int, ...]]]) -> NDArray[np.float64]:
        """The largest log-likelihood of each column given its parents, its own table for each stratum.

        Parameters
        ----------
        families : sequence of (int, tuple of int)
            A column and its parents, ascending.

        Returns
        -------
        ndarray of float64, shape (len(families),)
            Natural logarithms, at most 0.
        """
        first = np.array([i for i, _ in families], dtype=np.int32)
        begin, members = _flat([parents for _, parents in families])
        return self._native.log_likelihoods(first=first, begin=begin, members=members)

    def _prepare(self) -> None:
        """What the native code reads: column by column, in the narrowest type that holds the codes."""
        counts = np.array([len(levels) for levels in self.levels], dtype=np.int32)
        most = int(counts.max()) - 1
        width = np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32
        self._constant = (self.codes == self.codes[0]).all(axis=0)
        self._native = _native.Categories(np.ascontiguousarray(self.codes.T, dtype=width), counts)

    def _asked(self, questions: Sequence[Question]) -> _Asked:
        first = np.array([i for i, _, _ in questions], dtype=np.int32)
        second = np.array([j for _, j, _ in questions], dtype=np.int32)
        begin, members = _flat([S for _, _, S in questions])
        self._check(questions, first, second, begin, members)
        return _Asked(first, second, begin, members)

    def _check(
        self,
        questions: Sequence[Question],
        first: NDArray[np.int32],
        second: NDArray[np.int32],
        begin: NDArray[np.uint64],
        members: NDArray[np.int32],
    ) -> None:
        owner = np.repeat(np.arange(len(questions)), np.diff(begin).astype(np.int64))
        wrong = (first == second) | (first < 0) | (second < 0)
        wrong |= np.maximum(first, second) >= len(self.names)
        bad = (members < 0) | (members >= len(self.names))
        bad |= (members == first[owner]) | (members == second[owner])
        bad[1:] |= (members[1:] <= members[:-1]) & (owner[1:] == owner[:-1])
        wrong[owner[bad]] = True
        if wrong.any():
            question = questions[int(np.argmax(wrong))]
            raise OptionError(
                f"A question must name different columns from 0 to {len(self.names) - 1}, S ascending. "
                f"Got {question!r}: {worded(question, self.names)}."
            )

    def _independence(self, asked: _Asked) -> _native.Independence:
        return self._native.independence(**asked._asdict(), pearson=self.statistic == "pearson")

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if not key.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.codes.flags.writeable = False  # pickling forgets the flag
        self._prepare()

    def __repr__(self) -> str:
        rule = "" if self.statistic == "g2" else f", {self.statistic}"
        return f"GSquare({len(self.names)} columns, n={self.n}{rule})"


class _Asked(NamedTuple):
    """Questions as the native code takes them."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    begin: NDArray[np.uint64]
    members: NDArray[np.int32]


def _flat(sets: Sequence[Sequence[int]]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Sets one after the other: set k holds members[begin[k]:begin[k + 1]]."""
    begin = np.zeros(len(sets) + 1, dtype=np.uint64)
    np.cumsum([len(S) for S in sets], out=begin[1:])
    return begin, np.array([s for S in sets for s in S], dtype=np.int32)


def _check_choice(option: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(
            f"The {option!r} option of GSquare must be {' or '.join(map(repr, choices))}. Got {value!r}."
        )


def _checked_number(value: Any) -> float:
    if not isinstance(value, bool) and isinstance(value, Real) and 0.0 <= float(value) < inf:
        return float(value)
    raise OptionError(f"The 'min_per_df' option of GSquare must be a number of at least 0. Got {value!r}.")
