"""The metrics on marks, on graphs small enough to count by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import zoo
from secondlook.errors import GraphError
from secondlook.graphs import PDAG
from secondlook.metrics import Confusion, confusion, f1, mcc, shd


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        (PDAG("ab", ["ab"]), PDAG("ab", ["ab"]), 0),
        (PDAG("ab", ["ab"]), PDAG("ab", [], ["ab"]), 1),
        (PDAG("ab", ["ab"]), PDAG("ab", ["ba"]), 2),
        (PDAG("ab", ["ab"]), PDAG("ab"), 1),
        (PDAG("ab", [], ["ab"]), PDAG("ab"), 2),
    ],
)
def test_shd_of_one_edge_counts_marks(truth: PDAG, guess: PDAG, expected: int) -> None:
    """Reversing an arrow or dropping a line costs two marks, anything else one."""
    assert shd(truth, guess) == expected


def test_confusion_swaps_its_mistakes_with_its_arguments() -> None:
    """A mark too many becomes a mark missed when truth and guess change places."""
    truth, guess = PDAG("abc", ["ab"]), PDAG("abc", ["ab", "cb"], ["ac"])
    assert confusion(truth, guess) == Confusion(tp=1, fp=3, fn=0, tn=2)
    assert confusion(guess, truth) == Confusion(tp=1, fp=0, fn=3, tn=2)


@pytest.mark.parametrize("name", zoo.DAGS)
def test_every_graph_of_the_zoo_is_perfect_against_itself(name: str) -> None:
    """Empty graphs included, truth against truth has SHD 0, F1 1 and MCC 1."""
    graph = zoo.DAGS[name]
    assert (shd(graph, graph), f1(graph, graph), mcc(graph, graph)) == (0, 1.0, 1.0)


def test_empty_guess_scores_zero_for_a_truth_with_edges() -> None:
    """Ratios of the form 0/0 are 0 as soon as something was missed."""
    truth, guess = PDAG("abc", ["ab"]), PDAG("abc")
    assert (f1(truth, guess), mcc(truth, guess)) == (0.0, 0.0)
    assert confusion(truth, guess).precision == 0.0


def test_mcc_of_complementary_marks_is_minus_one() -> None:
    """A guess that is wrong about every mark has MCC -1."""
    assert mcc(PDAG("ab", ["ab"]), PDAG("ab", ["ba"])) == -1.0


def test_mcc_of_equal_surds_is_the_same_float() -> None:
    """Coefficients that are equal as surds are equal floats; the textbook formula rounds them apart."""
    one, two = Confusion(9, 0, 3, 18), Confusion(2, 1, 0, 27)
    textbook = [
        (c.tp * c.tn - c.fp * c.fn) / np.sqrt((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn))
        for c in (one, two)
    ]
    assert textbook[0] != textbook[1]
    assert one.exact_mcc == two.exact_mcc == Fraction(9, 14)
    assert one.mcc == two.mcc


def test_counts_of_huge_graphs_do_not_overflow() -> None:
    """Products of margins beyond 64 bits keep their exact value."""
    found = Confusion(tp=60_000, fp=1, fn=2, tn=10_000 * 9_999 - 60_003)
    assert found.mcc == pytest.approx(60_000 / np.sqrt(60_001 * 60_002), abs=1e-7)
    assert found.exact_mcc < 1


def test_guess_in_another_column_order_is_realigned() -> None:
    """Columns are matched by name, so that the same graph in another order is perfect."""
    truth = PDAG("abc", ["ab"], ["bc"])
    assert shd(truth, truth.relabelled("cab")) == 0
    assert shd(truth, PDAG("cba", ["ba"], ["cb"])) == 2


def test_different_names_are_refused_on_both_sides() -> None:
    """The message names what each graph lacks."""
    with pytest.raises(GraphError, match="the guess lacks 'c' and the truth lacks 'x', 'y'"):
        shd(PDAG("abc"), PDAG("abxy"))
    with pytest.raises(GraphError, match=r"but the truth lacks 'c'\.$"):
        shd(PDAG("ab"), PDAG("abc"))


def test_a_matrix_instead_of_a_graph_is_a_type_error() -> None:
    """Arrays are refused with the role they were given in."""
    with pytest.raises(TypeError, match=r"The guess of a comparison must be a PDAG\. Got ndarray"):
        shd(PDAG("ab"), np.zeros((2, 2)))  # type: ignore[arg-type]


def test_large_sparse_graphs_are_compared_by_their_edges(rng: np.random.Generator) -> None:
    """Thousands of nodes are counted without a dense matrix, and the parts add up."""
    truth, guess = zoo.random_dag(rng, 2000, 4.0), zoo.random_dag(rng, 2000, 4.0)
    there, here = set(truth.directed), set(guess.directed)
    assert confusion(truth, guess) == Confusion(
        len(there & here), len(here - there), len(there - here), 2000 * 1999 - len(there | here)
    )
