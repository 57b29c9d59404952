"""Graph files, and the choice of format by suffix."""

from __future__ import annotations

import re

import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, read_graph, write_graph

GRAPH = PDAG(["größe", "b", "c"], [("größe", "b")], ["bc"])
SUFFIXES = [".json", ".dot", ".graphml", ".txt", ".dagitty"]


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".JSON"])
def test_files_round_trip(tmp_path, suffix):
    """What is written is read back, for paths and for strings, in every format."""
    path = tmp_path / f"graph{suffix}"
    write_graph(GRAPH, path)
    assert read_graph(str(path)) == GRAPH
    write_graph(GRAPH.skeleton, str(path))
    assert read_graph(path) == GRAPH.skeleton


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_line_breaks_in_names_survive_the_file(tmp_path, suffix):
    """A name with carriage return and line feed comes back unchanged, or is refused before writing."""
    path = tmp_path / f"graph{suffix}"
    graph = PDAG(["a\r\nb\rc", "d"])
    if suffix in (".txt", ".dagitty"):
        with pytest.raises(GraphError, match="cannot hold names"):
            write_graph(graph, path)
        assert not path.exists()
    else:
        write_graph(graph, path)
        assert read_graph(path) == graph


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_read_graph_takes_a_byte_order_mark(tmp_path, suffix):
    """A file that an editor on Windows saved is read."""
    path = tmp_path / f"graph{suffix}"
    write_graph(GRAPH, path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_graph(path) == GRAPH


@pytest.mark.parametrize("name", ["graph.csv", "graph"])
def test_unknown_suffix_names_the_choices(tmp_path, name):
    """Both directions refuse another suffix and list those they know."""
    message = re.escape("must end in .json, .dot, .graphml, .txt (Tetrad) or .dagitty. Got ")
    with pytest.raises(GraphError, match=message):
        read_graph(tmp_path / name)
    with pytest.raises(GraphError, match=message):
        write_graph(GRAPH, tmp_path / name)


@pytest.mark.parametrize(
    ("suffix", "content", "reason"),
    [
        (".json", "\n<<<", "the text is not JSON: Expecting value in line 2."),
        (".json", '{"format": "other"}', "the JSON is not a graph of secondlook"),
        (".dot", "digraph {\n <- }", "line 2 has the character '<'."),
        (".graphml", "\n<<<", "the text is not XML: not well-formed (invalid token) in line 2."),
        (".txt", "a --> b", "the text is not a graph of Tetrad"),
        (".dagitty", "dag {\n a * b }", "line 2 has the character '*'."),
    ],
)
def test_malformed_file_is_named(tmp_path, suffix, content, reason):
    """The message names the file, and the line or the reason."""
    path = tmp_path / f"broken{suffix}"
    path.write_text(content)
    with pytest.raises(GraphError, match=re.escape(f"The graph file {str(path)!r} cannot be read: {reason}")):
        read_graph(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_file_that_is_no_text_is_refused(tmp_path, suffix):
    """Bytes that are no UTF-8 are refused with the path."""
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(GraphError, match="cannot be read: it is not UTF-8"):
        read_graph(path)


def test_missing_file_is_an_os_error(tmp_path):
    """A file that is not there is reported by Python itself."""
    with pytest.raises(FileNotFoundError):
        read_graph(tmp_path / "none.json")


def test_write_graph_leaves_the_old_file_when_it_fails(tmp_path):
    """A name that UTF-8 cannot hold is refused before the file is touched."""
    path = tmp_path / "graph.dot"
    path.write_text("old")
    with pytest.raises(GraphError, match="a name is not Unicode; use renamed"):
        write_graph(PDAG(["\ud800"]), path)
    assert path.read_text() == "old"
