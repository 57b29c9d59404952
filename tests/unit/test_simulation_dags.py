"""Random DAGs: how many edges, which ones, and what is refused."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from secondlook.errors import OptionError
from secondlook.graphs import PDAG, is_dag
from secondlook.simulation import dags, erdos_renyi_dag, random_dag, scale_free_dag


def degrees(graph: PDAG) -> np.ndarray:
    """The number of edges at every node."""
    return np.bincount(graph.arrows.ravel(), minlength=graph.d)


def test_number_of_edges_is_binomial(rng: np.random.Generator) -> None:
    """Over many draws the number of edges has the mean and variance of independent coins."""
    counts = np.array([random_dag(20, 2.0, rng).n_edges for _ in range(3000)])
    chance, pairs = 2 / 19, 190
    spread = pairs * chance * (1 - chance)
    assert abs(counts.mean() - 20) < 5 * np.sqrt(spread / 3000)
    assert abs(counts.var() / spread - 1) < 5 * np.sqrt(2 / 3000)


def test_every_ordered_pair_is_equally_likely(rng: np.random.Generator) -> None:
    """After relabelling, an arrow is found at each of the ordered pairs with probability p / 2."""
    seen = np.zeros((4, 4))
    for _ in range(6000):
        arrows = random_dag(4, 1.5, rng).arrows
        seen[arrows[:, 0], arrows[:, 1]] += 1
    off = seen[~np.eye(4, dtype=bool)] / 6000
    assert abs(off - 0.25).max() < 5 * np.sqrt(0.25 * 0.75 / 6000)
    assert not seen.diagonal().any()


def test_two_edges_are_independent(rng: np.random.Generator) -> None:
    """Pairs are joined independently: adjacent pairs meet as often as disjoint ones."""
    graphs = [random_dag(4, 1.5, rng) for _ in range(6000)]
    joined = np.array([[g.is_adjacent(a, b) for a, b in combinations(g.names, 2)] for g in graphs])
    assert abs(np.corrcoef(joined, rowvar=False) - np.eye(6)).max() < 5 / np.sqrt(6000)


@pytest.mark.parametrize("kind", ["erdos-renyi", "scale-free"])
def test_every_draw_is_a_canonical_dag_named_x0_and_on(kind: str, rng: np.random.Generator) -> None:
    """The trusted constructor receives what the checking one would have made of it."""
    for d in (3, 8, 25):
        graph = random_dag(d, 2, rng, kind=kind)
        assert is_dag(graph)
        assert graph == PDAG.from_indices([f"x{i}" for i in range(d)], graph.arrows, [])
        assert graph.arrows.dtype == np.int32


@pytest.mark.parametrize("d", [1, 2, 7])
def test_extreme_degrees_give_the_empty_and_the_complete_graph(d: int, rng: np.random.Generator) -> None:
    """Degree 0 has no edge and degree d - 1 has them all."""
    assert random_dag(d, 0, rng).n_edges == 0
    assert random_dag(d, d - 1, rng).n_edges == d * (d - 1) // 2


def test_same_seed_gives_the_same_graph() -> None:
    """Nothing but the generator decides."""
    for kind in ("erdos-renyi", "scale-free"):
        first, again, other = (
            random_dag(30, 4, np.random.default_rng(seed), kind=kind) for seed in (7, 7, 8)
        )
        assert first == again
        assert first != other


def test_ten_thousand_nodes_are_drawn_sparsely(rng: np.random.Generator) -> None:
    """A large graph has the expected number of edges and the sorted arrows of a PDAG."""
    graph = random_dag(10_000, 12.0, rng)
    assert abs(graph.n_edges - 60_000) < 5 * np.sqrt(60_000)
    assert is_dag(graph)
    assert graph == PDAG.from_indices(graph.names, graph.arrows, [])


def test_rank_of_a_pair_is_inverted_exactly() -> None:
    """Every rank gives its pair, also at the ends of blocks where a square root may round either way."""
    expected = [(i, j) for j in range(90) for i in range(j)]
    found = dags._pair_of_rank(np.arange(len(expected)))
    assert list(zip(*(part.tolist() for part in found), strict=True)) == expected
    j = np.array([10**5, 10**6, 4 * 10**7])
    for i in (np.zeros(3, dtype=np.int64), j - 1):
        low, high = dags._pair_of_rank(j * (j - 1) // 2 + i)
        assert np.array_equal(low, i)
        assert np.array_equal(high, j)


@pytest.mark.parametrize("m", [1, 2, 5])
@pytest.mark.parametrize("hubs", ["random", "sink", "source"])
def test_scale_free_graph_has_m_edges_for_each_later_node(
    hubs: str, m: int, rng: np.random.Generator
) -> None:
    """There are m * (d - m) edges, and every node has at least one."""
    graph = scale_free_dag(50, m, rng, hubs=hubs)
    assert is_dag(graph)
    assert graph.n_edges == m * (50 - m)
    assert degrees(graph).min() >= 1


def test_hubs_point_as_asked(rng: np.random.Generator) -> None:
    """Sinks leave every node with at most m children, sources with at most m parents, random with neither."""
    tails, heads = scale_free_dag(200, 2, rng, hubs="sink").arrows.T
    assert np.bincount(tails).max() == 2
    assert np.bincount(heads).max() > 10
    tails, heads = scale_free_dag(200, 2, rng, hubs="source").arrows.T
    assert np.bincount(heads).max() == 2
    assert np.bincount(tails).max() > 10
    tails, heads = scale_free_dag(200, 2, rng).arrows.T
    assert np.bincount(heads).max() > 2
    assert np.bincount(tails).max() > 2


def test_popular_nodes_are_joined_more_often(rng: np.random.Generator) -> None:
    """The fourth node of a tree joins the centre of a path of three with probability 2/4, not 1/3."""
    stars = np.mean([degrees(scale_free_dag(4, 1, rng)).max() == 3 for _ in range(3000)])
    assert abs(stars - 0.5) < 5 * np.sqrt(0.25 / 3000)


def test_later_nodes_become_popular_too(rng: np.random.Generator) -> None:
    """Four nodes make a directed path with probability 1/2 * 1/4: new nodes are joined as well."""
    drawn = [scale_free_dag(4, 1, rng, hubs="sink") for _ in range(4000)]
    path = np.mean([len(set(g.arrows[:, 0])) == 3 == len(set(g.arrows[:, 1])) for g in drawn])
    assert abs(path - 1 / 8) < 5 * np.sqrt(1 / 8 * 7 / 8 / 4000)


def test_kind_scale_free_reads_the_degree_as_two_m() -> None:
    """Degree 4 asks for two edges of each new node."""
    drawn = random_dag(40, 4, np.random.default_rng(1), kind="scale-free", hubs="sink")
    assert drawn == scale_free_dag(40, 2, np.random.default_rng(1), hubs="sink")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"d": 0}, "The 'd' parameter of erdos_renyi_dag must be at least 1. Got 0."),
        (
            {"degree": -1},
            "The 'degree' parameter of erdos_renyi_dag must be in [0, d - 1] = [0, 4]. Got -1.0.",
        ),
        ({"degree": 4.5}, "must be in [0, d - 1] = [0, 4]. Got 4.5."),
        ({"degree": float("nan")}, "The 'degree' parameter of erdos_renyi_dag must be finite. Got nan."),
        ({"kind": "grid"}, "must be one of 'erdos-renyi', 'scale-free'. Got 'grid'."),
        ({"hubs": "sink"}, "must be 'random' for kind='erdos-renyi'. Got 'sink'; use kind='scale-free'"),
        ({"kind": "scale-free", "degree": 3}, "must be 2, 4, 6, ... for kind='scale-free'. Got 3."),
        ({"kind": "scale-free", "degree": 0}, "must be 2, 4, 6, ... for kind='scale-free'. Got 0."),
        ({"kind": "scale-free", "degree": 10}, "The 'd' parameter of scale_free_dag must be at least 6."),
        ({"kind": "scale-free", "hubs": "none"}, "must be one of 'random', 'sink', 'source'. Got 'none'."),
    ],
)
def test_option_outside_its_range_is_refused(
    options: dict[str, Any], message: str, rng: np.random.Generator
) -> None:
    """Each refusal names the option, its value and the rule."""
    with pytest.raises(OptionError, match=re.escape(message)):
        random_dag(**({"d": 5, "degree": 2.0, "rng": rng} | options))


def test_wrong_types_are_type_errors(rng: np.random.Generator) -> None:
    """A seed is not a generator, a float no number of nodes, a bool no number at all."""
    with pytest.raises(TypeError, match=r"must be a numpy Generator\. Got int; make one with"):
        erdos_renyi_dag(5, 2.0, 7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="The 'd' parameter of erdos_renyi_dag must be an integer"):
        erdos_renyi_dag(5.0, 2.0, rng)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="The 'degree' parameter of erdos_renyi_dag must be a number"):
        erdos_renyi_dag(5, True, rng)
    with pytest.raises(TypeError, match=r"must be an integer\. Got True"):
        scale_free_dag(5, True, rng)
