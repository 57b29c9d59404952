"""Where the golden answers are: a few travel with the tests, all of them lie in the maintainers' folder."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pytest
    from numpy.typing import NDArray

    from secondlook import PDAG

    Arrays = dict[str, NDArray[Any]]

DATA = Path(__file__).parent / "data"
ALPHAS = (0.0005, 0.001, 0.005, 0.01, 0.05, 0.1)
RULES = ("overwrite", "vote")
PCALG_SHIPPED = ("d10_n1000_k2_s0", "d10_n1000_k2_s1", "d10_n1000_k2_s2")
PCALG_SHARED = (
    "d20_n10000_k2_s0",
    "d50_n10000_k2_s0",
    "d50_n100000_k2_s0",
    "d100_n1000_k3_s0",
    "d100_n1000_k3_s1",
    "d100_n1000_k3_s2",
)
CASES_SHIPPED = ("case0003", "case0015", "case0027", "case0039", "case0051", "case0063")


def checksums() -> dict[str, str]:
    """The recorded SHA-256 of every shipped file."""
    lines = (DATA / "checksums.sha256").read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def sha256(file: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def arrays(file: Path, prefix: str = "") -> Arrays:
    """The arrays of an npz file whose names start with a prefix, without it."""
    with np.load(file) as stored:
        return {name[len(prefix) :]: stored[name] for name in stored.files if name.startswith(prefix)}


def tiny() -> list[dict[str, Any]]:
    """The three matrices that were worked out by hand."""
    found: list[dict[str, Any]] = json.loads((DATA / "autopc_tiny.json").read_text(encoding="utf-8"))
    return found


def pcalg(name: str, request: pytest.FixtureRequest) -> Arrays:
    """One of pcalg's answers; those that are not shipped are read from the maintainers' folder."""
    folder = DATA if name in PCALG_SHIPPED else request.getfixturevalue("shared") / "golden" / "pcalg"
    return arrays(folder / f"{name}.npz")


def edge_words(graph: PDAG) -> list[str]:
    """The edges as the hand-made answers spell them: "0->1", "0--2", sorted."""
    arrows = [f"{i}->{j}" for i, j in graph.arrows.tolist()]
    return sorted(arrows + [f"{i}--{j}" for i, j in graph.lines.tolist()])
