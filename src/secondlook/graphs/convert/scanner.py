"""The words of DOT and of DAGitty's language, which share their grammar of statements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from secondlook.errors import GraphError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the text.

    Attributes
    ----------
    kind : {"name", "string", "edge", "sign", "end"}
        A bare name, a quoted one, an edge operator, one of ``{ } [ ] = , ; : +``, or the end of the text.
    text : str
        The word as written; for a string, what stands between the quotes.
    line : int
        The line it begins in, from 1.
    """

    kind: str
    text: str
    line: int


class Words:
    """The words of a text, one after the other, with one word of look-ahead.

    Parameters
    ----------
    text : str
        The whole text.
    string : str
        The regular expression of a quoted string, with one group: what stands between the quotes.
    edges : str
        The regular expression of an edge operator.

    Raises
    ------
    GraphError
        When a word is malformed, with its line.
    """

    def __init__(self, text: str, *, string: str, edges: str) -> None:
        self._pattern = re.compile(
            rf"(?P<skip>\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)|(?P<string>{string})|(?P<edge>{edges})"
            r"|(?P<name>-?[\w.]+)|(?P<sign>[{}\[\]=,;:+])",
            re.DOTALL,
        )
        self._words = self._scan(text)
        self.next = next(self._words)

    def _scan(self, text: str) -> Iterator[Word]:
        at, line = 0, 1
        while at < len(text):
            found = self._pattern.match(text, at)
            if found is None:
                what = "a string that does not end" if text[at] == '"' else f"the character {text[at]!r}"
                raise GraphError(f"Line {line} has {what}.")
            kind = str(found.lastgroup)
            if kind == "string":
                inner = next(group for group in found.groups()[2:] if group is not None)
                yield Word(kind, inner, line)
            elif kind != "skip":
                yield Word(kind, found.group(), line)
            line += found.group().count("\n")
            at = found.end()
        yield Word("end", "the end of the text", line)

    def take(self) -> Word:
        """The next word, which is thereby used up; the end stays for ever."""
        word = self.next
        if word.kind != "end":
            self.next = next(self._words)
        return word

    def accept(self, sign: str) -> bool:
        """Uses up the next word if it is this sign, and says whether it was."""
        if self.next.kind == "sign" and self.next.text == sign:
            self.take()
            return True
        return False

    def expect(self, sign: str) -> None:
        """Uses up the next word, which must be this sign."""
        word = self.next
        if not self.accept(sign):
            raise GraphError(f"Line {word.line} has {word.text!r} where {sign!r} belongs.")

    def name(self) -> Word:
        """Uses up the next word, which must be a name or a string."""
        word = self.take()
        if word.kind not in ("name", "string"):
            raise GraphError(f"Line {word.line} has {word.text!r} where a name belongs.")
        return word

    def attributes(self) -> dict[str, str]:
        """Uses up any bracketed attribute lists; an attribute without a value maps to ''."""
        found: dict[str, str] = {}
        while self.accept("["):
            while not self.accept("]"):
                key = self.name().text
                found[key] = self.name().text if self.accept("=") else ""
                _ = self.accept(",") or self.accept(";")
        return found
