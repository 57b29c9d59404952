"""The types that users see: a file of typed user code passes mypy --strict, and wrong code does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

API = Path(__file__).with_name("api.py")
ROOT = Path(__file__).resolve().parents[2]

pytest.importorskip("mypy")


def checked(file: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """What mypy --strict says about a user's file."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
    return subprocess.run(
        [*command, "--cache-dir", str(tmp_path / "cache"), str(file)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


def test_api_passes_strict(tmp_path):
    """The typed user code needs no cast, no ignore and no Any."""
    found = checked(API, tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


def test_api_runs():
    """The typed user code is not only typed: it runs without a word."""
    run = subprocess.run([sys.executable, str(API)], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_wrong_code_is_found(tmp_path):
    """Misspelt rules, wrong results and missing columns are found without running."""
    wrong = tmp_path / "wrong.py"
    lines = [
        "import secondlook as sl",
        "sl.pc([[1.0]], colliders='votes')",
        "sl.SearchOptions(max_level='two')",
        "graph: sl.Selection = sl.pc([[1.0]]).graph",
        "sl.autopc([[1.0]], metric=7)",
        "sl.PDAG(['a']).parents(0)",
        "sl.alpha_path(object(), [0.1])",
    ]
    wrong.write_text("\n".join(lines), encoding="utf-8")
    found = checked(wrong, tmp_path).stdout
    reported = {
        int(line.split(":")[1]) for line in found.splitlines() if "wrong.py:" in line and "error" in line
    }
    assert reported == set(range(2, len(lines) + 1))
