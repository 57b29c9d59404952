"""The examples on the README and the pages of docs/: what they are, what they print, and how to refresh them.

`python tests/docs/pages.py` writes what the examples print today into the pages; read the difference.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANYTHING = "…"  # in a page, stands for what differs from run to run


def text_of(page):
    """The page as it stands."""
    return page.read_text(encoding="utf-8")


def python_examples(page):
    """Each Python block: its first line, its code, and the text block after it, what it must print."""
    text = text_of(page)
    return [
        (text.count("\n", 0, found.start()) + 2, found[1], found[2] or "") for found in EXAMPLE.finditer(text)
    ]


def commands(page):
    """Each `$ secondlook …` of the console blocks, with the output shown under it."""
    return [pair for found in CONSOLE.finditer(text_of(page)) for pair in commands_in(found[1])]


def commands_in(console):
    """The commands of one console block with their outputs."""
    parts = [part.partition("\n") for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in parts]


def printed(code, names, page, line=1):
    """What Python code prints, run among these names."""
    said = io.StringIO()
    # as many line breaks as in the page, so that a traceback points at the page's own lines
    compiled = compile("\n" * (line - 1) + code, str(page), "exec")
    with contextlib.redirect_stdout(said):
        exec(compiled, names)
    return said.getvalue()


def answered(command, folder):
    """The finished process of a command run in a folder."""
    words = shlex.split(command)
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def matches(expected, said):
    """Whether a command said what was expected."""
    return re.fullmatch(".*".join(map(re.escape, expected.split(ANYTHING))), said) is not None


def refreshed(page):
    """The page with what its examples print today."""
    names: dict[str, object] = {"__name__": "__main__"}
    folder = Path.cwd()

    def example(found):
        said = printed(found[1], names, page)
        return f"```python\n{found[1]}```" + (f"\n\n```text\n{said}```" if said else "")

    def console(found):
        shown = [(command, answered(command, folder).stdout) for command, _ in commands_in(found[1])]
        session = "".join(f"$ {command}\n{said}" for command, said in shown)
        return "```console\n" + re.sub(r" in [\d.e-]+ s\b", f" in {ANYTHING} s", session) + "```"

    return CONSOLE.sub(console, EXAMPLE.sub(example, text_of(page)))


if __name__ == "__main__":
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            os.environ.pop("COLUMNS", None)
            page.write_text(refreshed(page), encoding="utf-8")
