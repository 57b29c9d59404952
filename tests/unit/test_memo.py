"""The memo asks each question once and belongs to one test."""

from __future__ import annotations

import numpy as np
import pytest

from secondlook.errors import DataError, OptionError
from secondlook.independence import CITest, FisherZ, Memo, canonical


class Recorder(CITest):
    """A test that writes down every batch it receives."""

    def __init__(self, d=40, answer=None):
        self.names = tuple(f"v{k}" for k in range(d))
        self.batches = []
        self.answer = answer

    def p_value(self, i, j, S):
        """Not used: batches are."""
        raise AssertionError

    def p_values(self, questions):
        """A number that tells questions apart."""
        self.batches.append(list(questions))
        if self.answer is not None:
            return np.full(len(questions), self.answer)
        return np.array([(i + 40 * j + sum(1600 * s for s in S)) / 1e6 for i, j, S in questions])


def all_questions(d):
    """Every question on d columns with at most two columns in S."""
    for i in range(d):
        for j in range(i + 1, d):
            rest = [k for k in range(d) if k not in (i, j)]
            yield i, j, ()
            yield from ((i, j, (a,)) for a in rest)
            yield from ((i, j, (a, b)) for a in rest for b in rest if a < b)


def test_memo_asks_once():
    """However often and in whatever batches a question comes, the test hears it once."""
    test = Recorder()
    memo = Memo(test)
    questions = [(0, 1, ()), (0, 1, (2,)), (0, 1, ()), (3, 4, (5, 6))]
    first = memo.p_values(questions)
    second = memo.p_values([(7, 8, ()), *questions])
    assert first.tolist() == second[1:].tolist()
    assert test.batches == [[(0, 1, ()), (0, 1, (2,)), (3, 4, (5, 6))], [(7, 8, ())]]
    assert memo.n_asked == len(memo) == 4


def test_memo_nothing_new():
    """When all answers are known the test is left alone."""
    test = Recorder()
    memo = Memo(test)
    memo.p_values([(0, 1, ())])
    memo.p_values([(0, 1, ())])
    assert len(test.batches) == 1
    assert memo.p_values([]).shape == (0,)


@pytest.mark.parametrize("d", [2, 3, 9, 10, 11])
def test_memo_tells_questions_apart(d):
    """No two questions share a place, whatever the number of columns."""
    questions = list(all_questions(d))
    test = Recorder(d)
    memo = Memo(test)
    assert memo.p_values(questions).tolist() == Recorder(d).p_values(questions).tolist()
    assert memo.n_asked == len(set(questions)) == len(questions)
    assert memo.p_values(questions[::-1]).tolist() == Recorder(d).p_values(questions[::-1]).tolist()


def test_memo_any_spelling():
    """Questions in other spellings, or of NumPy integers, find one answer and reach the test canonical."""
    test = Recorder()
    memo = Memo(test)
    spellings = [(5, 2, (9, 1)), (2, 5, (1, 9)), (2, 5, (9, 1, 1)), (np.int64(5), np.int32(2), (1, 9))]
    answers = memo.p_values(spellings)
    assert len(set(answers.tolist())) == 1
    assert test.batches == [[(2, 5, (1, 9))]]
    assert memo.p_value(5, 2, [9, 1]) == answers[0]
    assert (5, 2, (9, 1)) in memo
    assert (2, 5, (1, 8)) not in memo


def test_memo_large_indices_as_numpy_integers():
    """Deep questions of NumPy integers do not overflow."""
    test = Recorder(1000, answer=0.5)
    memo = Memo(test)
    deep = (np.int64(0), np.int64(1), tuple(np.arange(900, 940)))
    memo.p_values([deep])
    assert canonical(*deep) in memo
    assert memo.n_asked == 1


def test_memo_two_data_sets_never_share(rng):
    """Memos on two tables with the same names keep their own answers."""
    X = rng.normal(size=(2000, 10))
    Y = X.copy()
    Y[500:1500] = rng.normal(size=(1000, 10))
    one, other = Memo(FisherZ(X)), Memo(FisherZ(Y))
    questions = list(all_questions(4))
    assert (one.p_values(questions) != other.p_values(questions)).all()
    assert one.p_values(questions).tolist() == FisherZ(X).p_values(questions).tolist()


def test_memo_untestable_questions():
    """NaN answers are kept, counted and listed once, in the order asked."""
    memo = Memo(FisherZ(correlation=np.eye(4), n=5))
    questions = [(0, 1, (2, 3)), (0, 1, ()), (1, 2, (0, 3)), (0, 1, (2, 3))]
    assert np.isnan(memo.p_values(questions)).tolist() == [True, False, True, True]
    assert memo.untestable == ((0, 1, (2, 3)), (1, 2, (0, 3)))
    assert (memo.n_untestable, memo.n_asked) == (2, 3)
    assert repr(memo) == "Memo(FisherZ, 3 asked, 2 untestable)"


@pytest.mark.parametrize("answer", [1.5, -1.0, np.inf])
def test_memo_refuses_wrong_answers(answer):
    """A number outside [0, 1] is refused with the question's names, and is not remembered."""
    memo = Memo(Recorder(answer=answer))
    with pytest.raises(DataError, match=r"The test Recorder .* for 'v0' and 'v1' given 'v2'"):
        memo.p_values([(0, 1, (2,))])
    assert (0, 1, (2,)) not in memo
    assert memo.n_asked == 0


@pytest.mark.parametrize("question", [(0, 40, ()), (0, 1, (40,)), (0, 0, ()), (0, 1, (1,)), (-1, 0, ())])
def test_memo_refuses_nonsense(question):
    """Questions about columns that do not exist, or about one column, do not reach the test."""
    test = Recorder()
    with pytest.raises(OptionError, match="must name"):
        Memo(test).p_values([question])
    assert test.batches == []


def test_memo_of_memo(rng):
    """A memo is a test, so one may wrap another."""
    inner = Memo(FisherZ(rng.normal(size=(50, 4))))
    outer = Memo(inner)
    assert outer.p_value(0, 1, [2]) == inner.p_value(0, 1, [2])
    assert inner.n_asked == 1
