"""The study `flagship`: whether SecondLook beats AutoPC on every kind of data and is always valid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from secondlook.errors import DataError, OptionError
from secondlook.simulation import read_gaussian_network
from secondlook.studies.files import digest_of
from secondlook.studies.flagship.cells import GROUPS, NETWORKS, cells_of, checked_cells
from secondlook.studies.flagship.draws import Block
from secondlook.studies.flagship.judging import judged_block
from secondlook.studies.flagship.layout import plots, tables
from secondlook.studies.flagship.scores import Scores
from secondlook.studies.flagship.verdict import verdict
from secondlook.studies.study import Report, Unit

if TYPE_CHECKING:
    from secondlook.simulation import LinearModel
    from secondlook.studies.flagship.cells import Cell
    from secondlook.studies.study import Outcome, Results, Settings

_DRAWS_PER_UNIT = {10: 20, 20: 20}
_OF_MANY_VARIABLES = 5


@dataclass(frozen=True)
class Flagship:
    """SecondLook beside AutoPC on random Gaussian DAGs of many kinds and on Gaussian networks."""

    name: ClassVar[str] = "flagship"
    about: ClassVar[str] = "SecondLook beside AutoPC on every kind of linear data: accuracy, validity, time."
    draws: ClassVar[int] = 600
    quick_draws: ClassVar[int] = 20
    options: ClassVar[tuple[str, ...]] = ("cells", "data")

    def settled(self, settings: Settings) -> Settings:
        """All cells that need no files unless some are named, and the networks where their folder is."""
        data = settings.options.get("data")
        asked = settings.options.get("cells")
        if asked is None:
            asked = ",".join(group for group in GROUPS if group != NETWORKS or data is not None)
        cells = checked_cells(asked)
        if data is None and any(cell.network for cell in cells_of(cells)):
            raise OptionError("The 'data' option must name the folder of the networks' files.")
        chosen = {"cells": cells} if data is None else {"cells": cells, "data": data}
        return replace(settings, options=chosen)

    def units(self, settings: Settings) -> list[Unit]:
        """Blocks of draws of each cell, with the network's model where it has one."""
        found = []
        for cell in cells_of(settings.options["cells"]):
            model, of_file = _network(cell, settings) if cell.network else (None, "")
            size, draws = _DRAWS_PER_UNIT.get(cell.d, _OF_MANY_VARIABLES), cell.draws(settings.draws)
            for first in range(0, draws, size):
                block = Block(cell, first, min(size, draws - first), model)
                found.append(Unit(f"{cell.key}{of_file}-{first:06d}", block))
        return found

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        """Every method on each draw of a block, ours twice: columns as they are, and permuted."""
        return judged_block(unit.task, settings.seed)

    def report(self, results: Results, settings: Settings) -> Report:
        """Accuracy by cell, paired t-tests, what was recorded before, validity, time."""
        del settings
        scores = Scores(results)
        return Report(verdict(scores), tables(scores), plots(scores))


def _network(cell: Cell, settings: Settings) -> tuple[LinearModel, str]:
    """The model, and what tells its file's content in the names of units."""
    file = Path(settings.options["data"]) / f"{cell.network}.json"
    try:
        return read_gaussian_network(file), f"-{digest_of(file)}"
    except OSError as error:
        raise DataError(
            f"The file {file.name!r} cannot be read from the folder {str(file.parent)!r}; "
            "name the folder of the networks as 'data'."
        ) from error
