"""PC, AutoPC and SecondLook as scikit-learn estimators: what they store, learn, copy and call the columns."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pandas
import polars
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

import secondlook as sl
from secondlook import PC, AutoPC, DataError, DSeparation, OptionError, SecondLook
from zoo import DAGS

ESTIMATORS = (PC, AutoPC, SecondLook)
OTHER = {
    PC: {"alpha": 0.2, "colliders": "first", "max_level": 2, "max_tests": 0, "n_jobs": 2},
    AutoPC: {
        "alphas": [0.01, 0.2],
        "metric": "f1",
        "rule": None,
        "test": None,
        "colliders": "first",
        "early_stop": True,
        "max_level": 2,
        "max_tests": 0,
        "n_jobs": 2,
    },
    SecondLook: {
        "alphas": [0.01, 0.2],
        "metric": "f1",
        "polish": False,
        "test": None,
        "max_level": 2,
        "max_tests": 0,
        "n_jobs": 2,
    },
}


def table(rng: np.random.Generator) -> np.ndarray:
    """A collider: the third column is the sum of the first two and noise."""
    X = rng.normal(size=(400, 3))
    X[:, 2] += X[:, 0] + X[:, 1]
    return X


@pytest.mark.parametrize("make", ESTIMATORS)
def test_init_only_stores(make):
    """Arguments are kept as they are, even wrong ones, until fit looks at them."""
    wrong = {name: object() for name in make().get_params()}
    estimator = make(**wrong)
    assert estimator.get_params() == wrong
    assert set(vars(estimator)) == set(wrong)
    with pytest.raises((OptionError, TypeError)):
        estimator.fit(DSeparation(DAGS["chain"]))


@pytest.mark.parametrize("make", ESTIMATORS)
def test_parameters_all_tried(make):
    """The parameters are those of the signature, and the tests below set every one of them."""
    assert set(make().get_params()) == set(inspect.signature(make).parameters) == set(OTHER[make])


@pytest.mark.parametrize("make", ESTIMATORS)
def test_clone_and_set_params(make, rng):
    """A clone has the parameters and nothing learned; set_params changes what the next fit does."""
    fitted = make(**OTHER[make]).fit(table(rng))
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    with pytest.raises(NotFittedError):
        check_is_fitted(copy)
    check_is_fitted(fitted)
    changed = make().set_params(**OTHER[make])
    assert changed.get_params() == fitted.get_params()
    with pytest.raises(ValueError, match="Invalid parameter 'nope'"):
        changed.set_params(nope=1)


@pytest.mark.parametrize("make", ESTIMATORS)
def test_fit_is_the_function(make, rng):
    """Each parameter reaches the function under the estimator."""
    X = table(rng)
    fitted = make(**OTHER[make]).fit(X)
    if make is PC:
        expected = sl.pc(X, **OTHER[make])
        assert (fitted.result_.graph, fitted.result_.alpha) == (expected.graph, expected.alpha)
        assert fitted.result_.path.colliders == "first"
        return
    chosen = (sl.autopc if make is AutoPC else sl.secondlook)(X, **OTHER[make])
    assert (fitted.alpha_, fitted.graph_) == (chosen.alpha, chosen.graph)
    found = fitted.selection_
    assert (found.scores, found.metric, found.alphas) == (chosen.scores, chosen.metric, chosen.alphas)
    assert found.path.colliders == ("first" if make is AutoPC else "vote")
    assert (found.rule, found.alphas[0]) == (chosen.rule, 0.01)
    assert (found.answer is None) == (make is AutoPC)


def test_fit_hands_metric_and_polish_on(rng):
    """SecondLook's metric chooses for tests that are not Gaussian, and its polish reaches the search."""
    X = table(rng)
    assert SecondLook(polish=False).fit(X).selection_.answer.polish is None
    assert SecondLook(polish=True).fit(X).selection_.answer.polish.starts
    assert SecondLook(metric="f1").fit(DSeparation(DAGS["chain"])).selection_.metric == "f1"


@pytest.mark.parametrize("make", ESTIMATORS)
@pytest.mark.parametrize("option", ["max_level", "max_tests"])
def test_fit_respects_limits(make, option, rng):
    """The limits reach the engine: a level limit shows in the record, a budget of one test is refused."""
    X = rng.normal(size=(400, 1)) + rng.normal(size=(400, 5))
    if option == "max_level":
        fitted = make(max_level=1).fit(X)
        path = fitted.result_.path if make is PC else fitted.selection_.path
        assert path.first.level_capped
    else:
        with pytest.raises(sl.BudgetError):
            make(max_tests=1).fit(X)


@pytest.mark.parametrize("make", ESTIMATORS)
def test_names_are_kept(make, rng):
    """The graph speaks of a dataframe's own columns; an array's are called x0, x1, x2."""
    X = table(rng)
    names = ["rain", "sprinkler", "wet grass"]
    for data, expected in (
        (X, ("x0", "x1", "x2")),
        (pandas.DataFrame(X, columns=names), tuple(names)),
        (polars.DataFrame(X, schema=names), tuple(names)),
        (X.tolist(), ("x0", "x1", "x2")),
    ):
        fitted = make().fit(data)
        assert fitted.graph_.names == fitted.feature_names_in_ == expected
        assert fitted.n_features_in_ == 3
        arrows = {(expected[tail], expected[head]) for tail, head in ((0, 2), (1, 2))}
        assert set(fitted.graph_.directed) == arrows


@pytest.mark.parametrize("make", ESTIMATORS)
def test_fit_again_forgets(make, rng):
    """A second fit replaces all that the first one learned, and y is ignored."""
    estimator = make().fit(table(rng))
    assert estimator.fit(DSeparation(DAGS["chain"]), y=None) is estimator
    assert estimator.graph_.names == tuple("abcd")
    assert estimator.n_features_in_ == 4


@pytest.mark.parametrize("make", ESTIMATORS)
def test_pickle_of_a_fitted_estimator(make, rng):
    """A fitted estimator survives pickling with what it learned."""
    fitted = make().fit(table(rng))
    copy = pickle.loads(pickle.dumps(fitted))
    assert copy.get_params() == fitted.get_params()
    assert (copy.graph_, copy.feature_names_in_) == (fitted.graph_, fitted.feature_names_in_)


@pytest.mark.parametrize("make", ESTIMATORS)
def test_pipeline_end(make, rng):
    """An estimator may end a pipeline."""
    fitted = make_pipeline(make()).fit(table(rng))
    assert fitted[-1].graph_.n_edges == 2


@pytest.mark.parametrize("make", ESTIMATORS)
def test_refusals_come_from_the_table(make):
    """A table that cannot be used is refused in the words of the table reader."""
    with pytest.raises(DataError, match="at least 4 rows"):
        make().fit(np.eye(3))


def test_repr_shows_what_differs():
    """An estimator shows the parameters that are not the defaults."""
    assert repr(PC(alpha=0.2)) == "PC(alpha=0.2)"
    assert repr(AutoPC(metric="mcc")) == "AutoPC(metric='mcc')"


def test_estimators_are_lazy_attributes():
    """The estimators are found on the package and listed, and an unknown name is an AttributeError."""
    assert {"PC", "AutoPC", "SecondLook", "__version__"} <= set(dir(sl))
    assert (sl.PC, sl.SecondLook) == (PC, SecondLook)
    assert sl.__version__.count(".") >= 2
    with pytest.raises(AttributeError, match="no attribute 'Autopc'"):
        sl.Autopc  # noqa: B018
