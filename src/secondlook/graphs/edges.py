"""Checking and sorting of the edges and names that a PDAG is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import GraphError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    IntArray = NDArray[np.int32]

_SHOWN = 10


def listing(names: Iterable[str]) -> str:
    """The names quoted and comma-separated, at most ten of them, then how many more."""
    names = list(names)
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names as a tuple of plain strings; refuses what is not a str, is empty, or comes twice."""
    names = tuple(names)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"The names of a graph must be strings. Got {name!r}; use str() on it.")
        if not name:
            raise GraphError("The names of a graph must not be empty. Got ''; give the node a name.")
    if len(set(names)) != len(names):
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise GraphError(f"The names of a graph must be unique. Got {twice!r} twice; rename one of them.")
    return tuple(map(str, names))


def index_pairs(
    pairs: Iterable[tuple[str, str]], index: Mapping[str, int], parameter: str
) -> list[tuple[int, int]]:
    """The pairs of names as pairs of column indices."""
    found = []
    for pair in pairs:
        try:
            a, b = pair
        except (TypeError, ValueError):
            raise TypeError(f"The {parameter!r} edges must be pairs of names. Got {pair!r}.") from None
        found.append((lookup(a, index), lookup(b, index)))
    return found


def lookup(name: str, index: Mapping[str, int]) -> int:
    """The column index of a name."""
    try:
        return index[name]
    except (KeyError, TypeError):
        nodes = listing(index) if index else "none"
        raise GraphError(f"The graph has no node {name!r}. Its nodes are {nodes}.") from None


def canonical_edges(names: Sequence[str], arrows: ArrayLike, lines: ArrayLike) -> tuple[IntArray, IntArray]:
    """Both edge arrays sorted and checked.

    Parameters
    ----------
    names : sequence of str
        The d node names, for messages.
    arrows, lines : array-like of int, shape (m, 2) and (k, 2)
        Column indices in [0, d).

    Returns
    -------
    arrows, lines : int32 arrays, shape (m, 2) and (k, 2)
        Lexicographically sorted; lines with the smaller index first.

    Raises
    ------
    GraphError
        When an index is out of range, an edge joins a node to itself, or a pair carries two edges.
    """
    d = len(names)
    arrow_pairs = _integer_pairs(arrows, "arrows", d)
    line_pairs = _integer_pairs(lines, "lines", d)
    line_pairs.sort(axis=1)
    arrow_keys = arrow_pairs[:, 0] * d + arrow_pairs[:, 1]
    line_keys = line_pairs[:, 0] * d + line_pairs[:, 1]
    low, high = arrow_pairs.min(axis=1), arrow_pairs.max(axis=1)
    pair_keys = np.concatenate([low * d + high, line_keys])
    pair_keys.sort()
    _refuse_loops_and_repeats(names, pair_keys)
    arrow_keys.sort()
    line_keys.sort()
    return _pairs_of_keys(arrow_keys, d), _pairs_of_keys(line_keys, d)


def _integer_pairs(pairs: ArrayLike, parameter: str, d: int) -> NDArray[np.int64]:
    found = np.asarray(pairs)
    if found.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(f"The {parameter!r} of a graph must hold integers. Got dtype {found.dtype}.")
    if found.ndim != 2 or found.shape[1] != 2:
        raise GraphError(f"The {parameter!r} of a graph must have shape (m, 2). Got shape {found.shape}.")
    lowest, highest = int(found.min()), int(found.max())
    if lowest < 0 or highest >= d:
        outside = lowest if lowest < 0 else highest
        raise GraphError(
            f"The {parameter!r} of a graph with {d} nodes must lie in 0..{d - 1}. Got {outside}."
        )
    return found.astype(np.int64)


def _refuse_loops_and_repeats(names: Sequence[str], pair_keys: NDArray[np.int64]) -> None:
    d = max(len(names), 1)
    tails, heads = np.divmod(pair_keys, d)
    loops = tails == heads
    if loops.any():
        name = names[int(tails[loops.argmax()])]
        raise GraphError(f"A graph must not join a node to itself. Got an edge from {name!r} to {name!r}.")
    repeats = pair_keys[1:] == pair_keys[:-1]
    if repeats.any():
        at = int(repeats.argmax())
        a, b = names[int(tails[at])], names[int(heads[at])]
        raise GraphError(f"A pair of nodes carries at most one edge. Got two between {a!r} and {b!r}.")


def _pairs_of_keys(keys: NDArray[np.int64], d: int) -> IntArray:
    pairs = np.empty((len(keys), 2), dtype=np.int32)
    if len(keys):
        pairs[:, 0], pairs[:, 1] = np.divmod(keys, d)
    return pairs
