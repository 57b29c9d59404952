"""The rule OCTs: the sparsest alpha whose graph's boundaries predict held-out rows as well as the best's."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from secondlook.errors import OptionError
from secondlook.independence import FisherZ
from secondlook.metrics import Score
from secondlook.search.options import unknown_choice
from secondlook.selection.octs.evidence import MomentEvidence, RowEvidence, SwapTest, differing
from secondlook.selection.octs.folds import (
    FoldedRows,
    NameOrder,
    fits_from_moments,
    fits_from_rows,
    standardized,
)
from secondlook.selection.octs.forests import forest_predictions
from secondlook.selection.octs.information import GaussianInformation, PlugInInformation
from secondlook.selection.octs.linear import linear_fits, linear_predictions
from secondlook.selection.resampling import checked_workers
from secondlook.selection.rule import Choice, Problem, checked_number, checked_whole, first_best
from secondlook.tables import FoldMoments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.search import AlphaPath
    from secondlook.selection.octs.boundaries import Fits
    from secondlook.selection.octs.evidence import Evidence
    from secondlook.selection.octs.information import Information

Model = Literal["forest", "linear"]
_MODELS = ("forest", "linear")


@dataclass(frozen=True)
class OCTs:
    """Keeps the sparsest alpha among those whose Markov boundaries predict held-out rows equally well.

    The rows are split into folds. On all rows but a fold's, PC finds a graph at every alpha; from it, every
    variable is predicted in the fold from its Markov boundary: neighbours, parents, children, and the
    directed parents of directed children. An empty boundary predicts the training mean. An alpha's score is
    the mean over variables of -1/2 ln(1 - r^2), r being the correlation of the variable with its prediction
    over all folds. The alpha of the highest score is best; another is equal to it when swapping the two
    alphas' predictions on random halves of the rows gains as much in more than a share `level` of the
    permutations. Of the best and its equals the one with the smallest mean boundary is kept, the smaller
    alpha on ties. The order of the columns plays no part with `FisherZ`; with other tests only in PC itself.

    A test that holds integer `codes` of categories is served by forests that classify, the commonest category
    for an empty boundary, and plug-in mutual information.

    Attributes
    ----------
    model : str
        "forest", or "linear": least squares, much faster.
    folds : int
        At least 2; their sizes differ by at most one row.
    trees : int
        In a forest; its leaves hold at least five rows and a split tries a third of the columns (for
        categories one row, and the square root).
    permutations : int
        Of the swap test.
    level : float
        In [0, 1]: p-values above it mean equal.
    approximate : bool
        For the linear model, a first-order normal approximation instead of permutations: at random signs the
        gain is nearly the sum over rows of sign times q, where q applies the gradient of the mean
        information, at the midpoint of the two predictors, to the row's difference; its variance is the sum
        of q^2, and p = 1 - Phi(gain / deviation). When the problem holds moments and no rows are looked at
        it is always used, with the expectation of q^2 over Gaussian rows.
    seed : int
        From 0. Folds, permutations and every forest derive their own seeds from it.
    n_jobs : int
        Workers that grow forests, -1 for all cores; it never changes the answer.

    References
    ----------
    Biza, K., Tsamardinos, I. and Triantafillou, S. (2020). Tuning causal discovery algorithms. PGM,
    PMLR 138.
    """

    name: ClassVar[str] = "OCTs"
    looks: ClassVar[Literal[1, 2]] = 1
    model: Model = "forest"
    folds: int = 10
    trees: int = 100
    permutations: int = 1000
    level: float = 0.05
    approximate: bool = False
    seed: int = 0
    n_jobs: int = 1

    def __post_init__(self) -> None:
        if self.model not in _MODELS:
            raise OptionError(unknown_choice("model", self.model, _MODELS))
        if not isinstance(self.approximate, bool) or (self.approximate and self.model != "linear"):
            raise OptionError(
                f"The 'approximate' option of OCTs must be True or False, and True needs model='linear'. "
                f"Got {self.approximate!r} with model={self.model!r}."
            )
        for option, least in (("folds", 2), ("trees", 1), ("permutations", 1), ("seed", 0)):
            checked_whole(self.name, option, getattr(self, option), least=least)
        checked_number(self.name, "level", self.level, least=0.0, most=1.0)
        checked_workers(self.name, self.n_jobs)

    def choose(self, path: AlphaPath, problem: Problem) -> Choice:
        """The sparsest alpha among the best and its equals."""
        if problem.moments is not None and self.model == "linear":
            fits, evidence = self._from_moments(path.alphas, problem, problem.moments)
        else:
            fits, evidence = self._from_rows(path.alphas, problem)
        return _choice(fits, evidence, self.level)

    def _from_moments(
        self, alphas: tuple[float, ...], problem: Problem, moments: FoldMoments
    ) -> tuple[Fits, Evidence]:
        """Everything from the moments of the folds that the problem brings."""
        columns = NameOrder.of(problem.gaussian_for(self.name).names)
        found, d = moments.means.shape
        if found != self.folds or d != len(columns.names):
            raise OptionError(
                f"The moments given to OCTs must be of {self.folds} folds of {len(columns.names)} columns. "
                f"Got {found} folds of {d}; set folds, or make them anew."
            )
        order = list(columns.order)
        ordered = FoldMoments(
            moments.counts, moments.means[:, order], moments.scatters[:, order][:, :, order]
        )
        scaled = standardized(ordered)
        fits = fits_from_moments(scaled, columns, alphas, problem.options)
        return fits, MomentEvidence(scaled, fits, linear_fits(scaled, fits))

    def _from_rows(self, alphas: tuple[float, ...], problem: Problem) -> tuple[Fits, Evidence]:
        """Everything from rows that are split here."""
        table = problem.rows_for(self.name)
        codes = getattr(problem.test, "codes", None)
        if codes is not None and self.model == "linear":
            raise OptionError(
                "The linear model of OCTs predicts numbers, not categories; use model='forest'."
            )
        rows = FoldedRows.of(table, codes, int(self.folds), int(self.seed))
        moments = FoldMoments.of_rows(rows.values, rows.places())
        # another maker may answer with a FisherZ too, but of rows that it changed
        if problem.make_test is FisherZ:
            fits = fits_from_moments(moments, rows.columns, alphas, problem.options)
        else:
            fits = fits_from_rows(rows, problem, alphas)
        if self.model == "linear":
            predictions = linear_predictions(rows.values, rows.parts, fits, linear_fits(moments, fits))
        else:
            predictions = forest_predictions(
                rows.values, rows.parts, fits, trees=int(self.trees), seed=int(self.seed), n_jobs=self.n_jobs
            )
        test = SwapTest(int(self.permutations), int(self.seed), self.approximate)
        return fits, RowEvidence(rows, fits, predictions, _measure(rows.values), test)


def _measure(values: NDArray[Any]) -> Information:
    """What a prediction of these values is worth: codes of categories are whole numbers."""
    if np.issubdtype(values.dtype, np.integer):
        return PlugInInformation(int(values.max()) + 1)
    return GaussianInformation(len(values), values.sum(axis=0), (values**2).sum(axis=0))


def _choice(fits: Fits, evidence: Evidence, level: float) -> Choice:
    # fsum rounds once, so equal sets of variables give equal means
    means = [fsum(row) / len(row) for row in evidence.information.tolist()]
    scores = tuple(Score(mean, mean, is_perfect=False) for mean in means)
    best, grid = first_best(scores), range(len(scores))
    p_values = tuple(evidence.p_value(best, k) if len(differing(fits, best, k)) else 1.0 for k in grid)
    sizes = fits.mean_sizes()
    equal = tuple(k for k in grid if k == best or p_values[k] > level)
    # min() keeps the first of equals
    chosen = min(equal, key=sizes.__getitem__)
    details = {"boundary_size": sizes, "p_value": p_values, "best": tuple(k == best for k in grid)}
    return Choice(chosen, scores, "information", equal, details)
