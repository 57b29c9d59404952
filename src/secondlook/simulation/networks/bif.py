"""Reading the Bayesian interchange format, as the Bayesian network repository writes it."""

from __future__ import annotations

import gzip
import re
import zlib
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from secondlook.errors import DataError
from secondlook.graphs import PDAG
from secondlook.simulation.networks.discrete import DiscreteNetwork

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"]*"|[{}()\[\],;|]|[^\s{}()\[\],;|"]+', re.DOTALL)
_SIGNS = frozenset("{}()[],;|")
_MOST_NUMBERS = 50_000_000


class _Word(NamedTuple):
    """A word or sign of the file, and the line it stands on."""

    text: str
    line: int


class _Rows(NamedTuple):
    """A probability block: the child, its parents, and its distributions by the parents' levels."""

    child: _Word
    parents: list[_Word]
    given: dict[tuple[str, ...], list[float]]
    default: list[float] | None


def read_bif(path: str | Path) -> DiscreteNetwork:
    """The discrete network of a .bif or .bif.gz file.

    Parameters
    ----------
    path : str or Path
        A file of `variable` and `probability` blocks. Tables with parents are read row by row, as in
        ``(low, True) 0.03, 0.97;``, with ``default`` for the rows that are left out.

    Returns
    -------
    DiscreteNetwork
        Variables in the order of the file.

    Raises
    ------
    DataError
        When the file does not hold a network: one sentence with file and line.
    OSError
        When the file cannot be opened.
    """
    path = Path(path)
    raw = path.read_bytes()
    try:
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")
    except (UnicodeDecodeError, EOFError, OSError, zlib.error) as error:
        raise DataError(
            f"The file {path.name!r} is no BIF text; give a .bif or .bif.gz file ({error})."
        ) from None
    return _Reader(path.name, text).network()


class _Reader:
    """Reads one text from its first to its last word."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._words = _words(text)
        self._next = next(self._words, None)
        self._line = 1
        self._levels: dict[str, tuple[str, ...]] = {}
        self._rows: dict[str, _Rows] = {}

    def network(self) -> DiscreteNetwork:
        """All of the file."""
        while self._next is not None:
            block = self._word("'network', 'variable' or 'probability'")
            if block.text == "network":
                self._network_block()
            elif block.text == "variable":
                self._variable_block()
            elif block.text == "probability":
                self._probability_block()
            else:
                self._refuse(
                    f"expected 'network', 'variable' or 'probability', got {block.text!r}", block.line
                )
        if not self._levels:
            self._refuse("no variable is declared", self._line)
        names = tuple(self._levels)
        missing = [name for name in names if name not in self._rows]
        if missing:
            self._refuse(f"variable {missing[0]!r} has no probability block", self._line)
        arrows = [(parent.text, name) for name in names for parent in self._rows[name].parents]
        dag = PDAG(names, arrows)
        return DiscreteNetwork(
            dag, tuple(self._levels.values()), tuple(self._table(name, dag) for name in names)
        )

    def _network_block(self) -> None:
        while self._word("'{'").text != "{":
            pass
        while self._word("'}'").text != "}":
            pass

    def _variable_block(self) -> None:
        name = self._name("a variable")
        if name.text in self._levels:
            self._refuse(f"variable {name.text!r} is declared twice", name.line)
        self._expect("{")
        while (word := self._word("'type' or '}'")).text != "}":
            if word.text == "property":
                self._skip_to_semicolon()
                continue
            if word.text != "type" or name.text in self._levels:
                self._refuse(f"expected one 'type discrete' for {name.text!r}, got {word.text!r}", word.line)
            self._expect("discrete")
            self._expect("[")
            count = self._name("a number of levels")
            self._expect("]")
            self._expect("{")
            levels = [level.text for level in self._list_until("}")]
            self._expect(";")
            if not levels or str(len(levels)) != count.text or len(set(levels)) < len(levels):
                self._refuse(
                    f"variable {name.text!r} needs {count.text} different levels, got {len(set(levels))}",
                    count.line,
                )
            self._levels[name.text] = tuple(levels)
        if name.text not in self._levels:
            self._refuse(f"variable {name.text!r} has no type", name.line)

    def _probability_block(self) -> None:
        self._expect("(")
        child = self._declared("a variable")
        if child.text in self._rows:
            self._refuse(f"variable {child.text!r} has two probability blocks", child.line)
        sign = self._word("'|' or ')'")
        if sign.text not in "|)":
            self._refuse(f"expected '|' or ')', got {sign.text!r}", sign.line)
        parents = self._list_until(")") if sign.text == "|" else []
        for parent in parents:
            if parent.text not in self._levels:
                self._refuse(f"parent {parent.text!r} is not declared", parent.line)
        if len({child.text, *(parent.text for parent in parents)}) <= len(parents):
            self._refuse(f"variable {child.text!r} names a parent twice or itself", child.line)
        self._expect("{")
        self._rows[child.text] = self._entries(child, parents)

    def _entries(self, child: _Word, parents: list[_Word]) -> _Rows:
        given: dict[tuple[str, ...], list[float]] = {}
        default = None
        while (word := self._word("a row or '}'")).text != "}":
            if word.text == "property":
                self._skip_to_semicolon()
            elif word.text == "default":
                default = self._numbers(child)
            elif word.text == "(" or (word.text == "table" and not parents):
                row = tuple(self._parent_levels(parents, word.line)) if word.text == "(" else ()
                if row in given:
                    self._refuse(f"variable {child.text!r} has two rows for {row}", word.line)
                given[row] = self._numbers(child)
            elif word.text == "table":
                self._refuse(
                    f"the table of {child.text!r} has parents; write one row per combination", word.line
                )
            else:
                self._refuse(f"expected a row of {child.text!r}, got {word.text!r}", word.line)
        return _Rows(child, parents, given, default)

    def _parent_levels(self, parents: list[_Word], line: int) -> Iterator[str]:
        levels = self._list_until(")")
        if len(levels) != len(parents):
            self._refuse(
                f"a row must name one level for each of {len(parents)} parents, got {len(levels)}", line
            )
        for parent, level in zip(parents, levels, strict=True):
            if level.text not in self._levels[parent.text]:
                self._refuse(f"{parent.text!r} has no level {level.text!r}", level.line)
            yield level.text

    def _numbers(self, child: _Word) -> list[float]:
        words = self._list_until(";")
        expected = len(self._levels[child.text])
        if len(words) != expected:
            line = words[0].line if words else self._line
            self._refuse(
                f"a row of {child.text!r} must have {expected} probabilities, got {len(words)}", line
            )
        return [self._number(word) for word in words]

    def _number(self, word: _Word) -> float:
        try:
            value = float(word.text)
        except ValueError:
            self._refuse(f"expected a probability, got {word.text!r}", word.line)
        if not 0.0 <= value <= 1.0:
            self._refuse(f"a probability must lie in [0, 1], got {word.text!r}", word.line)
        return value

    def _table(self, name: str, dag: PDAG) -> NDArray[np.float64]:
        """The probabilities with one axis per parent in column order, the variable's own last."""
        rows = self._rows[name]
        levels = [self._levels[parent.text] for parent in rows.parents]
        shape = (*map(len, levels), len(self._levels[name]))
        if prod(shape) > _MOST_NUMBERS:
            self._refuse(f"the table of {name!r} would have {prod(shape)} numbers", rows.child.line)
        table = np.empty((prod(shape[:-1]), shape[-1]))
        for k, row in enumerate(product(*levels)):
            found = rows.given.get(row, rows.default)
            if found is None:
                self._refuse(f"variable {name!r} has no row for {row}", rows.child.line)
            table[k] = found
        off = abs(table.sum(axis=1) - 1.0)
        if off.max() > 0.01:
            total = table.sum(axis=1)[int(off.argmax())]
            self._refuse(f"a row of {name!r} sums to {total:.6g} instead of 1", rows.child.line)
        order = np.argsort([dag.index(parent.text) for parent in rows.parents], kind="stable")
        return table.reshape(shape).transpose(*order.tolist(), len(levels))

    def _list_until(self, end: str) -> list[_Word]:
        """The words up to a closing sign; commas between them may be left out."""
        found = []
        while (word := self._word(f"'{end}'")).text != end:
            if word.text != ",":
                found.append(self._as_name(word, f"a word or '{end}'"))
        return found

    def _skip_to_semicolon(self) -> None:
        while self._word("';'").text != ";":
            pass

    def _declared(self, what: str) -> _Word:
        word = self._name(what)
        if word.text not in self._levels:
            self._refuse(f"variable {word.text!r} is not declared", word.line)
        return word

    def _name(self, what: str) -> _Word:
        return self._as_name(self._word(what), what)

    def _as_name(self, word: _Word, what: str) -> _Word:
        if word.text in _SIGNS:
            self._refuse(f"expected {what}, got {word.text!r}", word.line)
        return word

    def _expect(self, text: str) -> None:
        word = self._word(f"'{text}'")
        if word.text != text:
            self._refuse(f"expected {text!r}, got {word.text!r}", word.line)

    def _word(self, what: str) -> _Word:
        word = self._next
        if word is None:
            self._refuse(f"the file ends where {what} should be", self._line)
        self._line = word.line
        self._next = next(self._words, None)
        return word

    def _refuse(self, why: str, line: int) -> NoReturn:
        raise DataError(f"The file {self._file!r} is no network in BIF: line {line}: {why}.")


def _words(text: str) -> Iterator[_Word]:
    line, at = 1, 0
    for found in _TOKEN.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        if not found[0].startswith(("//", "/*")):
            yield _Word(found[0].strip('"'), line)
