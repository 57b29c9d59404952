"""The one graph type of secondlook: an immutable, sparse graph of arrows and lines between named nodes.

How a graph is written as a matrix is said once, in docs/conventions.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from secondlook.errors import GraphError
from secondlook.graphs.adjacency import Adjacency, build_adjacency
from secondlook.graphs.edges import canonical_edges, checked_names, index_pairs, listing, lookup

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import networkx
    from numpy.typing import ArrayLike, NDArray

_SHOWN_EDGES = 20
_NO_EDGES = np.empty((0, 2), dtype=np.int32)


class PDAG:
    """A graph whose nodes are named and whose edges are arrows (a -> b) and lines (a -- b).

    DAGs and CPDAGs are PDAGs that pass ``is_dag`` or ``is_cpdag``. A directed cycle can be held, because
    the raw orientation rules can make one; ``is_acyclic`` tells.

    Parameters
    ----------
    names : iterable of str
        The d node names, unique and not empty, in column order.
    directed : iterable of (str, str)
        The arrows as (tail, head).
    undirected : iterable of (str, str)
        The lines, each pair in any order.

    Raises
    ------
    GraphError
        When a name is empty, repeated or unknown, an edge joins a node to itself, or a pair has two edges.
    TypeError
        When a name is not a string.

    Examples
    --------
    >>> PDAG(["a", "b", "c"], directed=[("a", "b")], undirected=[("b", "c")])
    PDAG with 3 nodes, 2 edges: a -> b, b -- c
    """

    __slots__ = ("_adjacency", "_arrows", "_hash", "_index", "_lines", "_marks", "_names")

    _names: tuple[str, ...]
    _arrows: NDArray[np.int32]
    _lines: NDArray[np.int32]
    _index: dict[str, int] | None
    _adjacency: Adjacency | None
    _marks: NDArray[np.int64] | None
    _hash: int | None

    def __init__(
        self,
        names: Iterable[str],
        directed: Iterable[tuple[str, str]] = (),
        undirected: Iterable[tuple[str, str]] = (),
    ) -> None:
        names = checked_names(names)
        index = {name: i for i, name in enumerate(names)}
        arrows, lines = index_pairs(directed, index, "directed"), index_pairs(undirected, index, "undirected")
        self._fill(names, *canonical_edges(names, arrows, lines))

    def _fill(self, names: tuple[str, ...], arrows: NDArray[np.int32], lines: NDArray[np.int32]) -> None:
        arrows.flags.writeable = False
        lines.flags.writeable = False
        write = object.__setattr__
        write(self, "_names", names)
        write(self, "_arrows", arrows)
        write(self, "_lines", lines)
        write(self, "_index", None)
        write(self, "_adjacency", None)
        write(self, "_marks", None)
        write(self, "_hash", None)

    @classmethod
    def from_indices(
        cls, names: Iterable[str], arrows: ArrayLike, lines: ArrayLike, *, validate: bool = True
    ) -> PDAG:
        """The graph with these edges between column indices.

        Parameters
        ----------
        names : iterable of str
            The d node names in column order.
        arrows : array-like of int, shape (m, 2)
            Pairs (tail, head) in [0, d).
        lines : array-like of int, shape (k, 2)
            Pairs in [0, d), in any order.
        validate : bool
            False trusts the caller: names valid, each pair at most once, both arrays lexicographically
            sorted, lines with the smaller index first, and never written to again.

        Raises
        ------
        GraphError
            When validate is True and the names or edges break a rule of PDAG.
        """
        graph = cls.__new__(cls)
        if validate:
            names = checked_names(names)
            graph._fill(names, *canonical_edges(names, arrows, lines))
            return graph
        # reshape makes a new view, so that the caller's own array does not become read-only
        trusted_arrows = np.asarray(arrows, dtype=np.int32).reshape(-1, 2)
        trusted_lines = np.asarray(lines, dtype=np.int32).reshape(-1, 2)
        graph._fill(tuple(names), trusted_arrows, trusted_lines)
        return graph

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A PDAG cannot be changed; make a new one instead of setting {name!r}.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A PDAG cannot be changed; make a new one instead of deleting {name!r}.")

    @property
    def names(self) -> tuple[str, ...]:
        """The node names in column order."""
        return self._names

    @property
    def arrows(self) -> NDArray[np.int32]:
        """The directed edges as a read-only, sorted int32 array of shape (m, 2): tail, head."""
        return self._arrows

    @property
    def lines(self) -> NDArray[np.int32]:
        """The undirected edges as a read-only, sorted int32 array of shape (k, 2), smaller index first."""
        return self._lines

    @property
    def directed(self) -> tuple[tuple[str, str], ...]:
        """The arrows as pairs of names: tail, head."""
        return self._named(self._arrows)

    @property
    def undirected(self) -> tuple[tuple[str, str], ...]:
        """The lines as pairs of names, the earlier column first."""
        return self._named(self._lines)

    @property
    def d(self) -> int:
        """The number of nodes."""
        return len(self._names)

    @property
    def n_edges(self) -> int:
        """The number of edges, arrows and lines together."""
        return len(self._arrows) + len(self._lines)

    @property
    def skeleton(self) -> PDAG:
        """The same graph with every arrow turned into a line."""
        if not len(self._arrows):
            return self
        return PDAG.from_indices(self._names, _NO_EDGES, np.concatenate([self._arrows, self._lines]))

    @property
    def adjacency(self) -> Adjacency:
        """Parents, children and neighbors of every node as lists of indices; built once."""
        if self._adjacency is not None:
            return self._adjacency
        built = build_adjacency(self)
        object.__setattr__(self, "_adjacency", built)
        return built

    def index(self, name: str) -> int:
        """The column index of a node.

        Raises
        ------
        GraphError
            When the graph has no node of this name.
        """
        if self._index is None:
            object.__setattr__(self, "_index", {node: i for i, node in enumerate(self._names)})
        return lookup(name, self._index or {})

    def parents(self, name: str) -> tuple[str, ...]:
        """The nodes with an arrow into this one, in column order."""
        return tuple(self._names[i] for i in self.adjacency.parents[self.index(name)])

    def children(self, name: str) -> tuple[str, ...]:
        """The nodes with an arrow from this one, in column order."""
        return tuple(self._names[i] for i in self.adjacency.children[self.index(name)])

    def neighbors(self, name: str) -> tuple[str, ...]:
        """The nodes joined to this one by a line, in column order."""
        return tuple(self._names[i] for i in self.adjacency.neighbors[self.index(name)])

    def adjacent(self, name: str) -> tuple[str, ...]:
        """The nodes joined to this one in any way, in column order."""
        i, near = self.index(name), self.adjacency
        joined = sorted([*near.parents[i], *near.children[i], *near.neighbors[i]])
        return tuple(self._names[j] for j in joined)

    def has_edge(self, a: str, b: str) -> bool:
        """Whether the graph holds a -> b or a -- b; b -> a does not count."""
        i, j = self.index(a), self.index(b)
        return j in self.adjacency.children[i] or j in self.adjacency.neighbors[i]

    def is_adjacent(self, a: str, b: str) -> bool:
        """Whether an edge of any kind joins a and b."""
        return self.has_edge(a, b) or self.has_edge(b, a)

    def skeleton_keys(self) -> set[tuple[int, int]]:
        """The adjacent pairs as column indices, the smaller first."""
        arrows = ((i, j) if i < j else (j, i) for i, j in self._arrows.tolist())
        return {*arrows, *((i, j) for i, j in self._lines.tolist())}

    def marks(self) -> NDArray[np.int64]:
        """The keys tail * d + head of every mark, sorted; an arrow has one mark and a line has two.

        Examples
        --------
        >>> PDAG("abc", directed=["ab"], undirected=["bc"]).marks()
        array([1, 5, 7])
        """
        if self._marks is not None:
            return self._marks
        arrows, lines, d = self._arrows.astype(np.int64), self._lines.astype(np.int64), self.d
        tails = np.concatenate([arrows[:, 0], lines[:, 0], lines[:, 1]])
        heads = np.concatenate([arrows[:, 1], lines[:, 1], lines[:, 0]])
        marks: NDArray[np.int64] = tails * d + heads
        marks.sort()
        marks.flags.writeable = False
        object.__setattr__(self, "_marks", marks)
        return marks

    def relabelled(self, order: Iterable[str]) -> PDAG:
        """The same graph with its columns in another order.

        Parameters
        ----------
        order : iterable of str
            Every name of the graph once.

        Raises
        ------
        GraphError
            When order is not a permutation of the names.
        """
        names = checked_names(order)
        if len(names) != self.d or set(names) != set(self._names):
            odd = set(names) ^ set(self._names)
            raise GraphError(
                f"The order must hold every name of the graph once. Look at {listing(sorted(odd))}."
            )
        place = {name: i for i, name in enumerate(names)}
        moved = np.array([place[name] for name in self._names], dtype=np.int64)
        return PDAG.from_indices(names, moved[self._arrows], moved[self._lines])

    def renamed(self, mapping: Mapping[str, str]) -> PDAG:
        """The same graph with other names; nodes that the mapping leaves out keep theirs.

        Raises
        ------
        GraphError
            When the mapping names a node that the graph does not have, or makes two names equal.
        """
        for name in mapping:
            self.index(name)
        names = checked_names(mapping.get(name, name) for name in self._names)
        return PDAG.from_indices(names, self._arrows, self._lines, validate=False)

    def _named(self, pairs: NDArray[np.int32]) -> tuple[tuple[str, str], ...]:
        names = self._names
        return tuple((names[i], names[j]) for i, j in pairs.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PDAG):
            return NotImplemented
        return (
            self._names == other._names
            and np.array_equal(self._arrows, other._arrows)
            and np.array_equal(self._lines, other._lines)
        )

    def __hash__(self) -> int:
        if self._hash is None:
            key = (self._names, self._arrows.tobytes(), self._lines.tobytes())
            object.__setattr__(self, "_hash", hash(key))
        return self._hash or 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._names, self._arrows, self._lines)

    def __repr__(self) -> str:
        nodes = "1 node" if self.d == 1 else f"{self.d} nodes"
        edges = "1 edge" if self.n_edges == 1 else f"{self.n_edges} edges"
        head = f"PDAG with {nodes}, {edges}"
        arrows = [f"{_shown(a)} -> {_shown(b)}" for a, b in self._named(self._arrows[:_SHOWN_EDGES])]
        left = _SHOWN_EDGES - len(arrows)
        lines = [f"{_shown(a)} -- {_shown(b)}" for a, b in self._named(self._lines[:left])]
        if not self.n_edges:
            return head
        more = self.n_edges - len(arrows) - len(lines)
        return f"{head}: {', '.join(arrows + lines)}" + (f", ... and {more} more" if more else "")

    def _repr_svg_(self) -> str:
        from secondlook.graphs.svg import to_svg

        return to_svg(self)

    def to_numpy(self, direction: str = "from row to column") -> NDArray[np.int8]:
        """The 0/1 mark matrix; see ``secondlook.graphs.to_numpy``."""
        from secondlook.graphs.convert.matrix import to_numpy

        return to_numpy(self, direction=direction)

    def to_networkx(self) -> networkx.DiGraph:
        """The graph as a networkx DiGraph; see ``secondlook.graphs.to_networkx``."""
        from secondlook.graphs.convert.digraph import to_networkx

        return to_networkx(self)

    def to_dot(self) -> str:
        """The graph in Graphviz's DOT language; see ``secondlook.graphs.to_dot``."""
        from secondlook.graphs.convert.dot import to_dot

        return to_dot(self)

    def to_graphml(self) -> str:
        """The graph as GraphML text; see ``secondlook.graphs.to_graphml``."""
        from secondlook.graphs.convert.graphml import to_graphml

        return to_graphml(self)

    def to_json(self) -> str:
        """The graph as versioned JSON text; see ``secondlook.graphs.to_json``."""
        from secondlook.graphs.convert.json_text import to_json

        return to_json(self)

    def to_tetrad(self) -> str:
        """The graph as Tetrad text; see ``secondlook.graphs.to_tetrad``."""
        from secondlook.graphs.convert.tetrad import to_tetrad

        return to_tetrad(self)

    def to_dagitty(self) -> str:
        """The graph in DAGitty's language; see ``secondlook.graphs.to_dagitty``."""
        from secondlook.graphs.convert.dagitty import to_dagitty

        return to_dagitty(self)


def _restored(names: tuple[str, ...], arrows: NDArray[np.int32], lines: NDArray[np.int32]) -> PDAG:
    return PDAG.from_indices(names, arrows, lines, validate=False)


def _shown(name: str) -> str:
    return name if name.isprintable() else repr(name)
