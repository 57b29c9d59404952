"""Typed user code that must pass mypy --strict: it is checked, and it runs too."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import secondlook as sl
from secondlook.search import COLLIDER_RULES, DEFAULT_ALPHAS, ColliderRule, Conflict, Look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from secondlook.independence import Question
    from secondlook.search import Settled
    from secondlook.selection import Answer, Correction, EdgeRange, Polish, Rule


class Rounded(sl.CITest):
    """A test of one's own, by inheritance."""

    def __init__(self, inner: sl.CITest) -> None:
        self.names = inner.names
        self.inner = inner

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """The inner test's p-value, rounded."""
        return round(self.inner.p_value(i, j, S), 6)


class Duck:
    """A test of one's own, unrelated to secondlook."""

    names: tuple[str, ...] = ("a", "b", "c")

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """Everything depends on everything."""
        return 0.0

    def p_values(self, questions: Sequence[Question]) -> NDArray[np.float64]:
        """In batches, too."""
        return np.zeros(len(questions))


def same_size(first: sl.PDAG, second: sl.PDAG) -> float:
    """A metric of one's own."""
    return 1 / (1 + abs(first.n_edges - second.n_edges))


def tests(X: NDArray[np.float64], dag: sl.PDAG) -> list[sl.CITest]:
    """Every kind of test fits the protocol."""
    fisher = sl.FisherZ(X, names=["a", "b", "c"])
    again = sl.FisherZ(correlation=fisher.correlation, n=fisher.n, names=fisher.names)
    r: float = again.statistic(0, 1, [2])
    p: float = again.p_value(0, 1, ())
    assert abs(r) <= 1
    assert 0 <= p <= 1
    codes: NDArray[np.int64] = (X > 0).astype(np.int64)
    square = sl.GSquare(codes, statistic="pearson", min_per_df=5, untestable="nan", names=["a", "b", "c"])
    chi2: float = square.counted(0, 1, [2]).statistic
    assert chi2 >= 0
    return [fisher, again, square, sl.DSeparation(dag), sl.Memo(fisher), Rounded(fisher), Duck()]


def searches(test: sl.CITest) -> sl.AlphaPath:
    """PC at one alpha, and at all of them."""
    rule: ColliderRule = "majority"
    result: sl.PCResult = sl.pc(test, alpha=0.05, colliders=rule, max_level=2, max_tests=0, n_jobs=1)
    graph: sl.PDAG = result.graph
    sepset: tuple[str, ...] | None = result.sepset(*graph.names[:2])
    assert sepset is None or isinstance(sepset, tuple)
    options = sl.SearchOptions(colliders="vote", max_level=None)
    path: sl.AlphaPath = sl.alpha_path(test, DEFAULT_ALPHAS, options, looks=2, engine="auto")
    look: Look = path.second_look
    graphs: Sequence[sl.PDAG] = path.first.graphs
    some: tuple[sl.PDAG, ...] = look.graphs[1:3]
    conflicts: tuple[Conflict, ...] = path.first.conflicts
    counts: tuple[int, ...] = path.first.tests_by_level
    assert len(graphs) == len(DEFAULT_ALPHAS)
    assert len(some) == 2
    assert all(conflict.toward_a > 0 for conflict in conflicts)
    assert sum(counts) <= path.first.n_tests
    assert rule in COLLIDER_RULES
    return path


def selections(X: NDArray[np.float64]) -> sl.Selection:
    """AutoPC by function, by metric of one's own, and by estimator."""
    found: sl.Selection = sl.autopc(X, alphas=(0.01, 0.05), metric="f1", early_stop=False, colliders="vote")
    own: sl.Selection = found.rescored(same_size)
    alpha: float = own.alpha
    ties: tuple[float, ...] = own.ties
    ranges: tuple[EdgeRange, ...] = own.edge_ranges
    assert alpha == ties[0]
    assert all(entry.a != entry.b for entry in ranges)
    model: sl.AutoPC = sl.AutoPC(metric=same_size, alphas=[0.01, 0.05]).fit(X)
    single: sl.PC = sl.PC(alpha=0.01, colliders="overwrite").fit(X)
    names: tuple[str, ...] = model.feature_names_in_
    second: sl.SecondLook = sl.SecondLook(polish="auto", alphas=[0.01, 0.05]).fit(X)
    answer: Answer | None = second.selection_.answer
    assert answer is not None
    corrections: tuple[Correction, ...] = answer.corrections
    polish: Polish | None = answer.polish
    settled: tuple[Settled, ...] = answer.settled
    assert len(corrections) == 2
    assert polish is not None
    assert all(edge.raw != edge.answer for edge in (*settled, *sl.pc(X).settled))
    assert names == single.graph_.names == model.selection_.names
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "found.json"
        found.save(file)
        loaded: sl.Selection = sl.Selection.load(file)
    assert loaded.graph == found.graph
    return loaded


def rules(X: NDArray[np.float64]) -> list[float]:
    """Every rule is a Rule, and boundaries are tuples of column indices."""
    all_rules: list[Rule] = [
        sl.DoubleCheck("f1"),
        sl.Fixed(alpha=0.01),
        sl.BIC(extension="naive"),
        sl.EBIC(gamma=0.5),
        sl.StARS(draws=4, scheme="bootstrap", threshold=0.04, seed=1, n_jobs=1, size=100),
        sl.MarkovCheck(level=0.1),
        sl.PcCV(folds=3, one_se=True),
    ]
    found: list[sl.Selection] = [sl.autopc(X, rule=rule) for rule in all_rules]
    boundaries: list[tuple[int, ...]] = sl.graphs.markov_boundaries(found[0].graph)
    assert len(boundaries) == found[0].graph.d
    return [selection.alpha for selection in found]


def truths(rng: np.random.Generator) -> tuple[sl.PDAG, NDArray[np.float64]]:
    """Graphs, simulation and metrics."""
    dag = sl.PDAG(["a", "b", "c"], directed=[("a", "b"), ("c", "b")])
    model = sl.simulation.random_linear_model(dag, rng, weights=(0.5, 1.0))
    X: NDArray[np.float64] = model.sample(500, rng)
    truth: sl.PDAG = sl.graphs.cpdag(dag)
    parents: tuple[str, ...] = truth.parents("b")
    marks: int = sl.metrics.shd(truth, dag.skeleton)
    f1: float = sl.metrics.f1(truth, truth)
    agree: sl.metrics.Agreement = sl.metrics.agreement("mcc")
    score: sl.metrics.Score = agree(truth, truth)
    assert parents == ("a", "c")
    assert marks == 2
    assert f1 == score.value == 1.0
    return dag, X


def refusals() -> list[str]:
    """Everything refused on purpose is a SecondlookError, and a ValueError."""
    messages: list[str] = []
    try:
        sl.pc(Duck(), alpha=2.0)
    except sl.OptionError as error:
        messages.append(str(error))
    try:
        sl.FisherZ([[1.0, 2.0]])
    except (sl.DataError, sl.GraphError, sl.BudgetError) as error:
        messages.append(str(error))
    kinds: list[type[sl.SecondlookError]] = [sl.DataError, sl.GraphError, sl.OptionError, sl.BudgetError]
    assert all(issubclass(kind, ValueError) for kind in kinds)
    return messages


def main() -> None:
    """All of it, once."""
    dag, X = truths(np.random.default_rng(0))
    for test in tests(X, dag):
        searches(test)
    selections(X)
    assert len(rules(X)) == 7
    assert len(refusals()) == 2


if __name__ == "__main__":
    main()
