"""The contract of a conditional-independence test, for ours and for the user's own."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from secondlook.errors import DataError, OptionError
from secondlook.independence import CITest, DSeparation, FisherZ, Memo, as_test, canonical
from secondlook.independence.protocol import batched_p_values, worded


class HalfTest(CITest):
    """A user's test, as short as the documentation promises."""

    names = ("a", "b", "c")

    def p_value(self, i, j, S):
        """One half, whatever the question."""
        return 0.5


class Duck:
    """An unrelated object with the two things that are needed."""

    names = ("a", "b", "c")

    def __init__(self, answer=0.25):
        self.answer = answer

    def p_value(self, i, j, S):
        """The answer it was made with."""
        return self.answer


class Batch(Duck):
    """A duck that answers whole batches, rightly or wrongly."""

    def p_values(self, questions):
        """The answer it was made with."""
        return self.answer


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ((0, 1, ()), (0, 1, ())),
        ((4, 1, [3, 0]), (1, 4, (0, 3))),
        ((2, 5, (3, 3, 1)), (2, 5, (1, 3))),
        ((np.int64(3), np.int32(2), np.array([7, 0])), (2, 3, (0, 7))),
    ],
)
def test_canonical_any_spelling(asked, expected):
    """Every spelling of a question has one canonical form, made of Python's own integers."""
    question = canonical(*asked)
    assert question == expected
    assert {type(k) for k in (question[0], question[1], *question[2])} == {int}


@pytest.mark.parametrize("asked", [(1, 1, ()), (0, 1, (1,)), (0, 1, (0,)), (-1, 2, ()), (0, 1, (-2,))])
def test_canonical_nonsense(asked):
    """A question about one column, or given a column it asks about, is refused with its values."""
    with pytest.raises(OptionError, match=r"two different columns that are not in S.*Got i="):
        canonical(*asked)


def test_worded_question():
    """A message names columns, not numbers, and survives an index out of range."""
    assert worded((0, 2, (1,)), ["a", "b", "c"]) == "'a' and 'c' given 'b'"
    assert worded((0, 9, ()), ["a", "b"]) == "'a' and column 9 given nothing"


def test_p_values_inherited():
    """A test that inherits and writes p_value only answers batches."""
    answers = HalfTest().p_values([(0, 1, ()), (0, 2, (1,))])
    assert answers.dtype == np.float64
    assert answers.tolist() == [0.5, 0.5]


def test_p_values_no_questions():
    """An empty batch has an empty answer."""
    assert HalfTest().p_values([]).shape == (0,)
    assert FisherZ(correlation=np.eye(3), n=10).p_values([]).shape == (0,)


def test_citest_isinstance():
    """Our tests and the memo meet the protocol; an object without p_values is a duck, not an instance."""
    fisher = FisherZ(correlation=np.eye(3), n=10)
    assert isinstance(fisher, CITest)
    assert isinstance(HalfTest(), CITest)
    assert isinstance(Memo(fisher), CITest)
    assert not isinstance(Duck(), CITest)


def test_batched_duck_without_p_values():
    """An object with names and p_value only is asked question by question."""
    assert batched_p_values(Duck(), [(0, 1, ()), (1, 2, ())]).tolist() == [0.25, 0.25]


@pytest.mark.parametrize("answer", [Fraction(1, 4), np.float32(0.25), np.array(0.25), np.float64(0.25)])
def test_looped_number_types(answer):
    """Any kind of real number is a p-value."""
    assert batched_p_values(Duck(answer), [(0, 1, ())]).tolist() == [0.25]


@pytest.mark.parametrize("answer", [True, np.False_, "0.5", None, 1j, [0.5], np.array([0.5])])
def test_looped_not_a_number(answer):
    """A decision, a text or nothing is refused, naming the test and the question."""
    with pytest.raises(DataError, match=r"The test Duck must answer .* for 'a' and 'c' given 'b'\."):
        batched_p_values(Duck(answer), [(0, 2, (1,))])


@pytest.mark.parametrize("answer", [1.5, -0.25, np.inf, 1 + 1e-9, -np.inf])
def test_looped_out_of_range(answer):
    """A number outside [0, 1] is refused, naming the test, the number and the question."""
    with pytest.raises(DataError, match=r"The test Duck .* Got .* for 'a' and 'b' given nothing\."):
        batched_p_values(Duck(answer), [(0, 1, ())])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0.5], r"one p-value per question\. Got an answer of shape \(1,\) for 2 questions"),
        (0.5, r"Got an answer of shape \(\) for 2 questions"),
        ([[0.5], [0.5]], r"Got an answer of shape \(2, 1\)"),
        ([0.5, 2.0], r"Got 2\.0 for 'b' and 'c' given nothing"),
        ([True, False], r"Got True"),
        (["0.5", "0.5"], r"Got '0\.5'"),
        ([0.5, None], r"Got None"),
        ([0.5, 1j], r"Got .*j"),
    ],
)
def test_batched_wrong_answers(answer, message):
    """A batch of the wrong length, kind or range is refused, naming the test."""
    with pytest.raises(DataError, match=r"The test Batch .*" + message):
        batched_p_values(Batch(answer), [(0, 1, ()), (1, 2, ())])


def test_batched_nan_is_an_answer():
    """NaN passes: it says that the question cannot be tested."""
    assert np.isnan(batched_p_values(Batch([np.nan, 0.0]), [(0, 1, ()), (1, 2, ())])).tolist() == [
        True,
        False,
    ]


def test_as_test_passes_tests_through():
    """A test, duck or memo is used as it is."""
    for test in (HalfTest(), Duck(), Memo(Duck())):
        assert as_test(test) is test


def test_as_test_table():
    """Anything else is a table for Fisher's z."""
    test = as_test(np.random.default_rng(0).normal(size=(20, 3)))
    assert isinstance(test, FisherZ)
    assert test.names == ("x0", "x1", "x2")


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (DSeparation, r"Got the class DSeparation; pass DSeparation\(\.\.\.\)"),
        (type("Nameless", (), {"p_value": lambda *_: 0.5})(), "must have names"),
        ({"a": [1, 2]}, "Got dict"),
        (3, "Got int"),
        (None, "Got NoneType"),
    ],
)
def test_as_test_wrong_type(thing, message):
    """A class, a nameless test or a thing that is no table is a TypeError with the remedy."""
    with pytest.raises(TypeError, match=message):
        as_test(thing)
