"""What holds for any graph, with any names, in any format."""

from __future__ import annotations

import io
import pickle
from itertools import combinations

import networkx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from secondlook import graphs
from secondlook.errors import GraphError
from secondlook.graphs import PDAG
from zoo import NASTY_NAMES

relaxed = settings(deadline=None)  # a slow machine is no failure

NAMES = st.one_of(
    st.sampled_from(NASTY_NAMES),
    st.text(min_size=1, max_size=12),
    st.text(alphabet="\"'\\\n\r\t<>&;,{}[]()=-|o.:/#* ab", min_size=1, max_size=8),
)
PRINTABLE = st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters="\\")
KINDS = st.sampled_from(["none", "forward", "backward", "line"])

# each format, and whether it may refuse names
FORMATS = {
    "json": (graphs.to_json, graphs.from_json, False),
    "networkx": (graphs.to_networkx, graphs.from_networkx, False),
    "dot": (graphs.to_dot, graphs.from_dot, True),
    "graphml": (graphs.to_graphml, graphs.from_graphml, True),
    "tetrad": (graphs.to_tetrad, graphs.from_tetrad, True),
    "dagitty": (graphs.to_dagitty, graphs.from_dagitty, True),
}
READERS = {name: reader for name, (_, reader, _) in FORMATS.items() if name != "networkx"}


@st.composite
def pdags(draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES) -> PDAG:
    """Any graph with up to five nodes."""
    nodes = draw(st.lists(names, unique=True, max_size=5))
    directed, undirected = [], []
    for a, b in combinations(nodes, 2):
        kind = draw(KINDS)
        if kind == "line":
            undirected.append((a, b))
        elif kind != "none":
            directed.append((a, b) if kind == "forward" else (b, a))
    return PDAG(nodes, directed, undirected)


def _outcome(convert, argument):
    """The answer and no message, or no answer and the message of the GraphError."""
    try:
        return convert(argument), None
    except GraphError as error:
        return None, str(error)


@pytest.mark.parametrize("form", FORMATS)
@relaxed
@given(graph=pdags())
def test_format_keeps_every_graph_or_refuses_its_names(form, graph):
    """What a format writes it reads back exactly; what it cannot hold it refuses by name."""
    write, read, may_refuse = FORMATS[form]
    written, refusal = _outcome(write, graph)
    if refusal:
        assert may_refuse
        assert "cannot hold names with" in refusal
    else:
        assert read(written) == graph


@pytest.mark.parametrize("form", ["json", "networkx", "dot", "graphml", "dagitty"])
@relaxed
@given(graph=pdags(st.text(PRINTABLE, min_size=1)))
def test_format_never_refuses_printable_names(form, graph):
    """Letters, digits, signs and spaces of any script pass through every format but Tetrad's."""
    write, read, _ = FORMATS[form]
    assert read(write(graph)) == graph


@relaxed
@given(graph=pdags(st.text(st.characters(categories=["L", "N", "S"]), min_size=1)))
def test_tetrad_never_refuses_single_words(graph):
    """Names of letters, digits and symbols pass through Tetrad's text."""
    assert graphs.from_tetrad(graphs.to_tetrad(graph)) == graph


@pytest.mark.parametrize("form", READERS)
@relaxed
@given(text=st.one_of(st.text(), st.text(alphabet='digraph{}[]->"\\;=<\n .', max_size=40)))
def test_readers_refuse_any_other_text(form, text):
    """Whatever the text, a reader gives a graph or a GraphError, and nothing else."""
    graph, refusal = _outcome(READERS[form], text)
    assert refusal or isinstance(graph, PDAG)


@pytest.mark.parametrize("form", READERS)
@relaxed
@given(graph=pdags(st.sampled_from("abcdefgh")), data=st.data())
def test_readers_survive_damaged_texts(form, graph, data):
    """A text with a piece cut out gives a graph or a GraphError."""
    text = FORMATS[form][0](graph)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    read, refusal = _outcome(READERS[form], text[:start] + text[end:])
    assert refusal or isinstance(read, PDAG)


@relaxed
@given(graph=pdags())
def test_networkx_and_graphml_tell_the_same(graph):
    """Networkx reads from our GraphML the graph that to_networkx makes."""
    text, refusal = _outcome(graphs.to_graphml, graph)
    if refusal:
        return
    peer = networkx.read_graphml(io.BytesIO(text.encode()))
    assert dict(peer.nodes) == dict(graphs.to_networkx(graph).nodes)
    assert {(a, b): k for a, b, k in peer.edges(data="kind")} == {
        (a, b): k for a, b, k in graphs.to_networkx(graph).edges(data="kind")
    }


@relaxed
@given(graph=pdags())
def test_matrices_keep_every_graph(graph):
    """All three matrices are read back exactly, and transposing flips the direction."""
    A = graph.to_numpy()
    assert graphs.from_numpy(A, graph.names, direction="from row to column") == graph
    assert graphs.from_numpy(A.T, graph.names, direction="from column to row") == graph
    assert graphs.from_pcalg_amat(graphs.to_pcalg_amat(graph), graph.names) == graph
    assert graphs.from_causallearn(graphs.to_causallearn(graph), graph.names) == graph


@relaxed
@given(graph=pdags(), data=st.data())
def test_relabelling_changes_nothing_but_columns(graph, data):
    """Permuting the columns keeps edges, predicates and v-structures."""
    moved = graph.relabelled(data.draw(st.permutations(graph.names)))
    assert set(moved.directed) == set(graph.directed)
    assert moved.relabelled(graph.names) == graph
    for predicate in (graphs.is_dag, graphs.is_acyclic, graphs.is_extendable, graphs.is_cpdag):
        assert predicate(moved) == predicate(graph)
    triples = [{(frozenset((x, z)), y) for x, y, z in graphs.v_structures(g)} for g in (moved, graph)]
    assert triples[0] == triples[1]


@relaxed
@given(graph=pdags())
@example(graph=PDAG("abcd", (), ["ab", "bc", "cd", "da"]))
def test_completion_has_fixed_points(graph):
    """Closing twice is closing once, and completing an extension twice is completing it once."""
    closed = graphs.closure(graph)
    assert graphs.closure(closed) == closed
    complete = graphs.cpdag(graphs.extension(graph).dag)
    assert graphs.is_cpdag(complete)
    assert graphs.cpdag(graphs.consistent_extension(complete)) == complete


@relaxed
@given(graph=pdags())
def test_pickles_and_drawings_work_for_any_names(graph):
    """Any graph can be pickled, shown and drawn."""
    assert pickle.loads(pickle.dumps(graph)) == graph
    assert repr(graph).isprintable()
    assert graphs.to_svg(graph).startswith("<svg")
