"""SecondLook: the second look corrects the graph it looked at, and a guard decides what to believe."""

from __future__ import annotations

from math import isfinite, log
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from secondlook.errors import OptionError
from secondlook.independence import FisherZ
from secondlook.metrics import agreement
from secondlook.metrics.agreement import Score
from secondlook.search.options import DEFAULT_ALPHAS, SearchOptions, checked_alphas
from secondlook.search.run import alpha_path, memo_for, repaired_path
from secondlook.search.validity import Dag, extensions_of, settled_edges
from secondlook.selection.answer import FIRST_LOOK, REPAIRED, Answer, Correction, Kept, Polish
from secondlook.selection.autopc import bound_problem
from secondlook.selection.double_check import DoubleCheck
from secondlook.selection.polish import MOST_COLUMNS, dag_scores, first_least, polished
from secondlook.selection.rule import Choice
from secondlook.selection.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from secondlook.graphs import PDAG
    from secondlook.search import AlphaPath
    from secondlook.selection.rule import TestMaker

PolishChoice = bool | Literal["auto"]
NAME = "second look"
GAMMA = 1.0
"""Of the extended BIC that guards Gaussian repairs and chooses among the kept graphs."""
SLACK = 2
"""Among alphas whose looks differ by so many marks more than the best pair's, the score decides."""


def secondlook(
    X: Any,
    *,
    alphas: Iterable[float] = DEFAULT_ALPHAS,
    metric: str | Callable[[PDAG, PDAG], float] = "shd",
    polish: PolishChoice = "auto",
    test: TestMaker | None = None,
    options: SearchOptions | None = None,
    **search: Any,
) -> Selection:
    """The graph that survives a second look at every alpha: repaired, guarded, valid.

    PC runs at every alpha, colliders oriented by votes. The second look scores each graph as in AutoPC and
    repairs it: every pair is asked about again given the parents just found, twice over, at the alphas that
    can still be chosen. A guard keeps a repaired graph only where some DAG fits it and, for a Gaussian test,
    its extended BIC is lower. Gaussian tests then choose the alpha by extended BIC among those whose looks
    agree nearly best, and finish with a search over orders that starts from the kept graphs; any other test
    chooses the first best agreement. The answer is the CPDAG of a DAG, whatever the data.

    Parameters
    ----------
    X : CITest, dataframe or array_like of shape (n, d)
        A bound test, or a table that Fisher's z is to test.
    alphas : iterable of float
        Ascending, in (0, 1); the paper's six by default.
    metric : str or callable
        What the two looks should agree in; see `autopc`. Gaussian tests choose by score and do not use it.
    polish : bool or "auto"
        Whether a Gaussian answer is finished by a search over orders of the variables; "auto" does it up to
        500 columns.
    test : callable, optional
        With a table X: what binds a test to it; `FisherZ` by default.
    options : SearchOptions, optional
        Instead of the keywords that follow.
    **search
        `max_level`, `max_tests`, `n_jobs`: fields of `SearchOptions`; its collider rule is "vote".

    Returns
    -------
    Selection
        `graph` is the answer, `answer` says how it came about, `path` holds every raw graph.

    Raises
    ------
    OptionError, DataError, BudgetError
        One sentence each.

    Examples
    --------
    >>> import secondlook as sl
    >>> collider = sl.PDAG(["a", "b", "c"], directed=[("a", "b"), ("c", "b")])
    >>> sl.secondlook(sl.DSeparation(collider)).graph
    PDAG with 3 nodes, 2 edges: a -> b, c -> b
    """
    grid = checked_alphas(alphas)
    agreement(metric)  # refused before the search and not after it
    chosen = options or SearchOptions(**search)
    if chosen.colliders != "vote":
        raise OptionError(
            f"SecondLook orients by colliders='vote'; use autopc for other rules. Got {chosen.colliders!r}."
        )
    if polish not in (True, False, "auto"):
        raise OptionError(f"The 'polish' option must be True, False or 'auto'. Got {polish!r}.")
    bound = bound_problem(X, test, chosen).test
    gaussian = bound if type(bound) is FisherZ else None
    asked = memo_for(bound, chosen) if gaussian is None else bound
    if polish is True and gaussian is None:
        raise OptionError("Only a FisherZ test can be polished; leave polish out for other tests.")
    path = alpha_path(asked, grid, chosen, looks=2, order_free=True)
    agreed = None if gaussian is not None else DoubleCheck(metric).choose(path)
    may_win = _nearly_best(path.differing_marks) if agreed is None else [agreed.chosen]
    path = repaired_path(path, asked, may_win, chosen)
    started = perf_counter()
    rank = path.column_rank
    dags = extensions_of(path.first, rank), extensions_of(path.repaired_look, rank)
    ebic = None if gaussian is None else (_ebic(gaussian, dags[0]), _ebic(gaussian, dags[1]))
    corrections = tuple(_correction(path, k, k in may_win, dags, ebic) for k in range(len(grid)))
    kept = [dags[c.kept == REPAIRED][k] for k, c in enumerate(corrections)]
    choice = _by_score(path, corrections, may_win) if agreed is None else agreed
    dag, record = kept[choice.chosen], None
    if gaussian is not None and polish is not False:
        dag, record = _finished(gaussian, dag, kept, path, polish)
    graph = dag.cpdag(path.names)
    look = path.repaired_look if corrections[choice.chosen].kept == REPAIRED else path.first
    settled = settled_edges(look, choice.chosen, graph) if record is None or record.skipped else ()
    seconds = perf_counter() - started
    answer = Answer(graph, settled, corrections, record)
    details = {**choice.details, "kept": tuple(c.kept for c in corrections)}
    return Selection(
        path, choice.measure, choice.scores, choice.chosen, choice.ties, NAME, details, seconds, answer
    )


def _finished(
    test: FisherZ, chosen: Dag, kept: list[Dag], path: AlphaPath, polish: PolishChoice
) -> tuple[Dag, Polish]:
    """The polished DAG, or the chosen one where there are too many columns to polish unasked."""
    if polish == "auto" and len(path.names) > MOST_COLUMNS:
        return chosen, Polish(skipped=f"more than {MOST_COLUMNS} columns; polish=True does it all the same")
    return polished(test, kept, path.alphas, path.column_rank)


def _nearly_best(mistakes: tuple[int, ...]) -> list[int]:
    """The positions of the alphas whose looks agree best, or nearly so."""
    return [k for k, m in enumerate(mistakes) if m <= min(mistakes) + SLACK]


def _ebic(test: FisherZ, dags: list[Dag]) -> list[float]:
    penalty = log(test.n) + 4.0 * GAMMA * log(max(len(test.names), 1))
    return dag_scores(test, dags, penalty)


def _correction(
    path: AlphaPath,
    k: int,
    tried: bool,
    dags: tuple[list[Dag], list[Dag]],
    ebic: tuple[list[float], list[float]] | None,
) -> Correction:
    """What was kept at the k-th alpha, and why."""
    first, second, repaired = (
        look.graphs[k].skeleton_keys() for look in (path.first, path.second_look, path.repaired_look)
    )
    extendable = dags[0][k].consistent, dags[1][k].consistent
    scores = None if ebic is None else (ebic[0][k], ebic[1][k])
    kept: Kept
    if not tried:
        kept, why = FIRST_LOOK, "Not repaired: its two looks differ too much for it to be chosen."
    else:
        kept, why = _guarded(path.first.graphs[k] == path.repaired_look.graphs[k], extendable[1], scores)
        if path.unrepaired[k]:
            why += (
                f" {path.unrepaired[k]} pairs were not asked about again: their parents offer too many sets."
            )
    names = path.names
    return Correction(
        path.alphas[k],
        kept,
        why,
        _named(second - first, names),
        _named(repaired - first, names),
        _named(first - repaired, names),
        extendable,
        scores,
    )


def _guarded(same: bool, extendable: bool, scores: tuple[float, float] | None) -> tuple[Kept, str]:
    if same:
        return FIRST_LOOK, "The repair changed nothing."
    if not extendable:
        return FIRST_LOOK, "No DAG fits the repaired graph."
    if scores is None:
        return REPAIRED, "Some DAG fits the repaired graph."
    if not isfinite(scores[1]):
        return FIRST_LOOK, "The repaired graph has a family with too many parents for a score."
    if scores[1] < scores[0]:
        return REPAIRED, "The repaired graph fits better: its extended BIC is lower."
    return FIRST_LOOK, "The repaired graph fits no better: its extended BIC is not lower."


def _by_score(path: AlphaPath, corrections: tuple[Correction, ...], may_win: list[int]) -> Choice:
    """The smallest extended BIC of the kept graphs at the alphas that may win."""
    ebic = [c.ebic[c.kept == REPAIRED] for c in corrections if c.ebic is not None]
    chosen = may_win[first_least([ebic[k] for k in may_win])]
    scores = tuple(Score(value, -value, is_perfect=False) for value in ebic)
    ties = tuple(k for k in may_win if ebic[k] == ebic[chosen])
    return Choice(chosen, scores, "ebic", ties, {"disputed_marks": path.differing_marks})


def _named(pairs: set[tuple[int, int]], names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((names[i], names[j]) for i, j in sorted(pairs))
