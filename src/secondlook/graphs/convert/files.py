"""Graph files: the suffix of the path chooses the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from secondlook.errors import GraphError
from secondlook.graphs.convert.dagitty import from_dagitty, to_dagitty
from secondlook.graphs.convert.dot import from_dot, to_dot
from secondlook.graphs.convert.graphml import from_graphml, to_graphml
from secondlook.graphs.convert.json_text import from_json, to_json
from secondlook.graphs.convert.tetrad import from_tetrad, to_tetrad

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from secondlook.graphs.pdag import PDAG

_READERS: dict[str, Callable[[str], PDAG]] = {
    ".json": from_json,
    ".dot": from_dot,
    ".graphml": from_graphml,
    ".txt": from_tetrad,
    ".dagitty": from_dagitty,
}
_WRITERS: dict[str, Callable[[PDAG], str]] = {
    ".json": to_json,
    ".dot": to_dot,
    ".graphml": to_graphml,
    ".txt": to_tetrad,
    ".dagitty": to_dagitty,
}


def read_graph(path: str | os.PathLike[str]) -> PDAG:
    """The graph in a file.

    Parameters
    ----------
    path : str or path
        UTF-8 text ending in .json, .dot, .graphml, .txt (Tetrad) or .dagitty.

    Raises
    ------
    GraphError
        When the suffix is unknown or the file holds no graph, with its path and the line or reason.
    OSError
        When the file cannot be opened.
    """
    reader = _READERS[_suffix(path)]
    try:
        return reader(Path(path).read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise GraphError(
            f"The graph file {str(path)!r} cannot be read: it is not UTF-8 ({error.reason})."
        ) from None
    except (GraphError, TypeError) as error:
        reason = str(error)
        raise GraphError(
            f"The graph file {str(path)!r} cannot be read: {reason[:1].lower()}{reason[1:]}"
        ) from None


def write_graph(graph: PDAG, path: str | os.PathLike[str]) -> None:
    """Writes a graph into a file, replacing what was there.

    Parameters
    ----------
    graph : PDAG
        The graph.
    path : str or path
        A path ending in .json, .dot, .graphml, .txt (Tetrad) or .dagitty.

    Raises
    ------
    GraphError
        When the suffix is unknown or the format cannot hold a name; the file is then left as it was.
    OSError
        When the file cannot be written.
    """
    text = _WRITERS[_suffix(path)](graph)
    try:
        content = text.encode()
    except UnicodeEncodeError:
        raise GraphError(
            f"The graph cannot be written to {str(path)!r}: a name is not Unicode; use renamed() first."
        ) from None
    Path(path).write_bytes(content)


def _suffix(path: str | os.PathLike[str]) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in _READERS:
        raise GraphError(
            f"The graph file {str(path)!r} must end in .json, .dot, .graphml, .txt (Tetrad) or .dagitty. "
            f"Got {suffix or 'no suffix'}."
        )
    return suffix
