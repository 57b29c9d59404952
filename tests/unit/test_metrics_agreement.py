"""What AutoPC maximises: values, exact order, users' functions and refusals."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import zoo
from secondlook import metrics
from secondlook.errors import DataError, GraphError, OptionError
from secondlook.graphs import PDAG
from secondlook.metrics import AGREEMENTS, Agreement, Score, agreement

TRUTH = PDAG("abc", ["ab", "cb"])
GUESS = PDAG("abc", ["ab"], ["bc"])


def half(_first: PDAG, _second: PDAG) -> float:
    """A user's metric, at module level so that it can be pickled."""
    return 0.5


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("shd", 5 / 6, -1),
        ("f1", 4 / 5, Fraction(4, 5)),
        ("mcc", (1 + np.sqrt(0.5)) / 2, Fraction(1, 2)),
        ("pair_shd", 2 / 3, -1),
        ("skeleton_f1", 1.0, Fraction(1)),
        ("arrowhead_f1", 2 / 3, Fraction(2, 3)),
    ],
)
def test_agreement_of_a_hand_example_has_value_and_key(name: str, value: float, key: object) -> None:
    """Each named metric is turned into [0, 1] with an exact key beside it."""
    score = agreement(name)(TRUTH, GUESS)
    assert score.value == pytest.approx(value, abs=1e-15)
    assert score.key == key
    assert score.is_perfect == (value == 1.0)


@pytest.mark.parametrize("name", ["parent_aid", "ancestor_aid", "oset_aid"])
def test_agreement_of_a_distance_is_one_minus_it(name: str) -> None:
    """Distances are turned round, and their key is minus the number of wrong pairs."""
    truth, guess = PDAG("abc", ["ab", "bc"]), PDAG("abc", ["ab"])
    score = agreement(name)(truth, guess)
    assert score.value == 1 - getattr(metrics, name)(truth, guess)
    assert score.key == -getattr(metrics, f"{name}_count")(truth, guess)


@pytest.mark.parametrize("name", AGREEMENTS)
@pytest.mark.parametrize("graph", [*zoo.DAGS.values()], ids=str)
def test_agreement_of_a_graph_with_itself_is_perfect(graph: PDAG, name: str) -> None:
    """Graphs of no, one or many nodes score exactly 1 against themselves."""
    score = agreement(name)(graph, graph)
    assert score.value == 1.0
    assert score.is_perfect


def test_scores_of_equal_surds_are_a_tie() -> None:
    """Two MCC scores that are equal as surds are equal, neither greater."""
    agree = agreement("mcc")
    names = "abcdef"
    # 30 places: TP 9, FN 3 on one side and TP 2, FP 1 on the other, both (3 / sqrt(14)) as surds
    arrows = [a + b for i, a in enumerate(names) for b in names[i + 1 :]]
    one = agree(PDAG(names, arrows[:12]), PDAG(names, arrows[:9]))
    two = agree(PDAG(names, arrows[:2]), PDAG(names, arrows[:3]))
    assert one == two
    assert not one < two
    assert not one > two
    assert one.value == two.value


def test_scores_closer_than_a_float_can_tell_are_ordered() -> None:
    """The key decides, even where both values are the same float."""
    low, high = Fraction(10**20 - 1, 10**20), Fraction(10**20, 10**20 + 1)
    assert float(low) == float(high)
    assert Score(float(low), low, is_perfect=False) < Score(float(high), high, is_perfect=False)


def test_negative_mcc_is_ordered_by_sign_and_square() -> None:
    """A worse negative coefficient is a lower score, although its square is larger."""
    agree = agreement("mcc")
    worst = agree(PDAG("ab", ["ab"]), PDAG("ab", ["ba"]))
    bad = agree(PDAG("abc", ["ab"]), PDAG("abc", ["ba"]))
    assert worst.value == 0.0
    assert worst < bad < agree(PDAG("abc"), PDAG("abc", ["ab"]))


@pytest.mark.parametrize(("found", "value"), [(True, 1.0), (0, 0.0), (0.25, 0.25), (np.float32(0.5), 0.5)])
def test_number_of_a_users_metric_becomes_the_score(found: Any, value: float) -> None:
    """Bools, integers, floats and numpy's scalars are all numbers."""
    score = agreement(lambda _first, _second: found)(TRUTH, GUESS)
    assert score == Score(value, value, value == 1.0)
    assert isinstance(score.value, float)
    assert score.is_perfect == (value == 1.0)
    assert agreement(lambda _first, _second: np.bool_(True))(TRUTH, GUESS).is_perfect


@pytest.mark.parametrize("found", [float("nan"), 1.5, -1e-9, "0.5", None, np.array([0.5]), 1j, float("inf")])
def test_answer_of_a_users_metric_outside_the_rule_is_refused(found: Any) -> None:
    """The message holds the metric's name, its answer and the rule."""

    def closeness(_first: PDAG, _second: PDAG) -> Any:
        return found

    with pytest.raises(DataError) as caught:
        agreement(closeness)(TRUTH, GUESS)
    assert str(caught.value) == (
        f"The metric 'closeness' must return a number in [0, 1], 1 for perfect agreement. Got {found!r}."
    )


def test_exception_of_a_users_metric_passes_unchanged() -> None:
    """What a user's function raises is neither wrapped nor reworded."""
    error = ZeroDivisionError("mine")

    def broken(_first: PDAG, _second: PDAG) -> float:
        raise error

    with pytest.raises(ZeroDivisionError) as caught:
        agreement(broken)(TRUTH, GUESS)
    assert caught.value is error


def test_users_metric_receives_both_graphs_in_order() -> None:
    """The first graph takes the place of the truth."""
    seen: list[PDAG] = []

    def watcher(first: PDAG, second: PDAG) -> float:
        seen.extend((first, second))
        return 1.0

    assert agreement(watcher)(TRUTH, GUESS).is_perfect
    assert seen == [TRUTH, GUESS]
    assert agreement(watcher).name == "watcher"


@pytest.mark.parametrize("name", AGREEMENTS)
def test_library_function_means_its_name(name: str) -> None:
    """Passing metrics.shd asks for "shd" and not for a raw count."""
    ours = agreement(getattr(metrics, name))
    assert ours == agreement(name)
    assert agreement(ours) is ours


@pytest.mark.parametrize("metric", [metrics.sid, metrics.parent_aid_count])
def test_library_function_that_falls_with_agreement_is_refused(metric: Any) -> None:
    """A distance that has no agreement is not taken for one."""
    with pytest.raises(OptionError, match=r"is not 1 for perfect agreement\. Choose one of 'shd'"):
        agreement(metric)


@pytest.mark.parametrize(("wrong", "near"), [("SHD", "shd"), ("mmc", "mcc"), ("parent-aid", "parent_aid")])
def test_unknown_metric_is_refused_with_the_nearest_name(wrong: str, near: str) -> None:
    """The message names the slip, the nearest match and every choice."""
    with pytest.raises(
        OptionError, match=f"The metric '{wrong}' is unknown. Did you mean '{near}'"
    ) as caught:
        agreement(wrong)
    assert all(repr(name) in str(caught.value) for name in AGREEMENTS)


def test_metric_far_from_every_name_is_refused_without_a_guess() -> None:
    """No match is invented for a word that is like none of ours."""
    with pytest.raises(OptionError, match=r"The metric 'zzz' is unknown\. Choose"):
        agreement("zzz")


def test_metric_that_is_neither_name_nor_function_is_a_type_error() -> None:
    """A number is not a metric."""
    with pytest.raises(TypeError, match=r"must be a name or a function of two PDAGs\. Got int"):
        agreement(3)  # type: ignore[arg-type]


def test_distance_of_graphs_without_effects_is_no_agreement() -> None:
    """A graph that no DAG extends identifies nothing, so that it scores 0 even against itself."""
    square = zoo.NOT_EXTENDABLE["chordless square of lines"]
    score = agreement("parent_aid")(square, square)
    assert score == Score(0.0, -12, is_perfect=False)


def test_distance_of_graphs_over_other_names_is_refused_before_it_is_judged() -> None:
    """A wrong pair of graphs is an error and not a score of 0, also when one has no effects."""
    square = zoo.NOT_EXTENDABLE["chordless square of lines"]
    with pytest.raises(GraphError, match="the guess lacks 'd'"):
        agreement("parent_aid")(square, PDAG("abc"))


def test_distance_reads_an_extendable_graph_as_its_cpdag() -> None:
    """Of a -> b with c apart only a -- b is identified, which is what the second graph says."""
    score = agreement("parent_aid")(PDAG("abcd", ["ab"], ["cd"]), PDAG("abcd", [], ["ab", "cd"]))
    assert score.is_perfect


def test_agreement_survives_pickling() -> None:
    """Worker processes receive the same metric."""
    for metric in ("mcc", half):
        ours = agreement(metric)
        again: Agreement = pickle.loads(pickle.dumps(ours))
        assert again == ours
        assert again(TRUTH, GUESS) == ours(TRUTH, GUESS)
