"""SecondLook as a scikit-learn estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

from secondlook.search.options import DEFAULT_ALPHAS, SearchOptions
from secondlook.selection.second_look import secondlook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from secondlook.graphs import PDAG
    from secondlook.selection.rule import TestMaker
    from secondlook.selection.second_look import PolishChoice
    from secondlook.selection.selection import Selection


class SecondLook(BaseEstimator):  # type: ignore[misc] # scikit-learn has no types
    """The graph that survives a second look at every alpha, as an estimator; its answer is a valid CPDAG.

    Parameters
    ----------
    alphas : iterable of float
        Ascending, in (0, 1); the paper's six by default.
    metric : str or callable
        What the two looks should agree in, for tests that are not Gaussian; see `secondlook`.
    polish : bool or "auto"
        Whether a Gaussian answer is finished by a search over orders of the variables.
    test : callable, optional
        What binds a test of independence to a table; `FisherZ` by default.
    max_level, max_tests, n_jobs
        As in `pc`.

    Attributes
    ----------
    alpha_ : float
        The alpha kept.
    graph_ : PDAG
        The answer.
    selection_ : Selection
        Every alpha: its graphs, what the second look disputed and corrected, what the guard kept, and why.
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
        metric: str | Callable[[PDAG, PDAG], float] = "shd",
        polish: PolishChoice = "auto",
        test: TestMaker | None = None,
        max_level: int | None = None,
        max_tests: int | None = None,
        n_jobs: int = 1,
    ) -> None:
        self.alphas = alphas
        self.metric = metric
        self.polish = polish
        self.test = test
        self.max_level = max_level
        self.max_tests = max_tests
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: None = None) -> SecondLook:
        """Finds the graph of a table or of a bound test.

        Parameters
        ----------
        X : CITest, dataframe or array_like of shape (n, d)
            The data.
        y : None
            Ignored; scikit-learn's pipelines pass it.

        Returns
        -------
        SecondLook
            The estimator itself.
        """
        del y
        self.selection_ = secondlook(
            X,
            alphas=self.alphas,
            metric=self.metric,
            polish=self.polish,
            test=self.test,
            options=SearchOptions("vote", self.max_level, self.max_tests, self.n_jobs),
        )
        self.alpha_ = self.selection_.alpha
        self.graph_ = self.selection_.graph
        self.feature_names_in_ = self.graph_.names
        self.n_features_in_ = self.graph_.d
        return self
