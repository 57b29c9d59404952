"""AutoPC: what is maximised, how ties end, what stopping early saves, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from secondlook import (
    PDAG,
    AlphaPath,
    DataError,
    DSeparation,
    FisherZ,
    OptionError,
    SearchOptions,
    alpha_path,
    autopc,
    metrics,
    pc,
)
from secondlook.independence import CITest
from secondlook.simulation import random_linear_model
from twins.autopc import chosen, marks_of
from zoo import DAGS, random_dag

if TYPE_CHECKING:
    from collections.abc import Sequence

METRICS = ("shd", "f1", "mcc")


class Counting(CITest):
    """Another test, and how often it was asked."""

    def __init__(self, test: CITest) -> None:
        self.names = test.names
        self.calls = 0
        self._test = test

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """The other test's answer."""
        self.calls += 1
        return self._test.p_value(i, j, S)


def sample(rng: np.random.Generator, d: int = 8, n: int = 300) -> FisherZ:
    """Fisher's z on rows of a random linear model."""
    return FisherZ(random_linear_model(random_dag(rng, d, 3.0), rng).sample(n, rng))


@pytest.mark.parametrize("metric", METRICS)
def test_choice_is_the_first_strict_maximum(metric, rng):
    """The choice among the graphs is that of the literal loop, which compares without rounding."""
    differ = 0
    for _ in range(40):
        found = autopc(sample(rng), metric=metric)
        path = found.path
        pairs = [
            (marks_of(a), marks_of(b))
            for a, b in zip(path.first.graphs, path.second_look.graphs, strict=True)
        ]
        assert found.chosen == chosen(pairs, metric)
        differ += found.chosen > 0
    assert differ > 5


def test_choice_is_pc_at_that_alpha(rng):
    """The graph kept is the one that PC gives at the alpha kept, and the record says what was maximised."""
    test = sample(rng)
    found = autopc(test, metric="f1", colliders="overwrite")
    assert found.graph == pc(test, alpha=found.alpha, colliders="overwrite").graph
    assert (found.metric, found.rule, found.path.colliders) == ("f1", "double check", "overwrite")
    assert found.agreement == metrics.f1(found.graph, found.second_graph)


def test_ties_keep_the_smallest_alpha():
    """Equal scores keep the smallest alpha and list all of them."""
    alphas = (0.01, 0.05, 0.2)
    found = autopc(DSeparation(DAGS["diamond"]), alphas=alphas)
    assert (found.alpha, found.ties, found.agreement) == (0.01, alphas, 1.0)


def test_metric_of_ones_own(rng):
    """Any function of two graphs with values in [0, 1] is maximised, first look first."""
    asked = []

    def few_edges(first: PDAG, second: PDAG) -> float:
        asked.append((first, second))
        return 1 / (1 + first.n_edges)

    found = autopc(sample(rng), metric=few_edges)
    path = found.path
    assert found.metric == "few_edges"
    assert asked == list(zip(path.first.graphs, path.second_look.graphs, strict=True))
    assert found.graph.n_edges == min(graph.n_edges for graph in path.first.graphs)


@pytest.mark.parametrize("value", [float("nan"), 1.5, -0.1, float("inf"), None, "1", 1 + 0j])
def test_metric_outside_its_range(value):
    """A metric that leaves [0, 1] is refused with its name and its value."""

    def odd(first: PDAG, second: PDAG) -> float:
        del first, second
        return value  # type: ignore[return-value]

    with pytest.raises(DataError, match=r"metric 'odd' must return a number in \[0, 1\].*Got"):
        autopc(DSeparation(DAGS["chain"]), metric=odd)


@pytest.mark.parametrize("value", [0, 1, True, np.float32(0.5), np.True_, Fraction(1, 3)])
def test_metric_of_any_number_type(value):
    """Whole numbers, fractions and NumPy's numbers are numbers too."""
    found = autopc(DSeparation(DAGS["chain"]), metric=lambda _a, _b: value)
    assert found.agreement == pytest.approx(float(value))


def test_metric_that_raises():
    """An exception of a user's metric reaches the user unchanged."""

    def broken(first: PDAG, second: PDAG) -> float:
        raise ZeroDivisionError(f"about {first.d} and {second.d} nodes")

    with pytest.raises(ZeroDivisionError, match="about 4 and 4 nodes"):
        autopc(DSeparation(DAGS["chain"]), metric=broken)


def test_metric_unknown():
    """A misspelt metric is refused with the nearest name before any test is asked."""
    counting = Counting(DSeparation(DAGS["chain"]))
    with pytest.raises(OptionError, match=r"'F1' is unknown\. Did you mean 'f1'\?"):
        autopc(counting, metric="F1")
    assert counting.calls == 0


@pytest.mark.parametrize("engine", ["native", "generic"])
@pytest.mark.parametrize("metric", METRICS)
def test_early_stop_same_choice(metric, engine, rng):
    """Stopping at a perfect score keeps the same alpha and graph, and a record that ends there."""
    shorter = 0
    for _ in range(15):
        # few rows and few columns make perfect scores common
        test = sample(rng, 5, 150)
        asked = test if engine == "native" else Counting(test)
        whole, stopped = (autopc(asked, metric=metric, early_stop=stop) for stop in (False, True))
        assert (stopped.alpha, stopped.graph, stopped.agreement) == (
            whole.alpha,
            whole.graph,
            whole.agreement,
        )
        assert stopped.alphas == whole.alphas[: len(stopped.alphas)]
        assert [score.is_perfect for score in stopped.scores[:-1]] == [False] * (len(stopped.alphas) - 1)
        assert stopped.scores == whole.scores[: len(stopped.alphas)]
        shorter += len(stopped.alphas) < len(whole.alphas)
    assert shorter >= 5


def test_early_stop_asks_less(rng):
    """A test that stops early is asked fewer questions, and none twice."""
    calls = {}
    for stop in (False, True):
        counting = Counting(DSeparation(DAGS["m-bias"]))
        found = autopc(counting, alphas=(0.001, 0.05), early_stop=stop)
        calls[stop] = counting.calls
        assert found.alphas == ((0.001,) if stop else (0.001, 0.05))
    assert calls[True] <= calls[False]
    test, fewer = sample(rng, 6, 120), 0
    for _ in range(10):
        asked = []
        for stop in (False, True):
            counting = Counting(test)
            autopc(counting, early_stop=stop)
            asked.append(counting.calls)
        assert asked[1] <= asked[0]
        fewer += asked[1] < asked[0]
        test = sample(rng, 6, 120)
    assert fewer >= 3


def test_questions_shared_by_alphas_and_looks(rng):
    """The generic engine asks its test as often as the record says, less than run by run."""
    test = sample(rng)
    counting = Counting(test)
    found = autopc(counting)
    assert counting.calls == found.n_tests
    alone = 0
    for alpha in found.alphas:
        single = Counting(test)
        alpha_path(single, [alpha])
        alone += single.calls
    assert found.n_tests < alone


BAD_ALPHAS = {
    "zero": ([0.0, 0.1], OptionError, "strictly between 0 and 1. Got 0.0"),
    "one": ([0.1, 1], OptionError, "strictly between 0 and 1. Got 1"),
    "negative": ([-0.1], OptionError, "strictly between 0 and 1. Got -0.1"),
    "empty": ([], OptionError, "at least one number"),
    "unsorted": ([0.1, 0.01], OptionError, "Got 0.1 before 0.01"),
    "repeated": ([0.01, 0.01], OptionError, "Got 0.01 before 0.01"),
    "nan": ([float("nan")], OptionError, "strictly between 0 and 1. Got nan"),
    "infinite": ([float("inf")], OptionError, "strictly between 0 and 1. Got inf"),
    "text": ("0.05", TypeError, "list of numbers in .0, 1.. Got '0.05'"),
    "texts": (["0.05"], TypeError, "numbers in .0, 1.. Got '0.05'"),
    "one number": (0.05, TypeError, "list of numbers in .0, 1.. Got 0.05"),
    "bool": ([True], TypeError, "numbers in .0, 1.. Got True"),
    "none": ([None], TypeError, "numbers in .0, 1.. Got None"),
    "no list": (None, TypeError, "list of numbers in .0, 1.. Got None"),
}


@pytest.mark.parametrize("name", BAD_ALPHAS)
def test_alphas_refused(name):
    """A grid that is not ascending numbers in (0, 1) is refused with the offending value."""
    alphas, error, message = BAD_ALPHAS[name]
    for search in (autopc, alpha_path):
        with pytest.raises(error, match=message):
            search(DSeparation(DAGS["chain"]), alphas=alphas)


@pytest.mark.parametrize("alpha", [0, 1, 2, -0.5, float("nan"), "0.05", True, None, [0.05]])
def test_alpha_refused(alpha):
    """A single alpha is checked in the same way."""
    with pytest.raises((OptionError, TypeError), match="Got"):
        pc(DSeparation(DAGS["chain"]), alpha=alpha)


def test_alphas_any_iterable():
    """A generator, an array and NumPy's numbers serve as a grid."""
    test = DSeparation(DAGS["chain"])
    grids = (iter([0.01, 0.05]), np.array([0.01, 0.05]), (np.float64(0.01), np.float64(0.05)))
    for alphas in grids:
        assert autopc(test, alphas=alphas).alphas == (0.01, 0.05)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("colliders", "votes", "Did you mean 'vote'"),
        ("colliders", None, "overwrite.*Got None"),
        ("max_level", -1, "whole number from 0 or None. Got -1"),
        ("max_level", 1.5, "whole number from 0 or None. Got 1.5"),
        ("max_tests", -1, "whole number from 0 or None. Got -1"),
        ("max_tests", True, "whole number from 0 or None. Got True"),
        ("n_jobs", 0, "positive whole number or -1. Got 0"),
        ("n_jobs", -2, "positive whole number or -1. Got -2"),
        ("n_jobs", "all", "positive whole number or -1. Got 'all'"),
    ],
)
def test_options_refused(option, value, message):
    """Every option outside its range is refused with its name, its range and the value."""
    for search in (pc, autopc):
        with pytest.raises(OptionError, match=f"'{option}' option must be .*{message}"):
            search(DSeparation(DAGS["chain"]), **{option: value})


def test_engine_refused():
    """The native engine refuses a test it cannot serve, and an unknown engine is refused by name."""
    test = DSeparation(DAGS["chain"])
    with pytest.raises(OptionError, match=r"serves FisherZ only.*Got DSeparation"):
        alpha_path(test, [0.05], engine="native")
    with pytest.raises(OptionError, match="Did you mean 'native'"):
        alpha_path(test, [0.05], engine="nativ")


def test_one_look_has_no_second():
    """A path of one look says so when it is asked for the second."""
    path = alpha_path(DSeparation(DAGS["chain"]), [0.05], SearchOptions(), looks=1)
    assert isinstance(path, AlphaPath)
    with pytest.raises(OptionError, match="looks=2"):
        path.second_look  # noqa: B018
