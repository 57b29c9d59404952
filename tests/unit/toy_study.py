"""A study that takes no time, and one whose worker dies: for the tests of the framework."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, replace
from pathlib import Path

from secondlook.studies import Outcome, Plot, Report, ReportTable, Settings, Unit


@dataclass(frozen=True)
class Toy:
    """Squares of numbers; `trap` is a file whose presence kills the process that runs the unit 3."""

    name: str = "toy"
    about: str = "squares"
    draws: int = 6
    quick_draws: int = 2
    options: tuple[str, ...] = ("power",)
    trap: str = ""
    once: bool = True

    def settled(self, settings: Settings) -> Settings:
        return replace(settings, options={"power": settings.options.get("power", "2")})

    def units(self, settings: Settings) -> list[Unit]:
        return [Unit(f"u{k}", k) for k in range(settings.draws)]

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        if self.trap and unit.task == 3 and Path(self.trap).exists():
            if self.once:
                Path(self.trap).unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        power = int(settings.options["power"])
        rows = [{"k": unit.task, "value": unit.task**power / 3, "status": "ok", "message": None}]
        return Outcome(rows, [{"k": unit.task, "process": os.getpid()}])

    def report(self, results, settings) -> Report:
        total = sum(row["value"] for row in results.rows)
        table = ReportTable("Squares", ("k", "value"), [(str(r["k"]), f"{r['value']}") for r in results.rows])
        plot = Plot("squares", "Squares.", lambda figure: figure.subplots().plot([0, total]))
        return Report([f"They add up to {total}."], [table], [plot])
