"""The adjustment distances: known values, what is refused, and what gadjid may not do to us."""

from __future__ import annotations

import gadjid
import numpy as np
import pytest

import zoo
from secondlook import metrics
from secondlook.errors import GraphError
from secondlook.graphs import PDAG, cpdag
from secondlook.metrics import adjustment

DISTANCES = ("parent_aid", "ancestor_aid", "oset_aid")
INVALID = {
    "a directed cycle": (PDAG("abc", ["ab", "bc", "ca"]), "must have no directed cycle"),
    "no completed PDAG": (PDAG("abc", ["ab"], ["bc"]), "must be a DAG or a CPDAG"),
    "a chordless square": (PDAG("abcd", [], ["ab", "bc", "cd", "da"]), "must be a DAG or a CPDAG"),
}


@pytest.mark.parametrize("distance", DISTANCES)
def test_reversed_arrow_is_wrong_about_both_directions(distance: str) -> None:
    """With two nodes a reversed arrow is wrong about everything, and no arrow about one direction."""
    truth = PDAG("ab", ["ab"])
    assert getattr(metrics, distance)(truth, PDAG("ab", ["ba"])) == 1.0
    assert getattr(metrics, distance)(truth, PDAG("ab")) == 0.5
    assert getattr(metrics, f"{distance}_count")(truth, PDAG("ab")) == 1


def test_parent_aid_is_not_symmetric() -> None:
    """A superfluous arrow along the causal order is harmless, a missing one is not."""
    chain, complete = PDAG("abc", ["ab", "bc"]), PDAG("abc", ["ab", "bc", "ac"])
    assert metrics.parent_aid_count(chain, complete) == 0
    assert metrics.parent_aid_count(complete, chain) == 1


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("name", zoo.DAGS)
def test_cpdag_of_the_zoo_has_distance_zero_to_itself(name: str, distance: str) -> None:
    """Lines reach gadjid as lines, and graphs of no or one node are answered without it."""
    for graph in (zoo.DAGS[name], cpdag(zoo.DAGS[name])):
        assert getattr(metrics, distance)(graph, graph) == 0.0


def test_distances_accept_a_dag_against_a_cpdag() -> None:
    """A line leaves both effects unidentified, so that the CPDAG of an arrow is wrong about both."""
    dag = PDAG("ab", ["ab"])
    assert metrics.parent_aid(dag, cpdag(dag)) == 1.0


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("fault", INVALID)
def test_graph_without_effects_is_refused_in_either_role(fault: str, distance: str) -> None:
    """The message names the role and the distance, and gadjid is never asked."""
    graph, words = INVALID[fault]
    good = PDAG(graph.names)
    with pytest.raises(GraphError, match=f"The truth of {distance} {words}"):
        getattr(metrics, distance)(graph, good)
    with pytest.raises(GraphError, match=f"The guess of {distance} {words}"):
        getattr(metrics, distance)(good, graph)


def test_sid_of_a_cpdag_is_refused_with_the_alternative() -> None:
    """SID is for DAGs only, and the message says what to call instead."""
    with pytest.raises(GraphError, match=r"The guess of sid must be a DAG.*use parent_aid"):
        metrics.sid(PDAG("ab", ["ab"]), PDAG("ab", [], ["ab"]))


def test_sid_equals_parent_aid_on_dags(rng: np.random.Generator) -> None:
    """On DAGs the two distances are one."""
    for _ in range(20):
        truth, guess = zoo.random_dag(rng, 8), zoo.random_dag(rng, 8)
        assert metrics.sid(truth, guess) == metrics.parent_aid(truth, guess)


def test_guess_in_another_order_is_realigned_before_gadjid() -> None:
    """Columns are matched by name."""
    truth = PDAG("abc", ["ab", "cb"])
    assert metrics.parent_aid(truth, truth.relabelled("bca")) == 0.0


def test_panic_of_gadjid_becomes_a_graph_error() -> None:
    """A real Rust panic, which is a BaseException, arrives as a GraphError with its reason."""
    with pytest.raises(GraphError, match=r"gadjid could not compute parent_aid.*same number of nodes"):
        adjustment._gadjid_count("parent_aid", np.zeros((2, 2), np.int8), np.zeros((3, 3), np.int8))


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_interrupt_during_gadjid_passes_through(
    monkeypatch: pytest.MonkeyPatch, interrupt: type[BaseException]
) -> None:
    """Ctrl-C is the user's and not gadjid's."""

    def interrupted(*_args: object, **_options: object) -> None:
        raise interrupt

    monkeypatch.setattr(gadjid, "oset_aid", interrupted)
    with pytest.raises(interrupt):
        metrics.oset_aid(PDAG("ab"), PDAG("ab"))
