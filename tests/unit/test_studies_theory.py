"""The study of the theorems: every DAG, grids that shrink, counted tests, the report."""

from __future__ import annotations

from itertools import pairwise

import pytest

import secondlook as sl
from secondlook.graphs import is_cpdag, is_dag
from secondlook.search import COLLIDER_RULES, DEFAULT_ALPHAS
from secondlook.studies import Settings, run_study
from secondlook.studies.theory import theory
from secondlook.studies.theory.complexity import Size, counted
from secondlook.studies.theory.consistency import (
    GRIDS,
    NODES,
    ROWS,
    Models,
    drawn,
    judged,
    shrinking_by_c,
    slowly_shrinking,
)
from secondlook.studies.theory.oracle import all_dags, random_dags, tried
from secondlook.studies.theory.theory import Theory
from zoo import all_dags as every_dag


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_all_dags_are_every_dag_once(d):
    """The DAGs are those of the zoo, each once."""
    found = list(all_dags(d))
    assert len(set(found)) == len(found)
    assert set(found) == set(every_dag(d))


def test_random_dags_do_not_depend_on_their_number():
    """The first random DAGs are the same however many follow."""
    assert list(random_dags(6, 5, 1))[:3] == list(random_dags(6, 3, 1))
    assert all(is_dag(dag) for dag in random_dags(6, 5, 1))


def test_tried_finds_every_cpdag_with_the_oracle():
    """Both looks are the true CPDAG for every collider rule."""
    rows = tried(all_dags(3), "all", 3).rows
    assert [row["colliders"] for row in rows] == list(COLLIDER_RULES)
    assert all(row["graphs"] == row["right"] == row["agreeing"] == 25 for row in rows)
    assert all(row["beyond_votes"] == 0 for row in rows)


def test_tried_says_when_votes_stop_short():
    """What only four variables separate is left undecided by vote, and by no other rule."""
    middle = "abcd"
    arrows = [("x", m) for m in middle] + [(m, "z") for m in middle] + [("x", "y"), ("z", "y")]
    dag = sl.PDAG("xabcdzy", arrows)
    rows = {row["colliders"]: row for row in tried([dag], "one", 7).rows}
    assert (rows["vote"]["right"], rows["vote"]["beyond_votes"], rows["vote"]["agreeing"]) == (0, 1, 1)
    assert all(rows[rule]["right"] == 1 for rule in COLLIDER_RULES if rule != "vote")


@pytest.mark.parametrize("grid", GRIDS.values())
def test_grids_are_valid_at_every_number_of_rows(grid):
    """Every grid ascends within (0, 1), never grows with n, and is the paper's at 1000 rows."""
    grids = [grid(n) for n in ROWS]
    for alphas in grids:
        assert sl.search.options.checked_alphas(alphas) == alphas
    assert grid(1000) == DEFAULT_ALPHAS
    for few, more in pairwise(grids):
        assert all(a >= b for a, b in zip(few, more, strict=True))


def test_shrinking_grids_shrink():
    """The slow grid falls as 1/n, the other one faster than any power of n."""
    assert slowly_shrinking(10**6)[0] == pytest.approx(5e-7)
    assert shrinking_by_c(10**7)[0] < 1e-200
    assert shrinking_by_c(10**4) == DEFAULT_ALPHAS


def test_drawn_keeps_the_model_for_all_rows():
    """The truth of a draw is the same at every n; the sample is another one."""
    (few, truth), (many, same) = drawn(5, 100, 3, 0), drawn(5, 10_000, 3, 0)
    assert truth == same
    assert (few.n, many.n) == (100, 10_000)
    assert (few.correlation != many.correlation).any()


def test_judged_scores_what_the_library_finds():
    """A row is what autopc says of that sample."""
    rows = judged(Models(5, 2, 1), 4).rows
    assert len(rows) == len(ROWS) * len(GRIDS) * 2
    for row in rows:
        if row["n"] != 1000:
            continue
        test, truth = drawn(5, 1000, 2, 4)
        found = sl.autopc(test, colliders=row["colliders"])
        assert (row["alpha"], row["agreement"]) == (found.alpha, found.agreement)
        assert row["right"] == int(found.graph == truth)
        assert row["too_many"] == int(sl.metrics.compare(truth, found.graph).skeleton_precision < 1)
        assert row["too_few"] == int(sl.metrics.compare(truth, found.graph).skeleton_recall < 1)
        assert row["somewhere"] >= row["right"]
    assert is_cpdag(truth)


def test_counted_tests_are_those_of_the_search():
    """Counts are the search's own; the generic engine asks no question twice."""
    rows = counted(Size(10, 1), 0).rows
    test, _ = drawn(10, 1000, 0, 0)
    path = sl.alpha_path(test, DEFAULT_ALPHAS, sl.SearchOptions(colliders="overwrite"))
    of_small = {row["engine"]: row for row in rows if row["n"] == 1000}
    assert (of_small["native"]["first"], of_small["native"]["second"]) == (
        path.first.n_tests,
        path.second.n_tests,
    )
    assert of_small["generic"]["first"] <= of_small["native"]["first"]


def test_theory_units_have_keys_of_their_own():
    """Every unit has another key, and all draws are covered."""
    units = Theory().units(Settings(120))
    assert len({unit.key for unit in units}) == len(units)
    blocks = [unit.task for unit in units if isinstance(unit.task, Models)]
    for d in NODES:
        covered = [b.first + k for b in blocks if b.d == d for k in range(b.draws)]
        assert covered == list(range(120))


def test_theory_runs_and_reports(tmp_path, monkeypatch):
    """The study writes a table for each part and says what it found, every number from the rows."""
    monkeypatch.setattr(theory, "ALL_UP_TO", 2)
    monkeypatch.setattr(theory, "RANDOM_NODES", (5,))
    monkeypatch.setattr(theory, "COUNTED_NODES", (10,))
    finished = run_study(Theory(), Settings(2), tmp_path / "out")
    assert len(finished.report.tables) == 7
    assert finished.report.verdict[0].startswith("Theorem 1: of 30 pairs of DAG and collider rule")
    oracle = finished.report.tables[0]
    assert oracle.rows == [
        ("all DAGs", "1", "1", *["1"] * 5),
        ("all DAGs", "2", "3", *["3"] * 5),
        ("random DAGs", "5", "2", *["2"] * 5),
    ]
    assert len(finished.report.plots) == 2
