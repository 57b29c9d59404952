"""d-separation in a DAG: one answer by name, or many thousands by index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.errors import GraphError
from secondlook.graphs.order import dag_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from secondlook.graphs.pdag import PDAG


class DSeparator:
    """Answers d-separation questions about one DAG, by column index.

    Node sets are the bits of Python integers, so that a question costs a few microseconds on small graphs.

    Parameters
    ----------
    dag : PDAG
        A graph of arrows without a directed cycle.

    Raises
    ------
    GraphError
        When the graph has a line or a directed cycle.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> DSeparator(PDAG("abc", directed=["ab", "bc"])).separated(0, 2, [1])
    True
    """

    __slots__ = ("_children", "_parents", "dag")

    def __init__(self, dag: PDAG) -> None:
        dag_order(dag, "d-separation")
        near = dag.adjacency
        self.dag = dag
        self._parents = [sum(1 << j for j in nodes) for nodes in near.parents]
        self._children = [sum(1 << j for j in nodes) for nodes in near.children]

    def separated(self, i: int, j: int, S: Sequence[int] = ()) -> bool:
        """Whether S d-separates i from j.

        Parameters
        ----------
        i, j : int
            Two different columns in [0, d), neither of them in S.
        S : sequence of int
            The conditioning set, columns in [0, d) in any order.

        Raises
        ------
        GraphError
            When a column is out of range, i equals j, or S holds one of them.
        """
        i, j = int(i), int(j)  # NumPy integers would overflow as bits
        given = self._checked(i, j, S)
        goal = 1 << j
        up, down = 1 << i, 0  # reached from a child (or the start), reached from a parent
        new_up, new_down = up, down
        while new_up or new_down:
            # a collider in S sends the path back up; so does its descendant in S, past the collider
            next_up = self._union(self._parents, (new_up & ~given) | (new_down & given))
            next_down = self._union(self._children, (new_up | new_down) & ~given)
            new_up, new_down = next_up & ~up, next_down & ~down
            up |= new_up
            down |= new_down
            if (up | down) & goal:
                return False
        return True

    def _checked(self, i: int, j: int, S: Sequence[int]) -> int:
        """The nodes of S as bits."""
        d = self.dag.d
        given = 0
        for k in (i, j, *S):
            if not 0 <= k < d:
                raise GraphError(f"A column of a graph with {d} nodes must lie in 0..{d - 1}. Got {k}.")
        for k in map(int, S):
            given |= 1 << k
        if i == j:
            raise GraphError(
                f"d-separation is asked of two different nodes. Got {self.dag.names[i]!r} twice."
            )
        if (given >> i | given >> j) & 1:
            name = self.dag.names[i if given >> i & 1 else j]
            raise GraphError(f"The conditioning set must not hold the nodes asked about. Got {name!r}.")
        return given

    @staticmethod
    def _union(sets: list[int], nodes: int) -> int:
        """The union of the sets that belong to the nodes whose bits are on."""
        union = 0
        while nodes:
            lowest = nodes & -nodes
            union |= sets[lowest.bit_length() - 1]
            nodes ^= lowest
        return union


def d_separated(dag: PDAG, a: str, b: str, S: Iterable[str] = ()) -> bool:
    """Whether the names in S d-separate a from b.

    Parameters
    ----------
    dag : PDAG
        A graph of arrows without a directed cycle.
    a, b : str
        Two different nodes, neither of them in S.
    S : iterable of str
        The conditioning set.

    Raises
    ------
    GraphError
        When a name is unknown or asked about twice, or the graph is not a DAG.
    TypeError
        When S is a single string.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> d_separated(PDAG("abc", directed=["ab", "cb"]), "a", "c", ["b"])
    False
    """
    if isinstance(S, str):
        raise TypeError(
            f"The conditioning set S must be a collection of names. Got the string {S!r}; use [{S!r}]."
        )
    given = [dag.index(name) for name in S]
    return DSeparator(dag).separated(dag.index(a), dag.index(b), given)
