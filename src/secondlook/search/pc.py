"""PC at one alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondlook.independence import as_test
from secondlook.search.options import ColliderRule, SearchOptions, checked_alpha
from secondlook.search.run import alpha_path
from secondlook.search.validity import valid_answer

if TYPE_CHECKING:
    from typing import Any

    from secondlook.graphs import PDAG
    from secondlook.search.path import AlphaPath, Look
    from secondlook.search.validity import Settled


@dataclass(frozen=True, eq=False)
class PCResult:
    """PC's answer at one alpha.

    Attributes
    ----------
    graph : PDAG
        The answer: a valid CPDAG, but after "overwrite" and "first", which give their raw graph.
    alpha : float
        The level of every test.
    path : AlphaPath
        The record it came from, of one alpha and one look.
    settled : tuple of Settled
        The edges of the raw graph that the answer marks otherwise.
    """

    graph: PDAG
    alpha: float
    path: AlphaPath
    settled: tuple[Settled, ...] = ()

    @property
    def raw(self) -> PDAG:
        """The graph as the collider rule left it; it may have a directed cycle, or fit no DAG."""
        return self.path.first.graphs[0]

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

    The answer is the CPDAG of a DAG, whatever the data and whatever the order of the columns, but with the
    collider rules "first" and "overwrite", which exist to reproduce others and give their raw graph.

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
    path = alpha_path(as_test(X), (checked_alpha(alpha),), options, looks=1, order_free=True)
    graph, settled = valid_answer(path, 0) or (path.first.graphs[0], ())
    return PCResult(graph, path.alphas[0], path, settled)
