"""The rule OCTs: boundaries, scores, the choice among equals, and what changes it or does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from secondlook import (
    PDAG,
    CITest,
    DataError,
    FisherZ,
    OCTs,
    OptionError,
    SearchOptions,
    Selection,
    alpha_path,
    autopc,
    simulate,
)
from secondlook.selection import Problem
from secondlook.selection.octs.boundaries import distinct_fits, ranked_boundaries
from secondlook.selection.octs.evidence import MomentEvidence, RowEvidence, SwapTest
from secondlook.selection.octs.folds import FoldedRows, fits_from_moments
from secondlook.selection.octs.forests import forest_predictions
from secondlook.selection.octs.linear import linear_fits, linear_predictions
from secondlook.selection.octs.rule import _choice, _measure
from secondlook.tables import FoldMoments, as_table
from twins import octs as twin
from zoo import DAGS, random_pdag

ALPHAS = (0.001, 0.05, 0.3)
FEW = OCTs(folds=3, trees=4, permutations=50)
LINEAR = OCTs(model="linear", folds=4, permutations=100)


def sample(rng, d=6, n=120):
    """A table of a random linear model, dense enough for alphas to differ."""
    made = simulate(d, n, rng=rng, degree=3.0)
    return as_table(made.data * 3 + 10, made.names)


def said(found):
    """Everything a choice says."""
    return found.chosen, found.scores, found.ties, found.measure, found.details


def chosen(rule, table, test=FisherZ, alphas=ALPHAS):
    """What the rule says about a table."""
    found = autopc(table, alphas=alphas, rule=rule, test=test)
    return found.chosen, [score.value for score in found.scores], found.tied, found.details


def moments_problem(table, rule):
    """The same problem, once as rows and once as the moments of the same folds."""
    test, options = FisherZ(table), SearchOptions()
    rows = FoldedRows.of(table, None, rule.folds, rule.seed)
    moments = FoldMoments.of_rows(table.values, rows.held_out)
    return Problem(test, options, table), Problem(test, options, moments=moments)


@pytest.mark.parametrize("name", sorted(DAGS))
def test_boundary_of_a_dag_is_that_of_the_definition(name):
    """Parents, children and the children's other parents."""
    dag = DAGS[name]
    found = ranked_boundaries(dag, range(dag.d))
    assert [{dag.names[j] for j in each} for each in found] == [twin.boundary(dag, x) for x in dag.names]


def test_boundary_of_a_pdag_is_that_of_the_definition(rng):
    """Lines count as joined, whatever order the places are in."""
    for _ in range(50):
        graph = random_pdag(rng, 7)
        rank = rng.permutation(7).tolist()
        placed = dict(zip(rank, graph.names, strict=True))
        found = ranked_boundaries(graph, rank)
        for i, name in placed.items():
            assert {placed[j] for j in found[i]} == twin.boundary(graph, name)
            assert list(found[i]) == sorted(found[i])


def test_boundary_stops_at_lines():
    """A parent of a node that is joined by a line is no co-parent, nor is a line's end of a child."""
    graph = PDAG("abcd", directed=["ba", "cb"], undirected=["bd"])
    assert ranked_boundaries(PDAG("abc", ["bc"], ["ac"]), range(3)) == ((2,), (2,), (0, 1))
    assert ranked_boundaries(graph, range(4))[2] == (1,)


def test_fits_are_made_once():
    """Equal boundaries of one variable in one fold share a fit; sizes are means over folds and variables."""
    fits = distinct_fits([[((1,), (0,)), ((1,), ())], [((), ()), ((1,), (0,))]])
    assert [[[fits.wanted[k] for k in row] for row in alpha] for alpha in fits.where.tolist()] == [
        [[(0, 0, (1,)), (0, 1, (0,))], [(1, 0, ()), (1, 1, ())]],
        [[(0, 0, (1,)), (0, 1, ())], [(1, 0, (1,)), (1, 1, (0,))]],
    ]
    assert len(fits.wanted) == 7
    assert fits.mean_sizes() == (0.5, 0.75)


def test_folds_are_even_and_seeded():
    """Sizes differ by at most one, every row is held out once, and another seed splits otherwise."""
    table = as_table(np.arange(46.0).reshape(23, 2) ** 2)
    rows = FoldedRows.of(table, None, 5, 0)
    assert sorted(map(len, rows.held_out)) == [4, 4, 5, 5, 5]
    assert sorted(np.concatenate(rows.held_out).tolist()) == list(range(23))
    again, other = FoldedRows.of(table, None, 5, 0), FoldedRows.of(table, None, 5, 1)
    assert np.array_equal(rows.values, again.values)
    assert not np.array_equal(rows.values, other.values)
    assert len(rows.training(0).values) == 18


def test_linear_scores_are_those_of_the_twin(rng):
    """Splitting, learning, least squares and correlations by the book give the same scores."""
    table = sample(rng)
    found = autopc(table, alphas=ALPHAS, rule=LINEAR)
    folds = FoldedRows.of(table, None, 4, 0).held_out
    expected = twin.linear_scores(table.values, table.names, folds, ALPHAS, SearchOptions())
    np.testing.assert_allclose([score.value for score in found.scores], expected, atol=1e-7)


def test_linear_scores_of_a_test_that_is_no_fisher_z_are_those_of_its_graphs(rng):
    """Another kind of test is made from the rows of each training part, and asked there."""
    table = sample(rng)
    made = []

    class Loose(CITest):
        def __init__(self, rows):
            made.append(len(rows.values))
            self._test = FisherZ(rows)
            self.names = rows.names

        def p_value(self, i, j, S):
            return self._test.p_value(i, j, S)

    assert chosen(LINEAR, table, Loose)[1] == pytest.approx(chosen(LINEAR, table)[1], abs=1e-12)
    assert made == [120, 90, 90, 90, 90]


def test_maker_that_changes_rows_changes_them_in_the_folds(rng):
    """A Fisher z on ranks is learnt from the ranks of each training part, not from the rows' moments."""
    table = sample(rng)
    seen = []

    def ranked(rows):
        seen.append(len(rows.values))
        return FisherZ(rows.values.argsort(axis=0).argsort(axis=0), names=rows.names)

    chosen(LINEAR, table, ranked)
    assert seen == [120, 90, 90, 90, 90]


def test_moments_give_the_scores_of_rows(rng):
    """From the moments of the same folds come the same graphs, scores and sizes, without any row."""
    table = sample(rng, d=8, n=400)
    by_rows, by_moments = moments_problem(table, LINEAR)
    path = alpha_path(by_rows.test, ALPHAS, looks=1)
    rows, moments = LINEAR.choose(path, by_rows), LINEAR.choose(path, by_moments)
    np.testing.assert_allclose([s.value for s in moments.scores], [s.value for s in rows.scores], rtol=1e-9)
    assert moments.details["boundary_size"] == rows.details["boundary_size"]
    assert moments.details["best"] == rows.details["best"]


def test_normal_p_values_of_moments_are_near_those_of_rows(rng):
    """With many Gaussian rows the expectation of q^2 is its average."""
    table = sample(rng, d=6, n=20_000)
    rows = FoldedRows.of(table, None, 4, 0)
    scaled = FoldMoments.of_rows(rows.values, rows.places())
    boundaries = [[((1, 2), (0,), (), (4, 5), (3,), (3,)), ((2,), (0, 3), (1,), (4,), (), (2, 3))]] * 4
    fits = distinct_fits(boundaries)
    linear = linear_fits(scaled, fits)
    predictions = linear_predictions(rows.values, rows.parts, fits, linear)
    by_rows = RowEvidence(rows, fits, predictions, _measure(rows.values), SwapTest(1, 0, approximate=True))
    by_moments = MomentEvidence(scaled, fits, linear)
    everything = np.arange(6)
    sums, slopes = by_moments._sums, rng.normal(size=(6, 3))
    np.testing.assert_allclose(sums, by_rows._sums, atol=1e-6)
    # the variance itself, for any gradient: p-values of pairs this far apart would all be 0 or 1
    difference = [
        by_rows._measure.contributions(rows.values, by_rows._predicted(alpha, everything)) for alpha in (0, 1)
    ]
    direct = np.sum(np.tensordot(difference[0] - difference[1], slopes, axes=2) ** 2)
    assert by_moments._variance(0, 1, everything, slopes) == pytest.approx(direct, rel=0.05)


def test_approximate_p_values_are_near_the_permutations(rng):
    """The linear model's normal approximation differs by less than 0.06 from 2000 permutations."""
    table = sample(rng, d=8, n=500)
    exact = chosen(replace(LINEAR, permutations=2000), table)[3]["p_value"]
    normal = chosen(replace(LINEAR, approximate=True), table)[3]["p_value"]
    np.testing.assert_allclose(normal, exact, atol=0.06)


@pytest.mark.parametrize("rule", [FEW, LINEAR], ids=["forest", "linear"])
def test_order_of_the_columns_plays_no_part(rule, rng):
    """Columns in another order give the same scores to the last bit, and the same choice."""
    table = sample(rng, d=13)
    order = rng.permutation(13)
    moved = as_table(table.values[:, order], [table.names[k] for k in order])
    options = SearchOptions()
    found = [
        said(rule.choose(alpha_path(FisherZ(t), ALPHAS, options, looks=1), Problem(FisherZ(t), options, t)))
        for t in (table, moved)
    ]
    assert found[0] == found[1]


def test_number_of_workers_plays_no_part(rng):
    """Forests grown by two processes are those grown by one."""
    table = sample(rng)
    assert chosen(FEW, table) == chosen(replace(FEW, n_jobs=2), table)


def test_seed_decides_everything(rng):
    """The same seed gives the same answer, another one other folds and forests."""
    table = sample(rng)
    assert chosen(FEW, table) == chosen(FEW, table)
    assert chosen(FEW, table)[1] != chosen(replace(FEW, seed=1), table)[1]


@pytest.mark.parametrize("model", ["forest", "linear"])
def test_empty_boundary_predicts_the_training_mean(model, rng):
    """Without a boundary every row of a fold gets the mean of the rows outside it."""
    rows = FoldedRows.of(sample(rng), None, 3, 0)
    fits = distinct_fits([[((),) * 6]] * 3)
    if model == "linear":
        linear = linear_fits(FoldMoments.of_rows(rows.values, rows.places()), fits)
        found = linear_predictions(rows.values, rows.parts, fits, linear)
    else:
        found = forest_predictions(rows.values, rows.parts, fits, trees=2, seed=0, n_jobs=1)
    for (fold, variable, _), predicted in zip(fits.wanted, found, strict=True):
        mean = np.delete(rows.values[:, variable], rows.parts[fold]).mean()
        np.testing.assert_allclose(predicted, np.full(40, mean), atol=1e-14)


def test_collinear_boundary_predicts_like_its_parts(rng):
    """A boundary with a column that is the sum of two others predicts what the two predict."""
    values = rng.normal(size=(60, 4))
    values[:, 2] = values[:, 0] + values[:, 1]
    values[:, 3] += values[:, 2]
    rows = FoldedRows.of(as_table(values), None, 3, 0)
    moments = FoldMoments.of_rows(rows.values, rows.places())
    found = []
    for boundary in ((0, 1), (0, 1, 2)):
        fits = distinct_fits([[((), (), (), boundary)]] * 3)
        found.append(linear_predictions(rows.values, rows.parts, fits, linear_fits(moments, fits))[3::4])
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-5)


def test_forest_predicts_what_a_line_cannot(rng):
    """A parabola is predicted by a forest and not by least squares."""
    x = rng.normal(size=300)
    rows = FoldedRows.of(as_table(np.column_stack([x, x**2 + 0.1 * rng.normal(size=300)])), None, 3, 0)
    fits = distinct_fits([[((), (0,))]] * 3)
    moments = FoldMoments.of_rows(rows.values, rows.places())
    lines = linear_predictions(rows.values, rows.parts, fits, linear_fits(moments, fits))
    forests = forest_predictions(rows.values, rows.parts, fits, trees=10, seed=0, n_jobs=1)
    found = [
        RowEvidence(rows, fits, each, _measure(rows.values), SwapTest(1, 0, approximate=False)).information[
            0, 1
        ]
        for each in (lines, forests)
    ]
    assert found[0] < 0.2
    assert found[1] > 0.8


class Codes(CITest):
    """Whether two columns of categories agree too often; a stand-in for a test of categories."""

    def __init__(self, table):
        self.names = table.names
        self.codes = table.values.astype(np.int64)

    def p_value(self, i, j, S):
        return 1.0 if S else float(np.mean(self.codes[:, i] != self.codes[:, j])) ** 2


def test_categories_are_classified(rng):
    """With a test of codes, forests vote and the scores are plug-in information."""
    first = rng.integers(3, size=150)
    codes = np.column_stack([first, np.where(rng.random(150) < 0.9, first, 0), rng.integers(2, size=150)])
    found = chosen(FEW, as_table(codes), Codes, alphas=(1e-6, 0.1))
    assert found[3]["boundary_size"] == (0.0, pytest.approx(2 / 3))
    assert found[1][0] < 0.02
    assert found[1][1] > 0.3
    assert found[0] == 1
    with pytest.raises(OptionError, match="use model='forest'"):
        chosen(LINEAR, as_table(codes), Codes)


def test_empty_boundary_of_a_category_predicts_the_commonest():
    """Among equally common ones, the smallest code."""
    values = np.array([[2], [0], [2], [1], [1], [2], [0], [0]])
    fits = distinct_fits([[((),)], [((),)]])
    parts = [slice(0, 4), slice(4, 8)]
    found = forest_predictions(values, parts, fits, trees=1, seed=0, n_jobs=1)
    assert [each.tolist() for each in found] == [[0] * 4, [2] * 4]


class Told:
    """Evidence that is given."""

    def __init__(self, scores, p_values):
        self.information = np.array(scores, dtype=float)[:, None]
        self.p_value = lambda best, other: p_values[other]


@pytest.mark.parametrize(
    ("scores", "p_values", "sizes", "expected", "equal"),
    [
        ([1, 2, 3], [0.01, 0.2, None], [0, 1, 2], 1, (1, 2)),
        ([1, 2, 3], [0.01, 0.05, None], [0, 1, 2], 2, (2,)),
        ([3, 2, 1], [None, 0.9, 0.9], [1, 0, 0], 1, (0, 1, 2)),
        ([3, 3, 1], [None, 0.9, 0.0], [1, 1, 0], 0, (0, 1)),
    ],
    ids=["sparser equal", "level itself is not equal", "ties to the smaller alpha", "best of ties is first"],
)
def test_choice_is_the_sparsest_of_best_and_equals(scores, p_values, sizes, expected, equal):
    """Above the level means equal; the smallest mean boundary wins, and of equals the smaller alpha."""
    fits = distinct_fits([[(tuple(range(10 * k, 10 * k + size)),) for k, size in enumerate(sizes)]])
    found = _choice(
        replace(fits, where=np.arange(3)[:, None, None]) if len(fits.wanted) == 3 else fits,
        Told(scores, p_values),
        0.05,
    )
    assert (found.chosen, found.ties) == (expected, equal)
    assert found.details["best"] == tuple(p is None for p in p_values)


def test_alphas_with_the_same_boundaries_are_equal(rng):
    """Identical predictions have p-value 1, and the smallest alpha is kept."""
    x = rng.normal(size=(60, 2))
    found = autopc(
        np.column_stack([x, x[:, :1] + 0.3 * rng.normal(size=(60, 1))]), alphas=(1e-9, 1e-8), rule=LINEAR
    )
    assert found.details["p_value"] == (1.0, 1.0)
    assert (found.chosen, found.tied) == (0, (0, 1))


def test_grid_of_one_is_its_choice(rng):
    """A single alpha is best and kept."""
    found = autopc(sample(rng), alphas=[0.01], rule=LINEAR)
    assert (found.alpha, found.ties, found.rule, found.metric) == (0.01, (0.01,), "OCTs", "information")
    assert found.path.second is None


def test_selection_by_octs_survives_saving(rng, tmp_path):
    """Scores, ties and details read back as they were."""
    found = autopc(sample(rng), alphas=ALPHAS, rule=LINEAR)
    found.save(tmp_path / "octs.json")
    back = Selection.load(tmp_path / "octs.json")
    assert (back.scores, back.tied, back.details) == (found.scores, found.tied, found.details)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": "linaer"}, "Did you mean 'linear'"),
        ({"folds": 1}, "'folds' option of OCTs must be a whole number from 2. Got 1"),
        ({"trees": 0}, "'trees' option of OCTs must be a whole number from 1. Got 0"),
        ({"permutations": 2.5}, "'permutations' option of OCTs must be a whole number from 1. Got 2.5"),
        ({"seed": -1}, "'seed' option of OCTs must be a whole number from 0. Got -1"),
        ({"level": 1.5}, "'level' option of OCTs must be a number of at least 0 and at most 1. Got 1.5"),
        ({"approximate": True}, "True needs model='linear'. Got True with model='forest'"),
        ({"n_jobs": 0}, "'n_jobs' option of OCTs must be a positive whole number or -1. Got 0"),
        ({"folds": 121}, "at most the number of rows. Got 121 for 120"),
    ],
)
def test_option_out_of_range_is_refused(options, words, rng):
    """One sentence names the option, its range and what was given."""
    with pytest.raises(OptionError) as refused:
        autopc(sample(rng), alphas=ALPHAS, rule=OCTs(**options))
    assert words in str(refused.value)


def test_problem_that_does_not_fit_is_refused(rng):
    """Rows are needed for forests, and moments must be of the folds that the rule asks for."""
    table = sample(rng)
    with pytest.raises(OptionError, match="The rule OCTs draws rows"):
        autopc(FisherZ(table), rule=LINEAR)
    _, by_moments = moments_problem(table, LINEAR)
    path = alpha_path(by_moments.test, ALPHAS, looks=1)
    with pytest.raises(OptionError, match=r"must be of 10 folds of 6 columns. Got 4 folds of 6"):
        OCTs(model="linear").choose(path, by_moments)
    with pytest.raises(OptionError, match="The rule OCTs draws rows"):
        OCTs(folds=4).choose(path, by_moments)


def test_rows_that_cannot_be_used_are_refused(rng):
    """Incomplete rows are refused by column, and a column constant outside a fold by fold and name."""
    table = sample(rng)
    values = table.values.copy()
    values[3, 2] = np.nan
    with pytest.raises(DataError, match=r"needs complete rows. Got missing or infinite values in 'x2'"):
        LINEAR.choose(
            alpha_path(FisherZ(table), ALPHAS, looks=1),
            Problem(FisherZ(table), SearchOptions(), as_table(values)),
        )
    lone = np.zeros((120, 6))
    lone[:, :5] = table.values[:, :5]
    lone[7, 5] = 1.0
    with pytest.raises(DataError, match=r"outside fold \d: A correlation needs columns .* constant 'x5'"):
        autopc(lone, alphas=ALPHAS, rule=LINEAR)


def test_fits_from_moments_are_those_from_rows(rng):
    """Moments in name order give the boundaries that each training part's own rows give."""
    table = sample(rng)
    named = as_table(table.values, ["f", "b", "d", "a", "c", "e"])
    rows = FoldedRows.of(named, None, 3, 0)
    moments = FoldMoments.of_rows(rows.values, rows.places())
    fits = fits_from_moments(moments, rows.columns, (0.05,), SearchOptions())
    for fold in range(3):
        graph = alpha_path(FisherZ(rows.training(fold)), (0.05,), looks=1).first.graphs[0]
        for i, name in enumerate("abcdef"):
            boundary = fits.wanted[fits.where[0, fold, i]][2]
            assert {"abcdef"[j] for j in boundary} == twin.boundary(graph, name)
