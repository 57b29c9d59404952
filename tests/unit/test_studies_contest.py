"""Contests: rows, statuses, what a method costs."""

from __future__ import annotations

import numpy as np
import pytest

import secondlook as sl
from secondlook.search import SearchOptions
from secondlook.selection import Problem
from secondlook.studies import Settings
from secondlook.studies.contest import Entrant, Entry, Sheet, contested
from secondlook.studies.files import data_option, digest_of

ALPHAS = (0.01, 0.1)


class Raising:
    """A rule that raises what it was given."""

    name, looks = "raising", 1

    def __init__(self, error):
        self.error = error

    def choose(self, path, problem):
        raise self.error


def entrant(name, rule, colliders="vote", **labels):
    """A method of one rule."""
    return Entrant(name, colliders, (Entry(labels, rule),))


def held(rng, entrants, bind=None):
    """The rows and timings of a contest on 200 rows of three columns."""
    table = sl.tables.as_table(rng.normal(size=(200, 3)))
    sheet = Sheet({"draw": 0}, ("edges",), lambda graph: {"edges": graph.n_edges})
    make = bind or (lambda colliders: Problem(sl.FisherZ(table), SearchOptions(colliders=colliders), table))
    contested(sheet, make, ALPHAS, entrants)
    return sheet.outcome


def test_contested_has_pc_and_every_method(rng):
    """PC has a row for each alpha of each collider rule, a method one for each of its rules."""
    found = held(
        rng, [entrant("a", sl.BIC(), tuned_for=""), entrant("b", sl.DoubleCheck(), "overwrite", tuned_for="")]
    )
    assert [(row["method"], row["colliders"]) for row in found.rows] == [
        *[("pc", "vote")] * 2,
        ("a", "vote"),
        *[("pc", "overwrite")] * 2,
        ("b", "overwrite"),
    ]
    assert [row["alpha"] for row in found.rows[:2]] == list(ALPHAS)
    assert {tuple(row) for row in found.rows} == {tuple(found.rows[0])}
    assert [row["method"] for row in found.timings] == ["pc", "a", "pc", "b"]
    assert all(row["seconds"] >= 0 for row in found.timings)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (sl.OptionError("No."), "not applicable"),
        (sl.BudgetError("No."), "refused"),
        (ZeroDivisionError("No."), "failed"),
    ],
)
def test_contested_tells_refusals_from_faults(rng, error, status):
    """A rule without an answer has a row with its status and message, and the others answer."""
    found = held(rng, [entrant("a", Raising(error)), entrant("b", sl.BIC())])
    bad, good = found.rows[2:]
    assert (bad["status"], bad["message"]) == (status, f"{type(error).__name__}: No.")
    assert bad["edges"] is None
    assert good["status"] == "ok"
    assert [row["method"] for row in found.timings] == ["pc", "b"]


def test_contested_without_a_search_has_every_row(rng):
    """Data that cannot be searched give a row for every alpha and rule, under one collider rule only."""

    def bind(colliders):
        if colliders == "vote":
            raise sl.BudgetError("Too much.")
        return Problem(
            sl.FisherZ(np.random.default_rng(1).normal(size=(50, 3))), SearchOptions(colliders=colliders)
        )

    found = held(rng, [entrant("a", sl.BIC()), entrant("b", sl.BIC(), "first")], bind)
    assert [row["status"] for row in found.rows] == ["refused"] * 3 + ["ok"] * 3


def test_data_option_is_required():
    """Without the option the sentence says what to give."""
    with pytest.raises(
        sl.OptionError, match="The study toys needs your own copy of the data; give a box with --data"
    ):
        data_option("toys", Settings(1), "a box")


def test_digest_changes_with_the_content(tmp_path):
    """Units named after a digest are run again when the file has changed."""
    file = tmp_path / "data"
    file.write_text("1")
    before = digest_of(file)
    assert digest_of(file) == before
    file.write_text("2")
    assert digest_of(file) != before
