"""Table 1 of the paper: nine sizes of data, every way of choosing alpha, three metrics and the time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from secondlook.studies.study import Report
from secondlook.studies.synthetic.blocks import blocks_of, judged_block
from secondlook.studies.synthetic.draws import CELLS
from secondlook.studies.synthetic.figure1 import alpha_plots
from secondlook.studies.synthetic.layout import score_tables, test_tables, time_table
from secondlook.studies.synthetic.methods import METHODS, checked_methods
from secondlook.studies.synthetic.scores import Scores
from secondlook.studies.synthetic.verdict import verdict

if TYPE_CHECKING:
    from secondlook.studies.study import Outcome, Results, Settings, Unit
    from secondlook.studies.synthetic.draws import Cell


@dataclass(frozen=True)
class Table1:
    """Ways of choosing alpha compared on random linear Gaussian models.

    Attributes
    ----------
    cells : tuple of Cell
        The sizes of data; the paper's nine.
    """

    name: ClassVar[str] = "table1"
    about: ClassVar[str] = "Table 1 of the AutoPC paper: ways of choosing alpha on random Gaussian DAGs."
    draws: ClassVar[int] = 500
    quick_draws: ClassVar[int] = 20
    options: ClassVar[tuple[str, ...]] = ("methods",)
    cells: tuple[Cell, ...] = CELLS

    def settled(self, settings: Settings) -> Settings:
        """All methods unless some are named."""
        asked = settings.options.get("methods")
        methods = tuple(METHODS) if asked is None else checked_methods(asked)
        return replace(settings, options={"methods": ",".join(methods)})

    def units(self, settings: Settings) -> list[Unit]:
        """Blocks of draws of each cell."""
        return blocks_of(self.cells, settings.draws)

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        """PC at every alpha and every method on each draw of a block."""
        return judged_block(unit.task, settings.seed, _methods(settings))

    def report(self, results: Results, settings: Settings) -> Report:
        """The paper's four tables, its figures beside ours, and t-tests of AutoPC against all others."""
        scores, methods = Scores(results), _methods(settings)
        tables = [*score_tables(scores, methods), time_table(scores, methods), *test_tables(scores, methods)]
        return Report(verdict(scores, methods), tables, alpha_plots(scores, methods))


def _methods(settings: Settings) -> tuple[str, ...]:
    return tuple(settings.options["methods"].split(","))
