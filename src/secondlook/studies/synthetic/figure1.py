"""Figure 1 of the paper: AutoPC against PC at each alpha, for every size of data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from secondlook.studies.statistics import mean_of, paired
from secondlook.studies.study import Plot, Report, ReportTable
from secondlook.studies.synthetic.blocks import blocks_of, judged_block
from secondlook.studies.synthetic.draws import CELLS
from secondlook.studies.synthetic.layout import BONFERRONI
from secondlook.studies.synthetic.methods import AUTOPC, METRICS
from secondlook.studies.synthetic.scores import Scores, is_better

if TYPE_CHECKING:
    from secondlook.studies.statistics import Paired
    from secondlook.studies.study import Outcome, Results, Settings, Unit
    from secondlook.studies.synthetic.draws import Cell


@dataclass(frozen=True)
class Figure1:
    """AutoPC against PC at every single alpha.

    Attributes
    ----------
    cells : tuple of Cell
        The sizes of data; the paper shows n = 1000, d = 10.
    """

    name: ClassVar[str] = "figure1"
    about: ClassVar[str] = "Figure 1 of the AutoPC paper: AutoPC against PC at each alpha, in every cell."
    draws: ClassVar[int] = 500
    quick_draws: ClassVar[int] = 20
    options: ClassVar[tuple[str, ...]] = ()
    cells: tuple[Cell, ...] = CELLS

    def settled(self, settings: Settings) -> Settings:
        """There is nothing to settle."""
        return replace(settings, options={})

    def units(self, settings: Settings) -> list[Unit]:
        """Blocks of draws of each cell; the draws are table1's where that needs no rows."""
        return blocks_of(self.cells, settings.draws)

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        """PC at every alpha and AutoPC on each draw of a block."""
        return judged_block(unit.task, settings.seed, (AUTOPC,))

    def report(self, results: Results, settings: Settings) -> Report:
        """A table and a plot for each metric."""
        del settings
        scores = Scores(results)
        tables = [_table(scores, metric) for metric in METRICS]
        return Report(
            [_verdict(scores, metric) for metric in METRICS], tables, alpha_plots(scores, (AUTOPC,))
        )


def alpha_plots(scores: Scores, methods: tuple[str, ...]) -> list[Plot]:
    """One plot per metric, a panel for each cell; none without AutoPC."""
    if AUTOPC not in methods:
        return []
    return [
        Plot(
            f"figure1-{metric}",
            f"{metric.upper()} of PC at each alpha (solid, with standard errors) and of AutoPC (dotted).",
            partial(_draw, scores, metric),
        )
        for metric in METRICS
    ]


def _draw(scores: Scores, metric: str, figure: Any) -> None:
    rows = sorted({cell.d for cell in scores.cells})
    columns = sorted({cell.n for cell in scores.cells})
    panels = figure.subplots(len(rows), len(columns), squeeze=False)
    places = range(len(scores.alphas))
    for cell in scores.cells:
        panel = panels[rows.index(cell.d)][columns.index(cell.n)]
        means = [mean_of(column) for column in scores.at_alphas(cell, metric).T]
        values, errors = [mean.value for mean in means], [mean.error for mean in means]
        panel.errorbar(places, values, yerr=errors, color="black", linewidth=1, capsize=2)
        ours = mean_of(scores.values(cell, AUTOPC, metric)).value
        panel.axhline(ours, color="tab:blue", linestyle=":", linewidth=2)
        panel.set_title(cell.label, fontsize=9)
        panel.set_xticks(list(places), [f"{alpha:g}" for alpha in scores.alphas], fontsize=7)
        panel.tick_params(axis="y", labelsize=7)
    figure.supxlabel("alpha")
    figure.supylabel(metric.upper())


def _table(scores: Scores, metric: str) -> ReportTable:
    rows = []
    for cell in scores.cells:
        means = [mean_of(column) for column in scores.at_alphas(cell, metric).T]
        ours = mean_of(scores.values(cell, AUTOPC, metric))
        texts = (f"{mean.value:.3f} ± {mean.error:.3f}" for mean in (*means, ours))
        rows.append((f"{cell.n:,}", str(cell.d), *texts, f"{_against_best(scores, cell, metric).p:.1g}"))
    return ReportTable(
        f"{metric.upper()} by alpha",
        ("n", "d", *(f"{alpha:g}" for alpha in scores.alphas), "AutoPC", "p"),
        rows,
        "Means ± standard errors; p is of the paired t-test of AutoPC against the alpha that is best on "
        "average in the cell.",
    )


def _against_best(scores: Scores, cell: Cell, metric: str) -> Paired:
    """AutoPC against the alpha that is best on average, which nobody knows beforehand."""
    single = scores.at_alphas(cell, metric)
    means = [mean_of(column).value for column in single.T]
    best = means.index((min if metric == "shd" else max)(means))
    return paired(scores.values(cell, AUTOPC, metric), single[:, best])


def _verdict(scores: Scores, metric: str) -> str:
    found = [_against_best(scores, cell, metric) for cell in scores.cells]
    better = sum(is_better(metric, one.difference) for one in found)
    sure = sum(is_better(metric, one.difference) and one.p < BONFERRONI for one in found)
    return (
        f"{metric.upper()}: AutoPC is better on average than the best single alpha in {better} of "
        f"{len(found)} cells, in {sure} of them at p < {BONFERRONI}."
    )
