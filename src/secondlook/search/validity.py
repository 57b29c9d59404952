"""From raw graphs to valid ones: a DAG for every alpha, and the CPDAG of its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from secondlook import _native
from secondlook.graphs import PDAG, cpdag
from secondlook.search.arrays import MAX_ALPHAS, Edges
from secondlook.search.ranking import RankedEdges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.search.path import AlphaPath, Chunk, Look


class Settled(NamedTuple):
    """An edge of the raw graph that the answer marks otherwise, because no DAG can have all its marks.

    `raw` and `answer` are "->", "<-" or "--" between a and b, `answer` "" where the edge went; the supports
    are those of colliders that asked for an arrowhead at b and at a, 0 where none did.
    """

    a: str
    b: str
    raw: str
    answer: str
    toward_b: float
    toward_a: float


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
    found: list[Dag] = []
    for c, chunk in enumerate(look.chunks):
        n_alphas = min(len(look.alphas) - c * MAX_ALPHAS, MAX_ALPHAS)
        found += _extended(chunk.edges, chunk.forward, chunk.backward, n_alphas, rank)
    return found


def extension_of(look: Look, k: int, rank: NDArray[np.int32]) -> Dag:
    """What `extensions_of` gives for the k-th alpha."""
    chunk, bit = look.chunks[k // MAX_ALPHAS], np.uint64(k % MAX_ALPHAS)
    edges, forward, backward = _at_one_alpha(chunk, bit)
    return _extended(edges, forward, backward, 1, rank)[0]


def valid_answer(path: AlphaPath, k: int) -> tuple[PDAG, tuple[Settled, ...]] | None:
    """The CPDAG of a DAG that the first look's graph at the k-th alpha stands for, and what it settles.

    A graph that some DAG fits becomes the CPDAG of these DAGs, any other the CPDAG of the DAG nearest to it.
    None where the collider rule is one whose raw graph is wanted as it is.
    """
    if path.rank is None:
        return None
    answer = extension_of(path.first, k, path.rank).cpdag(path.names)
    return answer, settled_edges(path.first, k, answer)


def settled_edges(look: Look, k: int, answer: PDAG) -> tuple[Settled, ...]:
    """Every edge of the raw graph at the k-th alpha that the answer marks otherwise, with its support."""
    raw, d = look.graphs[k], len(look.names)
    changed = np.setxor1d(raw.marks(), answer.marks())
    tails, heads = np.divmod(changed, d)
    pairs = sorted(
        set(zip(np.minimum(tails, heads).tolist(), np.maximum(tails, heads).tolist(), strict=True))
    )
    if not pairs:
        return ()
    conflicts, at = look.chunks[k // MAX_ALPHAS].conflicts, k % MAX_ALPHAS
    here = conflicts.where[:, 0] == at
    ends, weights = conflicts.where[here, 1:].tolist(), conflicts.support[here].tolist()
    support = {(x, y): (to_y, to_x) for (x, y), (to_y, to_x) in zip(ends, weights, strict=True)}
    found = []
    for i, j in pairs:
        a, b = look.names[i], look.names[j]
        if before := _mark(raw, a, b):
            found.append(Settled(a, b, before, _mark(answer, a, b), *support.get((i, j), (0.0, 0.0))))
    return tuple(found)


def _at_one_alpha(chunk: Chunk, bit: np.uint64) -> tuple[Edges, NDArray[np.uint64], NDArray[np.uint64]]:
    """Edges and marks of one alpha of a chunk, as those of a chunk of one alpha."""
    one = np.uint64(1)
    forward, backward = chunk.forward >> bit & one, chunk.backward >> bit & one
    here = np.flatnonzero(forward | backward)
    edges = chunk.edges
    joined = Edges(edges.first[here], edges.second[here], np.ones(len(here), dtype=np.uint64))
    return joined, forward[here], backward[here]


def _extended(
    edges: Edges,
    forward: NDArray[np.uint64],
    backward: NDArray[np.uint64],
    n_alphas: int,
    rank: NDArray[np.int32],
) -> list[Dag]:
    column = np.argsort(rank).astype(np.int32)
    ranked = RankedEdges(edges, rank)
    ahead, back = ranked.marks(forward, backward)
    raw = _native.extensions(
        first=ranked.edges.first,
        second=ranked.edges.second,
        forward=ahead,
        backward=back,
        d=len(rank),
        n_alphas=n_alphas,
    )
    begin = raw["begin"].astype(np.int64)
    found = []
    for k in range(n_alphas):
        part = slice(begin[k], begin[k + 1])
        tails, heads = column[raw["tails"][part]], column[raw["heads"][part]]
        found.append(sorted_dag(tails, heads, consistent=raw["consistent"][k]))
    return found


def _mark(graph: PDAG, a: str, b: str) -> str:
    ahead, back = graph.has_edge(a, b), graph.has_edge(b, a)
    return {(True, True): "--", (True, False): "->", (False, True): "<-", (False, False): ""}[ahead, back]
