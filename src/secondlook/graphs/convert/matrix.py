"""Graphs as matrices: our own mark matrix, and those of pcalg and causal-learn.

The same matrix means opposite graphs in different packages, so every reader either asks for the direction
in words or names the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from secondlook.errors import GraphError, OptionError
from secondlook.graphs.edges import checked_names
from secondlook.graphs.pdag import PDAG

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

_FROM_ROW, _FROM_COLUMN = "from row to column", "from column to row"


def to_numpy(pdag: PDAG, *, direction: str = _FROM_ROW) -> NDArray[np.int8]:
    """The 0/1 mark matrix of a graph.

    Parameters
    ----------
    pdag : PDAG
        The graph.
    direction : {"from row to column", "from column to row"}
        Which way a single 1 points; see docs/conventions.md.

    Returns
    -------
    int8 array, shape (d, d)
        An arrow gives one 1, a line gives two.

    Raises
    ------
    OptionError
        When direction is neither of the two sentences.

    Examples
    --------
    >>> to_numpy(PDAG("abc", directed=["ab"], undirected=["bc"]))
    array([[0, 1, 0],
           [0, 0, 1],
           [0, 1, 0]], dtype=int8)
    """
    _checked_direction(direction, "to_numpy")
    A = np.zeros((pdag.d, pdag.d), dtype=np.int8)
    A[pdag.arrows[:, 0], pdag.arrows[:, 1]] = 1
    A[pdag.lines[:, 0], pdag.lines[:, 1]] = 1
    A[pdag.lines[:, 1], pdag.lines[:, 0]] = 1
    return A if direction == _FROM_ROW else np.ascontiguousarray(A.T)


def from_numpy(A: ArrayLike, names: Iterable[str] | None = None, *, direction: str) -> PDAG:
    """The graph of a 0/1 mark matrix.

    Parameters
    ----------
    A : array-like, shape (d, d)
        Zeros and ones of any dtype, zero diagonal; also a data frame or a SciPy sparse matrix.
    names : iterable of str, optional
        The d names in column order; default the data frame's columns, else x0, x1, ...
    direction : {"from row to column", "from column to row"}
        Which way a single 1 points. There is no default, because packages disagree.

    Raises
    ------
    GraphError
        When A is not square, holds anything but 0 and 1, has a 1 on its diagonal, or names do not fit.
    OptionError
        When direction is neither of the two sentences.

    Examples
    --------
    >>> from_numpy([[0, 1], [0, 0]], ["a", "b"], direction="from row to column")
    PDAG with 2 nodes, 1 edge: a -> b
    """
    _checked_direction(direction, "from_numpy")
    matrix, found = _checked_matrix(A, names, "from_numpy", (0, 1))
    return _graph(matrix if direction == _FROM_ROW else matrix.T, found)


def to_pcalg_amat(pdag: PDAG) -> NDArray[np.int8]:
    """The graph as pcalg's ``amat.cpdag``: amat[a, b] = 0 and amat[b, a] = 1 is a -> b, both 1 is a -- b.

    Returns
    -------
    int8 array, shape (d, d)
        Set its row and column names to ``pdag.names`` in R.
    """
    return to_numpy(pdag, direction=_FROM_COLUMN)


def from_pcalg_amat(amat: ArrayLike, names: Iterable[str] | None = None) -> PDAG:
    """The graph of a matrix of pcalg's type ``amat.cpdag``; its ``amat.pag`` is refused.

    Parameters
    ----------
    amat : array-like, shape (d, d)
        Zeros and ones: amat[a, b] = 0 and amat[b, a] = 1 is a -> b, both 1 is a -- b.
    names : iterable of str, optional
        The d names in column order; default the data frame's columns, else x0, x1, ...

    Raises
    ------
    GraphError
        When the matrix is not square, holds anything but 0 and 1, or has a 1 on its diagonal.
    """
    matrix, found = _checked_matrix(amat, names, "from_pcalg_amat", (0, 1))
    return _graph(matrix.T, found)


def to_causallearn(pdag: PDAG) -> NDArray[np.int8]:
    """The graph as causal-learn's endpoint matrix, the ``graph`` attribute of its GeneralGraph.

    Returns
    -------
    int8 array, shape (d, d)
        M[j, i] = 1 and M[i, j] = -1 is i -> j; both -1 is i -- j.
    """
    tails, heads = pdag.arrows.T
    i, j = pdag.lines.T
    M = np.zeros((pdag.d, pdag.d), dtype=np.int8)
    M[heads, tails] = 1
    M[tails, heads] = M[i, j] = M[j, i] = -1
    return M


def from_causallearn(graph: Any, names: Iterable[str] | None = None) -> PDAG:
    """The graph of causal-learn's CausalGraph, GeneralGraph or endpoint matrix.

    Parameters
    ----------
    graph : CausalGraph, GeneralGraph or array-like of shape (d, d)
        Endpoints 1 (arrowhead), -1 (tail) and 0 (no edge): M[j, i] = 1 and M[i, j] = -1 is i -> j.
    names : iterable of str, optional
        The d names in column order; default the names of the graph's nodes, else x0, x1, ...

    Raises
    ------
    GraphError
        When an edge is bidirected or has a circle, or the matrix is malformed.
    """
    general = graph if hasattr(graph, "get_node_names") else getattr(graph, "G", None)
    if general is not None and hasattr(general, "get_node_names"):
        names = general.get_node_names() if names is None else names
        graph = general.graph
    matrix, found = _checked_matrix(graph, names, "from_causallearn", (-1, 0, 1, 2))
    pairs = np.argwhere(matrix)
    i, j = pairs.T
    here, there = matrix[i, j], matrix[j, i]  # the marks at i and at j of the edge between them
    odd = ~(((here == -1) & (np.abs(there) == 1)) | ((here == 1) & (there == -1)))
    if odd.any():
        a, b = pairs[int(odd.argmax())]
        marks = f"{found[a]!r} {_endpoint(matrix[a, b], '<')}-{_endpoint(matrix[b, a], '>')} {found[b]!r}"
        raise GraphError(f"A PDAG holds only arrows and lines. Got the causal-learn edge {marks}.")
    return PDAG.from_indices(found, pairs[there == 1], pairs[(here == there) & (i < j)])


def _endpoint(mark: int, head: str) -> str:
    return {0: "(no mark)", 1: head, -1: "-", 2: "o"}[int(mark)]


def _graph(matrix: NDArray[np.int8], names: tuple[str, ...]) -> PDAG:
    marks = np.argwhere(matrix == 1)
    both = matrix[marks[:, 1], marks[:, 0]] == 1
    return PDAG.from_indices(names, marks[~both], marks[both & (marks[:, 0] < marks[:, 1])])


def _checked_direction(direction: str, function: str) -> None:
    if direction not in {_FROM_ROW, _FROM_COLUMN}:
        choices = f"{_FROM_ROW!r} or {_FROM_COLUMN!r}"
        raise OptionError(f"The 'direction' parameter of {function} must be {choices}. Got {direction!r}.")


def _checked_matrix(
    matrix: Any,
    names: Iterable[str] | None,
    function: str,
    allowed: tuple[int, ...],
) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    """The matrix as int8 and the names that go with it."""
    columns = getattr(matrix, "columns", None)
    found = np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)
    if found.dtype.kind not in "biuf":
        try:
            found = found.astype(float)
        except (TypeError, ValueError):
            raise GraphError(f"{function} needs a matrix of numbers. Got dtype {found.dtype}.") from None
    if found.size == 0 and found.ndim == 1:
        found = found.reshape(0, 0)
    if found.ndim != 2 or found.shape[0] != found.shape[1]:
        raise GraphError(f"{function} needs a square matrix. Got shape {found.shape}.")
    d = len(found)
    if names is None:
        names = [str(name) for name in columns] if columns is not None else [f"x{i}" for i in range(d)]
    names = checked_names(names)
    if len(names) != d:
        raise GraphError(f"{function} needs one name per column. Got {len(names)} names for {d} columns.")
    bad = np.logical_and.reduce([found != value for value in allowed])
    if bad.any():
        i, j = np.argwhere(bad)[0]
        held = ", ".join(map(str, allowed))
        place = f"row {names[i]!r}, column {names[j]!r}"
        raise GraphError(f"The matrix of {function} must hold only {held}. Got {found[i, j]} at {place}.")
    if found.diagonal().any():
        name = names[int(np.flatnonzero(found.diagonal())[0])]
        raise GraphError(
            f"The matrix of {function} must have a zero diagonal. Got an edge from {name!r} to itself."
        )
    return found.astype(np.int8), names
