"""What every rule that chooses alpha must do, one list for all of them."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from sklearn.base import clone

import secondlook as sl
from secondlook import AutoPC, OptionError, Selection, autopc
from secondlook.graphs import is_cpdag
from secondlook.selection import Choice, Problem, Rule
from secondlook.tables import as_table

GRID = (0.001, 0.01, 0.05, 0.2)


@dataclass(frozen=True)
class Few:
    """A user's own rule: the fewest edges."""

    name: ClassVar[str] = "few edges"
    looks: ClassVar[int] = 1

    def choose(self, path: sl.AlphaPath, problem: Problem) -> Choice:
        """The first graph with the fewest edges."""
        del problem
        edges = [graph.n_edges for graph in path.first.graphs]
        scores = tuple(sl.metrics.Score(float(m), -m, is_perfect=m == 0) for m in edges)
        fewest = tuple(k for k, m in enumerate(edges) if m == min(edges))
        return Choice(fewest[0], scores, "edges", fewest)


@dataclass(frozen=True)
class Case:
    """A rule, wrong options with what the refusal says, and what sets it apart from the others.

    Attributes
    ----------
    rule : Rule
        With options that make it quick.
    wrong : tuple of (dict, str)
        Options and a pattern of the refusal.
    draws : bool
        Whether it needs rows.
    best : bool
        Whether the chosen score is the best one.
    by_order : bool
        Whether the order of the columns may change the choice.
    """

    rule: Any
    wrong: tuple[tuple[dict[str, Any], str], ...] = ()
    draws: bool = False
    best: bool = True
    by_order: bool = False


WORKERS = ({"n_jobs": 0}, "'n_jobs' option of .* positive whole number or -1. Got 0")
SEED = ({"seed": -1}, "'seed' option of .* whole number from 0. Got -1")
STARS_WRONG = (
    ({"draws": 1}, "'draws' option of StARS must be a whole number from 2. Got 1"),
    ({"scheme": "boot"}, "'scheme' option must be .*Did you mean 'bootstrap'"),
    ({"threshold": 0.6}, "'threshold' option of StARS .* at least 0 and at most 0.5. Got 0.6"),
    ({"threshold": float("nan")}, "Got nan"),
    ({"size": 0}, "'size' option of StARS must be a whole number from 1. Got 0"),
    ({"size": 10_000}, "'size' option of StARS must be at most the 400 rows"),
    WORKERS,
    SEED,
)
CASES = {
    "double check": Case(sl.DoubleCheck(), (({"metric": "shdd"}, "'shdd' is unknown. Did you mean 'shd'"),)),
    "fixed": Case(sl.Fixed(0.01), (({"alpha": 0.02}, "grid holds .*Got 0.02"),)),
    "bic": Case(sl.BIC(), (({"extension": "naiv"}, "'extension' option must be .*Did you mean 'naive'"),)),
    "bic naive": Case(sl.BIC(extension="naive"), by_order=True),
    "ebic": Case(sl.EBIC(), (({"gamma": -1}, "'gamma' option of EBIC .* at least 0. Got -1"),)),
    "stars": Case(sl.StARS(draws=5), STARS_WRONG, draws=True, best=False),
    "stars bootstrap": Case(sl.StARS(draws=5, scheme="bootstrap"), draws=True, best=False),
    "markov check": Case(
        sl.MarkovCheck(), (({"level": 2}, "'level' option of Markov check .* at most 1. Got 2"),), best=False
    ),
    "pc-cv": Case(
        sl.PcCV(folds=3),
        (
            ({"folds": 1}, "'folds' option of PC-CV must be a whole number from 2. Got 1"),
            ({"folds": 300}, "'folds' option of PC-CV must leave 2 of the 400 rows to each fold. Got 300"),
            ({"one_se": "yes"}, "'one_se' option of PC-CV must be True or False. Got 'yes'"),
            WORKERS,
            SEED,
        ),
        draws=True,
    ),
    "pc-cv one se": Case(sl.PcCV(folds=3, one_se=True), draws=True, best=False),
    "octs": Case(
        sl.OCTs(folds=3, trees=5, permutations=50),
        (
            ({"model": "forrest"}, "'model' option must be .*Did you mean 'forest'"),
            ({"folds": 1}, "'folds' option of OCTs must be a whole number from 2. Got 1"),
            ({"trees": 0}, "'trees' option of OCTs must be a whole number from 1. Got 0"),
            ({"permutations": 0}, "'permutations' option of OCTs must be a whole number from 1. Got 0"),
            ({"level": 1.5}, "'level' option of OCTs .* at most 1. Got 1.5"),
            WORKERS,
            SEED,
        ),
        draws=True,
        best=False,
    ),
    "octs linear": Case(sl.OCTs(model="linear", folds=3, permutations=50), draws=True, best=False),
    "a user's own": Case(Few()),
}
REFUSALS = [
    pytest.param(name, options, said, id=f"{name}-{'-'.join(options)}-{k}")
    for name, case in CASES.items()
    for k, (options, said) in enumerate(case.wrong)
]

each_rule = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def rows(seed: int = 5, *, degree: float = 2.0) -> np.ndarray:
    """Rows of a random linear model whose graphs differ along the grid."""
    return sl.simulate(6, 400, rng=np.random.default_rng(seed), degree=degree).data


def content(found: Selection) -> tuple[Any, ...]:
    """What a choice says, without the graphs and the clock."""
    scores = [(score.value, score.key, score.is_perfect) for score in found.scores]
    return found.rule, found.metric, found.chosen, found.tied, scores, found.details


@each_rule
def test_rule_is_a_rule(case):
    """It has a name, a number of looks and choose, and it says them in its record."""
    assert isinstance(case.rule, Rule)
    found = autopc(rows(), alphas=GRID, rule=case.rule)
    assert found.rule == case.rule.name
    assert (found.path.second is not None) == (case.rule.looks == 2)
    assert found.metric
    assert found.rule_seconds >= 0.0


@each_rule
def test_rule_keeps_a_member_of_the_grid(case):
    """The choice is one of the alphas, its graph is made valid, and scores and details are one per alpha."""
    for seed in range(6):
        found = autopc(rows(seed), alphas=GRID, rule=case.rule)
        assert found.alpha in GRID
        assert found.raw_graph == found.path.first.graphs[found.chosen]
        assert is_cpdag(found.graph)
        assert len(found.scores) == len(GRID)
        assert all(len(entries) == len(GRID) for entries in found.details.values())


@each_rule
def test_rule_chooses_differently_on_other_data(case):
    """Some data make the rule keep another alpha; only the fixed alpha never moves."""
    kept = {autopc(rows(seed), alphas=GRID, rule=case.rule).alpha for seed in range(12)}
    assert len(kept) > 1 or isinstance(case.rule, (sl.Fixed, Few))


@each_rule
def test_rule_ties_hold_the_chosen_and_ascend(case):
    """The ties are ascending positions with the chosen among them; of equal best scores the first is kept."""
    for seed in range(6):
        found = autopc(rows(seed), alphas=GRID, rule=case.rule)
        assert list(found.tied) == sorted(set(found.tied))
        assert found.chosen in found.tied
        assert set(found.tied) <= set(range(len(GRID)))
        if case.best:
            best = max(score.key for score in found.scores)
            equal = tuple(k for k, score in enumerate(found.scores) if score.key == best)
            assert (found.chosen, found.tied) == (equal[0], equal)


@each_rule
def test_rule_ties_keep_the_smallest_alpha_when_all_graphs_are_equal(case):
    """On independent columns every graph is empty, and the smallest alpha is kept."""
    grid = (1e-9, 1e-8, 1e-7)
    rule = replace(case.rule, alpha=1e-9) if isinstance(case.rule, sl.Fixed) else case.rule
    found = autopc(np.random.default_rng(3).normal(size=(400, 5)), alphas=grid, rule=rule)
    assert [graph.n_edges for graph in found.path.first.graphs] == [0, 0, 0]
    assert found.alpha == 1e-9


@each_rule
def test_rule_gives_the_same_answer_twice(case):
    """The same data, options and seed give the same record to the last bit."""
    first, again = (autopc(rows(), alphas=GRID, rule=case.rule) for _ in range(2))
    assert content(first) == content(again)
    assert first.graph == again.graph


@each_rule
@pytest.mark.parametrize("n_jobs", [2, 5, -1])
def test_rule_gives_the_same_answer_on_any_number_of_workers(case, n_jobs):
    """Workers of the rule and of the search change nothing."""
    alone = autopc(rows(), alphas=GRID, rule=case.rule)
    own = {"n_jobs": n_jobs} if "n_jobs" in {field.name for field in fields(case.rule)} else {}
    together = autopc(rows(), alphas=GRID, rule=replace(case.rule, **own), n_jobs=n_jobs)
    assert content(alone) == content(together)


@each_rule
def test_rule_serves_a_grid_of_one(case):
    """With a single alpha there is nothing to choose, and it is kept."""
    found = autopc(rows(), alphas=[0.01], rule=case.rule)
    assert (found.alpha, found.ties) == (0.01, (0.01,))


@each_rule
def test_rule_serves_a_grid_of_more_than_one_pass(case):
    """More alphas than the engine carries at once are chosen from all the same."""
    grid = (0.001, 0.01, *np.linspace(0.02, 0.3, 70).tolist())
    found = autopc(rows(), alphas=grid, rule=case.rule)
    assert len(found.scores) == len(grid)
    assert all(len(entries) == len(grid) for entries in found.details.values())
    assert found.alpha in grid


@each_rule
def test_rule_follows_relabelled_columns(case):
    """Permuting the columns permutes the graph and keeps the alpha."""
    if case.by_order:
        pytest.skip("documented to read lines by the order of the columns")
    names = tuple("badcfe")
    checked = 0
    for seed in range(6):
        X = rows(seed, degree=1.0)  # sparse: the search's raw orientation goes by order where arrows conflict
        order = np.random.default_rng(seed).permutation(len(names))
        found = autopc(as_table(X, names), alphas=GRID, rule=case.rule)
        moved = tuple(names[k] for k in order)
        again = autopc(as_table(X[:, order], moved), alphas=GRID, rule=case.rule)
        if not all(found.details.get("extendable", (True,))):
            continue  # the DAG made of a graph that no DAG fits goes by column order
        checked += 1
        assert (again.alpha, again.tied) == (found.alpha, found.tied)
        assert again.graph == found.graph.relabelled(moved)
    assert checked >= 3


@each_rule
def test_rule_does_not_care_about_units(case):
    """Columns in other units give the same choice."""
    scale = 2.0 ** np.array([0, 9, -7, 3, -1, 20])
    plain, other = (autopc(X, alphas=GRID, rule=case.rule) for X in (rows(), rows() * scale))
    assert (plain.alpha, plain.tied, plain.graph) == (other.alpha, other.tied, other.graph)


@each_rule
def test_rule_survives_pickling(case):
    """A rule and its choice come back from pickle equal."""
    assert pickle.loads(pickle.dumps(case.rule)) == case.rule
    found = autopc(rows(), alphas=GRID, rule=case.rule)
    assert content(pickle.loads(pickle.dumps(found))) == content(found)


@each_rule
def test_rule_works_through_the_estimator(case):
    """AutoPC(rule=...) keeps what the function keeps, and so does its clone."""
    model = AutoPC(alphas=GRID, rule=case.rule)
    copy = clone(model)
    assert copy.rule == case.rule
    found = autopc(rows(), alphas=GRID, rule=case.rule)
    for fitted in (model.fit(rows()), copy.fit(rows())):
        assert (fitted.alpha_, fitted.graph_) == (found.alpha, found.graph)
        assert content(fitted.selection_) == content(found)


@each_rule
def test_rule_choice_is_saved_and_loaded(case, tmp_path):
    """The record of a choice comes back from its file equal."""
    found = autopc(rows(), alphas=GRID, rule=case.rule)
    found.save(tmp_path / "found.json")
    loaded = Selection.load(tmp_path / "found.json")
    assert content(loaded) == content(found)
    assert loaded.graph == found.graph


@each_rule
def test_rule_and_bound_tests(case):
    """A rule that draws rows refuses a bound test in one sentence; the others take it."""
    test = sl.FisherZ(rows())
    if not case.draws:
        assert autopc(test, alphas=GRID, rule=case.rule).alpha in GRID
        return
    with pytest.raises(OptionError, match=r"draws rows, so it needs the table itself.*test=…") as refused:
        autopc(test, alphas=GRID, rule=case.rule)
    assert case.rule.name in str(refused.value)


@pytest.mark.parametrize(("name", "options", "said"), REFUSALS)
def test_rule_refuses_wrong_options(name, options, said):
    """Every option outside its range is refused in one sentence with its name and its value."""
    with pytest.raises(OptionError, match=said):
        autopc(rows(), alphas=GRID, rule=replace(CASES[name].rule, **options))


@each_rule
def test_rule_refuses_early_stop(case):
    """Only the double check can stop early."""
    if isinstance(case.rule, sl.DoubleCheck):
        assert autopc(rows(), alphas=GRID, rule=case.rule, early_stop=True).alpha in GRID
        return
    with pytest.raises(OptionError, match=f"leave early_stop out with {case.rule.name}"):
        autopc(rows(), alphas=GRID, rule=case.rule, early_stop=True)


@each_rule
def test_rule_and_metric_are_not_given_together(case):
    """A metric is an option of the double check and not of autopc beside a rule."""
    with pytest.raises(OptionError, match="a rule or a metric, not both"):
        autopc(rows(), alphas=GRID, rule=case.rule, metric="shd")


@each_rule
def test_rule_leaves_its_arguments_alone(case):
    """Neither the data nor the global random state is touched."""
    X = rows()
    before, state = X.copy(), np.random.get_state()[1].copy()  # noqa: NPY002  (the state we must not touch)
    autopc(X, alphas=GRID, rule=case.rule)
    assert np.array_equal(X, before)
    assert np.array_equal(np.random.get_state()[1], state)  # noqa: NPY002
