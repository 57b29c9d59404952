"""The record of every metric."""

from __future__ import annotations

import dataclasses
import json

import pytest

from secondlook import metrics
from secondlook.errors import GraphError
from secondlook.graphs import PDAG
from secondlook.metrics import compare

TRUTH = PDAG("abcd", ["ab", "cb", "bd"])
GUESS = PDAG("abcd", ["ab", "cb"], ["bd"])


def test_every_field_is_the_function_of_its_name() -> None:
    """The record holds what the functions return."""
    guess = PDAG("abcd", ["ab", "bc", "db"])
    found = compare(TRUTH, guess).to_dict()
    others = {"d": 4, "truth_edges": 3, "guess_edges": 3, "undefined": {}}
    assert {name: found.pop(name) for name in others} == others
    assert found == {name: getattr(metrics, name)(TRUTH, guess) for name in found}
    assert len(found) == 14


def test_distances_that_do_not_exist_are_none_with_a_reason() -> None:
    """A PDAG that is no CPDAG has marks to compare and no effects."""
    found = compare(TRUTH, GUESS)
    assert found.shd == 1
    assert (found.parent_aid, found.ancestor_aid, found.oset_aid, found.sid) == (None,) * 4
    reasons = dict(found.undefined)
    assert set(reasons) == {"parent_aid", "ancestor_aid", "oset_aid", "sid"}
    assert reasons["parent_aid"].startswith("The guess of parent_aid must be a DAG or a CPDAG.")


def test_sid_alone_is_undefined_for_a_cpdag() -> None:
    """The other distances take CPDAGs."""
    found = compare(PDAG("ab", ["ab"]), PDAG("ab", [], ["ab"]))
    assert found.parent_aid == 1.0
    assert [name for name, _ in found.undefined] == ["sid"]


def test_distances_can_be_left_out() -> None:
    """Asking for none says so in the record."""
    found = compare(TRUTH, TRUTH, adjustment=False)
    assert found.sid is None
    assert dict(found.undefined)["sid"] == "Not asked for."


def test_record_prints_every_number_and_reason() -> None:
    """The text is one line per family of metrics, then one per missing distance."""
    lines = str(compare(PDAG("ab", ["ab"]), PDAG("ab", [], ["ab"]))).splitlines()
    assert lines[:6] == [
        "Comparison: d 2, truth_edges 1, guess_edges 1",
        "  marks       shd 1, f1 0.667, mcc 0.000",
        "  edges       pair_shd 1",
        "  skeleton    precision 1.000, recall 1.000, f1 1.000",
        "  arrowheads  precision 0.000, recall 0.000, f1 0.000",
        "  adjustment  parent_aid 1.000, ancestor_aid 1.000, oset_aid 1.000, sid undefined",
    ]
    assert lines[6].startswith("  no sid: The guess of sid must be a DAG.")
    assert len(lines) == 7


def test_record_is_frozen_and_becomes_json() -> None:
    """Nothing in the record can be overwritten, and its dictionary needs no help to be JSON."""
    found = compare(TRUTH, GUESS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.shd = 0  # type: ignore[misc]
    again = json.loads(json.dumps(found.to_dict()))
    assert again["pair_shd"] == 1
    assert again["sid"] is None
    assert set(again["undefined"]) == {"parent_aid", "ancestor_aid", "oset_aid", "sid"}


def test_different_names_are_refused_and_not_recorded() -> None:
    """Only undefined distances are forgiven, never a wrong pair of graphs."""
    with pytest.raises(GraphError, match="the guess lacks 'd'"):
        compare(TRUTH, PDAG("abc"))
