"""One line on stderr that says a long step is still at work; on a terminal only."""

from __future__ import annotations

import contextlib
import sys
import threading
from time import monotonic
from typing import TYPE_CHECKING

from secondlook.report.page import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE = 0.7
"""Seconds before the line appears: what is done sooner needs no comfort."""


@contextlib.contextmanager
def waiting(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Shows what is being done and for how long, once that takes a while.

    Parameters
    ----------
    what : str
        Such as "searching 5,000 columns".
    quiet : bool
        Shows nothing, as when stderr is not a terminal.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    line = threading.Thread(target=_count_seconds, args=(shortened(printable(what), 60), done), daemon=True)
    line.start()
    try:
        yield
    finally:
        done.set()
        line.join()


def _count_seconds(what: str, done: threading.Event) -> None:
    started = monotonic()
    pause = _PATIENCE
    with contextlib.suppress(OSError):
        while not done.wait(pause):
            sys.stderr.write(f"\r\x1b[K{what}: {monotonic() - started:.0f} s (Ctrl-C stops)")
            sys.stderr.flush()
            pause = 1.0
        if pause == 1.0:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
