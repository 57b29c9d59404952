"""What a conditional-independence test is: names and a p-value per question, never a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from secondlook.errors import DataError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Question = tuple[int, int, tuple[int, ...]]
"""``(i, j, S)``: are columns i and j independent given the columns S? Canonical: i < j, S ascending."""


@runtime_checkable
class CITest(Protocol):
    """A conditional-independence test, bound to its data and asked by column index.

    A test of your own inherits from this class and writes ``names`` and ``p_value``; ``p_values`` then
    comes for free, and is worth overriding only where a batch is cheaper than a loop. An unrelated
    object with ``names`` and ``p_value`` is served as well.

    Attributes
    ----------
    names : tuple of str
        The columns' names; a question's indices are positions in this tuple.

    Notes
    -----
    The contract: a p-value lies in [0, 1]; NaN means that the question cannot be tested, so it does not
    separate and the search reports it. The answer must depend neither on the order of i and j nor on the
    order of S. A test never decides and never hears of alpha.

    Examples
    --------
    >>> class Never(CITest):
    ...     names = ("a", "b", "c")
    ...     def p_value(self, i, j, S):
    ...         return 0.0
    >>> Never().p_values([(0, 1, ()), (0, 2, (1,))])
    array([0., 0.])
    """

    names: tuple[str, ...]

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """The p-value of "i and j are independent given S".

        Parameters
        ----------
        i, j : int
            Two different columns.
        S : sequence of int
            The columns conditioned on; holds neither i nor j.

        Returns
        -------
        float
            In [0, 1], or NaN when the question cannot be tested.
        """
        ...

    def p_values(self, questions: Sequence[Question]) -> NDArray[np.float64]:
        """The p-values of many canonical questions, in their order.

        Parameters
        ----------
        questions : sequence of (int, int, tuple of int)
            Canonical questions, see `canonical`.

        Returns
        -------
        ndarray of float64, shape (len(questions),)
            Each in [0, 1] or NaN.

        Raises
        ------
        DataError
            If ``p_value`` answers with something that is not a number.
        """
        return looped_p_values(self, questions)


def canonical(i: int, j: int, S: Sequence[int]) -> Question:
    """The one spelling of a question: the smaller index first, S ascending and without repeats.

    Parameters
    ----------
    i, j : int
        Two different columns.
    S : sequence of int
        The columns conditioned on, in any order.

    Returns
    -------
    tuple (int, int, tuple of int)

    Raises
    ------
    OptionError
        If i equals j, if S holds one of them, or if an index is negative.

    Examples
    --------
    >>> canonical(4, 1, [3, 0])
    (1, 4, (0, 3))
    """
    given = tuple(sorted({int(s) for s in S}))
    low, high = (int(i), int(j)) if i < j else (int(j), int(i))
    if low == high or low in given or high in given or low < 0 or (given and given[0] < 0):
        raise OptionError(
            f"A question (i, j, S) must name two different columns that are not in S, "
            f"with indices from 0. Got i={i}, j={j}, S={tuple(S)}."
        )
    return low, high, given


def worded(question: Question, names: Sequence[str]) -> str:
    """A question in column names, for messages and reports.

    Parameters
    ----------
    question : (int, int, tuple of int)
        The question; an index beyond `names` is shown as a number.
    names : sequence of str
        The columns' names.

    Returns
    -------
    str

    Examples
    --------
    >>> worded((0, 2, (1,)), ["a", "b", "c"])
    "'a' and 'c' given 'b'"
    """
    i, j, S = question
    shown = [repr(names[k]) if 0 <= k < len(names) else f"column {k}" for k in (i, j, *S)]
    return f"{shown[0]} and {shown[1]} given {', '.join(shown[2:]) or 'nothing'}"


def looped_p_values(test: Any, questions: Sequence[Question]) -> NDArray[np.float64]:
    """The answers of ``test.p_value`` to the questions, one call each.

    Parameters
    ----------
    test : object
        Has ``names`` and ``p_value(i, j, S)``.
    questions : sequence of (int, int, tuple of int)
        Canonical questions.

    Returns
    -------
    ndarray of float64, shape (len(questions),)

    Raises
    ------
    DataError
        If an answer is not a number; the message names the test and the question.
    """
    answers = np.empty(len(questions), dtype=np.float64)
    for k, (i, j, S) in enumerate(questions):
        answer = test.p_value(i, j, S)
        # A bool would convert to 0.0 or 1.0, but it is a decision and not a p-value.
        if type(answer) is not float and not _is_number(answer):
            raise DataError(
                f"The test {type(test).__name__} must answer with a p-value in [0, 1] or NaN. "
                f"Got {answer!r} for {worded(questions[k], test.names)}."
            )
        answers[k] = answer
    return answers


def batched_p_values(test: Any, questions: Sequence[Question]) -> NDArray[np.float64]:
    """The answers of any test, through its own ``p_values`` where it has one.

    Parameters
    ----------
    test : object
        Has ``names`` and ``p_value(i, j, S)``, and maybe ``p_values(questions)``.
    questions : sequence of (int, int, tuple of int)
        Canonical questions.

    Returns
    -------
    ndarray of float64, shape (len(questions),)
        Each in [0, 1] or NaN.

    Raises
    ------
    DataError
        If the answers are not one number in [0, 1] or NaN per question.
    """
    own = getattr(test, "p_values", None)
    answers = looped_p_values(test, questions) if own is None else _as_answers(test, own(questions))
    if answers.shape != (len(questions),):
        raise DataError(
            f"The test {type(test).__name__} must give one p-value per question. "
            f"Got an answer of shape {answers.shape} for {len(questions)} questions."
        )
    wrong = (answers < 0.0) | (answers > 1.0)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise DataError(
            f"The test {type(test).__name__} must answer with a p-value in [0, 1] or NaN. "
            f"Got {float(answers[k])!r} for {worded(questions[k], test.names)}."
        )
    return answers


def _as_answers(test: Any, raw: Any) -> NDArray[np.float64]:
    array = np.asarray(raw)
    # A list of Python numbers may arrive as objects (fractions, decimals, a stray None): look at each.
    usable = array.dtype.kind in "fiu" or (
        array.dtype.kind == "O" and all(_is_number(value) for value in array.ravel())
    )
    if not usable:
        strange = next((value for value in array.ravel().tolist() if not _is_number(value)), raw)
        raise DataError(
            f"The test {type(test).__name__} must answer with p-values in [0, 1] or NaN. Got {strange!r}."
        )
    return array.astype(np.float64, copy=False)


def _is_number(value: object) -> bool:
    if isinstance(value, (bool, np.bool_, str, bytes, complex)) or value is None:
        return False
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "fiu"
    return hasattr(value, "__float__")
