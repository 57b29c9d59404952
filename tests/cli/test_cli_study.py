"""`secondlook study`: runs, refusals, and what a kill at any moment leaves."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from secondlook.studies import STUDIES, Settings, Workers, run_study

TINY = ("study", "table1", "--draws", "3", "--methods", "mean,autopc")


def test_study_writes_results_and_says_verdict(cli):
    """A study prints its verdict and writes every file; run again, it writes the same rows."""
    first = cli(*TINY, "--out", "out")
    assert first.code == 0, first.err
    assert first.out.startswith("* Mean and AutoPC agree with the paper (|z| < 3) in ")
    assert f"Wrote {Path('out') / 'page.md'}" in first.err
    rows = Path("out/results.csv").read_bytes()
    assert rows.count(b"\n") == 1 + 9 * 3 * (6 + 3)
    header = json.loads(Path("out/results.json").read_text())
    assert header["command"] == "secondlook study table1 --draws 3 --seed 0 --methods mean,autopc"
    page = Path("out/page.md").read_text()
    assert Path("out/table.md").read_text() in page
    assert first.out.splitlines()[0] in page
    assert cli(*TINY, "--out", "out", "--jobs", "2").code == 0
    assert Path("out/results.csv").read_bytes() == rows


def test_study_list_names_every_study(cli):
    """--list prints the studies and their draws."""
    answer = cli("study", "--list")
    assert answer.code == 0
    assert all(name in answer.out for name in STUDIES)


def test_study_goes_into_folder_of_its_name(cli):
    """Without --out the folder is called as the study; --quick and --quiet are obeyed."""
    answer = cli("study", "figure1", "--quick", "--quiet")
    assert (answer.code, answer.err) == (0, "")
    assert json.loads(Path("figure1/results.json").read_text())["draws"] == STUDIES["figure1"].quick_draws


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["study"], "needs the NAME of a study"),
        (["study", "tabel1"], "Did you mean 'table1'?"),
        (["study", "table1", "--draws", "0"], "'--draws'"),
        (["study", "table1", "--seed", "-1"], "'--seed'"),
        (["study", "table1", "--quick", "--draws", "5"], "leave out --draws, or --quick"),
        (["study", "table1", "--methods", "autpc"], "The --methods option must be one of"),
        (["study", "table1", "--methods", ","], "must name at least one of mean"),
        (["study", "figure1", "--methods", "bic"], "The --methods option is not one of figure1"),
        (["study", "figure1", "--data", "x.csv"], "The --data option is not one of figure1"),
        (["study", "table2"], "The study table2 needs your own copy of the data; give the teaching table"),
        (["study", "networks"], "The study networks needs your own copy of the data; give a folder"),
        (["study", "flagship", "--cells", "nines"], "Did you mean 'nine'?"),
        (["study", "flagship", "--cells", "networks"], "The --data option must name the folder"),
        (["study", "table1", "--jobs", "0"], "The --jobs option must be a positive whole number or -1"),
        (["study", "table1", "--backend", "ray"], "The --backend option must be 'loky' or 'dask'"),
        (["study", "table1", "--backend", "dask"], "give its address as scheduler"),
        (["study", "table1", "--scheduler", "tcp://a:1"], "The --scheduler option goes with"),
        (["study", "table1", "--backend", "dask", "--scheduler", "a"], "an address such as tcp://host:8786"),
    ],
)
def test_study_refuses_usage(refusal, words, said):
    """A command line that makes no sense is refused before anything is written."""
    assert said in refusal(2, *words)
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("name", ["table2", "networks"])
def test_study_refuses_data_that_are_not_there(refusal, name):
    """A path that leads nowhere is refused before anything is written."""
    assert "There is no f" in refusal(1, "study", name, "--data", "none")
    assert list(Path().iterdir()) == []


def test_study_refuses_folders(cli, refusal):
    """A folder of other settings or other things is refused with both remedies, and --force obeys."""
    assert cli(*TINY, "--out", "out").code == 0
    other = (*TINY[:2], "--draws", "2", *TINY[4:], "--out", "out")
    said = refusal(1, *other)
    assert "holds results of draws 3, and draws 2 was asked for" in said
    assert "--out" in said
    assert "--force" in said
    assert cli(*other, "--force").code == 0
    Path("file").write_text("")
    assert "is a file" in refusal(1, *TINY, "--out", "file")
    assert "There is no folder 'no'" in refusal(1, *TINY, "--out", "no/out")


def test_study_interrupted_can_go_on(cli, monkeypatch):
    """Ctrl-C leaves what was finished, says so in one sentence, and the same command goes on."""
    study = type(STUDIES["table1"])
    kept, ran = study.run, []

    def interrupted(self, unit, settings):
        if len(ran) == 4:
            raise KeyboardInterrupt
        ran.append(unit.key)
        return kept(self, unit, settings)

    with monkeypatch.context() as patch:
        patch.setattr(study, "run", interrupted)
        answer = cli(*TINY, "--out", "out")
    assert answer.code == 130
    assert answer.err == (
        "secondlook: Interrupted; what was finished is in 'out', and the same command goes on from there.\n"
    )
    assert sorted(path.stem for path in Path("out/units").iterdir()) == sorted(ran)
    assert cli(*TINY, "--out", "out").code == 0
    assert cli(*TINY, "--out", "undisturbed").code == 0
    assert Path("out/results.csv").read_bytes() == Path("undisturbed/results.csv").read_bytes()


def killed_and_resumed(words, out, kills, rng):
    """Runs a study, kills it a moment after some more records are there, and again, then to its end."""
    command = [sys.executable, "-m", "secondlook.cli", *words, "--out", out]
    cut_short = 0
    for _ in range(kills):
        goal = len(list(Path(out).glob("units/*.json"))) + int(rng.integers(0, 3))
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while process.poll() is None and len(list(Path(out).glob("units/*.json"))) < goal:
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.05))
        cut_short += process.poll() is None
        process.kill()
        process.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its workers would idle on for minutes
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return cut_short


def test_study_killed_at_random_moments_ends_with_the_same_bytes(cli, rng):
    """A study killed and started again three times ends with the results of an undisturbed one."""
    words = ("study", "table1", "--draws", "30", "--methods", "mean,autopc")
    assert killed_and_resumed(words, "killed", 3, rng)
    assert cli(*words, "--out", "undisturbed").code == 0
    assert Path("killed/results.csv").read_bytes() == Path("undisturbed/results.csv").read_bytes()


@pytest.mark.slow
def test_study_killed_twenty_times_ends_with_the_same_bytes(cli, rng):
    """The same with twenty kills, more draws and methods, and two processes."""
    words = ("study", "table1", "--draws", "300", "--jobs", "2", "--methods", "mean,bic,autopc,autopc-vote")
    assert killed_and_resumed(words, "killed", 20, rng) >= 10
    assert cli(*words, "--out", "undisturbed").code == 0
    assert Path("killed/results.csv").read_bytes() == Path("undisturbed/results.csv").read_bytes()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_study_on_dask_survives_a_killed_worker(tmp_path):
    """On a Dask cluster of two worker processes one is killed; the results are those of one process here."""
    distributed = pytest.importorskip("distributed")
    settings = Settings(100, 0, {"methods": "mean,autopc"})
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        workers = Workers(backend="dask", scheduler=cluster.scheduler_address)
        prey = [worker.pid for worker in cluster.workers.values()]

        def kill_one(done, total):
            if 5 <= done < total and len(prey) == 2:
                os.kill(prey.pop(), signal.SIGKILL)

        run_study(STUDIES["table1"], settings, tmp_path / "dask", workers=workers, progress=kill_one)
    assert len(prey) == 1
    run_study(STUDIES["table1"], settings, tmp_path / "here")
    assert (tmp_path / "dask/results.csv").read_bytes() == (tmp_path / "here/results.csv").read_bytes()
