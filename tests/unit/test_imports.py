"""What importing secondlook loads and leaves alone, and which folder may know which."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "pandas",
    "polars",
    "pyarrow",
    "sklearn",
    "scipy",
    "matplotlib",
    "plotly",
    "jinja2",
    "networkx",
    "joblib",
    "rich",
    "typer",
    "gadjid",
    "secondlook.cli",
)

_SEEN = """
import json, logging, os, random, sys, warnings
import numpy as np
modules = set(sys.modules)
before = (dict(os.environ), list(warnings.filters), logging.root.level, list(logging.root.handlers))
states = (random.getstate(), np.random.get_state()[1].tolist(), np.geterr(), np.get_printoptions())
PROGRAM
after = (dict(os.environ), list(warnings.filters), logging.root.level, list(logging.root.handlers))
print(json.dumps({
    "loaded": sorted(set(sys.modules) - modules),
    "unchanged": before == after
    and states == (random.getstate(), np.random.get_state()[1].tolist(), np.geterr(), np.get_printoptions()),
    "loggers": sorted(name for name in logging.root.manager.loggerDict if name.startswith("secondlook")),
}))
"""

_SEARCH = """
import secondlook as sl
found = sl.autopc(np.random.default_rng(0).normal(size=(50, 4)))
found.rescored("mcc"), found.edge_ranges, repr(found.graph)
sl.secondlook(np.random.default_rng(0).normal(size=(50, 4)))
"""

_RULES = """
import secondlook as sl
data = np.random.default_rng(0).normal(size=(50, 4))
for rule in (sl.BIC(), sl.EBIC(), sl.StARS(), sl.MarkovCheck(), sl.PcCV()):
    sl.autopc(data, rule=rule)
"""
_PROGRAMS = pytest.mark.parametrize(
    "program", ["import secondlook", _SEARCH, _RULES], ids=["import", "search", "rules"]
)


def seen(program: str) -> dict:
    """What a program in a fresh Python loaded and changed."""
    run = subprocess.run(
        [sys.executable, "-c", _SEEN.replace("PROGRAM", program)], capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    lines = run.stdout.splitlines()
    assert len(lines) == 1, "importing or searching prints"
    found: dict = json.loads(lines[0])
    return found


@_PROGRAMS
def test_import_loads_nothing_heavy(program):
    """Neither the import nor a search of an array, by any rule, loads a heavy package or the command line."""
    loaded = set(seen(program)["loaded"])
    assert "secondlook" in loaded
    assert not {name for name in HEAVY if any(m == name or m.startswith(f"{name}.") for m in loaded)}


@_PROGRAMS
def test_import_changes_nothing_global(program):
    """No environment, warning filter, log handler, logger, seed or NumPy setting is touched."""
    found = seen(program)
    assert found["unchanged"]
    assert found["loggers"] == []


def test_estimators_load_when_named():
    """scikit-learn is loaded by naming an estimator, not before."""
    for name in ("AutoPC", "SecondLook"):
        assert "sklearn" in seen(f"import secondlook; secondlook.{name}")["loaded"]


def test_every_public_name_exists():
    """Every name that the package lists can be fetched from it."""
    import secondlook

    for name in dir(secondlook):
        assert getattr(secondlook, name) is not None


def test_import_contracts():
    """Each folder imports only what the contracts in pyproject.toml allow."""
    pytest.importorskip("importlinter")
    if not (ROOT / "src" / "secondlook").is_dir():
        pytest.skip("the contracts are about the source folder, which is not here")
    script = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [script, "--config", str(ROOT / "pyproject.toml"), "--no-cache"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout
