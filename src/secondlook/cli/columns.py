"""Reading a table, or only some of its columns: what is left out may hold anything, text included."""

from __future__ import annotations

import csv
import difflib
import gzip
import io
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from secondlook.errors import DataError, OptionError
from secondlook.tables import read_table
from secondlook.tables.naming import listed
from secondlook.tables.reading import parse_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from secondlook.tables import Table

_TABBED = (".tsv", ".tab")
_FIELD_LIMIT = 1 << 30  # a column that is left out may hold long texts


@dataclass(frozen=True, slots=True)
class Choice:
    """Which columns to use.

    Attributes
    ----------
    keep : tuple of str
        Only these, in the order of the table; empty for all.
    drop : tuple of str
        All but these.
    """

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


def chosen_columns(columns: Sequence[str], drop: Sequence[str]) -> Choice:
    """The choice that --columns and --drop make; names are separated by commas, quoted if they hold one.

    Raises
    ------
    OptionError
        If both are given, or one is given without a name.
    """
    if columns and drop:
        raise OptionError("Give --columns, the ones to use, or --drop, the ones to leave out, but not both.")
    return Choice(_names("--columns", columns), _names("--drop", drop))


def table_in(path: str, choice: Choice) -> Table:
    """The chosen columns of the table in a file, or on stdin for "-".

    Raises
    ------
    OptionError
        If a chosen column is not in the table; the sentence names the nearest one that is.
    DataError
        If there is no table of numbers.
    """
    if not choice.keep and not choice.drop:
        return read_table(path)
    label = "standard input" if path == "-" else path
    raw = sys.stdin.buffer.read() if path == "-" else _content(path)
    try:
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8-sig")
        kept = _kept(text, label, choice, tabbed=_is_tabbed(path))
    except (UnicodeDecodeError, OSError, EOFError, zlib.error, csv.Error):
        kept = None
    # What could not be split into cells is left to the library, whose sentence is better than ours.
    content = raw if kept is None else kept.encode()
    return parse_table(lambda: io.BytesIO(content), label, sep=None if kept is None else ",")


def _names(option: str, values: Sequence[str]) -> tuple[str, ...]:
    try:
        names = [name.strip() for row in csv.reader(values, strict=True) for name in row]
    except csv.Error as error:
        raise OptionError(f"The {option} option is not a list of names: {error}; check its quotes.") from None
    if values and not any(names):
        raise OptionError(f"The {option} option needs at least one column name, as in {option} age,weight.")
    return tuple(name for name in names if name)


def _content(path: str) -> bytes:
    file = Path(path)
    if file.exists() and not file.is_dir():
        return file.read_bytes()
    read_table(path)  # raises the sentence for this case
    raise DataError(f"{path!r} cannot be read.")


def _is_tabbed(path: str) -> bool:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() != ".gz"]
    return bool(suffixes) and suffixes[-1] in _TABBED


def _kept(text: str, label: str, choice: Choice, *, tabbed: bool) -> str | None:
    """The kept columns as comma-separated text, every row in the line it came from; None without a header."""
    header = next((line for line in text.splitlines() if line.strip()), None)
    if header is None:
        return None
    limit = csv.field_size_limit(_FIELD_LIMIT)
    try:
        return _selected(text, "\t" if tabbed else _separator(header), label, choice)
    finally:
        csv.field_size_limit(limit)


def _selected(text: str, separator: str, label: str, choice: Choice) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names: list[str] = []
    places: list[int] = []
    written = 0
    for line, row in _rows(text, separator):
        if not row or (len(row) == 1 and not row[0].strip()):
            continue
        if not names:
            names = [cell.strip() for cell in row]
            places = _places(names, label, choice)
        if len(row) != len(names):
            raise DataError(
                f"{label!r}, line {line}: got {len(row)} values for {len(names)} columns; "
                "check its separators."
            )
        out.write("\n" * (line - 1 - written))  # so that messages about this text name the file's own lines
        writer.writerow([row[k] for k in places])
        written = line
    return out.getvalue()


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Every row's cells and the number of its last line."""
    if separator == " ":
        yield from ((number, line.split()) for number, line in enumerate(text.splitlines(), start=1))
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    for row in reader:
        yield reader.line_num, row


def _separator(header: str) -> str:
    """What divides the header line, by the rule of `read_table`."""
    bare = "".join(header.split('"')[::2])
    best = max(",\t;|", key=bare.count)
    if bare.count(best):
        return best
    return " " if len(bare.split()) > 1 and '"' not in header else ","


def _places(names: list[str], label: str, choice: Choice) -> list[int]:
    for name in (*choice.keep, *choice.drop):
        if name not in names:
            raise OptionError(_unknown(name, names, label))
    if choice.keep:
        return [k for k, name in enumerate(names) if name in choice.keep]
    left = [k for k, name in enumerate(names) if name not in choice.drop]
    if not left:
        raise OptionError(f"The --drop option leaves no column of {label!r}.")
    return left


def _unknown(name: str, names: list[str], label: str) -> str:
    folded = {other.casefold(): other for other in reversed(names) if other}
    near = difflib.get_close_matches(name.casefold(), folded, n=3)
    hint = f"; did you mean {' or '.join(repr(folded[word]) for word in near)}?" if near else "."
    return f"There is no column {name!r} in {label!r}{hint} It has {listed(names, noun='column')}."
