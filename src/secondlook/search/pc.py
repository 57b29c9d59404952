"""PC at one alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondlook.independence import as_test
from secondlook.search.options import ColliderRule, SearchOptions, checked_alpha
from secondlook.search.run import alpha_path

if TYPE_CHECKING:
    from typing import Any

    from secondlook.graphs import PDAG
    from secondlook.search.path import AlphaPath, Look


@dataclass(frozen=True, eq=False)
class PCResult:
    """PC's answer at one alpha.

    Attributes
    ----------
    graph : PDAG
        What the orientation rule made of the skeleton; `is_cpdag` tells whether it is a valid CPDAG.
    alpha : float
        The level of every test.
    path : AlphaPath
        The record it came from, of one alpha and one look.
    """

    graph: PDAG
    alpha: float
    path: AlphaPath

    @property
    def look(self) -> Look:
        """Separating sets, conflicts and counts of the run."""
        return self.path.first

    def sepset(self, a: str, b: str) -> tuple[str, ...] | None:
        """The set that separated a and b, or None when they are adjacent."""
        return self.path.first.sepset(a, b, 0)

    def __repr__(self) -> str:
        return f"PCResult(alpha={self.alpha}, {self.graph!r})"


def pc(
    X: Any,
    *,
    alpha: float = 0.01,
    colliders: ColliderRule = "vote",
    max_level: int | None = None,
    max_tests: int | None = None,
    n_jobs: int = 1,
) -> PCResult:
    """The PC algorithm, stable version, at one alpha.

    Parameters
    ----------
    X : CITest, dataframe or array_like of shape (n, d)
        A bound test, or a table that Fisher's z is to test.
    alpha : float
        In (0, 1).
    colliders : str
        "vote" (default), "majority", "conservative", "first" or "overwrite" (pcalg's "relaxed").
    max_level : int, optional
        The largest conditioning set; no limit by default.
    max_tests : int, optional
        The most tests of a level before the search is refused; 0 for no limit.
    n_jobs : int
        Threads (native engine) or processes (generic engine); -1 for all cores.

    Returns
    -------
    PCResult

    Raises
    ------
    OptionError, DataError, BudgetError
        One sentence each.

    References
    ----------
    Colombo, D. and Maathuis, M. H. (2014). Order-independent constraint-based causal structure learning.
    JMLR 15, 3741-3782.

    Examples
    --------
    >>> import secondlook as sl
    >>> collider = sl.PDAG(["a", "b", "c"], directed=[("a", "b"), ("c", "b")])
    >>> sl.pc(sl.DSeparation(collider)).graph
    PDAG with 3 nodes, 2 edges: a -> b, c -> b
    """
    options = SearchOptions(colliders, max_level, max_tests, n_jobs)
    path = alpha_path(as_test(X), (checked_alpha(alpha),), options, looks=1)
    return PCResult(path.first.graphs[0], path.alphas[0], path)
