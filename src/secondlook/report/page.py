"""Pages of text, plain or for a terminal, on which no name can do anything but be read."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP = "   "
_WIDEST = 100  # longer lines of prose are hard to read
_ISOLATE, _POP = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def printable(text: str) -> str:
    r"""The text with everything that is not a plain visible character spelled out as an escape.

    Parameters
    ----------
    text : str
        Any text, such as a column name.

    Returns
    -------
    str
        Without control, formatting, surrogate or separator characters but the blank.

    Examples
    --------
    >>> print(printable("red \x1b[31m"))
    red \x1b[31m
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )


def number(count: int, noun: str, plural: str = "") -> str:
    """A count with thousands separated and its noun in the right number.

    Examples
    --------
    >>> number(1, "edge"), number(7466, "row")
    ('1 edge', '7,466 rows')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def cells(text: str) -> int:
    """How many cells of a terminal a text takes: two for wide letters, none for accents of their own."""
    if text.isascii():
        return len(text)
    return sum(_cells(letter) for letter in text)


def shortened(text: str, width: int) -> str:
    """The text itself when it fits into so many cells, else its two ends around three dots.

    Examples
    --------
    >>> shortened("interleukin_6_receptor", 13)
    'inter...eptor'
    """
    if cells(text) <= width:
        return text
    half = max(1, (width - 3) // 2)
    return f"{_start(text, half)}...{_start(text[::-1], half)[::-1]}"


class Page:
    """Lines and tables as plain text: one row one line, no colours, every name and every row in full."""

    terminal = False

    def __init__(self) -> None:
        self._lines: list[str] = []

    def name(self, name: str, *, whole: bool = False) -> str:
        """A name as it may be shown here; on a terminal a long one loses its middle unless `whole`."""
        del whole
        return printable(name)

    def listed(self, items: Sequence[str], most: int = 8) -> str:
        """Several texts that may be shown here, with commas; on a terminal the first few of them."""
        del most
        return ", ".join(items)

    def say(self, text: str, style: str = "", *, indent: int = 0) -> None:
        """Writes a line or a paragraph; the style is for terminals."""
        del style
        self._lines.append(" " * indent + text)

    def blank(self) -> None:
        """Writes an empty line."""
        self._lines.append("")

    def table(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        right: Sequence[int] = (),
        marked: int | None = None,
    ) -> None:
        """Writes rows under a header.

        Parameters
        ----------
        header : sequence of str
            One title per column.
        rows : sequence of sequence of str
            The cells, texts that may be shown here.
        right : sequence of int
            The columns that are aligned to the right.
        marked : int, optional
            The row that stands out on a terminal.
        """
        del marked
        widths = [max(map(cells, column)) for column in zip(header, *rows, strict=True)]
        for row in (header, *rows):
            padded = [
                " " * (width - cells(cell)) + cell if k in right else cell + " " * (width - cells(cell))
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            self._lines.append(f"  {_GAP.join(padded)}".rstrip())

    @property
    def text(self) -> str:
        """What was written; ends with a line break."""
        return "".join(f"{line}\n" for line in self._lines)


class TerminalPage(Page):
    """The same for a person at a terminal: colours, wrapped prose, long names shortened in the middle.

    Parameters
    ----------
    width : int
        The terminal's width in cells.
    """

    terminal = True

    def __init__(self, width: int = 80) -> None:
        from rich.console import Console

        super().__init__()
        self._name_cells = max(8, (min(width, _WIDEST) - 34) // 2)
        self._console = Console(
            force_terminal=True,
            width=min(max(width, 20), _WIDEST),
            markup=False,
            emoji=False,
            highlight=False,
            legacy_windows=False,
        )

    def name(self, name: str, *, whole: bool = False) -> str:
        """A name as it may be shown here, see `Page.name`."""
        shown = printable(name) if whole else shortened(printable(name), self._name_cells)
        if any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in shown):
            # Without isolation a terminal would reorder the whole line, arrows included.
            return f"{_ISOLATE}{shown}{_POP}"
        return shown

    def listed(self, items: Sequence[str], most: int = 8) -> str:
        """Several texts that may be shown here, with commas; at most so many, then how many more."""
        more = f" and {len(items) - most:,} more" if len(items) > most else ""
        return ", ".join(items[:most]) + more

    def say(self, text: str, style: str = "", *, indent: int = 0) -> None:
        """Writes a line or a paragraph."""
        from rich.padding import Padding
        from rich.text import Text

        self._print(Padding(Text(text, style=style), (0, 0, 0, indent), expand=False))

    def table(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        right: Sequence[int] = (),
        marked: int | None = None,
    ) -> None:
        """Writes rows under a header, see `Page.table`."""
        from rich.padding import Padding
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, padding=(0, len(_GAP), 0, 0), header_style="dim")
        for k, title in enumerate(header):
            side: Any = "right" if k in right else "left"
            table.add_column(Text(title), justify=side, no_wrap=True, overflow="ellipsis")
        for k, row in enumerate(rows):
            table.add_row(*map(Text, row), style="bold green" if k == marked else "")
        self._print(Padding(table, (0, 0, 0, 2), expand=False))

    def _print(self, block: Any) -> None:
        with self._console.capture() as captured:
            self._console.print(block)
        self._lines += [line.rstrip() for line in captured.get().split("\n")[:-1]]


def page_for(*, terminal: bool, width: int) -> Page:
    """A page of the right kind."""
    return TerminalPage(width) if terminal else Page()


def _cells(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _start(text: str, width: int) -> str:
    used = 0
    for k, letter in enumerate(text):
        used += _cells(letter)
        if used > width:
            return text[:k]
    return text
