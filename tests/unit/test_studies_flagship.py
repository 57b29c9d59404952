"""The flagship study: its cells and draws, what it judges, and what it says of the rows."""

from __future__ import annotations

import json

import numpy as np
import pytest

import secondlook as sl
from secondlook.graphs import cpdag
from secondlook.selection import secondlook
from secondlook.simulation import read_gaussian_network
from secondlook.studies import Results, Settings, run_study
from secondlook.studies.flagship import judging
from secondlook.studies.flagship.cells import CELLS, GROUPS, Cell, cells_of, checked_cells
from secondlook.studies.flagship.draws import drawn, permuted
from secondlook.studies.flagship.flagship import Flagship
from secondlook.studies.flagship.methods import METHODS, OURS, HiddenTest
from secondlook.studies.flagship.scores import Scores
from secondlook.studies.flagship.verdict import reached

SMALL = CELLS["d10-n1000"]
NETWORK = {
    "nodes": ["a", "b", "c"],
    "arcs": [["a", "b"], ["c", "b"]],
    "cpds": {
        "a": {"coefficients": {"(Intercept)": 1.0}, "variance": 1.0},
        "b": {"coefficients": {"(Intercept)": 0.0, "a": 0.7, "c": -0.9}, "variance": 2.0},
        "c": {"coefficients": {"(Intercept)": 0.0}, "variance": 0.5},
    },
}


@pytest.fixture
def networks(tmp_path):
    """A folder with a tiny network under the name of a large one."""
    (tmp_path / "ecoli70.json").write_text(json.dumps(NETWORK))
    return tmp_path


def row(method, draw, shd, *, cell="d10-n1000", valid=1, relabelled=None, status="ok"):
    """A row of one method on one draw."""
    scores = {"alpha": 0.01, "shd": shd, "f1": 0.5, "mcc": 0.4, "valid": valid, "relabelled": relabelled}
    return {"cell": cell, "draw": draw, "method": method, **scores, "status": status, "message": None}


def results(means, draws=30, cell="d10-n1000"):
    """Rows whose SHD wobbles around a mean for each method."""
    rows = [
        row(name, k, means[name] + 0.1 * ((k * place) % 3), cell=cell, relabelled=int(name in OURS) or None)
        for place, name in enumerate(means, 1)
        for k in range(draws)
    ]
    times = [{"cell": cell, "draw": 0, "method": name, "seconds": 0.001} for name in means]
    return Results(rows, times)


FLAT = {"paper": 5.0, "vote": 3.0, "tests-only": 2.5, "second-look": 2.0, "polished": 0.5}


def report_of(found):
    """The report on these rows."""
    return Flagship().report(found, Settings(1))


def test_judged_scores_what_the_library_finds():
    """Every row of a draw is what the library's own functions say of that data set."""
    rows = {r["method"]: r for r in judging.judged(SMALL, 3, 1).rows}
    data = drawn(SMALL, 3, 1)
    expected = {
        "paper": sl.autopc(data.test, colliders="overwrite").raw_graph,
        "vote": sl.autopc(data.test).raw_graph,
        "second-look": secondlook(data.test, polish=False).graph,
        "polished": secondlook(data.test).graph,
    }
    assert list(rows) == list(METHODS)
    for name, graph in expected.items():
        assert rows[name]["shd"] == sl.metrics.shd(data.truth, graph)
        assert rows[name]["mcc"] == pytest.approx(sl.metrics.mcc(data.truth, graph), abs=1e-6)
        assert rows[name]["valid"] == int(sl.graphs.is_cpdag(graph))
    assert [rows[name]["relabelled"] for name in rows] == [None, None, 1, 1, 1]
    assert {r["status"] for r in rows.values()} == {"ok"}


def test_judged_sees_an_answer_that_the_column_order_changes(monkeypatch):
    """A method whose answer follows the order of the columns is found out."""

    class ByOrder:
        alpha = 0.01

        def __init__(self, test):
            self.graph = self.raw_graph = sl.PDAG(test.names, [tuple(test.names[:2])])

    ordered = judging.METHODS["polished"].__class__("By order", ByOrder)
    monkeypatch.setitem(METHODS, "polished", ordered)
    rows = {r["method"]: r for r in judging.judged(SMALL, 0, 0).rows}
    assert rows["polished"]["relabelled"] == 0
    assert rows["polished"]["valid"] == 0


def test_judged_runs_the_slow_search_on_some_draws_once():
    """Where the search that sees p-values only is thinned it runs on every so manieth draw, and not again."""
    cell = Cell("d10-n100", "small", 100, 10, hidden_one_in=2)
    rows = [r for draw in range(4) for r in judging.judged(cell, draw, 0).rows]
    slow = [r for r in rows if r["method"] == "tests-only"]
    assert [r["draw"] for r in slow] == [0, 2]
    assert {r["relabelled"] for r in slow} == {None}
    assert len([r for r in rows if r["method"] == "polished"]) == 4


def test_judged_records_failures(monkeypatch):
    """A method that raises is a row with its message beside the others; so is a draw that cannot be made."""
    refusing = METHODS["vote"].__class__("Refusing", lambda _: 1 / 0, raw=True)
    expected = judging.judged(SMALL, 0, 0).rows
    monkeypatch.setitem(METHODS, "vote", refusing)
    rows = judging.judged(SMALL, 0, 0).rows
    (failed,) = [r for r in rows if r["status"] != "ok"]
    assert (failed["method"], failed["message"]) == ("vote", "ZeroDivisionError: division by zero")
    assert [r for r in rows if r["method"] != "vote"] == [r for r in expected if r["method"] != "vote"]
    assert [list(r) for r in rows] == [list(failed)] * 5
    monkeypatch.setattr(judging, "drawn", lambda *_: 1 / 0)
    rows = judging.judged(SMALL, 0, 0).rows
    assert [r["status"] for r in rows] == ["failed"] * 5
    assert "No method failed" not in " ".join(report_of(Results(rows, [])).verdict)


def test_drawn_does_not_depend_on_other_draws():
    """A draw is the same whichever came before, and another one for every number, cell and seed."""
    first = drawn(SMALL, 3, 5).test.correlation
    drawn(SMALL, 2, 5)
    assert np.array_equal(first, drawn(SMALL, 3, 5).test.correlation)
    for other in (drawn(SMALL, 4, 5), drawn(SMALL, 3, 6), drawn(CELLS["d10-n10000"], 3, 5)):
        assert not np.array_equal(first, other.test.correlation)


@pytest.mark.parametrize("key", [key for key, cell in CELLS.items() if not cell.network and cell.n < 10_000])
def test_drawn_is_of_the_size_of_its_cell(key):
    """Every kind of data can be drawn, with its cell's rows and variables."""
    cell = CELLS[key]
    data = drawn(cell, 0, 0)
    assert (data.test.n, len(data.test.names)) == (cell.n, cell.d)
    assert data.test.names == data.truth.names


def test_cells_are_the_kinds_of_data_that_were_promised():
    """There are the paper's nine sizes, their variations, and four networks at three sizes."""
    counts = {group: sum(cell.group == group for cell in CELLS.values()) for group in GROUPS}
    assert counts == {
        "nine": 9, "dense": 4, "weak": 2, "noise": 3, "unequal": 2, "scale-free": 3, "wide": 2, "small": 4,
        "networks": 12,
    }  # fmt: skip
    edges = {key: drawn(CELLS[key], 0, 0).truth.n_edges for key in CELLS if key.startswith("scale-free")}
    assert list(edges.values()) == [49, 96, 96]
    hubs = max(len(drawn(CELLS[k], 0, 0).truth.adjacent(v)) for k in edges for v in ("x0", "x1"))
    assert hubs < 49
    assert CELLS["d50-n1000"].draws(601) == 301
    assert CELLS["weak-d20-n1000"].draws(5) == 1


def test_permuted_moves_every_number_unchanged():
    """The permuted test has the same correlations to the last bit, by name."""
    test = drawn(SMALL, 0, 0).test
    order = np.random.default_rng(1).permutation(10)
    moved = permuted(test, order)
    assert moved.names == tuple(test.names[i] for i in order)
    back = np.argsort(order)
    assert np.array_equal(moved.correlation[np.ix_(back, back)], test.correlation)


def test_hidden_test_is_served_as_any_other():
    """A hidden Fisher's z has the same p-values, and is neither scored by likelihood nor polished."""
    test = drawn(SMALL, 0, 0).test
    hidden = HiddenTest(test)
    assert hidden.p_value(0, 1, [2]) == test.p_value(0, 1, [2])
    found = secondlook(hidden)
    assert found.answer.polish is None
    assert {c.ebic for c in found.answer.corrections} == {None}


def test_checked_cells_have_one_form():
    """However cells are typed, the list has one form; a group that is whole goes by its name."""
    assert checked_cells("small, d10-n1000") == "d10-n1000,small"
    assert checked_cells("weak-d20-n10000,weak-d20-n1000") == "weak"
    assert [cell.key for cell in cells_of("d10-n1000,weak")] == [
        "d10-n1000",
        "weak-d20-n1000",
        "weak-d20-n10000",
    ]
    with pytest.raises(sl.OptionError, match="Did you mean 'dense'"):
        checked_cells("dens")
    with pytest.raises(sl.OptionError, match="at least one"):
        checked_cells(",")


def test_settled_takes_networks_where_their_folder_is():
    """Without a folder all cells but the networks are asked for, with one all; networks alone need it."""
    study = Flagship()
    without = study.settled(Settings(1)).options
    assert without == {"cells": ",".join(group for group in GROUPS if group != "networks")}
    assert study.settled(Settings(1, 0, {"data": "here"})).options["cells"] == ",".join(GROUPS)
    with pytest.raises(sl.OptionError, match="'data' option must name the folder"):
        study.settled(Settings(1, 0, {"cells": "ecoli70-n500"}))


def test_units_cover_every_draw_once():
    """The blocks of a cell are disjoint and cover its share of the draws under keys that differ."""
    study = Flagship()
    settings = study.settled(Settings(47))
    units = study.units(settings)
    assert len({unit.key for unit in units}) == len(units)
    for cell in cells_of(settings.options["cells"]):
        blocks = [unit.task for unit in units if unit.task.cell == cell]
        draws = [block.first + k for block in blocks for k in range(block.draws)]
        assert draws == list(range(cell.draws(47)))


def test_networks_are_read_once_and_travel_with_their_units(networks):
    """A network's units hold its model, and the truth is the CPDAG of its arcs."""
    study = Flagship()
    settings = study.settled(Settings(40, 0, {"cells": "ecoli70-n500", "data": str(networks)}))
    (unit,) = study.units(settings)
    (networks / "ecoli70.json").unlink()
    assert unit.task.draws == 2
    rows = study.run(unit, settings).rows
    assert {r["status"] for r in rows} == {"ok"}
    truth = drawn(unit.task.cell, 0, 0, unit.task.model).truth
    assert truth == cpdag(sl.PDAG("abc", [("a", "b"), ("c", "b")]))
    with pytest.raises(sl.DataError, match=r"The file 'ecoli70.json' cannot be read from the folder"):
        study.units(settings)


@pytest.mark.parametrize("name", ["ecoli70", "arth150", "magic-niab", "magic-irri"])
def test_networks_have_as_many_variables_as_their_cells_say(shared, name):
    """The cells of a network have its number of variables."""
    model = read_gaussian_network(shared / "data" / "networks" / f"{name}.json")
    assert {cell.d for cell in CELLS.values() if cell.network == name} == {model.dag.d}


def test_scores_compare_the_draws_of_both():
    """Tests and ratios are of the draws that both methods were asked; failures count for neither."""
    rows = [row("vote", k, 4.0 + k) for k in range(4)]
    rows += [
        row("tests-only", 0, 2.0),
        row("tests-only", 2, 4.0),
        row("tests-only", 3, None, status="failed"),
    ]
    scores = Scores(Results(rows, []))
    test = scores.compared(SMALL, "tests-only", "vote")
    assert (test.difference, test.size) == (-2.0, 2)
    assert scores.ratio(SMALL, "tests-only", "vote") == pytest.approx(6.0 / 10.0)
    assert scores.failures == 1
    assert scores.counted("vote", "valid") == (4, 4)


@pytest.mark.parametrize(
    ("means", "said"),
    [
        (
            FLAT,
            "(polished) against AutoPC (vote), SHD in 1 cells: better (|t| > 2.5) in 1, worse in none.",
        ),
        (FLAT, "SecondLook (unpolished) has 59 to 59 % fewer"),
        (FLAT | {"polished": 3.5}, "worse in 1 (d10-n1000)."),
        (
            FLAT,
            "in 1 of 1 cells and misses it in none.",
        ),
        (FLAT | {"polished": 1.5}, "in 0 of 1 cells and misses it in 1 (d10-n1000)."),
    ],
)
def test_verdict_follows_the_rows(means, said):
    """The verdict turns round with the numbers."""
    text = " ".join(report_of(results(means)).verdict)
    assert said in text


def test_verdict_counts_invalid_and_moved_answers():
    """One invalid answer and one that the column order changed are each counted."""
    found = results(FLAT)
    found.rows[-1] |= {"valid": 0, "relabelled": 0}
    text = " ".join(report_of(found).verdict)
    assert "Of SecondLook's 90 graphs 89 are valid" in text
    assert "in 89 of 90 runs" in text


def test_reached_is_two_standard_errors():
    """A mean is reached up to two standard errors above what was recorded, and only where something was."""
    spread = results(FLAT | {"polished": 0.94})
    scores = Scores(spread)
    error = scores.mean(SMALL, "polished", "shd").error
    assert scores.mean(SMALL, "polished", "shd").value - 0.94 > 2 * error
    assert reached(scores, SMALL, "polished") is False
    assert reached(scores, SMALL, "second-look") is True
    assert reached(Scores(results(FLAT, cell="d10-n100")), CELLS["d10-n100"], "polished") is None


def test_report_marks_the_best_among_equal_draws():
    """The best mean is bold among the methods that saw all draws, whoever was lucky on a few."""
    found = results(FLAT)
    rows = [r for r in found.rows if r["method"] != "tests-only" or r["draw"] == 0]
    (lucky,) = [r for r in rows if r["method"] == "tests-only"]
    lucky["shd"] = 0.0
    table = report_of(Results(rows, found.timings)).tables[0]
    (line,) = table.rows
    assert [text.startswith("**") for text in line] == [False] * 5 + [True, False]
    assert line[-1] == "30, 1"


def test_flagship_resumed_ends_with_the_same_bytes(tmp_path):
    """A study some of whose records are gone ends with the results of an undisturbed one."""
    settings = Settings(4, 1, {"cells": "d10-n100,d10-n200"})
    kept = run_study(Flagship(), settings, tmp_path / "a").files[0].read_bytes()
    next((tmp_path / "a" / "units").glob("d10-n200*.json")).unlink()
    assert run_study(Flagship(), settings, tmp_path / "a").resumed == 1
    assert (tmp_path / "a" / "results.csv").read_bytes() == kept
    header = json.loads((tmp_path / "a" / "results.json").read_text())
    assert header["command"] == "secondlook study flagship --draws 4 --seed 1 --cells d10-n100,d10-n200"
