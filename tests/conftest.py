"""Fixtures every test may use."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of golden answers and data that only the project's own machines have."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the maintainers' ../shared folder, which is not shipped")
    return folder


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator whose seed is the test's own name, so that order and selection do not matter."""
    return np.random.default_rng(list(request.node.name.encode()))
