"""PC as a scikit-learn estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

from secondlook.independence import as_test
from secondlook.search.pc import pc

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.search.options import ColliderRule
    from secondlook.search.pc import PCResult


class PC(BaseEstimator):  # type: ignore[misc] # scikit-learn has no types
    """The PC algorithm at one alpha, as an estimator.

    Parameters
    ----------
    alpha : float
        In (0, 1).
    colliders : str
        "vote", "majority", "conservative", "first" or "overwrite".
    max_level, max_tests, n_jobs
        As in `pc`.

    Attributes
    ----------
    graph_ : PDAG
        The answer: a valid CPDAG, but after "overwrite" and "first", which give their raw graph.
    result_ : PCResult
        The answer with separating sets, conflicts and counts.
    feature_names_in_ : tuple of str
        The columns.
    n_features_in_ : int
        How many there are.
    """

    graph_: PDAG
    result_: PCResult
    feature_names_in_: tuple[str, ...]
    n_features_in_: int

    def __init__(
        self,
        alpha: float = 0.01,
        *,
        colliders: ColliderRule = "vote",
        max_level: int | None = None,
        max_tests: int | None = None,
        n_jobs: int = 1,
    ) -> None:
        self.alpha = alpha
        self.colliders = colliders
        self.max_level = max_level
        self.max_tests = max_tests
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: None = None) -> PC:
        """Finds the graph of a table or of a bound test.

        Parameters
        ----------
        X : CITest, dataframe or array_like of shape (n, d)
            The data.
        y : None
            Ignored; scikit-learn's pipelines pass it.

        Returns
        -------
        PC
            The estimator itself.
        """
        del y
        test = as_test(X)
        self.result_ = pc(
            test,
            alpha=self.alpha,
            colliders=self.colliders,
            max_level=self.max_level,
            max_tests=self.max_tests,
            n_jobs=self.n_jobs,
        )
        self.graph_ = self.result_.graph
        self.feature_names_in_ = self.graph_.names
        self.n_features_in_ = self.graph_.d
        return self
