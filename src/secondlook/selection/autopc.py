"""AutoPC: the alpha whose graph agrees best with a second look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.independence import FisherZ, as_test
from secondlook.metrics import agreement
from secondlook.search.options import DEFAULT_ALPHAS, SearchOptions, checked_alphas
from secondlook.search.run import alpha_path, memo_for
from secondlook.selection.selection import scored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from secondlook.graphs import PDAG
    from secondlook.metrics.agreement import Agreement
    from secondlook.search import AlphaPath
    from secondlook.selection.selection import Selection


def autopc(
    X: Any,
    *,
    alphas: Iterable[float] = DEFAULT_ALPHAS,
    metric: str | Callable[[PDAG, PDAG], float] = "shd",
    early_stop: bool = False,
    options: SearchOptions | None = None,
    **search: Any,
) -> Selection:
    """AutoPC: PC at every alpha, a second look at each answer, and the alpha whose two answers agree best.

    Parameters
    ----------
    X : CITest, dataframe or array_like of shape (n, d)
        A bound test, or a table that Fisher's z is to test.
    alphas : iterable of float
        Ascending, in (0, 1); the paper's six by default.
    metric : str or callable
        What the two graphs should agree in: "shd", "f1", "mcc", "pair_shd", "skeleton_f1", "arrowhead_f1",
        "parent_aid", "ancestor_aid", "oset_aid", or any function of two PDAGs with values in [0, 1].
    early_stop : bool
        Stop at the first perfect score, as the paper does: the choice is the same, the alphas after it are
        not in the record, and a costly test is not asked about them.
    options : SearchOptions, optional
        Instead of the keywords that follow.
    **search
        `colliders`, `max_level`, `max_tests`, `n_jobs`: the fields of `SearchOptions`.

    Returns
    -------
    Selection

    Raises
    ------
    OptionError, DataError, BudgetError
        One sentence each.

    References
    ----------
    Strobl, E. V. Automated hyperparameter selection for the PC algorithm. Algorithm 2.

    Examples
    --------
    >>> import secondlook as sl
    >>> collider = sl.PDAG(["a", "b", "c"], directed=[("a", "b"), ("c", "b")])
    >>> sl.autopc(sl.DSeparation(collider)).agreement
    1.0
    """
    grid = checked_alphas(alphas)
    agree = agreement(metric)
    chosen = options or SearchOptions(**search)
    test = as_test(X)
    if not early_stop:
        return scored(alpha_path(test, grid, chosen), agree)
    return scored(_stopped_path(test, grid, chosen, agree), agree)


def _stopped_path(test: Any, grid: tuple[float, ...], options: SearchOptions, agree: Agreement) -> AlphaPath:
    """The path up to the first perfect score."""
    if type(test) is FisherZ:
        # One native pass serves all alphas at the price of the last, so nothing is saved by asking in turn.
        path = alpha_path(test, grid, options)
        return path.upto(_until_perfect(path, agree))
    memo = memo_for(test, options)
    for count in range(1, len(grid) + 1):
        path = alpha_path(memo, grid[:count], options)
        # Earlier alphas were looked at in earlier rounds; the memo answers for them.
        if agree(path.first.graphs[-1], path.second_look.graphs[-1]).is_perfect:
            break
    return path


def _until_perfect(path: AlphaPath, agree: Agreement) -> int:
    """How many alphas are needed to meet the first perfect score."""
    for k, (first, second) in enumerate(zip(path.first.graphs, path.second_look.graphs, strict=True)):
        if agree(first, second).is_perfect:
            return k + 1
    return len(path)
