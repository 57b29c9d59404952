"""AutoPC as a scikit-learn estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

from secondlook.search.options import DEFAULT_ALPHAS, SearchOptions
from secondlook.selection.autopc import autopc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from secondlook.graphs import PDAG
    from secondlook.search.options import ColliderRule
    from secondlook.selection.rule import Rule, TestMaker
    from secondlook.selection.selection import Selection


class AutoPC(BaseEstimator):  # type: ignore[misc] # scikit-learn has no types
    """AutoPC, the PC algorithm that chooses its own alpha, as an estimator.

    Parameters
    ----------
    alphas : iterable of float
        Ascending, in (0, 1); the paper's six by default.
    metric : str or callable, optional
        What the two looks should agree in, "shd" by default; see `autopc`.
    rule : Rule, optional
        Another way of choosing alpha: `BIC()`, `StARS()`, …; see `autopc`.
    test : callable, optional
        What binds a test of independence to a table; `FisherZ` by default.
    colliders, max_level, max_tests, n_jobs
        As in `pc`.
    early_stop : bool
        Stop at the first perfect score, as the paper does.

    Attributes
    ----------
    alpha_ : float
        The alpha kept.
    graph_ : PDAG
        The answer: a valid CPDAG, but after "overwrite" and "first", which give their raw graph.
    selection_ : Selection
        Every alpha, its graphs, scores, ties, timings, tests.
    feature_names_in_ : tuple of str
        The columns.
    n_features_in_ : int
        How many there are.
    """

    alpha_: float
    graph_: PDAG
    selection_: Selection
    feature_names_in_: tuple[str, ...]
    n_features_in_: int

    def __init__(
        self,
        alphas: Iterable[float] = DEFAULT_ALPHAS,
        *,
        metric: str | Callable[[PDAG, PDAG], float] | None = None,
        rule: Rule | None = None,
        test: TestMaker | None = None,
        colliders: ColliderRule = "vote",
        early_stop: bool = False,
        max_level: int | None = None,
        max_tests: int | None = None,
        n_jobs: int = 1,
    ) -> None:
        self.alphas = alphas
        self.metric = metric
        self.rule = rule
        self.test = test
        self.colliders = colliders
        self.early_stop = early_stop
        self.max_level = max_level
        self.max_tests = max_tests
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: None = None) -> AutoPC:
        """Finds alpha and graph of a table or of a bound test.

        Parameters
        ----------
        X : CITest, dataframe or array_like of shape (n, d)
            The data.
        y : None
            Ignored; scikit-learn's pipelines pass it.

        Returns
        -------
        AutoPC
            The estimator itself.
        """
        del y
        options = SearchOptions(self.colliders, self.max_level, self.max_tests, self.n_jobs)
        self.selection_ = autopc(
            X,
            alphas=self.alphas,
            metric=self.metric,
            rule=self.rule,
            test=self.test,
            early_stop=self.early_stop,
            options=options,
        )
        self.alpha_ = self.selection_.alpha
        self.graph_ = self.selection_.graph
        self.feature_names_in_ = self.graph_.names
        self.n_features_in_ = self.graph_.d
        return self
