"""The d-separation oracle in the shape of a test."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG
from secondlook.independence import CITest, DSeparation, Memo


def random_dag(rng, d, density):
    """A DAG whose order is not the order of its columns, as names and arrows."""
    order = rng.permutation(d)
    arrows = [
        (int(order[a]), int(order[b]))
        for a, b in itertools.combinations(range(d), 2)
        if rng.random() < density
    ]
    return [f"v{k}" for k in range(d)], arrows


@pytest.mark.parametrize("seed", range(5))
def test_oracle_agrees_with_networkx(seed):
    """Every question on six nodes has the answer that networkx gives."""
    names, arrows = random_dag(np.random.default_rng(seed), 6, 0.4)
    oracle = DSeparation(PDAG(names, directed=[(names[a], names[b]) for a, b in arrows]))
    peer = nx.DiGraph(arrows)
    peer.add_nodes_from(range(6))
    questions = [
        (i, j, S)
        for i, j in itertools.combinations(range(6), 2)
        for size in range(5)
        for S in itertools.combinations([k for k in range(6) if k not in (i, j)], size)
    ]
    expected = [float(nx.is_d_separator(peer, {i}, {j}, set(S))) for i, j, S in questions]
    assert oracle.p_values(questions).tolist() == expected
    assert [oracle.p_value(j, i, S[::-1]) for i, j, S in questions] == expected


def test_oracle_is_a_test():
    """The oracle meets the protocol, has names and works under a memo."""
    oracle = DSeparation(PDAG("abc", directed=["ac", "bc"]))
    assert isinstance(oracle, CITest)
    assert oracle.names == ("a", "b", "c")
    assert Memo(oracle).p_values([(0, 1, ()), (0, 1, (2,))]).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "graph", [PDAG("ab", undirected=["ab"]), PDAG("abc", directed=["ab", "bc", "ca"])], ids=["line", "cycle"]
)
def test_oracle_refuses_what_is_no_dag(graph):
    """A graph with a line or a cycle has no d-separation to answer by."""
    with pytest.raises(GraphError):
        DSeparation(graph)


@pytest.mark.parametrize("question", [(0, 0, ()), (0, 1, (1,)), (0, 3, ()), (0, 1, (-1,))])
def test_oracle_refuses_nonsense(question):
    """A question about one node, or about a node that does not exist, is refused."""
    with pytest.raises(GraphError):
        DSeparation(PDAG("abc")).p_value(*question)
