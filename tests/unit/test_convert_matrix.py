"""Graphs as matrices: ours, pcalg's and causal-learn's."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from secondlook.errors import GraphError, OptionError
from secondlook.graphs import (
    PDAG,
    from_causallearn,
    from_numpy,
    from_pcalg_amat,
    to_causallearn,
    to_numpy,
    to_pcalg_amat,
)
from zoo import all_pdags

GRAPH = PDAG("abc", ["ab"], ["bc"])
MATRIX = [[0, 1, 0], [0, 0, 1], [0, 1, 0]]
ROW, COLUMN = "from row to column", "from column to row"


def test_to_numpy_follows_the_convention():
    """A[i, j] = 1 alone is i -> j, and both is i -- j."""
    assert to_numpy(GRAPH).tolist() == MATRIX
    assert to_numpy(GRAPH, direction=COLUMN).tolist() == np.transpose(MATRIX).tolist()
    assert GRAPH.to_numpy().dtype == np.int8
    assert GRAPH.to_numpy(direction=COLUMN).tolist() == np.transpose(MATRIX).tolist()


@pytest.mark.parametrize("direction", [ROW, COLUMN])
def test_from_numpy_reads_what_to_numpy_writes(direction):
    """Every graph with three nodes survives, in either direction."""
    for graph in all_pdags(3):
        assert from_numpy(to_numpy(graph, direction=direction), graph.names, direction=direction) == graph


def test_from_numpy_turns_with_the_direction():
    """Transposing the matrix while flipping the direction changes nothing."""
    assert from_numpy(np.transpose(MATRIX), "abc", direction=COLUMN) == GRAPH
    assert from_numpy(MATRIX, "abc", direction=COLUMN) == PDAG("abc", ["ba"], ["bc"])


@pytest.mark.parametrize(
    "A",
    [
        np.array(MATRIX, dtype=bool),
        np.array(MATRIX, dtype=float),
        np.array(MATRIX, dtype=object),
        np.asfortranarray(MATRIX),
        np.kron(MATRIX, np.ones((2, 2), dtype=int))[::2, ::2],
        scipy.sparse.csr_array(MATRIX),
        pd.DataFrame(MATRIX),
    ],
    ids=["bool", "float", "object", "fortran", "strided", "sparse", "frame"],
)
def test_from_numpy_reads_any_layout(A):
    """Type and memory layout of the matrix do not matter."""
    assert from_numpy(A, "abc", direction=ROW) == GRAPH


def test_from_numpy_finds_names():
    """Without names a data frame's columns are taken, else x0, x1, ..."""
    assert from_numpy(pd.DataFrame(MATRIX, columns=list("abc")), direction=ROW) == GRAPH
    assert from_numpy(MATRIX, direction=ROW).names == ("x0", "x1", "x2")
    assert from_numpy([], direction=ROW) == PDAG([])


@pytest.mark.parametrize(
    ("A", "message"),
    [
        ([[0, np.nan], [0, 0]], r"must hold only 0, 1. Got nan at row 'a', column 'b'"),
        ([[0, 1], [2, 0]], r"must hold only 0, 1. Got 2 at row 'b', column 'a'"),
        ([[0, 0.5], [0, 0]], r"must hold only 0, 1. Got 0.5"),
        ([[0, -1], [0, 0]], r"must hold only 0, 1. Got -1"),
        ([[0, 1]], r"square matrix. Got shape \(1, 2\)"),
        ([0, 1], r"square matrix. Got shape \(2,\)"),
        ([[0, 0], [0, 1]], r"zero diagonal. Got an edge from 'b' to itself"),
        ([["0", "x"], ["0", "0"]], r"matrix of numbers. Got dtype <U1"),
        ([[0, None], [0, 0]], r"must hold only 0, 1. Got nan"),
        (np.zeros((3, 3)), r"one name per column. Got 2 names for 3 columns"),
    ],
)
def test_from_numpy_refuses_other_matrices(A, message):
    """Whatever is no 0/1 mark matrix is refused with the place and the value."""
    with pytest.raises(GraphError, match=message):
        from_numpy(A, "ab", direction=ROW)


def test_direction_must_be_said_in_words():
    """The direction has no default in from_numpy, and only the two sentences are taken."""
    with pytest.raises(TypeError, match="direction"):
        from_numpy(MATRIX)  # type: ignore[call-arg]
    with pytest.raises(OptionError, match=r"'direction' parameter of from_numpy must be .*Got 'row'"):
        from_numpy(MATRIX, direction="row")
    with pytest.raises(OptionError, match=r"'direction' parameter of to_numpy must be .*Got 1"):
        to_numpy(GRAPH, direction=1)  # type: ignore[arg-type]


def test_pcalg_amat_points_from_column_to_row():
    """amat[a, b] = 0 and amat[b, a] = 1 is a -> b, as pcalg's help page amatType says."""
    amat = np.zeros((2, 2), dtype=int)
    amat[1, 0] = 1
    assert from_pcalg_amat(amat, "ab") == PDAG("ab", ["ab"])
    assert to_pcalg_amat(PDAG("ab", ["ab"])).tolist() == amat.tolist()


def test_pcalg_amat_round_trip():
    """Every graph with three nodes survives."""
    for graph in all_pdags(3):
        assert from_pcalg_amat(to_pcalg_amat(graph), graph.names) == graph


def test_pcalg_amat_pag_is_refused():
    """The codes of amat.pag are no CPDAG."""
    with pytest.raises(GraphError, match=r"from_pcalg_amat must hold only 0, 1. Got 2"):
        from_pcalg_amat([[0, 2], [3, 0]])


def test_causallearn_marks():
    """graph[j, i] = 1 and graph[i, j] = -1 is i -> j, and both -1 is i -- j."""
    M = np.zeros((3, 3), dtype=int)
    M[1, 0], M[0, 1] = 1, -1
    M[1, 2] = M[2, 1] = -1
    assert from_causallearn(M, "abc") == GRAPH
    assert to_causallearn(GRAPH).tolist() == M.tolist()


def test_causallearn_round_trip():
    """Every graph with three nodes survives."""
    for graph in all_pdags(3):
        assert from_causallearn(to_causallearn(graph), graph.names) == graph


def test_causallearn_objects_bring_their_names():
    """A GeneralGraph and a CausalGraph are read through their own attributes."""
    general = SimpleNamespace(graph=to_causallearn(GRAPH), get_node_names=lambda: ["a", "b", "c"])
    assert from_causallearn(general) == GRAPH
    assert from_causallearn(SimpleNamespace(G=general)) == GRAPH
    assert from_causallearn(general, "xyz").names == ("x", "y", "z")


@pytest.mark.parametrize(
    ("here", "there", "shown"),
    [(1, 1, "'a' <-> 'b'"), (2, 1, "'a' o-> 'b'"), (2, 2, "'a' o-o 'b'"), (-1, 2, "'a' --o 'b'")],
)
def test_causallearn_refuses_other_endpoints(here, there, shown):
    """Bidirected edges and circles are refused with the names and the edge."""
    with pytest.raises(GraphError, match=f"only arrows and lines. Got the causal-learn edge {shown}"):
        from_causallearn([[0, here], [there, 0]], "ab")


def test_causallearn_refuses_half_edges_and_other_codes():
    """An edge with one endpoint missing, and codes beyond circles, are refused."""
    with pytest.raises(GraphError, match=r"Got the causal-learn edge 'a' --\(no mark\) 'b'"):
        from_causallearn([[0, -1], [0, 0]], "ab")
    with pytest.raises(GraphError, match=r"must hold only -1, 0, 1, 2. Got 5"):
        from_causallearn([[0, 5], [5, 0]], "ab")
