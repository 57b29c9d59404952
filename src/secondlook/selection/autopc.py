"""AutoPC: PC at every alpha of a grid, and a rule that keeps one."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from secondlook.errors import OptionError
from secondlook.independence import FisherZ, as_test
from secondlook.metrics import agreement
from secondlook.search.options import DEFAULT_ALPHAS, SearchOptions, checked_alphas
from secondlook.search.run import alpha_path, memo_for
from secondlook.selection.double_check import DoubleCheck
from secondlook.selection.rule import Problem, Rule
from secondlook.selection.selection import selection_by
from secondlook.tables import as_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from secondlook.graphs import PDAG
    from secondlook.metrics.agreement import Agreement
    from secondlook.search import AlphaPath
    from secondlook.selection.rule import TestMaker
    from secondlook.selection.selection import Selection
    from secondlook.tables import Table


def autopc(
    X: Any,
    *,
    alphas: Iterable[float] = DEFAULT_ALPHAS,
    metric: str | Callable[[PDAG, PDAG], float] | None = None,
    rule: Rule | None = None,
    test: TestMaker | None = None,
    early_stop: bool = False,
    options: SearchOptions | None = None,
    **search: Any,
) -> Selection:
    """AutoPC: PC at every alpha, a second look at each answer, and the alpha whose two answers agree best.

    Rules choose among the raw graphs. The graph kept then becomes the CPDAG of a DAG, whatever the data and
    whatever the order of the columns, but with the collider rules "first" and "overwrite".

    Parameters
    ----------
    X : CITest, dataframe or array_like of shape (n, d)
        A bound test, or a table that Fisher's z is to test.
    alphas : iterable of float
        Ascending, in (0, 1); the paper's six by default.
    metric : str or callable, optional
        What the two graphs should agree in: "shd" (default), "f1", "mcc", "pair_shd", "skeleton_f1",
        "arrowhead_f1", "parent_aid", "ancestor_aid", "oset_aid", or any function of two PDAGs with values in
        [0, 1]. The same as ``rule=DoubleCheck(metric)``.
    rule : Rule, optional
        Another way of choosing alpha: `BIC`, `EBIC`, `StARS`, `OCTs`, `MarkovCheck`, `PcCV`, `Fixed`, or any
        object with a name, looks and choose.
    test : callable, optional
        With a table X: what binds a test to it, and to the resamples of rules that draw rows. `FisherZ` by
        default.
    early_stop : bool
        Stop at the first perfect score, as the paper does: the choice is the same, the alphas after it are
        not in the record, and a costly test is not asked about them. For the double check only.
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
    chosen = options or SearchOptions(**search)
    by = _checked_rule(rule, metric, early_stop=early_stop)
    problem = bound_problem(X, test, chosen)
    if early_stop and isinstance(by, DoubleCheck):
        path = _stopped_path(problem.test, grid, chosen, agreement(by.metric))
    else:
        path = alpha_path(problem.test, grid, chosen, looks=by.looks, order_free=True)
    started = perf_counter()
    choice = by.choose(path, problem)
    return selection_by(by.name, choice, path, started)


def _checked_rule(rule: Rule | None, metric: Any, *, early_stop: bool) -> Rule:
    if rule is None:
        rule = DoubleCheck("shd" if metric is None else metric)
        agreement(rule.metric)  # refused before the search and not after it
        return rule
    if isinstance(rule, type) or not isinstance(rule, Rule):
        raise TypeError(
            f"The 'rule' option must be a rule such as BIC() or StARS(), with a name, looks and choose. "
            f"Got {rule!r}."
        )
    if metric is not None:
        raise OptionError("Give a rule or a metric, not both; DoubleCheck(metric) is the rule with a metric.")
    if isinstance(rule, DoubleCheck):
        agreement(rule.metric)
    elif early_stop:
        raise OptionError(f"Only the double check can stop early; leave early_stop out with {rule.name}.")
    return rule


def bound_problem(X: Any, test: TestMaker | None, options: SearchOptions) -> Problem:
    """The test, with the table where X is one; OptionError when both are given."""
    if isinstance(X, type) or callable(getattr(X, "p_value", None)):
        if test is not None:
            raise OptionError(
                "The 'test' option binds a table, but X is a bound test already; give one of the two."
            )
        return Problem(as_test(X), options)
    make = FisherZ if test is None else test
    if not callable(make):
        raise TypeError(
            f"The 'test' option must be a class or function that makes a test from a table. Got {test!r}."
        )
    table = _table_for(make, X)
    return Problem(as_test(make(table)), options, table, make)


def _table_for(make: TestMaker, X: Any) -> Table:
    """The rows as numbers; a test of categories brings its own way of making them, also in a partial."""
    own = getattr(getattr(make, "func", make), "table_from", None)
    return as_table(X) if own is None else own(X)


def _stopped_path(test: Any, grid: tuple[float, ...], options: SearchOptions, agree: Agreement) -> AlphaPath:
    """The path up to the first perfect score."""
    if type(test) is FisherZ:
        # One native pass serves all alphas at the price of the last, so nothing is saved by asking in turn.
        path = alpha_path(test, grid, options, order_free=True)
        return path.upto(_until_perfect(path, agree))
    memo = memo_for(test, options)
    for count in range(1, len(grid) + 1):
        path = alpha_path(memo, grid[:count], options, order_free=True)
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
