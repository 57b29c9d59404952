"""PC with cross-validation: the alpha whose Markov boundaries predict held-out rows best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import fsum, log, pi, sqrt
from operator import mul
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from secondlook.errors import DataError, OptionError
from secondlook.graphs.boundary import markov_boundaries
from secondlook.metrics import Score
from secondlook.selection.likelihood import residual_variances
from secondlook.selection.resampling import checked_workers, resampler_for, spread
from secondlook.selection.rule import Choice, Problem, checked_whole, first_best, ties_with
from secondlook.tables.naming import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from secondlook.search import AlphaPath
    from secondlook.selection.likelihood import Family
    from secondlook.selection.resampling import Resampler
    from secondlook.tables import Table


@dataclass(frozen=True)
class PcCV:
    """Keeps the alpha of the smallest cross-validated negative log pseudo-likelihood.

    The rows are shuffled and cut into folds. For each fold the rest of the rows is searched at all alphas in
    one pass. Each variable is regressed on its Markov boundary in the graph found
    (`secondlook.graphs.markov_boundaries`) by least squares on that rest, and the loss of a held-out row is
    minus the log of the Gaussian density of the residual, summed over the variables. Columns are standardised
    before, so the unit of a column plays no part. An alpha is lost (infinite) when in some fold a boundary is
    collinear or has as many members as there are rows less one.

    The pseudo-likelihood judges linear Gaussian prediction, whichever test the search uses.

    Scores are the losses per row. Details: `standard_error` (of the mean over folds), `mean_boundary` (its
    size over folds and variables).

    Attributes
    ----------
    folds : int
        At least 2.
    one_se : bool
        Keep the fewest edges among the alphas whose loss is within one standard error of the smallest, the
        first on ties. All of these alphas count as ties.
    seed : int
        At least 0: how the rows are shuffled.
    n_jobs : int
        Workers; -1 for all cores.

    References
    ----------
    Stone, M. (1974). Cross-validatory choice and assessment of statistical predictions. JRSS B 36, 111-147.
    The function pcCV of the R package rCausalMGM chooses in this way.
    """

    name: ClassVar[str] = "PC-CV"
    looks: ClassVar[Literal[1, 2]] = 1
    folds: int = 5
    one_se: bool = False
    seed: int = 0
    n_jobs: int = 1

    def __post_init__(self) -> None:
        checked_whole(self.name, "folds", self.folds, least=2)
        if not isinstance(self.one_se, bool):
            raise OptionError(f"The 'one_se' option of PC-CV must be True or False. Got {self.one_se!r}.")
        checked_whole(self.name, "seed", self.seed, least=0)
        checked_workers(self.name, self.n_jobs)

    def choose(self, path: AlphaPath, problem: Problem) -> Choice:
        """The alpha of the smallest loss, or the sparsest that is as good."""
        resampler = resampler_for(path, problem, self.name, self.n_jobs)
        values = _standardised(resampler.table)
        n = len(values)
        if n < 2 * self.folds:
            raise OptionError(
                f"The 'folds' option of PC-CV must leave 2 of the {n} rows to each fold. Got {self.folds}."
            )
        folds = np.array_split(np.random.default_rng(self.seed).permutation(n), self.folds)
        found = spread(partial(_fold_losses, resampler, values), list(enumerate(folds, 1)), self.n_jobs)
        losses = np.array([fold.losses for fold in found])
        # Alpha by alpha, because a matrix product may round equal columns differently and undo ties.
        sizes = [len(rows) for rows in folds]
        mean = np.array([fsum(map(mul, sizes, column)) / n for column in losses.T.tolist()])
        with np.errstate(invalid="ignore"):  # an infinite loss has no spread
            error = np.nan_to_num(losses.std(axis=0, ddof=1) / sqrt(self.folds), nan=np.inf)
        scores = tuple(Score(value, -value, is_perfect=False) for value in mean.tolist())
        chosen = first_best(scores)
        ties = ties_with(scores, chosen)
        if self.one_se and np.isfinite(mean[chosen]):
            ties = tuple(np.flatnonzero(mean <= mean[chosen] + error[chosen]).tolist())
            chosen = min(ties, key=lambda k: path.first.graphs[k].n_edges)
        details = {
            "standard_error": tuple(error.tolist()),
            "mean_boundary": tuple(np.mean([fold.boundary for fold in found], axis=0).tolist()),
        }
        return Choice(chosen, scores, "loss", ties, details)


class _FoldLosses(NamedTuple):
    """Per alpha: the loss per held-out row, and the mean size of a boundary."""

    losses: list[float]
    boundary: list[float]


def _standardised(table: Table) -> NDArray[np.float64]:
    values = table.values
    if not np.isfinite(values).all():
        bad = listed(
            [table.names[k] for k in np.flatnonzero(~np.isfinite(values).all(axis=0))], noun="column"
        )
        raise DataError(f"PC-CV needs complete rows of finite numbers. Look at {bad}; drop or impute.")
    _refuse_constant(values, table.names, "the table")
    found: NDArray[np.float64] = (values - values.mean(axis=0)) / values.std(axis=0)
    return found


def _refuse_constant(values: NDArray[np.float64], names: tuple[str, ...], where: str) -> None:
    flat = np.flatnonzero(values.max(axis=0) == values.min(axis=0))
    if len(flat):
        shown = listed([names[k] for k in flat], noun="column")
        raise DataError(
            f"PC-CV needs columns that vary in {where}. Got the constant {shown}; drop it or use fewer folds."
        )


def _fold_losses(
    resampler: Resampler, values: NDArray[np.float64], job: tuple[int, NDArray[np.int64]]
) -> _FoldLosses:
    fold, rows = job
    rest = np.setdiff1d(np.arange(len(values)), rows)
    names = resampler.table.names
    _refuse_constant(values[rest], names, f"the rows outside fold {fold}")
    path = resampler.path(rest)
    loss = _FoldLoss(values[rest], values[rows])
    boundaries = [markov_boundaries(graph) for graph in path.first.graphs]
    return _FoldLosses(
        [loss(list(enumerate(members))) for members in boundaries],
        [sum(map(len, members)) / max(len(names), 1) for members in boundaries],
    )


class _FoldLoss:
    """The loss of regressions fitted on known rows, on held-out ones; a family met again is not fitted again.

    Parameters
    ----------
    known, held : float64 array, shape (rows, d)
        Standardised.
    """

    def __init__(self, known: NDArray[np.float64], held: NDArray[np.float64]) -> None:
        self._n = len(known)
        mean, spread = known.mean(axis=0), known.std(axis=0)
        inside, outside = (known - mean) / spread, (held - mean) / spread
        self._correlation = inside.T @ inside / len(known)
        self._outside = outside.T @ outside / len(held)  # about the known rows' mean
        self._log_spread = np.log(spread)
        self._known: dict[Family, float] = {}

    def __call__(self, families: Sequence[Family]) -> float:
        """The loss per held-out row, summed over the variables."""
        new = [family for family in families if family not in self._known]
        left = residual_variances(self._correlation, new).tolist()
        for family, variance in zip(new, left, strict=True):
            defined = variance > 0.0 and self._n > len(family[1]) + 1
            self._known[family] = self._loss(family, variance) if defined else np.inf
        return fsum(self._known[family] for family in families)

    def _loss(self, family: Family, variance: float) -> float:
        i, members = family
        inside, outside = (
            m[np.ix_((i, *members), (i, *members))] for m in (self._correlation, self._outside)
        )
        weights = np.concatenate([[1.0], -np.linalg.solve(inside[1:, 1:], inside[1:, 0])])
        residual = float(weights @ outside @ weights) / variance
        return 0.5 * (log(2.0 * pi * variance) + residual) + float(self._log_spread[i])
