"""The memo: every question is asked once per test, whatever number of alphas and looks share it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import OptionError
from secondlook.independence.protocol import Question, batched_p_values, canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from secondlook.independence.protocol import CITest


class Memo:
    """The answers of exactly one test, each canonical question asked at most once.

    A memo belongs to the test it was made for, and so to that test's data; there is no key through which
    two data sets could meet. It is itself usable wherever a test is expected.

    Parameters
    ----------
    test : CITest
        The test to ask; an object with ``names`` and ``p_value`` only is served too.

    Attributes
    ----------
    test : CITest
        The wrapped test.
    names : tuple of str
        The test's column names.
    untestable : tuple of (int, int, tuple of int)
        The questions answered with NaN, in the order they were first asked.

    Examples
    --------
    >>> from secondlook.independence import CITest
    >>> class Always(CITest):
    ...     names = ("a", "b")
    ...     def p_value(self, i, j, S):
    ...         return 1.0
    >>> memo = Memo(Always())
    >>> memo.p_values([(0, 1, ()), (0, 1, ())])
    array([1., 1.])
    >>> memo.n_asked
    1
    """

    def __init__(self, test: CITest) -> None:
        self.test = test
        self.names: tuple[str, ...] = tuple(test.names)
        self._untestable: list[Question] = []
        # A question is kept as one integer in base d: a third of the memory of a tuple of tuples.
        self._answers: dict[int, float] = {}
        self._base = max(len(self.names), 2)

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """The p-value of one question, in any spelling.

        Parameters
        ----------
        i, j : int
            Two different columns.
        S : sequence of int
            The columns conditioned on.

        Returns
        -------
        float
            In [0, 1] or NaN.

        Raises
        ------
        DataError
            If the test answers with anything else.
        """
        return float(self.p_values([canonical(i, j, S)])[0])

    def p_values(self, questions: Sequence[Question]) -> NDArray[np.float64]:
        """The p-values of the questions, in their order; the new ones go to the test in one batch.

        Parameters
        ----------
        questions : sequence of (int, int, tuple of int)
            May repeat; a question that is not canonical is made so first.

        Returns
        -------
        ndarray of float64, shape (len(questions),)
            Each in [0, 1] or NaN.

        Raises
        ------
        DataError
            If the test's answers are not one number in [0, 1] or NaN per question.
        OptionError
            If a question is about fewer than two columns or about columns that do not exist.
        """
        answers = self._answers
        codes = [self._code(question) for question in questions]
        new = {code: question for code, question in zip(codes, questions, strict=True) if code not in answers}
        if new:
            self._ask(new.keys(), [_spelled(question) for question in new.values()])
        return np.fromiter(map(answers.__getitem__, codes), dtype=np.float64, count=len(codes))

    @property
    def n_asked(self) -> int:
        """The number of distinct questions that reached the test."""
        return len(self._answers)

    @property
    def n_untestable(self) -> int:
        """The number of distinct questions answered with NaN."""
        return len(self._untestable)

    @property
    def untestable(self) -> tuple[Question, ...]:
        """The questions answered with NaN, in the order they were first asked."""
        return tuple(self._untestable)

    def __contains__(self, question: Question) -> bool:
        return self._code(question) in self._answers

    def __len__(self) -> int:
        return len(self._answers)

    def __repr__(self) -> str:
        return f"Memo({type(self.test).__name__}, {self.n_asked} asked, {self.n_untestable} untestable)"

    def _ask(self, codes: Iterable[int], questions: list[Question]) -> None:
        answers = batched_p_values(self.test, questions)
        self._answers.update(zip(codes, answers.tolist(), strict=True))
        self._untestable.extend(questions[k] for k in np.flatnonzero(np.isnan(answers)))

    def _code(self, question: Question) -> int:
        i, j, S = question
        base = self._base
        code = (base + int(i)) * base + int(j)  # the leading 1 keeps the sizes of S apart
        last = -1
        ascending = 0 <= i < j < base
        for s in S:
            ascending = ascending and last < s < base and s not in (i, j)
            code = code * base + int(s)
            last = s
        if ascending:
            return code
        spelled = canonical(i, j, S)
        if max(spelled[1], *spelled[2], 0) >= self._base:
            raise OptionError(
                f"A question must name columns from 0 to {len(self.names) - 1}. Got {question!r}."
            )
        return self._code(spelled)


def _spelled(question: Question) -> Question:
    i, j, S = question
    if i < j and type(S) is tuple and (len(S) < 2 or sorted(S) == list(S)):
        return question
    return canonical(i, j, S)
