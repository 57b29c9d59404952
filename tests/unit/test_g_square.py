"""The G-square and chi-square tests: their numbers, their symmetry, and the questions they decline."""

from __future__ import annotations

import pickle
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, chi2_contingency, kstest

from secondlook import DataError, GSquare, OptionError, autopc, pc
from secondlook.tables import as_codes
from twins.contingency import counted, random_codes

STATISTICS = ("g2", "pearson")
TABLES = {
    "two levels": (200, [2, 2, 2, 2, 2]),
    "several levels": (300, [3, 2, 4, 3, 5]),
    "a constant column": (60, [3, 1, 2, 4, 1]),
    "more levels than bits are kept for": (150, [19, 2, 24, 3, 2]),
    "levels on almost every row": (90, [80, 3, 70, 2, 90]),
    "levels beyond one byte": (2000, [400, 3, 300, 2, 5]),
    "few rows": (5, [2, 3, 2, 2, 3]),
    "one row": (1, [2, 2, 2, 2, 2]),
    "rows that fill a word": (64, [2, 3, 2, 2, 2]),
    "empty strata": (40, [2, 2, 6, 6, 6]),
}


def questions(d):
    """Every question with up to three columns in S."""
    for i, j in combinations(range(d), 2):
        others = [k for k in range(d) if k not in (i, j)]
        for size in range(len(others) + 1):
            for S in combinations(others, size):
                yield i, j, S


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("name", TABLES)
def test_counted_equals_the_twin(name, statistic, rng):
    """Statistic, degrees of freedom and informative rows are those of the definition."""
    codes = random_codes(rng, *TABLES[name])
    test = GSquare(codes, statistic=statistic)
    for i, j, S in questions(codes.shape[1]):
        expected = counted(codes, i, j, S, statistic)
        found = test.counted(i, j, S)
        assert found.statistic == pytest.approx(expected[0], rel=1e-10, abs=1e-9)
        assert (found.df, found.rows) == expected[1:]


@pytest.mark.parametrize("statistic", STATISTICS)
def test_p_value_without_conditioning_is_scipys(statistic, rng):
    """With S empty the p-value is that of scipy's contingency test without continuity correction."""
    codes = random_codes(rng, 300, [3, 4, 2, 2])
    kind = "pearson" if statistic == "pearson" else "log-likelihood"
    for i, j in combinations(range(4), 2):
        table = np.zeros((4, 4))
        np.add.at(table, (codes[:, i], codes[:, j]), 1)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        expected = chi2_contingency(table, correction=False, lambda_=kind)
        found = GSquare(codes, statistic=statistic, min_per_df=0)
        assert found.counted(i, j, []).statistic == pytest.approx(expected.statistic, rel=1e-10)
        assert found.p_value(i, j, []) == pytest.approx(expected.pvalue, rel=1e-8)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_p_value_adds_up_over_strata(statistic, rng):
    """Statistics and degrees of freedom of scipy's tests within the strata add up to ours."""
    codes = random_codes(rng, 400, [3, 3, 4])
    kind = "pearson" if statistic == "pearson" else "log-likelihood"
    total, freedom = 0.0, 0
    for level in np.unique(codes[:, 2]):
        rows = codes[codes[:, 2] == level]
        table = pd.crosstab(rows[:, 0], rows[:, 1]).to_numpy()
        if min(table.shape) > 1:
            own = chi2_contingency(table, correction=False, lambda_=kind)
            total, freedom = total + own.statistic, freedom + own.dof
    found = GSquare(codes, statistic=statistic, min_per_df=0).p_value(0, 1, [2])
    assert found == pytest.approx(chi2.sf(total, freedom), rel=1e-8)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("name", ["several levels", "more levels than bits are kept for"])
def test_answer_same_bits_however_written(name, statistic, rng):
    """Order of columns, of levels and of rows, and the names of levels, change no bit of an answer."""
    codes = random_codes(rng, *TABLES[name])
    test = GSquare(codes, statistic=statistic, min_per_df=0)
    columns = rng.permutation(codes.shape[1])
    moved = GSquare(codes[:, columns], statistic=statistic, min_per_df=0)
    place = np.argsort(columns)
    words = np.array([f"level {k}" for k in rng.permutation(codes.max() + 1)], dtype=object)
    other = GSquare(words[codes][rng.permutation(len(codes))], statistic=statistic, min_per_df=0)
    for i, j, S in questions(codes.shape[1]):
        p = test.p_value(i, j, S)
        assert np.array_equal(p, test.p_value(j, i, S[::-1]), equal_nan=True)
        assert np.array_equal(p, moved.p_value(place[i], place[j], place[list(S)]), equal_nan=True)
        assert np.array_equal(p, other.p_value(i, j, S), equal_nan=True)


def test_p_values_batch_is_one_by_one(rng):
    """A batch holds the answers to its questions, in their order, repeats included."""
    test = GSquare(random_codes(rng, 200, [3, 2, 4, 3, 5]))
    asked = [*questions(5), *reversed(list(questions(5)))]
    one_by_one = [test.p_value(i, j, S) for i, j, S in asked]
    assert np.array_equal(test.p_values(asked), one_by_one, equal_nan=True)
    assert test.p_values([]).shape == (0,)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("S", [(), (2,), (2, 3)])
def test_p_value_is_uniform_under_independence(statistic, S):
    """Where i and j are independent given S, p-values over many tables look uniform."""
    p = []
    for seed in range(400):
        rng = np.random.default_rng([seed, len(S)])
        codes = rng.integers(0, 3, size=(2000, 4))
        for k in (0, 1):  # both depend on S, not on each other
            copies = rng.random(2000) < 0.4
            codes[copies, k] = (codes[copies][:, list(S)].sum(axis=1)) % 3 if S else codes[copies, k]
        p.append(GSquare(codes, statistic=statistic).p_value(0, 1, S))
    assert kstest(p, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("statistic", STATISTICS)
def test_p_value_finds_dependence(statistic, rng):
    """A column copied one time in five is found out, given other columns too, in 2000 rows."""
    codes = rng.integers(0, 3, size=(2000, 4))
    copies = rng.random(2000) < 0.2
    codes[copies, 1] = codes[copies, 0]
    test = GSquare(codes, statistic=statistic)
    assert max(test.p_values([(0, 1, ()), (0, 1, (2,)), (0, 1, (2, 3))])) < 1e-6
    assert min(test.p_values([(0, 2, ()), (0, 3, (1,)), (2, 3, (0, 1))])) > 1e-3


def test_p_value_of_exact_independence_is_one():
    """Counts that are exactly products of their margins have statistic 0 and p-value 1."""
    rows = [[i, j] for i, a in enumerate((1, 2, 4)) for j, b in enumerate((10, 30)) for _ in range(a * b)]
    for statistic in STATISTICS:
        test = GSquare(rows, statistic=statistic)
        assert test.counted(0, 1, []) == (0.0, 2, 280)
        assert test.p_value(0, 1, []) == 1.0


def test_constant_column_is_independent_of_everything(rng):
    """A column of one level has p-value 1 with any other, given anything, and stays alone in the graph."""
    codes = random_codes(rng, 500, [2, 1, 3, 2])
    test = GSquare(codes)
    assert test.p_value(0, 1, []) == test.p_value(1, 2, [0, 3]) == 1.0
    assert pc(test).graph.adjacent("x1") == ()


def test_question_without_evidence_is_untestable(rng):
    """Where i never varies within a stratum of S, the answer is NaN, or 1 on request."""
    codes = rng.integers(0, 3, size=(300, 3))
    codes[:, 2] = codes[:, 0] + 3 * rng.integers(0, 2, 300)  # tells column 0
    assert np.isnan(GSquare(codes, min_per_df=0).p_value(0, 1, [2]))
    assert GSquare(codes, untestable="independent").p_value(0, 1, [2]) == 1.0
    assert GSquare(codes).counted(0, 1, [2]) == (0.0, 0, 0)


def test_min_per_df_bounds_the_rows_for_each_degree_of_freedom():
    """A question is declined when there are fewer informative rows than min_per_df times df."""
    codes = np.array([[a, b] for a in range(3) for b in range(3)] * 4)  # 36 rows, df 4
    assert GSquare(codes, min_per_df=9).p_value(0, 1, []) == 1.0
    assert np.isnan(GSquare(codes, min_per_df=9.01).p_value(0, 1, []))
    assert GSquare(codes).min_per_df == 10.0
    # rows of strata in which a column does not vary lend no support to the others
    plain = np.column_stack([codes, np.zeros(36, dtype=int)])
    idle = np.array([[0, 0, 1]] * 1000)
    assert np.isnan(GSquare(np.vstack([plain, idle]), min_per_df=9.01).p_value(0, 1, [2]))


def test_untestable_questions_are_in_the_record(rng):
    """A search lists the questions that had too few rows."""
    codes = rng.integers(0, 6, size=(40, 4))
    codes[:, 1] = codes[:, 0]
    codes[:, 2] = codes[:, 1]
    look = pc(GSquare(codes), alpha=0.05).look
    assert look.untestable


def test_fifteen_conditioning_columns(rng):
    """A question about 10^15 combinations of levels is answered: memory goes with the rows, not with them."""
    codes = rng.integers(0, 10, size=(3000, 17))
    test = GSquare(codes)
    assert test.counted(0, 1, range(2, 17)) == counted(codes, 0, 1, range(2, 17)) == (0.0, 0, 0)
    codes[1::2, 2:] = codes[::2, 2:]
    found = GSquare(codes).counted(0, 1, range(2, 17))
    expected = counted(codes, 0, 1, range(2, 17))
    assert found.statistic == pytest.approx(expected[0], rel=1e-10)
    assert (found.df, found.rows) == expected[1:]
    assert found.df > 1000


@pytest.mark.parametrize(
    "question",
    [(0, 0, ()), (1, 0, (0,)), (0, 9, ()), (0, 1, (9,)), (0, 1, (2, 2)), (0, 1, (3, 2)), (-1, 1, ())],
)
def test_question_about_wrong_columns(question, rng):
    """A batch with a question that names a column twice, out of order or unknown is refused in words."""
    test = GSquare(random_codes(rng, 50, [2, 2, 2, 2]))
    with pytest.raises(OptionError, match="A question must name different columns from 0 to 3"):
        test.p_values([(0, 1, ()), question])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"statistic": "chi2"}, r"The 'statistic' option of GSquare must be 'g2' or 'pearson'. Got 'chi2'."),
        ({"untestable": "keep"}, r"The 'untestable' option of GSquare must be 'nan' or 'independent'."),
        ({"min_per_df": -1}, r"The 'min_per_df' option of GSquare must be a number of at least 0. Got -1."),
        ({"min_per_df": float("nan")}, r"The 'min_per_df' option"),
        ({"min_per_df": True}, r"The 'min_per_df' option"),
        ({"names": ["a"]}, r"There must be one name per column"),
    ],
)
def test_options_refused(options, message):
    """Each option outside its range is refused in one sentence."""
    with pytest.raises((OptionError, DataError), match=message):
        GSquare([[0, 1], [1, 0]], **options)


@pytest.mark.parametrize("X", [np.zeros((5, 1), int), np.zeros((0, 3), int), np.zeros((0, 0), int)])
def test_table_too_small(X):
    """A table of one column or no row is refused."""
    with pytest.raises(DataError, match="at least two columns and one row"):
        GSquare(X)


def test_pickle_answers_alike(rng):
    """A test survives pickling, for processes to exchange."""
    test = GSquare(random_codes(rng, 100, [3, 2, 4]), statistic="pearson", min_per_df=2)
    copy = pickle.loads(pickle.dumps(test))
    assert np.array_equal(
        copy.p_values(list(questions(3))), test.p_values(list(questions(3))), equal_nan=True
    )
    assert repr(copy) == repr(test) == "GSquare(3 columns, n=100, pearson)"
    assert not copy.codes.flags.writeable


def test_autopc_of_texts(rng):
    """A dataframe of texts goes to autopc with test=GSquare, and gives the graph of the bound test."""
    words = np.array(["low", "mid", "high"], dtype=object)
    frame = pd.DataFrame(words[random_codes(rng, 800, [3, 3, 3, 3])], columns=list("abcd"))
    by_maker = autopc(frame, test=GSquare)
    assert by_maker.graph == autopc(GSquare(frame)).graph
    assert by_maker.names == ("a", "b", "c", "d")
    levels = as_codes(frame).levels
    assert GSquare(frame).levels == levels
