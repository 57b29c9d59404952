"""Reading CSV and TSV files: fast where they are clean, exact about line and column where they are not."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import sys
import zlib
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from secondlook.errors import DataError, OptionError
from secondlook.tables.naming import checked_names
from secondlook.tables.table import Table, as_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike

    from numpy.typing import NDArray

_MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "?", "."})
_SEPARATORS = {".tsv": "\t", ".tab": "\t"}
_GZIP_MAGIC = b"\x1f\x8b"
_BLANKS = " "


def read_table(path: str | PathLike[str], *, sep: str | None = None) -> Table:
    """The table in a text file with one header line, values separated by commas, tabs or the like.

    Parameters
    ----------
    path : str or path
        A file in UTF-8, compressed with gzip or not; "-" reads standard input.
    sep : str, optional
        The separator, one character; a blank stands for any run of blanks. By default a tab for .tsv and
        .tab, and otherwise whichever of comma, tab, semicolon, bar or blank divides the header line.

    Returns
    -------
    Table
        Cells that are empty or say NA, N/A, NaN, null, None, ? or . are NaN.

    Raises
    ------
    DataError
        If the file cannot be read or is not such a table; the sentence names the file and, where there is
        one, the line, the column and the value.
    OptionError
        If `sep` is not one character.
    """
    if sep is not None and len(sep) != 1:
        raise OptionError(f"The 'sep' parameter of read_table must be one character. Got {sep!r}.")
    if str(path) == "-":
        content = sys.stdin.buffer.read()
        return parse_table(lambda: io.BytesIO(content), "standard input", sep=sep)
    file = Path(path)
    if not file.exists():
        raise DataError(f"There is no file {str(file)!r}; check the path.")
    if file.is_dir():
        raise DataError(f"{str(file)!r} is a folder; name a file in it.")
    if not file.is_file():  # a pipe can be read only once
        content = file.read_bytes()
        return parse_table(lambda: io.BytesIO(content), str(file), sep=sep)
    suffixes = [suffix for suffix in file.suffixes if suffix.lower() != ".gz"]
    usual = _SEPARATORS.get(suffixes[-1].lower()) if suffixes else None
    return parse_table(lambda: file.open("rb"), str(file), sep=sep or usual)


def parse_table(opened: Callable[[], IO[bytes]], label: str, *, sep: str | None = None) -> Table:
    """The table in an open source of bytes, see `read_table`.

    Parameters
    ----------
    opened : callable
        Opens the source from its start; called again when the fast way through it fails.
    label : str
        What to call the source in messages.
    sep : str, optional
        The separator; found in the header line by default.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        If the source is not a table of numbers under a header line.
    """
    try:
        with _Lines(opened, label, sep) as lines:
            values = _fast(lines)
        if values is None:
            with _Lines(opened, label, sep) as lines:
                values = _careful(lines)
    except UnicodeDecodeError as broken:
        raise DataError(
            f"{label!r} is not UTF-8 text (byte 0x{broken.object[broken.start]:02x}); save it as UTF-8."
        ) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{label!r} is a damaged gzip file; compress it again.") from None
    except csv.Error as broken:
        raise DataError(f"{label!r} cannot be split into cells: {broken}; check its quotes.") from None
    except OSError as failed:
        raise DataError(f"{label!r} cannot be read: {failed.strerror or failed}.") from None
    return as_table(values, lines.names)


@dataclass
class _Lines:
    """A source with its header read; iterating gives the lines below the header and counts them."""

    opened: Callable[[], IO[bytes]]
    label: str
    sep: str | None
    number: int = 0

    def __enter__(self) -> _Lines:
        self._raw = self.opened()
        buffered = io.BufferedReader(self._raw) if isinstance(self._raw, io.RawIOBase) else self._raw
        packed = buffered.read(2) == _GZIP_MAGIC
        buffered.seek(0)
        unpacked = gzip.open(buffered) if packed else buffered
        # utf-8-sig swallows the byte-order mark that spreadsheets write.
        self._text = io.TextIOWrapper(unpacked, encoding="utf-8-sig")
        try:
            self._read_header()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._text.close()
        self._raw.close()

    def __iter__(self) -> Iterator[str]:
        for line in self._text:
            self.number += 1
            yield line

    def rows(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """The lines' cells; quoted cells may hold separators and line breaks."""
        if self.sep == _BLANKS:
            return (line.split() for line in lines)
        return csv.reader(lines, delimiter=self.sep or ",", strict=True)

    def _read_header(self) -> None:
        lines = iter(self)
        first = next((line for line in lines if line.strip()), None)
        if first is None:
            raise DataError(f"{self.label!r} is empty; a table needs a header line and rows of numbers.")
        self.sep = self.sep or _sniffed(first)
        cells = [cell.strip() for cell in next(self.rows(itertools.chain([first], lines)))]
        if all(_is_number(cell) for cell in cells):
            raise DataError(
                f"{self.label!r} must begin with a line of column names. "
                f"Got the numbers {', '.join(cells[:3])}{', …' if len(cells) > 3 else ''}; add a header line."
            )
        try:
            self.names = checked_names(cells, len(cells))
        except DataError as wrong:
            label_column = " If it holds row labels, write the file without them." if cells[0] == "" else ""
            raise DataError(f"In the header of {self.label!r}: {wrong}{label_column}") from None


def _fast(lines: _Lines) -> NDArray[np.float64] | None:
    """The values of a clean file; None when a closer look is needed."""
    below = iter(lines)
    first = next((line for line in below if line.strip()), None)
    if first is None:
        raise DataError(f"{lines.label!r} has a header but no rows; add rows of numbers.")
    try:
        values = np.loadtxt(
            itertools.chain([first], below),
            delimiter=None if lines.sep == _BLANKS else lines.sep,
            comments=None,
            quotechar='"',
            ndmin=2,
            dtype=np.float64,
        )
    except UnicodeDecodeError:
        raise
    except ValueError:
        return None
    return values if values.shape[1] == len(lines.names) else None


def _careful(lines: _Lines) -> NDArray[np.float64]:
    """The values cell by cell, with missing markers; the first cell or row at fault is named."""
    d = len(lines.names)
    numbers = array("d")
    for cells in lines.rows(iter(lines)):
        if not cells or (len(cells) == 1 and not cells[0].strip()):
            continue
        if len(cells) != d:
            remedy = "if the first is a row label, drop it" if len(cells) == d + 1 else "check its separators"
            raise DataError(
                f"{lines.label!r}, line {lines.number}: got {len(cells)} values for {d} columns; {remedy}."
            )
        for name, cell in zip(lines.names, cells, strict=True):
            word = cell.strip()
            if word.lower() in _MISSING:
                numbers.append(float("nan"))
            elif _is_number(word):
                numbers.append(float(word))
            else:
                remedy = "write decimals with a point" if "," in word else "encode it or drop the column"
                raise DataError(
                    f"{lines.label!r}, line {lines.number}, column {name!r}: {word!r} is not a number; "
                    f"{remedy}."
                )
    return np.frombuffer(numbers, dtype=np.float64).reshape(-1, d)


def _sniffed(header: str) -> str:
    """The separator that occurs most often outside quotes; a comma when there is none."""
    bare = "".join(header.split('"')[::2])
    best = max(",\t;|", key=bare.count)
    if bare.count(best):
        return best
    return _BLANKS if len(bare.split()) > 1 and '"' not in header else ","


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word  # Python reads 1_000 as a number, nobody's spreadsheet does
