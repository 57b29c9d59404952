"""The command line: it knows everything, and nobody knows it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def entry() -> NoReturn:
    """The console script `secondlook`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A letter that the terminal's encoding lacks is spelled out; it must not end the program.
            stream.reconfigure(errors="backslashreplace")
    code = main()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        # What is left in the buffer goes nowhere, else the interpreter would fail on it again at its end.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    sys.exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; everything that goes wrong becomes one sentence on stderr.

    Parameters
    ----------
    argv : sequence of str, optional
        The words after the program's name; those of the process by default.

    Returns
    -------
    int
        0 when all went well, 1 for data, graphs, files and budgets that cannot be used, 2 for a wrong command
        line, 70 for a fault of secondlook's own, 130 after Ctrl-C, 141 when the reader of stdout is gone.

    Examples
    --------
    >>> main(["--version"]) # doctest: +SKIP
    secondlook 0.1.0
    0
    """
    from secondlook.cli.failures import failed

    try:
        from secondlook.cli.app import parsed

        job = parsed(sys.argv[1:] if argv is None else list(argv))
        code = job()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException as error:
        return failed(error)
    return code
