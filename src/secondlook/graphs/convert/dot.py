r"""Graphs in Graphviz's DOT language.

Names are written as quoted strings, with ``\\``, ``\"`` and ``\n`` for backslash, quote and line break, which
is also how Graphviz shows them. A line is an edge with ``dir=none``.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from secondlook.errors import GraphError
from secondlook.graphs.convert.marks import refuse_names
from secondlook.graphs.convert.scanner import Word, Words
from secondlook.graphs.pdag import PDAG

if TYPE_CHECKING:
    from collections.abc import Sequence

_STRING = r'"((?:[^"\\]|\\.)*+)"'
_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n"}
_UNESCAPES = {r"\\": "\\", r"\"": '"', r"\n": "\n", "\\\n": ""}


def to_dot(pdag: PDAG) -> str:
    """The graph in the DOT language.

    Parameters
    ----------
    pdag : PDAG
        The graph.

    Returns
    -------
    str
        A digraph with every node in column order, arrows ``a -> b`` and lines ``a -> b [dir=none]``.

    Raises
    ------
    GraphError
        When a name holds the character NUL.

    Examples
    --------
    >>> print(to_dot(PDAG("ab", undirected=["ab"])), end="")
    digraph {
      "a";
      "b";
      "a" -> "b" [dir=none];
    }
    """
    refuse_names(pdag, re.compile("\0"), "DOT", "the character NUL")
    quoted = {name: _quoted(name) for name in pdag.names}
    rows = [f"  {quoted[name]};\n" for name in pdag.names]
    rows += [f"  {quoted[a]} -> {quoted[b]};\n" for a, b in pdag.directed]
    rows += [f"  {quoted[a]} -> {quoted[b]} [dir=none];\n" for a, b in pdag.undirected]
    return "digraph {\n" + "".join(rows) + "}\n"


def from_dot(text: str) -> PDAG:
    """The graph of a DOT text: all that ``to_dot`` writes, and plain graphs by others.

    Parameters
    ----------
    text : str
        One graph or digraph with nodes, edges (also in chains) and attributes; all attributes but an edge's
        ``dir`` are ignored. Nodes come in the order of their first mention.

    Raises
    ------
    GraphError
        When the text is malformed or uses subgraphs, ports or double arrows, with the line.
    """
    words = Words(text, string=_STRING, edges="->|--")
    reader = _Reader(words, is_directed=_header(words))
    while not words.accept("}"):
        reader.statement()
    if words.next.kind != "end":
        raise GraphError(f"Line {words.next.line} has {words.next.text!r} after the end of the graph.")
    return PDAG(reader.names, reader.directed, reader.undirected)


def _header(words: Words) -> bool:
    """Uses up everything to the first brace, and says whether the graph is a digraph."""
    word = words.name()
    if word.text.lower() == "strict":
        word = words.name()
    if word.kind == "string" or word.text.lower() not in ("graph", "digraph"):
        raise GraphError(f"Line {word.line} has {word.text!r} where 'digraph' or 'graph' belongs.")
    if words.next.kind in ("name", "string"):
        words.take()
    words.expect("{")
    return word.text.lower() == "digraph"


class _Reader:
    """Collects nodes and edges, statement by statement."""

    def __init__(self, words: Words, *, is_directed: bool) -> None:
        self.words = words
        self.operator = "->" if is_directed else "--"
        self.names: dict[str, None] = {}  # a set that keeps its order
        self.directed: list[tuple[str, str]] = []
        self.undirected: list[tuple[str, str]] = []

    def statement(self) -> None:
        """One node, one chain of edges, one default or one graph attribute."""
        if self.words.accept(";"):
            return
        word = self.words.name()
        if word.kind == "name" and word.text.lower() in ("node", "edge", "graph"):
            if "dir" in self.words.attributes() and word.text.lower() == "edge":
                raise GraphError(f"Line {word.line} sets a default 'dir'; write it at each edge instead.")
            return
        if word.kind == "name" and word.text.lower() == "subgraph":
            raise GraphError(f"Line {word.line} has a subgraph; write its nodes and edges one by one.")
        if self.words.accept("="):
            self.words.name()
            return
        chain = [self._node(word)]
        while self.words.next.kind == "edge":
            operator = self.words.take()
            if operator.text != self.operator:
                raise GraphError(
                    f"Line {operator.line} has {operator.text!r} where {self.operator!r} belongs."
                )
            chain.append(self._node(self.words.name()))
        attributes = self.words.attributes()
        if len(chain) > 1:
            self._edges(chain, attributes.get("dir"), word.line)

    def _node(self, word: Word) -> str:
        name = _unquoted(word.text) if word.kind == "string" else word.text
        self.names[name] = None
        return name

    def _edges(self, chain: Sequence[str], way: str | None, line: int) -> None:
        pairs = list(pairwise(chain))
        if way not in (None, "none", "forward", "back"):
            raise GraphError(
                f"Line {line} has dir={way}; a PDAG holds arrows (forward, back) and lines (none)."
            )
        if way == "none" or (self.operator == "--" and way is None):
            self.undirected += pairs
        else:
            self.directed += [(b, a) for a, b in pairs] if way == "back" else pairs


def _quoted(name: str) -> str:
    return '"' + re.sub(r'[\\"\n]', lambda found: _ESCAPES[found.group()], name) + '"'


def _unquoted(text: str) -> str:
    return re.sub(r"\\.", lambda found: _UNESCAPES.get(found.group(), found.group()), text, flags=re.DOTALL)
