"""How commands talk: reports on stdout, notes on stderr."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Any

from secondlook.report.page import Page, page_for


def page() -> Page:
    """A page for whoever reads stdout: a terminal or a plain stream."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return page_for(terminal=terminal, width=shutil.get_terminal_size().columns)


def write(text: str) -> None:
    """Writes to stdout; a process that was started without one has nobody to read it."""
    if sys.stdout is not None:
        sys.stdout.write(text)
        sys.stdout.flush()


def write_json(model: dict[str, Any]) -> None:
    """Writes JSON to stdout, in ASCII: no name can reach the terminal as anything but text."""
    write(json.dumps(model, indent=2) + "\n")


def note(text: str, *, quiet: bool = False) -> None:
    """Writes a remark to stderr."""
    if not quiet and sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
