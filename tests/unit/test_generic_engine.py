"""The generic engine serves tests of one's own: short ones, slow ones, failing ones, undecided ones."""

from __future__ import annotations

import inspect
from itertools import combinations

import numpy as np
import pytest

from secondlook import PDAG, DataError, DSeparation, FisherZ, Memo, SearchOptions, alpha_path, autopc, pc
from secondlook.independence import CITest
from secondlook.search import COLLIDER_RULES
from secondlook.simulation import random_linear_model
from zoo import DAGS, random_dag

ALPHAS = (0.01, 0.1)


class Spearman(CITest):
    """A rank test of one's own: partial correlations of ranks."""

    def __init__(self, X, names):
        self.names = tuple(names)
        self.inner = FisherZ(X.argsort(axis=0).argsort(axis=0).astype(float), names=names)

    def p_value(self, i, j, S):
        """Fisher's z of the ranks."""
        return self.inner.p_value(i, j, S)


class Duck:
    """Related to nothing of ours, and with numbers of another kind."""

    def __init__(self, dag):
        self.names = list(dag.names)
        self.oracle = DSeparation(dag)

    def p_value(self, i, j, S):
        """NumPy's float, which is as good."""
        return np.float32(self.oracle.p_value(i, j, S))


class Undecided(CITest):
    """An oracle that cannot answer questions about the nodes it was told of."""

    def __init__(self, dag, silent):
        self.names = dag.names
        self.oracle = DSeparation(dag)
        self.silent = silent

    def p_value(self, i, j, S):
        """NaN about the silent questions."""
        return float("nan") if self.silent(i, j, S) else self.oracle.p_value(i, j, S)


class Broken(CITest):
    """A test that fails at its n-th question, or answers nonsense."""

    names = tuple("abcd")

    def __init__(self, answer):
        self.answer = answer

    def p_value(self, i, j, S):
        """The answer, raised if it is an exception."""
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def sample(rng: np.random.Generator, d: int = 7) -> np.ndarray:
    """Rows of a random linear model."""
    return random_linear_model(random_dag(rng, d, 2.5), rng).sample(200, rng)


def looks(path):
    """Both looks' graphs and sets at every alpha."""
    return [
        (look.graphs[k], [look.sepset(a, b, k) for a, b in combinations(path.names, 2)])
        for look in (path.first, path.second_look)
        for k in range(len(path))
    ]


@pytest.mark.parametrize("own", [Spearman, Duck])
def test_own_test_is_short(own):
    """A test of one's own takes fewer than 15 lines."""
    assert len(inspect.getsource(own).strip().splitlines()) < 15


@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_own_test_inherits(rule, rng):
    """A test that inherits is served by every rule, and answers as the native engine does on its numbers."""
    test = Spearman(sample(rng), [f"v{i}" for i in range(7)])
    path = alpha_path(test, ALPHAS, SearchOptions(rule))
    assert path.engine == "generic"
    assert looks(path) == looks(alpha_path(test.inner, ALPHAS, SearchOptions(rule)))


@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_own_test_duck(rule):
    """An unrelated object with names and p_value is served, by pc and autopc alike."""
    for dag in DAGS.values():
        if dag.d > 1:
            duck, oracle = Duck(dag), DSeparation(dag)
            assert pc(duck, colliders=rule).graph == pc(oracle, colliders=rule).graph
            assert autopc(duck, colliders=rule).graph == autopc(oracle, colliders=rule).graph


def test_subclass_of_fisher_z_is_asked(rng):
    """A subclass of FisherZ that answers differently is asked, not passed by for the native engine."""

    class Never(FisherZ):
        def p_values(self, questions):
            return np.zeros(len(questions))

    path = alpha_path(Never(sample(rng, 5)), [0.01])
    assert path.engine == "generic"
    assert path.first.graphs[0].n_edges == 10


@pytest.mark.parametrize("rule", ["vote", "overwrite"])
@pytest.mark.parametrize("test", ["oracle", "data"])
def test_processes_answer_the_same(test, rule, rng):
    """Two worker processes give the graphs, sets and counts of one."""
    asked = DSeparation(DAGS["m-bias"]) if test == "oracle" else Spearman(sample(rng), list("abcdefg"))
    alone, spread = (alpha_path(asked, ALPHAS, SearchOptions(rule, n_jobs=n_jobs)) for n_jobs in (1, 2))
    assert spread.engine == alone.engine == "generic"
    assert looks(spread) == looks(alone)
    assert spread.first.tests_by_level == alone.first.tests_by_level
    assert spread.second_look.n_tests == alone.second_look.n_tests


@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_nan_does_not_separate_and_is_reported(rule):
    """A question answered with NaN keeps its edge and is reported once, by name."""
    dag = DAGS["fork"]
    # a and c are separated by b alone, and that is the question without an answer
    path = alpha_path(Undecided(dag, lambda i, j, S: (i, j, S) == (0, 2, (1,))), ALPHAS, SearchOptions(rule))
    for graph in path.first.graphs:
        assert graph.is_adjacent("a", "c")
    assert ("a", "c", "b") in {found.variables for found in path.first.untestable}
    assert path.first.n_untestable == 1


def test_nan_everywhere():
    """A test that can answer nothing leaves the complete graph, and every question in the report."""
    path = alpha_path(Undecided(DAGS["chain"], lambda *_: True), ALPHAS)
    assert [graph.n_edges for graph in path.first.graphs] == [6, 6]
    assert path.first.n_untestable == path.first.n_tests > 0


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("error", [RuntimeError("no licence"), KeyError("column"), MemoryError()])
def test_exceptions_pass_through(error, n_jobs):
    """What a user's test raises reaches the user as it was raised, from a worker process too."""
    with pytest.raises(type(error), match=str(error.args[0]) if error.args else None):
        alpha_path(Broken(error), ALPHAS, SearchOptions(n_jobs=n_jobs))


def test_keyboard_interrupt_passes_through():
    """Ctrl-C inside a user's test is Ctrl-C outside."""
    with pytest.raises(KeyboardInterrupt):
        alpha_path(Broken(KeyboardInterrupt()), ALPHAS)


@pytest.mark.parametrize("answer", [1.5, -0.1, True, None, "0.5", 1j])
def test_nonsense_is_refused(answer):
    """An answer that is no p-value is refused with the test's name, the value and the question."""
    with pytest.raises(DataError, match=r"Broken must answer with a p-value in \[0, 1\] or NaN\. Got"):
        alpha_path(Broken(answer), ALPHAS)


def test_ties_with_alpha_separate():
    """A p-value equal to alpha separates."""
    assert alpha_path(Broken(0.05), [0.05]).first.graphs[0].n_edges == 0
    assert alpha_path(Broken(0.05), [0.0500001]).first.graphs[0].n_edges == 6


def test_long_grids_share_answers(rng):
    """A grid of 130 alphas, three passes, asks each question once and equals the native engine's answer."""
    memo = Memo(FisherZ(sample(rng, 6)))
    alphas = np.linspace(0.001, 0.7, 130)
    path = alpha_path(memo, alphas, SearchOptions("majority"))
    assert len(path.first.chunks) == 3
    assert memo.n_asked == path.first.n_tests + path.second_look.n_tests
    assert looks(path) == looks(alpha_path(memo.test, alphas, SearchOptions("majority")))


def test_no_columns_or_one():
    """Oracles of no node and of one have one graph each."""
    for dag in (PDAG([]), PDAG(["a"])):
        path = alpha_path(DSeparation(dag), ALPHAS)
        assert path.first.graphs[:] == path.second_look.graphs[:] == (dag, dag)
