"""Where a search cannot or may not go on: levels, rows, collinear sets, budgets, odd shapes, Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

from secondlook import PDAG, BudgetError, DataError, DSeparation, FisherZ, SearchOptions, alpha_path, pc
from secondlook.search import COLLIDER_RULES
from secondlook.simulation import random_linear_model
from twins.autopc import both_looks, marks_of
from twins.evidence import by_fisher_z

ENGINES = ("native", "generic")


def star(leaves: int) -> PDAG:
    """A hub that causes its leaves, and a tail behind the first leaf, so that the hub's neighbours vote."""
    ends = [f"leaf{i}" for i in range(leaves)]
    return PDAG(["hub", *ends, "tail"], [*(("hub", end) for end in ends), ("leaf0", "tail")])


def star_test(leaves: int) -> FisherZ:
    """Fisher's z on the star's population correlation, so strong that no leaf is lost."""
    rng = np.random.default_rng(0)
    model = random_linear_model(star(leaves), rng, weights=(0.5, 0.6))
    return FisherZ(correlation=model.correlation(), n=10**9, names=model.dag.names)


def _one_factor(rng: np.random.Generator, n: int, d: int) -> FisherZ:
    loadings = rng.uniform(0.5, 2.0, size=d)
    return FisherZ(rng.normal(size=(n, d)) + rng.normal(size=(n, 1)) * loadings)


@pytest.mark.parametrize("engine", ENGINES)
def test_max_level_is_recorded(engine):
    """A limit that stopped the search is in the record, with no test beyond it; one that did not is not."""
    test = star_test(6)
    for limit in (0, 1, 2):
        first = alpha_path(test, [0.01], SearchOptions("first", limit), engine=engine).first
        assert first.level_capped
        assert len(first.tests_by_level) == limit + 1
    unlimited = alpha_path(test, [0.01], SearchOptions("first"), engine=engine).first
    assert not unlimited.level_capped
    last = len(unlimited.tests_by_level) - 1
    exact = alpha_path(test, [0.01], SearchOptions("first", last), engine=engine).first
    assert not exact.level_capped
    assert exact.tests_by_level == unlimited.tests_by_level


@pytest.mark.parametrize("engine", ENGINES)
def test_max_level_zero_keeps_marginal_dependence(engine):
    """With max_level=0 two columns are adjacent exactly where they are dependent given nothing."""
    test = star_test(4)
    graph = alpha_path(test, [0.01], SearchOptions(max_level=0), engine=engine).first.graphs[0]
    for i, j in combinations(range(len(test.names)), 2):
        assert graph.is_adjacent(test.names[i], test.names[j]) == (test.p_value(i, j, ()) < 0.01)


@pytest.mark.parametrize("engine", ENGINES)
def test_max_level_of_votes_is_recorded(engine):
    """A vote that used smaller sets than its rule asks for, because of max_level, says so."""
    chain = PDAG("abcde", ["ab", "bc", "cd", "de"])
    test = DSeparation(chain)
    if engine == "native":
        correlation = random_linear_model(chain, np.random.default_rng(0)).correlation()
        test = FisherZ(correlation=correlation, n=10**9, names=chain.names)
    capped = alpha_path(test, [0.01], SearchOptions("majority", max_level=1), engine=engine).first
    whole = alpha_path(test, [0.01], SearchOptions("majority"), engine=engine).first
    # the skeleton needs no larger sets than one, the vote of b and d asks about two
    assert capped.graphs[0].skeleton == whole.graphs[0].skeleton
    assert capped.n_tests < whole.n_tests
    assert capped.level_capped or capped.held_votes


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("n", [5, 6, 8])
def test_rows_exhausted(n, rule):
    """Too few rows to go on is in the record of the native engine, which asks nothing it cannot answer."""
    equal = FisherZ(correlation=0.1 * np.eye(12) + 0.9, n=n)
    path = alpha_path(equal, [0.95], SearchOptions(rule))
    assert path.first.graphs[0].n_edges == 66
    assert path.first.rows_exhausted
    # n - |S| - 3 >= 1: the last level is n - 4
    assert len(path.first.tests_by_level) == n - 3


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("n", [4, 5, 6, 8])
def test_few_rows_never_separate(n, rule, rng):
    """A set that leaves no row to test does not separate: engines and twin agree about the graphs."""
    test = _one_factor(rng, n, 9)
    for alpha in (0.1, 0.5, 0.95):
        looks = both_looks(9, by_fisher_z(test.correlation, n, alpha), rule)
        for engine in ENGINES:
            path = alpha_path(test, [alpha], SearchOptions(rule), engine=engine)
            assert np.array_equal(marks_of(path.first.graphs[0]), looks.first)
            assert np.array_equal(marks_of(path.second_look.graphs[0]), looks.second)


def test_few_rows_generic_reports_untestable(rng):
    """The generic engine, which knows no rows, reports each question that was answered with NaN."""
    first = alpha_path(_one_factor(rng, 5, 12), [0.95], SearchOptions("first"), engine="generic").first
    assert first.n_untestable > 0
    assert {len(found.variables) for found in first.untestable} >= {4}
    assert not first.rows_exhausted


def test_few_rows_votes_are_recorded():
    """A vote that could not ask its larger sets for want of rows says so, as the skeleton does."""
    # a chain a - b - c - d on 5 rows: sets of one can be asked and suffice, the vote of b and d wants two
    chain = FisherZ(correlation=0.9 ** np.abs(np.subtract.outer(np.arange(4), np.arange(4))), n=5)
    for engine in ENGINES[::-1]:
        first = alpha_path(chain, [0.5], SearchOptions("majority"), engine=engine).first
        assert (first.graphs[0].skeleton.n_edges, len(first.tests_by_level)) == (3, 2)
        assert first.rows_exhausted or first.n_untestable > 0, engine


@pytest.mark.parametrize("engine", ENGINES)
def test_collinear_sum_is_named(engine, rng):
    """A column that is the sum of two others is no crash: the three are reported together by name."""
    X = rng.normal(size=(200, 5))
    X[:, 4] = X[:, 0] + X[:, 1]
    test = FisherZ(X, names=["left", "right", "other", "more", "total"])
    # at an alpha close to 1 the three stay adjacent, so the search must ask about them together
    first = alpha_path(test, [0.999], SearchOptions("conservative"), engine=engine).first
    assert first.n_untestable > 0
    assert any({"left", "right", "total"} <= set(found.variables) for found in first.untestable)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_collinear_pair_given_as_correlation(rule, engine):
    """Two columns correlated just below the refusal stay adjacent, and nothing crashes at either engine."""
    r = np.sqrt(1 - 1.0001e-8)
    test = FisherZ(correlation=[[1, r, 0.5], [r, 1, 0.5], [0.5, 0.5, 1]], n=1000, names=["a", "b", "c"])
    graph = alpha_path(test, [0.01], SearchOptions(rule), engine=engine).first.graphs[0]
    assert graph.is_adjacent("a", "b")


def test_duplicate_column_is_refused():
    """A duplicate column is refused by name before any search."""
    with pytest.raises(DataError, match=r"'a' and 'b' with correlation \+1"):
        FisherZ(correlation=[[1, 1, 0.5], [1, 1, 0.5], [0.5, 0.5, 1]], n=1000, names=["a", "b", "c"])


@pytest.mark.parametrize("engine", ENGINES)
def test_budget_refuses_hubs_by_name(engine):
    """A level that would exceed the budget is refused with the busiest variable first, and the remedies."""
    with pytest.raises(BudgetError, match=r"stopped at level \d: .* is 2.0e\+04\. Most of them at 'hub'"):
        alpha_path(star_test(60), [0.01], SearchOptions(max_tests=20_000), engine=engine)
    with pytest.raises(BudgetError, match="set max_level, drop these variables, or raise max_tests"):
        pc(star_test(60), max_tests=20_000)


def test_budget_smaller_than_level_zero():
    """A budget below the d(d-1)/2 questions of level 0 is refused at level 0."""
    with pytest.raises(BudgetError, match=r"stopped at level 0: it could take up to 1\.9e\+03 tests"):
        alpha_path(star_test(60), [0.01], SearchOptions(max_tests=100))


def test_budget_refusal_same_on_any_threads():
    """The refusal says the same words on any number of threads."""
    said = []
    for n_jobs in (1, 2, 3):
        with pytest.raises(BudgetError) as refused:
            alpha_path(star_test(60), [0.01], SearchOptions(max_tests=20_000, n_jobs=n_jobs))
        said.append(str(refused.value))
    assert len(set(said)) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_budget_zero_is_no_limit(engine):
    """max_tests=0 lifts the budget: the answer is that of a budget just large enough."""
    test = star_test(10)
    free = alpha_path(test, [0.01], SearchOptions(max_tests=0), engine=engine)
    asked = free.first.n_tests + free.second_look.n_tests
    enough = alpha_path(test, [0.01], SearchOptions(max_tests=10 * asked), engine=engine)
    assert free.first.graphs[:] == enough.first.graphs[:]
    with pytest.raises(BudgetError):
        alpha_path(test, [0.01], SearchOptions(max_tests=asked // 100), engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rule", ["majority", "conservative"])
def test_held_votes_are_recorded(rule, engine):
    """A neighbourhood of 13 offers 8192 sets, more than 5000: its vote stops at size 6 and says so."""
    leaves = 13
    test = star_test(leaves) if engine == "native" else DSeparation(star(leaves))
    path = alpha_path(test, [0.01], SearchOptions(rule), looks=1, engine=engine)
    assert path.first.held_votes == ((0.01, 6, 1),)
    smaller = alpha_path(star_test(leaves - 1), [0.01], SearchOptions(rule), looks=1)
    assert smaller.first.held_votes == ()


@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_two_columns(rule, rng):
    """Two columns make a line where they are dependent, and nothing where they are not."""
    a = rng.normal(size=(100, 1))
    joined = FisherZ(np.hstack([a, a + rng.normal(size=(100, 1))]))
    apart = FisherZ(correlation=np.eye(2), n=100)
    for engine in ENGINES:
        assert alpha_path(joined, [0.01], SearchOptions(rule), engine=engine).first.graphs[0].n_edges == 1
        assert alpha_path(apart, [0.01], SearchOptions(rule), engine=engine).first.graphs[0].n_edges == 0


def test_one_column_is_refused():
    """A table of one column has nothing to ask."""
    with pytest.raises(DataError, match="at least 2 columns"):
        pc([[1.0], [2.0], [3.0], [5.0]])


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("engine", ENGINES)
def test_empty_and_complete_graphs(rule, engine):
    """Uncorrelated columns give no edge, equally correlated ones all edges and no arrow, in both looks."""
    d = 6
    equal = 0.5 * np.eye(d) + 0.5
    for correlation, edges in ((np.eye(d), 0), (equal, d * (d - 1) // 2)):
        test = FisherZ(correlation=correlation, n=10_000)
        path = alpha_path(test, [0.001, 0.5], SearchOptions(rule), engine=engine)
        for graph in (*path.first.graphs, *path.second_look.graphs):
            assert (len(graph.arrows), len(graph.lines)) == (0, edges)


_ENDLESS = """
import sys
from test_search_limits import star_test
from secondlook import SearchOptions, alpha_path
test = star_test(150)
print("started", flush=True)
try:
    alpha_path(test, [0.01], SearchOptions(max_tests=0, n_jobs=int(sys.argv[1])))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_interrupts_a_native_run(n_jobs):
    """Ctrl-C during hours of native work raises KeyboardInterrupt, on one thread and on two."""
    folders = [str(path) for path in sys.path]
    program = f"import sys; sys.path[:0] = {folders!r}\n{_ENDLESS}"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(n_jobs)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "started\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=2)  # it is deep in the native work by now, and would be for hours
            process.send_signal(signal.SIGINT)
            found, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (found, process.returncode) == ("interrupted\n", 0)
