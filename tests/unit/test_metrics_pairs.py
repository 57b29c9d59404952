"""The metrics on pairs, adjacencies and arrowheads, on graphs small enough to count by hand."""

from __future__ import annotations

import pytest

import zoo
from secondlook import metrics
from secondlook.graphs import PDAG

TRUTH = PDAG("abcd", ["ab", "cb"], ["cd"])


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        (PDAG("abcd", ["ab", "cb"], ["cd"]), 0),
        (PDAG("abcd", ["ba", "cb"], ["cd"]), 1),
        (PDAG("abcd", ["cb"], ["ab", "cd"]), 1),
        (PDAG("abcd", ["ab", "cb", "cd"]), 1),
        (PDAG("abcd", ["ab", "cb"], ["cd", "ad"]), 1),
        (PDAG("abcd"), 3),
        (PDAG("abcd", ["da"]), 4),
    ],
)
def test_pair_shd_counts_each_pair_once(guess: PDAG, expected: int) -> None:
    """Reversed, added, dropped and undirected edges cost one each."""
    assert metrics.pair_shd(TRUTH, guess) == expected
    assert metrics.pair_shd(guess, TRUTH) == expected


def test_skeleton_metrics_ignore_directions() -> None:
    """Two of three true adjacencies among four guessed ones give precision 1/2 and recall 2/3."""
    guess = PDAG("abcd", ["ba", "dc"], ["ac", "ad"])
    assert metrics.skeleton_precision(TRUTH, guess) == 1 / 2
    assert metrics.skeleton_recall(TRUTH, guess) == 2 / 3
    assert metrics.skeleton_f1(TRUTH, guess) == 4 / 7
    assert metrics.skeleton_precision(guess, TRUTH) == 2 / 3


def test_arrowhead_metrics_ignore_lines() -> None:
    """A right arrow, a reversed one and one in place of a line give precision 1/3 and recall 1/2."""
    guess = PDAG("abcd", ["ab", "bc", "cd"])
    assert metrics.arrowhead_precision(TRUTH, guess) == 1 / 3
    assert metrics.arrowhead_recall(TRUTH, guess) == 1 / 2
    assert metrics.arrowhead_f1(TRUTH, guess) == 2 / 5


@pytest.mark.parametrize("kind", ["skeleton", "arrowhead"])
def test_empty_graphs_are_perfect_only_for_empty_truths(kind: str) -> None:
    """Nothing guessed is perfect when there was nothing to find; one graph alone without edges scores 0."""
    empty, full = PDAG("abc"), PDAG("abc", ["ab"])
    for measure in ("precision", "recall", "f1"):
        metric = getattr(metrics, f"{kind}_{measure}")
        assert metric(empty, empty) == 1.0
        assert metric(full, empty) == 0.0
        assert metric(empty, full) == 0.0


def test_true_cpdag_without_arrows_has_perfect_arrowheads() -> None:
    """The CPDAG of a chain has no arrowhead and is still perfect against itself."""
    chain = PDAG("abc", [], ["ab", "bc"])
    assert metrics.arrowhead_precision(chain, chain) == 1.0
    assert metrics.skeleton_f1(chain, chain) == 1.0


@pytest.mark.parametrize("name", [*zoo.DAGS, *zoo.NOT_EXTENDABLE])
def test_pair_metrics_of_the_zoo_are_perfect_against_itself(name: str) -> None:
    """Every small graph, cyclic ones included, differs from itself in no pair."""
    graph = (zoo.DAGS | zoo.NOT_EXTENDABLE)[name]
    assert metrics.pair_shd(graph, graph) == 0
    assert metrics.skeleton_f1(graph, graph) == metrics.arrowhead_f1(graph, graph) == 1.0
