"""The zoo: small graphs that every part of secondlook is tried on, and makers of many or random ones."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from secondlook.graphs import PDAG
from secondlook.search import AlphaPath, Look

if TYPE_CHECKING:
    from collections.abc import Iterator

DAGS: dict[str, PDAG] = {
    "empty": PDAG([]),
    "one node": PDAG(["a"]),
    "no edges": PDAG("abcd"),
    "one arrow": PDAG("ab", ["ba"]),
    "chain": PDAG("abcd", ["ab", "bc", "cd"]),
    "fork": PDAG("abc", ["ba", "bc"]),
    "collider": PDAG("abc", ["ab", "cb"]),
    "collider with a tail": PDAG("abcd", ["ab", "cb", "bd"]),
    "complete": PDAG("dcba", ["ab", "ac", "ad", "bc", "bd", "cd"]),
    "diamond": PDAG("abcd", ["ab", "ac", "bd", "cd"]),
    "instrument": PDAG("ztyu", ["zt", "ty", "ut", "uy"]),
    "m-bias": PDAG("abmxy", ["am", "bm", "ax", "by", "xy"]),
    "two islands": PDAG("abcd", ["ab", "dc"]),
    "star out": PDAG("abcdef", ["ab", "ac", "ad", "ae", "af"]),
    "star in": PDAG("abcdef", ["ba", "ca", "da", "ea", "fa"]),
}

NOT_EXTENDABLE: dict[str, PDAG] = {
    "directed cycle": PDAG("abc", ["ab", "bc", "ca"]),
    "chordless square of lines": PDAG("abcd", (), ["ab", "bc", "cd", "da"]),
    "arrows meet at a line": PDAG("abcd", ["ab", "dc"], ["bc"]),
}

NASTY_NAMES: tuple[str, ...] = (
    'say "hello"',
    "it's",
    "two\nlines",
    "tab\there",
    "<script>alert(1)</script>",
    "a & b; c",
    "back\\slash",
    'ends with \\"',
    "ends with \\",
    "مرحبا",
    "\u202eright to left",
    "👩\u200d🔬 emoji",
    "ß" * 200,
    " spaces ",
    "-->",
    "node",
    "graph",
    "dag",
    "1",
    "{x}",
    "]]>",
    "%s{0}",
    "\\N",
    "\r",
)


def names(d: int) -> tuple[str, ...]:
    """The names x0, x1, ... of d nodes."""
    return tuple(f"x{i}" for i in range(d))


def all_pdags(d: int) -> Iterator[PDAG]:
    """Every graph of arrows and lines on d labelled nodes, cyclic ones too: 1, 4, 64, 4096 for d = 1..4."""
    for kinds in product(range(4), repeat=d * (d - 1) // 2):
        yield _graph(d, kinds)


def all_dags(d: int) -> Iterator[PDAG]:
    """Every labelled DAG on d nodes: 1, 3, 25, 543, 29281 for d = 1..5."""
    for kinds in product(range(3), repeat=d * (d - 1) // 2):
        if _acyclic(d, kinds):
            yield _graph(d, kinds)


def _graph(d: int, kinds: tuple[int, ...]) -> PDAG:
    arrows, lines = [], []
    for (i, j), kind in zip(combinations(range(d), 2), kinds, strict=True):
        if kind == 1:
            arrows.append((i, j))
        elif kind == 2:
            arrows.append((j, i))
        elif kind == 3:
            lines.append((i, j))
    arrow_array = np.array(sorted(arrows), dtype=np.int32).reshape(-1, 2)
    return PDAG.from_indices(names(d), arrow_array, np.array(lines, dtype=np.int32), validate=False)


def _acyclic(d: int, kinds: tuple[int, ...]) -> bool:
    """Whether sources can be peeled off until nothing is left, with parent sets as bits."""
    parents = [0] * d
    for (i, j), kind in zip(combinations(range(d), 2), kinds, strict=True):
        if kind == 1:
            parents[j] |= 1 << i
        elif kind == 2:
            parents[i] |= 1 << j
    left = (1 << d) - 1
    while left:
        sources = sum(1 << i for i in range(d) if left >> i & 1 and not parents[i] & left)
        if not sources:
            return False
        left &= ~sources
    return True


def random_dag(rng: np.random.Generator, d: int, degree: float = 3.0) -> PDAG:
    """A DAG on d nodes in a random order, every pair joined with probability degree / (d - 1)."""
    order = rng.permutation(d)
    early, late = np.triu_indices(d, 1)
    kept = rng.random(len(early)) < degree / max(d - 1, 1)
    arrows = np.column_stack([order[early[kept]], order[late[kept]]])
    return PDAG.from_indices(names(d), arrows, np.empty((0, 2), dtype=np.int32))


def random_pdag(rng: np.random.Generator, d: int, degree: float = 3.0) -> PDAG:
    """Any graph on d nodes: an edge is an arrow, its reverse or a line with equal chances."""
    pairs = np.column_stack(np.triu_indices(d, 1))
    pairs = pairs[rng.random(len(pairs)) < degree / max(d - 1, 1)]
    kind = rng.integers(0, 3, size=len(pairs))
    arrows = np.concatenate([pairs[kind == 0], pairs[kind == 1][:, ::-1]])
    return PDAG.from_indices(names(d), arrows, pairs[kind == 2])


def path_of(*graphs: PDAG) -> AlphaPath:
    """A path of one look that holds these graphs, at alphas 0.01, 0.02 and so on."""
    alphas = tuple(0.01 * (k + 1) for k in range(len(graphs)))
    look = Look(graphs[0].names, alphas, ())
    object.__setattr__(look, "graphs", graphs)
    return AlphaPath(graphs[0].names, alphas, "vote", look, None, {}, "native")
