r"""Graphs in the language of DAGitty.

Names of letters, digits, points and underscores are written bare, others in quotes with ``\"`` for a quote;
a backslash stands for itself, as in DAGitty's own grammar, so that it cannot end a name.
"""

from __future__ import annotations

import re

from secondlook.errors import GraphError
from secondlook.graphs.convert.marks import refuse_names
from secondlook.graphs.convert.scanner import Words
from secondlook.graphs.order import is_dag
from secondlook.graphs.pdag import PDAG

_STRING = r'"((?:\\"|[^"\x00-\x1f\x7f])*+)"'
_EDGES = r"@->|<-@|@-@|@--|--@|<->|<-|->|--"
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f]|\\\Z")


def to_dagitty(pdag: PDAG) -> str:
    """The graph in DAGitty's language.

    Parameters
    ----------
    pdag : PDAG
        The graph.

    Returns
    -------
    str
        ``dag { ... }`` for a DAG, else ``pdag { ... }``; every node in column order, then the edges.

    Raises
    ------
    GraphError
        When a name holds a control character or ends with a backslash.

    Examples
    --------
    >>> print(to_dagitty(PDAG(["a", "b c"], undirected=[("a", "b c")])), end="")
    pdag {
    a
    "b c"
    a -- "b c"
    }
    """
    refuse_names(pdag, _UNWRITABLE, "DAGitty", "control characters or a backslash at the end")
    quoted = {name: _quoted(name) for name in pdag.names}
    rows = [*quoted.values()]
    rows += [f"{quoted[a]} -> {quoted[b]}" for a, b in pdag.directed]
    rows += [f"{quoted[a]} -- {quoted[b]}" for a, b in pdag.undirected]
    return "\n".join([f"{'dag' if is_dag(pdag) else 'pdag'} {{", *rows, "}\n"])


def from_dagitty(text: str) -> PDAG:
    """The graph of a text in DAGitty's language.

    Parameters
    ----------
    text : str
        A dag or pdag with nodes and edges ``->``, ``<-`` and ``--``, also in chains. Attributes such as pos,
        exposure and outcome are ignored. Nodes come in the order of their first mention.

    Raises
    ------
    GraphError
        When the text is malformed, is a MAG or PAG, or holds other edges, groups or latent nodes.
    """
    words = Words(text, string=_STRING, edges=_EDGES)
    word = words.name()
    if word.text.lower() not in ("dag", "pdag"):
        raise GraphError(f"Line {word.line} has {word.text!r} where 'dag' or 'pdag' belongs.")
    if words.next.kind in ("name", "string"):
        words.take()
    words.expect("{")
    names: dict[str, None] = {}  # a set that keeps its order
    directed: list[tuple[str, str]] = []
    undirected: list[tuple[str, str]] = []
    while not words.accept("}"):
        _statement(words, names, directed, undirected)
    if words.next.kind != "end":
        raise GraphError(f"Line {words.next.line} has {words.next.text!r} after the end of the graph.")
    return PDAG(names, directed, undirected)


def _statement(
    words: Words, names: dict[str, None], directed: list[tuple[str, str]], undirected: list[tuple[str, str]]
) -> None:
    if words.accept(";"):
        return
    name = _name(words)
    line = words.next.line
    if words.accept("="):  # an option of the whole graph, such as bb="0,0,1,1"
        words.name()
        return
    names[name] = None
    while words.next.kind == "edge":
        operator = words.take()
        before, name = name, _name(words)
        names[name] = None
        if operator.text == "--":
            undirected.append((before, name))
        elif operator.text in ("->", "<-"):
            directed.append((before, name) if operator.text == "->" else (name, before))
        else:
            raise GraphError(
                f"Line {operator.line} has the edge {operator.text}; a PDAG holds ->, <- and --."
            )
    if "latent" in words.attributes():
        raise GraphError(f"Line {line} has the latent node {name!r}; a PDAG holds measured ones only.")


def _name(words: Words) -> str:
    word = words.name()
    return word.text.replace('\\"', '"') if word.kind == "string" else word.text


def _quoted(name: str) -> str:
    if re.fullmatch(r"[0-9a-zA-Z_.]+", name):
        return name
    return '"' + name.replace('"', '\\"') + '"'
