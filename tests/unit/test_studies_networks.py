"""The study of networks: the folder, statuses, scores, ranks, the report."""

from __future__ import annotations

import json

import pytest

import secondlook as sl
from secondlook.studies import Results, Settings, run_study
from secondlook.studies.networks import networks
from secondlook.studies.networks.folder import networks_in
from secondlook.studies.networks.layout import ranks
from secondlook.studies.networks.methods import NETWORK_METHODS
from secondlook.studies.networks.networks import Networks
from secondlook.studies.networks.scores import SCORED, Scores

RAIN = """network rain {}
variable sky { type discrete [ 2 ] { sun, rain }; }
variable street { type discrete [ 2 ] { dry, wet }; }
variable shoes { type discrete [ 2 ] { dry, wet }; }
probability ( sky ) { table 0.6, 0.4; }
probability ( street | sky ) { (sun) 0.9, 0.1; (rain) 0.2, 0.8; }
probability ( shoes | street ) { (dry) 0.9, 0.1; (wet) 0.3, 0.7; }
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a Gaussian network of three variables and a discrete one."""
    place = tmp_path / "networks"
    place.mkdir()
    record = {
        "nodes": ["a", "b", "c"],
        "arcs": [["a", "c"], ["b", "c"]],
        "cpds": {
            "a": {"coefficients": {"(Intercept)": 1.0}, "variance": 1.0},
            "b": {"coefficients": {"(Intercept)": 0.0}, "variance": 1.0},
            "c": {"coefficients": {"(Intercept)": 0.0, "a": 1.0, "b": -1.0}, "variance": 1.0},
        },
    }
    (place / "colliding.json").write_text(json.dumps(record))
    (place / "rain.bif").write_text(RAIN)
    (place / "notes.txt").write_text("no network")
    return place


def row(method, value, *, draw=0, tuned_for="", status="ok", network="net", kind="gaussian"):
    """A row whose metrics have one value."""
    head = {"kind": kind, "network": network, "d": 3, "n": 500, "draw": draw, "method": method}
    scores = dict.fromkeys(SCORED, value)
    return {
        **head,
        "tuned_for": tuned_for,
        "colliders": "vote",
        "alpha": 0.1,
        **scores,
        "status": status,
        "message": "E: why",
    }


def test_networks_in_folder_are_gaussian_first(folder):
    """Both kinds are read, other files are not."""
    assert [(found.name, found.kind) for found in networks_in(folder)] == [
        ("colliding", "gaussian"),
        ("rain", "discrete"),
    ]


def test_networks_in_folder_refuses(folder, tmp_path):
    """No folder, an empty one and two networks of one name are refused in a sentence."""
    with pytest.raises(sl.DataError, match="There is no folder"):
        networks_in(tmp_path / "none")
    (folder / "rain.json").write_text((folder / "colliding.json").read_text())
    with pytest.raises(sl.DataError, match="holds two networks called 'rain'"):
        networks_in(folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(sl.DataError, match="holds no network"):
        networks_in(tmp_path / "empty")


def test_networks_study_has_a_row_for_everything(folder, tmp_path, monkeypatch):
    """Every rule has a row on both kinds; those that need numbers are not applicable to categories."""
    monkeypatch.setattr(networks, "ROWS", {"gaussian": (500,), "discrete": (300,)})
    settings = Settings(1, 0, {"data": str(folder)})
    study = Networks()
    settled = study.settled(settings)
    rows = [r for unit in study.units(settled) for r in study.run(unit, settled).rows]
    status = {(r["kind"], r["method"]): r["status"] for r in rows}
    assert {method for _, method in status} == {"pc", *NETWORK_METHODS} - {"mean"}
    assert {key for key, said in status.items() if said != "ok"} == {
        ("discrete", "octs"),
        ("discrete", "pc-cv"),
    }
    assert status["discrete", "octs"] == status["discrete", "pc-cv"] == "not applicable"
    right = [r for r in rows if r["kind"] == "gaussian" and r["method"] == "autopc"]
    assert {r["shd"] for r in right} == {0}
    report = run_study(study, settings, tmp_path / "out").report
    titles = [table.title for table in report.tables]
    assert titles[:2] == ["Mean ranks, gaussian networks", "Mean ranks, discrete networks"]
    assert len(titles) == 2 + 2 * len(SCORED) + 1
    assert "n/a" in report.tables[-2].rows[0]
    assert any("6 not applicable" in s or "2 not applicable" in s for s in report.verdict)


def test_networks_study_records_what_exceeds_the_budget(folder, monkeypatch):
    """Work beyond the budget is a refused row for every rule, and PC, and no gap."""
    settings = Networks().settled(Settings(1, 0, {"data": str(folder), "methods": "mean,bic,autopc"}))
    unit = next(unit for unit in Networks().units(settings) if unit.task.name == "rain")
    full = Networks().run(unit, settings).rows
    for name, value, said in (("MOST_CATEGORIES", 1, "has 2 categories"), ("MAX_TESTS", 1, "BudgetError")):
        with monkeypatch.context() as patch:
            patch.setattr(networks, name, value)
            rows = Networks().run(unit, settings).rows
        assert len(rows) == len(full)
        assert {r["status"] for r in rows} == {"refused"}
        assert all(said in r["message"] for r in rows)


def test_judged_scores_what_the_library_finds(folder):
    """A row is what the library's functions say of that sample."""
    settings = Networks().settled(Settings(1, 3, {"data": str(folder), "methods": "bic,autopc"}))
    unit = next(unit for unit in Networks().units(settings) if unit.task.name == "rain")
    first, again = (Networks().run(unit, settings).rows for _ in range(2))
    assert first == again
    assert {r["tuned_for"] for r in first if r["method"] == "autopc"} == {"shd", "f1", "mcc"}
    assert all(set(SCORED) < set(r) for r in first)


def test_scores_judge_by_what_was_tuned():
    """A method is judged by its rule for the metric, else by that for SHD; Mean averages over alphas."""
    rows = [row("pc", 2.0), row("pc", 4.0), row("bic", 5.0), row("autopc", 6.0, tuned_for="shd")]
    rows += [row("autopc", 7.0, tuned_for="f1"), row("stars", None, status="refused")]
    scores = Scores(Results(rows, []))
    (place,) = scores.places
    assert scores.mean(place, "mean", "shd").value == 3.0
    assert scores.mean(place, "bic", "mcc").value == 5.0
    assert scores.mean(place, "autopc", "f1").value == 7.0
    assert scores.mean(place, "autopc", "parent_aid").value == 6.0
    assert scores.status(place, "stars") == "refused"
    assert scores.status(place, "bic") == "ok"
    assert sum(scores.refusals.values()) == 1


def test_ranks_share_ties_and_leave_out_gaps():
    """Equal means share their ranks, places with a gap do not count, and methods never able have none."""
    rows = [row("bic", 1.0), row("ebic", 1.0), row("stars", 3.0), row("octs", None, status="not applicable")]
    rows += [row("bic", 1.0, network="b"), row("ebic", 2.0, network="b")]
    rows += [row("stars", None, network="b", status="refused")]
    scores = Scores(Results(rows, []))
    methods = ("bic", "ebic", "stars", "octs")
    found, places = ranks(scores, methods, "gaussian", "shd")
    assert places == 1
    assert [found[m] for m in methods[:3]] == [1.5, 1.5, 3.0]
    assert found["octs"] != found["octs"]
    better, _ = ranks(scores, methods, "gaussian", "f1")
    assert [better[m] for m in methods[:3]] == [2.5, 2.5, 1.0]


def test_networks_of_the_repository_are_read(shared):
    """The standard networks are there, Gaussian and discrete."""
    found = networks_in(shared / "data" / "networks")
    assert {"ecoli70", "alarm", "asia"} <= {one.name for one in found}
