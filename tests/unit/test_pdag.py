"""The graph type: what it holds, what it answers, and what it refuses."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, to_numpy
from zoo import DAGS, NASTY_NAMES, all_dags, all_pdags, names, random_pdag

MIXED = PDAG(["d", "c", "b", "a"], directed=[("a", "d"), ("b", "d")], undirected=[("a", "b"), ("c", "d")])


def test_pdag_keeps_names_in_column_order():
    """Names stay in the order in which they were given."""
    assert MIXED.names == ("d", "c", "b", "a")
    assert MIXED.d == 4


def test_pdag_sorts_its_edges():
    """Edges are stored sorted by column, lines with the earlier column first."""
    assert MIXED.arrows.tolist() == [[2, 0], [3, 0]]
    assert MIXED.lines.tolist() == [[0, 1], [2, 3]]
    assert MIXED.directed == (("b", "d"), ("a", "d"))
    assert MIXED.undirected == (("d", "c"), ("b", "a"))
    assert MIXED.arrows.dtype == MIXED.lines.dtype == np.int32
    assert MIXED.n_edges == 4


def test_pdag_answers_by_name():
    """Parents, children, neighbors and adjacent nodes come by name in column order."""
    assert MIXED.parents("d") == ("b", "a")
    assert MIXED.children("a") == ("d",)
    assert MIXED.neighbors("a") == ("b",)
    assert MIXED.neighbors("d") == ("c",)
    assert MIXED.adjacent("d") == ("c", "b", "a")
    assert MIXED.index("b") == 2


def test_has_edge_follows_the_direction():
    """has_edge counts a -> b and a -- b, and not b -> a."""
    assert MIXED.has_edge("a", "d")
    assert not MIXED.has_edge("d", "a")
    assert MIXED.has_edge("a", "b")
    assert MIXED.has_edge("b", "a")
    assert MIXED.is_adjacent("d", "a")
    assert not MIXED.is_adjacent("a", "c")


def test_marks_are_the_ones_of_the_matrix(rng):
    """The mark keys are the positions of the ones in the mark matrix."""
    for _ in range(20):
        graph = random_pdag(rng, 7)
        assert np.array_equal(graph.marks(), np.flatnonzero(to_numpy(graph)))
        assert graph.marks().dtype == np.int64


def test_marks_do_not_overflow_at_many_nodes():
    """Keys beyond 32 bits are right."""
    d = 60_000
    graph = PDAG.from_indices(names(d), [(d - 1, d - 2)], [])
    assert graph.marks().tolist() == [(d - 1) * d + d - 2]


def test_skeleton_turns_arrows_into_lines():
    """The skeleton has every adjacency as a line."""
    assert MIXED.skeleton == PDAG(MIXED.names, undirected=[*MIXED.directed, *MIXED.undirected])
    assert MIXED.skeleton.skeleton == MIXED.skeleton


def test_relabelled_moves_columns_only():
    """Another column order changes indices and keeps every edge."""
    moved = MIXED.relabelled("abcd")
    assert moved.names == ("a", "b", "c", "d")
    assert set(moved.directed) == set(MIXED.directed)
    assert {frozenset(pair) for pair in moved.undirected} == {frozenset(pair) for pair in MIXED.undirected}
    assert moved != MIXED
    assert moved.relabelled(MIXED.names) == MIXED


def test_renamed_changes_some_names():
    """Nodes that the mapping leaves out keep their names."""
    assert MIXED.renamed({"a": "b", "b": "a"}).directed == (("a", "d"), ("b", "d"))
    assert MIXED.renamed({}) == MIXED


def test_equal_graphs_are_equal_and_hash_alike():
    """Equality needs the same names in the same order and the same edges."""
    twin = PDAG("dcba", undirected=["ba", "dc"], directed=["bd", "ad"])
    assert twin == MIXED
    assert hash(twin) == hash(MIXED)
    assert PDAG("abcd", directed=["bd", "ad"], undirected=["ba", "dc"]) != MIXED
    assert MIXED.skeleton != MIXED
    assert MIXED != "PDAG"


def test_arrows_and_lines_are_not_confused():
    """An arrow, its reverse and a line between the same nodes are three different graphs."""
    assert len({PDAG("ab", ["ab"]), PDAG("ab", ["ba"]), PDAG("ab", (), ["ab"]), PDAG("ab")}) == 4


def test_pickle_gives_an_equal_read_only_graph():
    """A graph survives pickling, and stays read-only."""
    again = pickle.loads(pickle.dumps(MIXED))
    assert again == MIXED
    assert not again.arrows.flags.writeable


def test_pdag_cannot_be_changed():
    """Attributes and arrays refuse to be written."""
    with pytest.raises(AttributeError, match="cannot be changed"):
        MIXED.names = ()  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot be changed"):
        del MIXED._names
    with pytest.raises(ValueError, match="read-only"):
        MIXED.arrows[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        MIXED.lines[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        MIXED.marks()[0] = 1


@pytest.mark.parametrize("validate", [True, False])
def test_from_indices_leaves_the_callers_array_writeable(validate):
    """The array that was handed in stays the caller's own."""
    arrows = np.array([[0, 1]], dtype=np.int32)
    graph = PDAG.from_indices(("a", "b"), arrows, [], validate=validate)
    assert arrows.flags.writeable
    assert not graph.arrows.flags.writeable


def test_from_indices_sorts_what_it_validates():
    """Unsorted edges of any integer type give the canonical graph."""
    graph = PDAG.from_indices("dcba", np.array([[3, 0], [2, 0]], dtype=np.uint8), [(3, 2), (1, 0)])
    assert graph == MIXED


def test_from_indices_trusts_when_told():
    """The fast path gives the same graph for canonical input."""
    assert PDAG.from_indices(MIXED.names, MIXED.arrows, MIXED.lines, validate=False) == MIXED


def test_repr_shows_the_edges():
    """The repr lists arrows, then lines, and quotes names that cannot be printed."""
    assert repr(MIXED) == "PDAG with 4 nodes, 4 edges: b -> d, a -> d, d -- c, b -- a"
    assert repr(PDAG([])) == "PDAG with 0 nodes, 0 edges"
    assert repr(PDAG(["x\ny", "z"], [("x\ny", "z")])) == "PDAG with 2 nodes, 1 edge: 'x\\ny' -> z"


def test_repr_is_cut_after_twenty_edges():
    """A long repr says how many edges it leaves out."""
    star = PDAG(names(31), [("x0", name) for name in names(31)[1:26]], [("x0", "x30"), ("x0", "x29")])
    assert repr(star).endswith("x0 -> x20, ... and 7 more")
    assert "--" not in repr(star)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a", "a"],), "must be unique. Got 'a' twice"),
        ((["a", ""],), "must not be empty"),
        (("ab", [("a", "c")]), "has no node 'c'. Its nodes are 'a', 'b'"),
        (("ab", (), [("a", "a")]), "Got an edge from 'a' to 'a'"),
        (("ab", ["ab", "ba"]), "Got two between 'a' and 'b'"),
        (("ab", ["ab", "ab"]), "Got two between 'a' and 'b'"),
        (("ab", ["ba"], ["ab"]), "Got two between 'a' and 'b'"),
        (("ab", (), ["ab", "ba"]), "Got two between 'a' and 'b'"),
        (([], [("a", "b")]), "has no node 'a'. Its nodes are none"),
    ],
)
def test_pdag_refuses_broken_graphs(arguments, message):
    """Each broken rule has a message that names the culprit."""
    with pytest.raises(GraphError, match=message.replace(".", r"\.")):
        PDAG(*arguments)


def test_pdag_refuses_wrong_types():
    """Names that are no strings and edges that are no pairs are type errors."""
    with pytest.raises(TypeError, match=r"must be strings. Got 1"):
        PDAG([1, 2])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"'directed' edges must be pairs of names. Got 'abc'"):
        PDAG("abc", ["abc"])
    with pytest.raises(TypeError, match=r"'arrows' of a graph must hold integers. Got dtype float64"):
        PDAG.from_indices("ab", [(0.0, 1.0)], [])


@pytest.mark.parametrize(
    ("arrows", "message"),
    [
        ([(0, 2)], r"must lie in 0..1. Got 2"),
        ([(-1, 0)], r"must lie in 0..1. Got -1"),
        ([(0, 0)], "from 'a' to 'a'"),
        ([(0, 1), (1, 0)], "two between 'a' and 'b'"),
        ([0, 1], r"must have shape \(m, 2\). Got shape \(2,\)"),
    ],
)
def test_from_indices_refuses_broken_edges(arrows, message):
    """Index edges obey the same rules as named ones."""
    with pytest.raises(GraphError, match=message):
        PDAG.from_indices("ab", arrows, [])


def test_unknown_names_are_listed_at_most_ten_long():
    """A message about a big graph stays short."""
    with pytest.raises(GraphError, match="'x9' and 40 more"):
        PDAG(names(50)).parents("nobody")


def test_relabelled_and_renamed_refuse_wrong_names():
    """An order must be a permutation, and a mapping must name nodes and keep names unique."""
    with pytest.raises(GraphError, match=r"every name of the graph once. Look at 'd', 'e'"):
        MIXED.relabelled("abce")
    with pytest.raises(GraphError, match="no node 'z'"):
        MIXED.renamed({"z": "y"})
    with pytest.raises(GraphError, match="must be unique"):
        MIXED.renamed({"a": "b"})


def test_numpy_strings_become_plain_names():
    """Names that come as NumPy strings are kept as str."""
    assert {type(name) for name in PDAG(np.array(["a", "b"])).names} == {str}


@pytest.mark.parametrize(("d", "count"), [(1, 1), (2, 3), (3, 25), (4, 543)])
def test_zoo_has_every_labelled_dag(d, count):
    """The zoo's generator yields the known numbers of labelled DAGs, each once."""
    assert len(set(all_dags(d))) == count


def test_zoo_has_every_small_graph():
    """The zoo yields 4 ** pairs different graphs."""
    assert len(set(all_pdags(3))) == 64


@pytest.mark.slow
def test_zoo_has_every_labelled_dag_on_five_nodes():
    """There are 29281 labelled DAGs on five nodes."""
    assert len(set(all_dags(5))) == 29281


def test_zoo_graphs_survive_the_constructor():
    """Trusted graphs of the zoo equal their validated twins."""
    for graph in all_pdags(3):
        assert PDAG(graph.names, graph.directed, graph.undirected) == graph
    assert all(PDAG(NASTY_NAMES).index(name) == i for i, name in enumerate(NASTY_NAMES))
    assert len(DAGS) >= 15


def test_graphs_load_nothing_heavy():
    """Importing the package does not load networkx, scipy, pandas or matplotlib."""
    code = (
        "import sys, secondlook.graphs;"
        "print(sorted({'networkx', 'scipy', 'pandas', 'matplotlib', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
