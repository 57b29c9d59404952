"""A measured figure beside what it should be, and the table of them."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Attributes
    ----------
    what : str
        What was measured, on what.
    measured : float
        The number.
    unit : str
        "x t_cor", "x", "s", …
    bound : float or None
        What it should not exceed, or with `at_least` fall short of; None where nothing was promised.
    at_least : bool
        Whether larger is better.
    note : str
        The times behind a ratio, or where a number comes from.
    """

    what: str
    measured: float
    unit: str
    bound: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the bound is kept; None where there is none."""
        if self.bound is None:
            return None
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound


def show(figures: Sequence[Figure]) -> None:
    """Prints the table."""
    table = Table("figure", "measured", "should be", "", "behind it", title=machine())
    for figure in figures:
        sign = "≥" if figure.at_least else "≤"
        wanted = "" if figure.bound is None else f"{sign} {figure.bound:g} {figure.unit}"
        verdict = {None: "", True: "kept", False: "MISSED"}[figure.holds]
        table.add_row(figure.what, f"{figure.measured:.3g} {figure.unit}", wanted, verdict, figure.note)
    Console(width=None if sys.stdout.isatty() else 170).print(table)


def save(figures: Sequence[Figure], file: Path) -> None:
    """Writes the figures with what they were measured on."""
    record = {
        "machine": machine(),
        "figures": [asdict(figure) | {"holds": figure.holds} for figure in figures],
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def machine() -> str:
    """Processor, Python and the versions that matter."""
    names = ("secondlook", "numpy", "causal-learn")
    return f"{_processor()}, Python {platform.python_version()}, " + ", ".join(
        f"{n} {version(n)}" for n in names
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{models[0]} x {len(models)}" if models else platform.processor() or platform.machine()
