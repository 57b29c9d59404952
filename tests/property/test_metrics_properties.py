"""Every metric against a slow twin on dense matrices, on graphs that hypothesis makes up."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secondlook import metrics
from secondlook.graphs import PDAG, cpdag

relaxed = settings(deadline=None)  # a slow machine is no failure
KINDS = st.sampled_from(["none", "forward", "backward", "line"])


@st.composite
def pdags(draw: st.DrawFn, d: int | None = None) -> PDAG:
    """Any graph on up to six nodes; a cycle is as welcome as everything else."""
    size = draw(st.integers(0, 6)) if d is None else d
    names = [f"x{i}" for i in range(size)]
    directed, undirected = [], []
    for a, b in combinations(names, 2):
        kind = draw(KINDS)
        if kind == "line":
            undirected.append((a, b))
        elif kind != "none":
            directed.append((a, b) if kind == "forward" else (b, a))
    return PDAG(names, directed, undirected)


@st.composite
def dags(draw: st.DrawFn, d: int) -> PDAG:
    """Any DAG on d nodes."""
    order = draw(st.permutations([f"x{i}" for i in range(d)]))
    directed = [pair for pair in combinations(order, 2) if draw(st.booleans())]
    return PDAG([f"x{i}" for i in range(d)], directed)


@st.composite
def pairs_of_pdags(draw: st.DrawFn) -> tuple[PDAG, PDAG]:
    """Two graphs over the same names in the same order."""
    first = draw(pdags())
    return first, draw(pdags(first.d))


@st.composite
def pairs_of_dags(draw: st.DrawFn) -> tuple[PDAG, PDAG]:
    """Two DAGs over the same two to five names."""
    d = draw(st.integers(2, 5))
    return draw(dags(d)), draw(dags(d))


def matrix(graph: PDAG) -> list[list[int]]:
    """The 0/1 mark matrix, filled from the names so that no index code is shared with the library."""
    place = {name: i for i, name in enumerate(graph.names)}
    cells = [[0] * graph.d for _ in graph.names]
    for a, b in graph.directed:
        cells[place[a]][place[b]] = 1
    for a, b in graph.undirected:
        cells[place[a]][place[b]] = cells[place[b]][place[a]] = 1
    return cells


def slow_confusion(truth: list[bool], guess: list[bool]) -> tuple[int, int, int, int]:
    """TP, FP, FN and TN counted one place at a time."""
    seen = list(zip(truth, guess, strict=True))
    cells = ((True, True), (False, True), (True, False), (False, False))
    return tuple(seen.count(cell) for cell in cells)  # type: ignore[return-value]


def places(graph: PDAG) -> dict[str, list[bool]]:
    """What is found at each mark, adjacency and arrowhead place of a graph."""
    A = matrix(graph)
    ordered, unordered = list(permutations(range(graph.d), 2)), list(combinations(range(graph.d), 2))
    return {
        "marks": [A[i][j] == 1 for i, j in ordered],
        "skeleton": [A[i][j] + A[j][i] > 0 for i, j in unordered],
        "arrowheads": [A[i][j] == 1 and A[j][i] == 0 for i, j in ordered],
    }


def slow_ratio(part: int, whole: int, mistakes: int) -> float:
    """A share, with 0/0 judged by whether anything is wrong."""
    if whole == 0:
        return 1.0 if mistakes == 0 else 0.0
    return part / whole


@relaxed
@given(pairs_of_pdags())
def test_confusions_match_the_dense_twin(graphs: tuple[PDAG, PDAG]) -> None:
    """Marks, adjacencies and arrowheads are counted as a walk over all places counts them."""
    truth, guess = graphs
    there, here = places(truth), places(guess)
    for name, ours in (
        ("marks", metrics.confusion),
        ("skeleton", metrics.skeleton_confusion),
        ("arrowheads", metrics.arrowhead_confusion),
    ):
        found = ours(truth, guess)
        assert (found.tp, found.fp, found.fn, found.tn) == slow_confusion(there[name], here[name])


@relaxed
@given(pairs_of_pdags())
def test_ratios_match_the_dense_twin(graphs: tuple[PDAG, PDAG]) -> None:
    """Precision, recall and F1 are their textbook ratios, with 0/0 decided by the number of mistakes."""
    truth, guess = graphs
    there, here = places(truth), places(guess)
    for name, prefix in (("skeleton", "skeleton"), ("arrowheads", "arrowhead")):
        tp, fp, fn, _ = slow_confusion(there[name], here[name])
        assert getattr(metrics, f"{prefix}_precision")(truth, guess) == slow_ratio(tp, tp + fp, fp + fn)
        assert getattr(metrics, f"{prefix}_recall")(truth, guess) == slow_ratio(tp, tp + fn, fp + fn)
        assert getattr(metrics, f"{prefix}_f1")(truth, guess) == slow_ratio(2 * tp, 2 * tp + fp + fn, fp + fn)
    tp, fp, fn, _ = slow_confusion(there["marks"], here["marks"])
    assert metrics.f1(truth, guess) == slow_ratio(2 * tp, 2 * tp + fp + fn, fp + fn)


@relaxed
@given(pairs_of_pdags())
def test_shd_and_pair_shd_match_the_dense_twin(graphs: tuple[PDAG, PDAG]) -> None:
    """SHD counts differing cells and pair_shd the pairs that hold one."""
    truth, guess = graphs
    A, B = matrix(truth), matrix(guess)
    assert metrics.shd(truth, guess) == sum(A[i][j] != B[i][j] for i, j in permutations(range(truth.d), 2))
    differing = [(A[i][j], A[j][i]) != (B[i][j], B[j][i]) for i, j in combinations(range(truth.d), 2)]
    assert metrics.pair_shd(truth, guess) == sum(differing)


@relaxed
@given(pairs_of_pdags())
def test_mcc_is_the_correlation_of_the_marks(graphs: tuple[PDAG, PDAG]) -> None:
    """The MCC equals the Pearson correlation of the two lists of marks where that exists."""
    truth, guess = graphs
    first, second = places(truth)["marks"], places(guess)["marks"]
    found = metrics.mcc(truth, guess)
    if len(set(first)) == 2 and len(set(second)) == 2:
        assert math.isclose(found, np.corrcoef(first, second)[0, 1], abs_tol=1e-12)
    else:
        assert found == (1.0 if first == second else 0.0)


@relaxed
@given(pairs_of_pdags(), st.sampled_from(["shd", "f1", "mcc", "pair_shd", "skeleton_f1", "arrowhead_f1"]))
def test_agreement_is_symmetric_and_perfect_only_without_mistakes(
    graphs: tuple[PDAG, PDAG], name: str
) -> None:
    """Counting metrics do not mind the order of the graphs and call exactly the equal ones perfect."""
    truth, guess = graphs
    agree = metrics.agreement(name)
    score = agree(truth, guess)
    assert score == agree(guess, truth)
    assert 0 <= score.value <= 1
    same = {
        "skeleton_f1": truth.skeleton == guess.skeleton,
        "arrowhead_f1": truth.directed == guess.directed,
    }.get(name, truth == guess)
    assert score.is_perfect == same
    assert (score.value == 1) == same


@relaxed
@given(pairs_of_pdags(), pairs_of_pdags())
def test_scores_order_as_their_values_do(one: tuple[PDAG, PDAG], two: tuple[PDAG, PDAG]) -> None:
    """The exact order of F1 and MCC scores agrees with that of their floats where these differ clearly."""
    for name in ("f1", "mcc"):
        agree = metrics.agreement(name)
        a, b = agree(*one), agree(*two)
        if abs(a.value - b.value) > 1e-12:
            assert (a < b) == (a.value < b.value)
        else:
            assert a == b


@relaxed
@given(pairs_of_pdags(), st.randoms(use_true_random=False))
def test_metrics_do_not_depend_on_the_order_of_the_columns(graphs: tuple[PDAG, PDAG], random: object) -> None:
    """Relabelling both graphs, or one of them, changes no metric."""
    truth, guess = graphs
    order = list(truth.names)
    random.shuffle(order)  # type: ignore[attr-defined]
    moved = truth.relabelled(order), guess.relabelled(order)
    before = metrics.compare(truth, guess)
    assert metrics.compare(truth, moved[1]) == before
    after = metrics.compare(*moved).to_dict()
    reasons = after.pop("undefined"), before.to_dict()["undefined"]
    assert after.items() <= before.to_dict().items()
    assert reasons[0].keys() == reasons[1].keys()  # type: ignore[union-attr]


@relaxed
@given(pdags())
def test_a_graph_agrees_perfectly_with_itself(graph: PDAG) -> None:
    """Truth against truth costs nothing and scores 1, whatever the graph."""
    found = metrics.compare(graph, graph, adjustment=False)
    assert (found.shd, found.pair_shd) == (0, 0)
    assert {found.f1, found.mcc, found.skeleton_f1, found.arrowhead_f1} == {1.0}
    assert {found.skeleton_precision, found.arrowhead_precision, found.arrowhead_recall} == {1.0}


@relaxed
@given(dags(5))
def test_a_dag_and_its_cpdag_have_no_distance_to_themselves(dag: PDAG) -> None:
    """Adjustment distances of a DAG, and of a CPDAG, to itself are zero."""
    for graph in (dag, cpdag(dag)):
        for distance in (metrics.parent_aid, metrics.ancestor_aid, metrics.oset_aid):
            assert distance(graph, graph) == 0.0
    assert metrics.sid(dag, dag) == 0.0


@relaxed
@given(pairs_of_dags())
def test_parent_aid_and_sid_match_the_path_twin(graphs: tuple[PDAG, PDAG]) -> None:
    """On DAGs both distances count the pairs whose parent adjustment fails when every path is walked."""
    truth, guess = graphs
    wrong = sum(not adjusts(truth, guess, t, y) for t, y in permutations(truth.names, 2))
    assert metrics.parent_aid_count(truth, guess) == wrong
    assert metrics.sid_count(truth, guess) == wrong
    assert Fraction(metrics.sid(truth, guess)).limit_denominator(1000) == Fraction(
        wrong, truth.d**2 - truth.d
    )


@pytest.mark.parametrize("distance", ["ancestor_aid", "oset_aid"])
@relaxed
@given(graphs=pairs_of_dags())
def test_other_adjustments_match_the_path_twin(distance: str, graphs: tuple[PDAG, PDAG]) -> None:
    """Ancestor and optimal adjustment sets of the guess fail for as many pairs as the walked paths say."""
    truth, guess = graphs
    wrong = 0
    for t, y in permutations(truth.names, 2):
        below = descendants(guess, t)
        if y not in below:
            wrong += y in descendants(truth, t)
            continue
        chosen = ancestors(guess, t) if distance == "ancestor_aid" else optimal_set(guess, t, y)
        wrong += not is_valid(truth, t, y, chosen)
    assert getattr(metrics, f"{distance}_count")(truth, guess) == wrong


def adjusts(truth: PDAG, guess: PDAG, t: str, y: str) -> bool:
    """Whether the guess's parents of t give the right effect of t on y in the truth."""
    parents = set(guess.parents(t))
    if y in parents:
        return y not in descendants(truth, t)
    return is_valid(truth, t, y, parents)


def descendants(dag: PDAG, node: str) -> set[str]:
    """The nodes that arrows lead to from a node, without it."""
    found = set(dag.children(node))
    for child in dag.children(node):
        found |= descendants(dag, child)
    return found


def ancestors(dag: PDAG, node: str) -> set[str]:
    """The nodes from which arrows lead to a node, without it."""
    return {other for other in dag.names if node in descendants(dag, other)}


def on_causal_paths(dag: PDAG, t: str, y: str) -> set[str]:
    """The nodes other than t on directed paths from t to y."""
    return {v for v in descendants(dag, t) if v == y or y in descendants(dag, v)}


def optimal_set(dag: PDAG, t: str, y: str) -> set[str]:
    """Parents of the causal nodes that are neither causal nor below them, nor t."""
    causal = on_causal_paths(dag, t, y)
    forbidden = causal.union(*(descendants(dag, v) for v in causal)) | {t}
    return {parent for v in causal for parent in dag.parents(v)} - forbidden


def is_valid(dag: PDAG, t: str, y: str, S: set[str]) -> bool:
    """Whether S holds no forbidden node and blocks every non-causal path from t to y."""
    causal = on_causal_paths(dag, t, y)
    if S & causal.union(*(descendants(dag, v) for v in causal)):
        return False
    return all(is_blocked(dag, path, S) for path in paths(dag, [t], y) if not is_directed(dag, path))


def paths(dag: PDAG, walked: list[str], y: str) -> list[list[str]]:
    """Every path without repeats that starts with the walked nodes and ends in y."""
    if walked[-1] == y:
        return [walked]
    steps = [v for v in dag.adjacent(walked[-1]) if v not in walked]
    return [path for v in steps for path in paths(dag, [*walked, v], y)]


def is_directed(dag: PDAG, path: list[str]) -> bool:
    """Whether every edge of the path points from its start to its end."""
    return all(dag.has_edge(a, b) for a, b in pairwise(path))


def is_blocked(dag: PDAG, path: list[str], S: set[str]) -> bool:
    """Whether S blocks the path, collider by collider."""
    for a, v, b in zip(path, path[1:], path[2:], strict=False):
        collides = dag.has_edge(a, v) and dag.has_edge(b, v)
        opened = bool(S & ({v} | descendants(dag, v)))
        if (collides and not opened) or (not collides and v in S):
            return True
    return False
