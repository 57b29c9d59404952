"""Fixtures of the command line's tests: a runner in this process, one in a real process, and a table."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from secondlook.cli import main
from secondlook.simulation import simulate

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch, tmp_path):
    """Runs in an empty folder, with no variable set that changes what is printed."""
    monkeypatch.chdir(tmp_path)
    for name in ("SECONDLOOK_TRACEBACK", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def cli(capsys, monkeypatch):
    """Runs a command line in this process, with text or bytes on stdin."""

    def run(*words, stdin=b""):
        content = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Answer(code, *capsys.readouterr())

    return run


@pytest.fixture
def refusal(cli):
    """Runs a command line that must fail, and gives its one sentence; nothing may be on stdout."""

    def run(code, *words, stdin=b""):
        answer = cli(*words, stdin=stdin)
        assert answer.code == code, answer
        assert answer.out == ""
        assert answer.err.startswith("secondlook: ")
        assert answer.err.endswith((".\n", "?\n"))
        assert answer.err.count("\n") == 1
        return answer.err.removeprefix("secondlook: ").rstrip("\n")

    return run


@pytest.fixture
def process():
    """Runs a command line as a process of its own."""

    def run(*words, stdin=b"", **options):
        environment = {**os.environ, **options.pop("env", {})}
        return subprocess.run(
            [sys.executable, "-m", "secondlook.cli", *map(str, words)],
            input=stdin,
            capture_output=True,
            timeout=120,
            check=False,
            env=environment,
            **options,
        )

    return run


@pytest.fixture
def data(tmp_path) -> Path:
    """A table of 8 columns and 500 rows in a file."""
    return written(tmp_path / "data.csv", [f"x{k}" for k in range(8)])


def written(path: Path, names: list[str], *, n: int = 500, seed: int = 1) -> Path:
    """Writes simulated columns under these names."""
    drawn = simulate(len(names), n, rng=np.random.default_rng(seed), degree=min(2, len(names) - 1))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        writer.writerow(names)
        writer.writerows(drawn.data.tolist())
    return path


@pytest.fixture
def write_table(tmp_path):
    """Writes simulated columns under any names."""

    def write(names, *, name="named.csv", n=500, seed=1):
        return written(tmp_path / name, list(names), n=n, seed=seed)

    return write
