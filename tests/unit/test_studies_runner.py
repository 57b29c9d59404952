"""Running a study: what is missing is run, by whoever, and the files are the same."""

from __future__ import annotations

import json
import sys

import pytest
from toy_study import Toy

from secondlook import DataError, OptionError
from secondlook.studies import STUDIES, Settings, Workers, run_study, study_named
from secondlook.studies.workers import outcomes

SETTINGS = Settings(6)


def test_run_study_is_same_for_any_number_of_processes(tmp_path):
    """Two processes write the same results.csv as one, in the order of the units."""
    for jobs in (1, 2):
        run_study(Toy(), SETTINGS, tmp_path / str(jobs), workers=Workers(jobs))
    one, two = ((tmp_path / name / "results.csv").read_bytes() for name in ("1", "2"))
    assert one == two
    assert one.decode().splitlines()[:3] == ["k,value,status,message", "0,0.0,ok,", f"1,{1 / 3},ok,"]


def test_run_study_runs_only_what_is_missing(tmp_path):
    """A study goes on with the units that have no record, and tells how far it is."""
    first = run_study(Toy(), SETTINGS, tmp_path)
    for key in ("u2", "u5"):
        (tmp_path / "units" / f"{key}.json").unlink()
    told = []
    again = run_study(Toy(), SETTINGS, tmp_path, progress=lambda *counts: told.append(counts))
    assert told == [(4, 6), (5, 6), (6, 6)]
    assert (first.resumed, again.resumed) == (0, 4)
    assert again.report.verdict == first.report.verdict


def test_run_study_survives_a_worker_that_dies(tmp_path):
    """A killed worker costs time and no result."""
    trap = tmp_path / "trap"
    trap.touch()
    run_study(Toy(trap=str(trap)), SETTINGS, tmp_path / "out", workers=Workers(2))
    run_study(Toy(), SETTINGS, tmp_path / "undisturbed")
    assert not trap.exists()
    found, expected = (tmp_path / name / "results.csv" for name in ("out", "undisturbed"))
    assert found.read_bytes() == expected.read_bytes()


def test_run_study_gives_up_on_a_unit_that_kills_every_worker(tmp_path):
    """Workers that keep dying end the study in one sentence; what was finished is kept."""
    trap = tmp_path / "trap"
    trap.touch()
    with pytest.raises(DataError, match="in a row"):
        run_study(Toy(trap=str(trap), once=False), SETTINGS, tmp_path / "out", workers=Workers(2))
    trap.unlink()
    kept = {path.stem for path in (tmp_path / "out" / "units").iterdir()}
    assert "u3" not in kept
    assert run_study(Toy(), SETTINGS, tmp_path / "out").resumed == len(kept)


def test_run_study_writes_header(tmp_path):
    """results.json holds the command that gives these results, versions, machine and counts."""
    run_study(Toy(), Settings(6, 3, {"power": "2"}), tmp_path)
    header = json.loads((tmp_path / "results.json").read_text())
    assert header["command"] == "secondlook study toy --draws 6 --seed 3 --power 2"
    assert (header["rows"], header["failed_rows"]) == (6, 0)
    assert header["columns"] == ["k", "value", "status", "message"]
    assert {"python", "numpy", "secondlook"} <= set(header["versions"])
    assert header["machine"]["cores"] >= 1


def test_run_study_writes_the_command_that_a_study_names(tmp_path):
    """A study that is rerun in another way says so, and its header says it with the settings."""
    toy = Toy()
    object.__setattr__(toy, "command", "python toy.py")
    run_study(toy, Settings(2), tmp_path)
    header = json.loads((tmp_path / "results.json").read_text())
    assert header["command"] == "python toy.py --draws 2 --seed 0 --power 2"


def test_run_study_plots_the_same_bytes(tmp_path):
    """Plots of the same numbers are the same files, and the page shows them."""
    pytest.importorskip("matplotlib")
    pictures = []
    for name in "ab":
        assert run_study(Toy(), SETTINGS, tmp_path / name).plotted
        pictures.append((tmp_path / name / "squares.svg").read_bytes())
    assert pictures[0] == pictures[1]
    assert "![Squares.](squares.svg)" in (tmp_path / "a" / "page.md").read_text()


def test_run_study_without_matplotlib_has_no_plots(tmp_path, monkeypatch):
    """Without matplotlib all but the plots is written."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    found = run_study(Toy(), SETTINGS, tmp_path)
    assert not found.plotted
    assert {path.name for path in found.files} == {
        "results.csv",
        "results.json",
        "timings.csv",
        "table.md",
        "page.md",
    }
    assert ".svg" not in (tmp_path / "page.md").read_text()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Settings(0), "'draws' option must be a whole number from 1"),
        (lambda: Settings(1, -1), "'seed' option must be a whole number from 0"),
        (lambda: Workers(0), "'jobs' option"),
        (lambda: Workers(backend="ray"), "'loky' or 'dask'"),
        (lambda: Workers(backend="dask"), "needs a running cluster"),
        (lambda: Workers(scheduler="tcp://host:1"), "goes with the backend 'dask'"),
        (lambda: Workers(backend="dask", scheduler="here"), "an address such as tcp://host:8786"),
        (lambda: study_named("tabel1"), "Did you mean 'table1'"),
    ],
)
def test_settings_and_workers_are_refused(make, said):
    """What makes no sense is refused in one sentence with the option's name."""
    with pytest.raises(OptionError, match=said):
        make()


def test_run_study_refuses_option_of_other_study(tmp_path):
    """An option that the study does not take is refused before a folder is made."""
    with pytest.raises(OptionError, match="'methods' option is not one of toy; it takes power"):
        run_study(Toy(), Settings(1, options={"methods": "bic"}), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_dask_backend_without_dask(monkeypatch):
    """Without Dask the backend is refused with what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    workers = Workers(backend="dask", scheduler="tcp://127.0.0.1:1")
    with pytest.raises(OptionError, match=r"secondlook\[dask\]"):
        list(outcomes(Toy(), SETTINGS, Toy().units(SETTINGS), workers))


def test_studies_are_named_by_their_names():
    """Every study that the command line lists is found under its own name."""
    assert all(study_named(name).name == name for name in STUDIES)
    assert {"table1", "figure1"} <= set(STUDIES)
