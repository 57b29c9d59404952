"""The Markov check: the sparsest graph whose independencies, tested, behave as true ones would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from secondlook.errors import BudgetError
from secondlook.graphs import extension
from secondlook.graphs.order import dag_order
from secondlook.independence import FisherZ, Memo
from secondlook.metrics import Score
from secondlook.search.arrays import bits
from secondlook.search.generic import MAX_QUESTIONS
from secondlook.search.run import memo_for
from secondlook.selection.rule import Choice, Problem, checked_number, ties_with
from secondlook.selection.uniformity import anderson_darling, anderson_darling_p

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.independence import Question
    from secondlook.search import AlphaPath, SearchOptions

FEWEST = 2
"""With fewer p-values than this there is no distribution to speak of, and a graph passes."""


@dataclass(frozen=True)
class MarkovCheck:
    """Keeps the alpha of fewest edges among graphs whose local Markov independencies test as uniform.

    The graph of an alpha is made a DAG (a consistent extension, or the fallback of
    `secondlook.graphs.extension` where there is none, with the names in alphabetical order so that the order
    of the columns plays no part). The DAG says that every X is independent of each of its non-descendants
    given its parents. These questions go to the problem's own test, each at most once whatever the number of
    alphas. If they are all true the p-values are uniform, and the Anderson-Darling test is asked whether they
    look so. Graphs with p > level pass; of these the fewest edges win, the first on ties. When none passes,
    the largest p wins.

    The p-values come from the very rows that the graph was found on, and they depend on each other, so the
    markov_p compares graphs and is no error rate. Questions that cannot be tested are left out; a graph with
    fewer than two answers passes. The check needs a test whose p-values are uniform under independence, which
    those of the oracle `DSeparation` are not. It is refused when d variables could give more than 1e7
    questions at an alpha; `max_tests` is another budget, and 0 none.

    Scores are the Anderson-Darling p-values; where they are too small for a float, keys are minus the
    statistic. Details: `independencies` (answered ones), `passes`, `extendable`, and `untestable`
    where there were any.

    Attributes
    ----------
    level : float
        In [0, 1].

    References
    ----------
    Ramsey, J. D., Andrews, B. and Spirtes, P. (2024). Choosing DAG models using Markov and minimal edge count
    in the absence of ground truth. arXiv:2409.20187.
    """

    name: ClassVar[str] = "Markov check"
    looks: ClassVar[Literal[1, 2]] = 1
    level: float = 0.05

    def __post_init__(self) -> None:
        checked_number(self.name, "level", self.level, least=0.0, most=1.0)

    def choose(self, path: AlphaPath, problem: Problem) -> Choice:
        """The sparsest graph that passes, or the one that comes closest."""
        _refuse_too_many(len(path.names), problem.options)
        # The native engine's test answers batches itself; sending it to processes would cost more.
        fisher = isinstance(problem.test, FisherZ)
        memo = Memo(problem.test) if fisher else memo_for(problem.test, problem.options)
        known: dict[PDAG, _Verdict] = {}
        for graph in path.first.graphs:
            if graph not in known:
                known[graph] = _verdict(graph, memo, self.level)
        found = [known[graph] for graph in path.first.graphs]
        scores = tuple(Score(v.p, v.p if v.p > 0.0 else -v.statistic, v.p == 1.0) for v in found)
        passing = [k for k, verdict in enumerate(found) if verdict.passes]
        edges = [graph.n_edges for graph in path.first.graphs]
        if passing:
            chosen = min(passing, key=lambda k: edges[k])
            ties = tuple(k for k in passing if edges[k] == edges[chosen])
        else:
            chosen = max(range(len(path)), key=lambda k: scores[k].key)
            ties = ties_with(scores, chosen)
        details: dict[str, tuple[Any, ...]] = {
            "independencies": tuple(verdict.answered for verdict in found),
            "passes": tuple(verdict.passes for verdict in found),
            "extendable": tuple(verdict.extendable for verdict in found),
        }
        if any(verdict.untestable for verdict in found):
            details["untestable"] = tuple(verdict.untestable for verdict in found)
        return Choice(chosen, scores, "markov_p", ties, details)


class _Verdict(NamedTuple):
    p: float
    statistic: float
    answered: int
    untestable: int
    passes: bool
    extendable: bool


def _refuse_too_many(d: int, options: SearchOptions) -> None:
    """Refuses what would take hours and fill the memory; max_tests is the budget, as it is of a search."""
    budget = MAX_QUESTIONS if options.max_tests is None else options.max_tests
    if budget and d * (d - 1) > budget:
        raise BudgetError(
            f"The Markov check could ask {d * (d - 1):.1e} questions at each alpha about {d:,} variables, "
            f"the budget is {budget:.1e}; use fewer variables or another rule, or raise max_tests."
        )


def _verdict(graph: PDAG, memo: Memo, level: float) -> _Verdict:
    found = extension(graph.relabelled(sorted(graph.names)))
    answers = memo.p_values(local_independencies(found.dag.relabelled(graph.names)))
    usable = answers[~np.isnan(answers)]
    few = len(usable) < FEWEST
    statistic = 0.0 if few else anderson_darling(usable)
    p = anderson_darling_p(statistic)
    untestable = len(answers) - len(usable)
    return _Verdict(p, statistic, len(usable), untestable, few or p > level, found.extendable)


def local_independencies(dag: PDAG) -> list[Question]:
    """The questions whose answer must be "independent" if a DAG is right: local Markov, each once.

    Parameters
    ----------
    dag : PDAG
        A DAG.

    Returns
    -------
    list of (int, int, tuple of int)
        i < j, then the parents of one of the two, ascending; both directions of a pair come where both say
        something, once if they say the same.

    Raises
    ------
    GraphError
        If the graph has a line or a directed cycle.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> local_independencies(PDAG("abc", directed=["ab", "bc"]))
    [(0, 2, (1,))]
    """
    near, everyone = dag.adjacency, (1 << dag.d) - 1
    below = [0] * dag.d
    for i in reversed(dag_order(dag, "local_independencies")):
        for child in near.children[i]:
            below[i] |= below[child] | 1 << child
    questions: dict[Question, None] = {}
    for i in range(dag.d):
        parents = tuple(near.parents[i])
        apart = everyone & ~below[i] & ~sum(1 << k for k in (*parents, i))
        questions.update(((i, j, parents) if i < j else (j, i, parents), None) for j in bits(apart))
    return list(questions)
