"""From raw graphs to valid ones: a DAG for every alpha, and the CPDAG of its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from secondlook import _native
from secondlook.graphs import PDAG, cpdag
from secondlook.search.arrays import MAX_ALPHAS
from secondlook.search.ranking import RankedEdges
from secondlook.selection.answer import Settled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.search import Look


@dataclass(frozen=True, slots=True, eq=False)
class Dag:
    """A DAG as arrays of arrows, and whether it extends the graph it was made from.

    Attributes
    ----------
    tails, heads : int32 arrays
        Column indices, sorted by head, then tail.
    consistent : bool
        Whether it keeps every arrow of the graph and adds no v-structure.
    """

    tails: NDArray[np.int32]
    heads: NDArray[np.int32]
    consistent: bool = True

    def cpdag(self, names: tuple[str, ...]) -> PDAG:
        """The graph of its Markov equivalence class."""
        arrows = np.stack([self.tails, self.heads], axis=1)
        order = np.lexsort((self.heads, self.tails))
        return cpdag(PDAG.from_indices(names, arrows[order], np.empty((0, 2)), validate=False))


def sorted_dag(tails: NDArray[np.int32], heads: NDArray[np.int32], *, consistent: bool = True) -> Dag:
    """The DAG of arrows in any order."""
    order = np.lexsort((tails, heads))
    return Dag(tails[order], heads[order], consistent)


def extensions_of(look: Look, rank: NDArray[np.int32]) -> list[Dag]:
    """A DAG for every alpha's graph: a consistent extension, or the nearest thing by Dor and Tarsi's order.

    Parameters
    ----------
    look : Look
        Of d columns.
    rank : int32 array, shape (d,)
        Which of equally good sinks goes first: not the column order, so that it plays no part.
    """
    column = np.argsort(rank).astype(np.int32)
    found: list[Dag] = []
    for c, chunk in enumerate(look.chunks):
        ranked = RankedEdges(chunk.edges, rank)
        forward, backward = ranked.marks(chunk.forward, chunk.backward)
        n_alphas = min(len(look.alphas) - c * MAX_ALPHAS, MAX_ALPHAS)
        raw = _native.extensions(
            first=ranked.edges.first,
            second=ranked.edges.second,
            forward=forward,
            backward=backward,
            d=len(rank),
            n_alphas=n_alphas,
        )
        begin = raw["begin"].astype(np.int64)
        for k in range(n_alphas):
            part = slice(begin[k], begin[k + 1])
            tails, heads = column[raw["tails"][part]], column[raw["heads"][part]]
            found.append(sorted_dag(tails, heads, consistent=raw["consistent"][k]))
    return found


def settled_edges(look: Look, k: int, answer: PDAG) -> tuple[Settled, ...]:
    """Every edge of the raw graph at the k-th alpha that the answer marks otherwise, with its support."""
    raw = look.graphs[k]
    if raw == answer:
        return ()
    alpha = look.alphas[k]
    support = {(c.a, c.b): (c.toward_b, c.toward_a) for c in look.conflicts if c.alpha == alpha}
    found = []
    for a, b in (*raw.directed, *raw.undirected):
        low, high = (a, b) if raw.index(a) < raw.index(b) else (b, a)
        before, after = _mark(raw, low, high), _mark(answer, low, high)
        if before != after:
            found.append(Settled(low, high, before, after, *support.get((low, high), (0.0, 0.0))))
    return tuple(sorted(found, key=lambda s: (raw.index(s.a), raw.index(s.b))))


def _mark(graph: PDAG, a: str, b: str) -> str:
    ahead, back = graph.has_edge(a, b), graph.has_edge(b, a)
    return {(True, True): "--", (True, False): "->", (False, True): "<-", (False, False): ""}[ahead, back]
