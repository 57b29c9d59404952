"""d-separation against networkx and against textbook cases."""

from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np
import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, DSeparator, d_separated
from zoo import DAGS, all_dags, names, random_dag


def _networkx(dag: PDAG) -> networkx.DiGraph:
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(dag.d))
    graph.add_edges_from(dag.arrows.tolist())
    return graph


def test_separated_agrees_with_networkx_on_all_small_dags():
    """Every question about every DAG on four nodes has networkx's answer."""
    for dag in all_dags(4):
        separator, peer = DSeparator(dag), _networkx(dag)
        for i, j in combinations(range(4), 2):
            others = [k for k in range(4) if k not in (i, j)]
            for size in range(3):
                for S in combinations(others, size):
                    assert separator.separated(i, j, S) == networkx.is_d_separator(peer, i, j, set(S))


def test_separated_agrees_with_networkx_on_random_dags(rng):
    """Random questions about larger DAGs have networkx's answer; both answers occur."""
    answers = []
    for d in (8, 15, 80):
        dag = random_dag(rng, d, 2.5)
        separator, peer = DSeparator(dag), _networkx(dag)
        for _ in range(150):
            i, j, *rest = rng.permutation(d)[: 2 + rng.integers(0, 6)]
            answer = separator.separated(i, j, rest)
            assert answer == networkx.is_d_separator(peer, i, j, {int(k) for k in rest})
            answers.append(answer)
    assert 0.1 < np.mean(answers) < 0.9


def test_separated_is_symmetric(rng):
    """Swapping the nodes or shuffling the set changes nothing."""
    separator = DSeparator(random_dag(rng, 70))
    for _ in range(200):
        i, j, *S = (int(k) for k in rng.permutation(70)[:6])
        assert separator.separated(i, j, S) == separator.separated(j, i, S[::-1])


def test_separated_takes_numpy_integers_beyond_bit_63():
    """Columns that come as NumPy integers do not overflow as bits."""
    dag = PDAG(names(100), [("x0", "x99"), ("x99", "x1")])
    separator = DSeparator(dag)
    assert separator.separated(np.int64(0), np.int64(1), np.array([99]))
    assert not separator.separated(np.int64(0), np.int64(99), np.array([98]))


@pytest.mark.parametrize(
    ("graph", "a", "b", "given", "answer"),
    [
        ("chain", "a", "d", "", False),
        ("chain", "a", "d", "c", True),
        ("fork", "a", "c", "b", True),
        ("collider", "a", "c", "", True),
        ("collider", "a", "c", "b", False),
        ("collider with a tail", "a", "c", "d", False),
        ("m-bias", "x", "y", "m", False),
        ("instrument", "z", "u", "y", False),
        ("two islands", "a", "c", "bd", True),
    ],
)
def test_d_separated_knows_the_textbook(graph, a, b, given, answer):
    """Chains and forks are blocked by their middle, colliders opened by it or its descendants."""
    assert d_separated(DAGS[graph], a, b, list(given)) is answer


def test_d_separated_refuses_bad_questions():
    """Each wrong question has a message that names the culprit."""
    dag = DAGS["chain"]
    with pytest.raises(GraphError, match="no node 'z'"):
        d_separated(dag, "a", "z")
    with pytest.raises(GraphError, match=r"two different nodes. Got 'a' twice"):
        d_separated(dag, "a", "a")
    with pytest.raises(GraphError, match=r"must not hold the nodes asked about. Got 'b'"):
        d_separated(dag, "a", "b", ["c", "b"])
    with pytest.raises(TypeError, match=r"Got the string 'bc'; use \['bc'\]"):
        d_separated(dag, "a", "d", "bc")
    with pytest.raises(GraphError, match="d-separation needs a DAG"):
        d_separated(dag.skeleton, "a", "d")


@pytest.mark.parametrize("question", [(0, 4, ()), (-1, 0, ()), (0, 1, (7,))])
def test_separated_refuses_columns_out_of_range(question):
    """A column that the graph does not have is refused."""
    with pytest.raises(GraphError, match=r"must lie in 0..3"):
        DSeparator(DAGS["chain"]).separated(*question)
