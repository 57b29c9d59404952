"""Random DAGs over the nodes x0, x1, ..., relabelled at random so that a column's place says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import OptionError
from secondlook.graphs import PDAG
from secondlook.simulation.options import checked_choice, checked_count, checked_generator, checked_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KINDS = ("erdos-renyi", "scale-free")
_HUBS = ("random", "sink", "source")
_NO_LINES = np.empty((0, 2), dtype=np.int32)


def random_dag(
    d: int, degree: float, rng: np.random.Generator, *, kind: str = "erdos-renyi", hubs: str = "random"
) -> PDAG:
    """A random DAG with an expected number of edges per node.

    Parameters
    ----------
    d : int
        The number of nodes, at least 1.
    degree : float
        The expected number of edges at a node, in [0, d - 1]. For "scale-free" an even number 2 m: the
        average degree is 2 m for large d, exactly 2 m (d - m) / d.
    rng : numpy.random.Generator
        The only source of randomness: the same state gives the same graph.
    kind : {"erdos-renyi", "scale-free"}
        Each pair an edge with probability degree / (d - 1), independently, directed along a random order of
        the nodes; or ``scale_free_dag``.
    hubs : {"random", "sink", "source"}
        How the edges of a scale-free graph point; see ``scale_free_dag``. "erdos-renyi" has no hubs and
        takes "random" only.

    Returns
    -------
    PDAG
        A DAG with the names x0..x{d-1}.

    Raises
    ------
    OptionError
        When an option has a value outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> random_dag(4, 2, np.random.default_rng(1))
    PDAG with 4 nodes, 4 edges: x0 -> x1, x0 -> x2, x1 -> x3, x3 -> x2
    """
    checked_choice("random_dag", "kind", kind, _KINDS)
    if kind == "scale-free":
        m = checked_number("random_dag", "degree", degree) / 2
        if m < 1 or m != int(m):
            raise OptionError(
                "The 'degree' parameter of random_dag must be 2, 4, 6, ... for kind='scale-free'. "
                f"Got {degree}."
            )
        return scale_free_dag(d, int(m), rng, hubs=hubs)
    if hubs != "random":
        raise OptionError(
            "The 'hubs' parameter of random_dag must be 'random' for kind='erdos-renyi'. "
            f"Got {hubs!r}; use kind='scale-free' for hubs."
        )
    return erdos_renyi_dag(d, degree, rng)


def erdos_renyi_dag(d: int, degree: float, rng: np.random.Generator) -> PDAG:
    """A DAG in which each pair is an edge with probability degree / (d - 1), along a random order.

    Parameters
    ----------
    d : int
        The number of nodes, at least 1.
    degree : float
        The expected number of edges at a node, in [0, d - 1].
    rng : numpy.random.Generator
        The only source of randomness.

    Raises
    ------
    OptionError
        When d or degree is outside its range.
    """
    checked_generator("erdos_renyi_dag", rng)
    d = checked_count("erdos_renyi_dag", "d", d, 1)
    degree = checked_number("erdos_renyi_dag", "degree", degree)
    if not 0 <= degree <= d - 1:
        raise OptionError(
            f"The 'degree' parameter of erdos_renyi_dag must be in [0, d - 1] = [0, {d - 1}]. Got {degree}."
        )
    pairs = d * (d - 1) // 2
    # a binomial number of distinct pairs is the same distribution as one coin per pair, without d * d coins
    count = int(rng.binomial(pairs, degree / max(d - 1, 1)))
    earlier, later = _pair_of_rank(rng.choice(pairs, size=count, replace=False, shuffle=False))
    return _relabelled(d, np.column_stack([earlier, later]), rng)


def scale_free_dag(d: int, m: int, rng: np.random.Generator, *, hubs: str = "random") -> PDAG:
    """A DAG grown by preferential attachment: each new node joins m others, the popular ones more often.

    Parameters
    ----------
    d : int
        The number of nodes, more than m.
    m : int
        The edges of each new node, at least 1; the graph starts as a star of m + 1 nodes and has
        m * (d - m) edges.
    rng : numpy.random.Generator
        The only source of randomness.
    hubs : {"random", "sink", "source"}
        "random" directs every edge along a random order of the nodes; "sink" from the newer node to the
        older one, so that hubs have many parents; "source" from the older node to the newer one, so that
        hubs have many children.

    Raises
    ------
    OptionError
        When an option has a value outside its range.

    References
    ----------
    .. [1] Barabasi, Albert (1999), Emergence of scaling in random networks.

    Examples
    --------
    >>> import numpy as np
    >>> scale_free_dag(50, 2, np.random.default_rng(0), hubs="sink").n_edges
    96
    """
    checked_generator("scale_free_dag", rng)
    m = checked_count("scale_free_dag", "m", m, 1)
    d = checked_count("scale_free_dag", "d", d, m + 1)
    checked_choice("scale_free_dag", "hubs", hubs, _HUBS)
    arrows = _attachments(d, m, rng)
    if hubs == "source":
        arrows = arrows[:, ::-1]
    elif hubs == "random":
        rank = rng.permutation(d)
        backwards = rank[arrows[:, 0]] > rank[arrows[:, 1]]
        arrows = np.where(backwards[:, None], arrows[:, ::-1], arrows)
    return _relabelled(d, arrows, rng)


def _attachments(d: int, m: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The edges (newer node, older node); a node is drawn in proportion to the edges it already has."""
    edges = [(m, older) for older in range(m)]
    ends = [end for edge in edges for end in edge]
    for newer in range(m + 1, d):
        older: set[int] = set()
        while len(older) < m:
            older.add(ends[rng.integers(len(ends))])
        for node in sorted(older):
            edges.append((newer, node))
            ends += (newer, node)
    return np.array(edges, dtype=np.int64)


def _pair_of_rank(rank: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pair i < j at each place of the list (0,1), (0,2), (1,2), (0,3), ...: rank = j (j - 1) / 2 + i."""
    # 8 rank + 1 is exact below 2**53, and its root stays 2 / j below the next block: more than rounding
    j = ((1 + np.sqrt(1 + 8 * rank.astype(np.float64))) / 2).astype(np.int64)
    return rank - j * (j - 1) // 2, j


def _relabelled(d: int, arrows: NDArray[np.int64], rng: np.random.Generator) -> PDAG:
    moved = rng.permutation(d)[arrows]
    moved = moved[np.lexsort((moved[:, 1], moved[:, 0]))].astype(np.int32)
    names = tuple(f"x{i}" for i in range(d))
    return PDAG.from_indices(names, moved, _NO_LINES, validate=False)
