"""Graphs as text in every supported format, for files and for stdin and stdout.

"-" is a stream of JSON, and "-.dot", "-.graphml", "-.txt", "-.dagitty" are streams in these formats; a file
of such a name is written ./-.dot.
"""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

from secondlook import graphs
from secondlook.errors import GraphError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from secondlook.graphs import PDAG

WRITERS: dict[str, Callable[[PDAG], str]] = {
    ".json": graphs.to_json,
    ".dot": graphs.to_dot,
    ".graphml": graphs.to_graphml,
    ".txt": graphs.to_tetrad,
    ".dagitty": graphs.to_dagitty,
}
_READERS: dict[str, Callable[[str], PDAG]] = {
    ".json": graphs.from_json,
    ".dot": graphs.from_dot,
    ".graphml": graphs.from_graphml,
    ".txt": graphs.from_tetrad,
    ".dagitty": graphs.from_dagitty,
}
_CHOICES = ".json, .dot, .graphml, .txt (Tetrad) or .dagitty"


def is_stream(path: str) -> bool:
    """Whether a path stands for stdin or stdout."""
    return path == "-" or (path.startswith("-.") and path[1:].lower() in WRITERS)


def suffix_of(path: str, option: str) -> str:
    """The suffix that names the format; OptionError when it names none."""
    if path == "-":
        return ".json"
    suffix = path[1:] if is_stream(path) else PurePath(path).suffix
    if suffix.lower() not in WRITERS:
        raise OptionError(
            f"The {option} file {path!r} must end in {_CHOICES}. Got {suffix or 'no suffix'}; "
            "'-' is JSON on a stream, '-.dot' DOT, and so on."
        )
    return suffix.lower()


def graph_in(path: str, role: str) -> PDAG:
    """The graph in a file or on stdin.

    Parameters
    ----------
    path : str
        The path, or "-" or "-" with a suffix for stdin.
    role : str
        "TRUTH" or "GUESS", for messages.

    Raises
    ------
    OptionError
        If the suffix names no format.
    GraphError
        If there is no such file, or no graph in it.
    """
    suffix = suffix_of(path, role)
    if not is_stream(path):
        try:
            return graphs.read_graph(path)
        except FileNotFoundError:
            raise GraphError(f"There is no graph file {path!r}; check the path.") from None
        except IsADirectoryError:
            raise GraphError(f"{path!r} is a folder; name a graph file in it.") from None
    try:
        return _READERS[suffix](sys.stdin.buffer.read().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise GraphError(f"Standard input holds no graph: it is not UTF-8 ({error.reason}).") from None
    except (GraphError, TypeError) as error:
        raise GraphError(f"Standard input holds no {suffix[1:]} graph: {error}") from None
