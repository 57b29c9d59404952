"""Tables and lists as Markdown whose source can be read too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from secondlook.studies.study import ReportTable


def table_text(table: ReportTable) -> str:
    """A table under its title, columns padded to one width, its note below.

    Parameters
    ----------
    table : ReportTable
        The table.

    Returns
    -------
    str
        Ends with a line break.
    """
    columns = list(zip(table.header, *table.rows, strict=True))
    widths = [max(3, *(len(cell) for cell in column)) for column in columns]
    lines = [_line(table.header, widths), _line(["-" * (width - 1) + ":" for width in widths], widths)]
    lines += [_line(row, widths) for row in table.rows]
    body = "\n".join(lines)
    return f"## {table.title}\n\n{body}\n" + (f"\n{table.note}\n" if table.note else "")


def bullets(sentences: Iterable[str]) -> str:
    """Sentences as a list; ends with a line break."""
    return "".join(f"* {sentence}\n" for sentence in sentences)


def _line(cells: Iterable[str], widths: list[int]) -> str:
    padded = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"
