"""SecondLook: the second look corrects the graph it looked at, and a guard decides what to believe."""

from __future__ import annotations

from math import isfinite, log
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from secondlook.errors import OptionError
from secondlook.independence import FisherZ
from secondlook.metrics import agreement, shd
from secondlook.metrics.agreement import Score
from secondlook.search.options import DEFAULT_ALPHAS, SearchOptions, checked_alphas
from secondlook.search.run import alpha_path, memo_for
from secondlook.search.validity import Dag, extensions_of, settled_edges
from secondlook.selection.answer import FIRST_LOOK, REPAIRED, Answer, Correction, Polish
from secondlook.selection.autopc import bound_problem
from secondlook.selection.polish import MOST_COLUMNS, dag_scores, first_least, polished
from secondlook.selection.rule import Choice, first_best, ties_with
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
    repairs it: every pair is asked about again given the parents just found, twice over. A guard keeps a
    repaired graph only where some DAG fits it and, for a Gaussian test, its extended BIC is lower. Gaussian
    tests then choose the alpha by extended BIC among those whose looks agree nearly best, and finish with a
    search over orders that starts from the kept graphs; any other test chooses the first best agreement.
    The answer is the CPDAG of a DAG, whatever the data.

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
    grid, agree = checked_alphas(alphas), agreement(metric)
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
    path = alpha_path(asked, grid, chosen, looks=2, repair=True, order_free=True)
    started = perf_counter()
    rank = path.column_rank
    looks = (path.first, path.repaired_look)
    dags = [extensions_of(look, rank) for look in looks]
    ebic = None if gaussian is None else [_ebic(gaussian, dags[0]), _ebic(gaussian, dags[1])]
    corrections = tuple(_correction(path, k, dags, ebic) for k in range(len(grid)))
    kept = [dags[c.kept == REPAIRED][k] for k, c in enumerate(corrections)]
    choice = _choice(path, corrections, agree)
    dag, record = kept[choice.chosen], None
    if gaussian is None:
        if polish is True:
            raise OptionError("Only a FisherZ test can be polished; leave polish out for other tests.")
    elif polish is True or (polish == "auto" and len(path.names) <= MOST_COLUMNS):
        dag, record = polished(gaussian, kept, path.alphas, rank)
    elif polish == "auto":
        record = Polish(skipped=f"more than {MOST_COLUMNS} columns; polish=True does it all the same")
    graph = dag.cpdag(path.names)
    look = looks[corrections[choice.chosen].kept == REPAIRED]
    settled = settled_edges(look, choice.chosen, graph) if record is None or record.skipped else ()
    answer = Answer(graph, settled, corrections, record)
    return Selection(
        path,
        choice.measure,
        choice.scores,
        choice.chosen,
        choice.ties,
        NAME,
        choice.details,
        perf_counter() - started,
        answer,
    )


def _ebic(test: FisherZ, dags: list[Dag]) -> list[float]:
    penalty = log(test.n) + 4.0 * GAMMA * log(max(len(test.names), 1))
    return dag_scores(test, dags, penalty)


def _correction(path: AlphaPath, k: int, dags: list[list[Dag]], ebic: list[list[float]] | None) -> Correction:
    """What was kept at the k-th alpha, and why."""
    first, second, repaired = path.first.graphs[k], path.second_look.graphs[k], path.repaired_look.graphs[k]
    before, after, again = (_pairs(graph) for graph in (first, repaired, second))
    extendable = dags[0][k].consistent, dags[1][k].consistent
    scores = None if ebic is None else (ebic[0][k], ebic[1][k])
    kept, why = _guarded(first == repaired, extendable[1], scores)
    names = path.names
    return Correction(
        path.alphas[k],
        kept,
        why,
        _named(again - before, names),
        _named(after - before, names),
        _named(before - after, names),
        extendable,
        scores,
    )


def _guarded(
    same: bool, extendable: bool, scores: tuple[float, float] | None
) -> tuple[Literal["first look", "repaired"], str]:
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


def _choice(path: AlphaPath, corrections: tuple[Correction, ...], agree: Any) -> Choice:
    """Gaussian tests choose by score among the nearly best agreements, others the first best agreement."""
    pairs = list(zip(path.first.graphs, path.second_look.graphs, strict=True))
    kept = tuple(c.kept for c in corrections)
    if corrections[0].ebic is None:
        scores = tuple(agree(first, second) for first, second in pairs)
        chosen = first_best(scores)
        return Choice(chosen, scores, agree.name, ties_with(scores, chosen), {"kept": kept})
    mistakes = tuple(shd(first, second) for first, second in pairs)
    ebic = [c.ebic[c.kept == REPAIRED] for c in corrections if c.ebic is not None]
    near = [k for k, m in enumerate(mistakes) if m <= min(mistakes) + SLACK]
    chosen = near[first_least([ebic[k] for k in near])]
    scores = tuple(Score(value, -value, is_perfect=False) for value in ebic)
    ties = tuple(k for k in near if ebic[k] == ebic[chosen])
    return Choice(chosen, scores, "ebic", ties, {"disputed_marks": mistakes, "kept": kept})


def _pairs(graph: PDAG) -> set[tuple[int, int]]:
    arrows = ((min(i, j), max(i, j)) for i, j in graph.arrows.tolist())
    return {*arrows, *map(tuple, graph.lines.tolist())}


def _named(pairs: set[tuple[int, int]], names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((names[i], names[j]) for i, j in sorted(pairs))
