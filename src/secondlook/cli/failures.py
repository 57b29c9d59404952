"""Every way a command can fail, as one sentence on stderr and an exit code."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import traceback
from typing import TYPE_CHECKING, Any

import typer

from secondlook.errors import BudgetError, OptionError, SecondlookError
from secondlook.report.page import printable

if TYPE_CHECKING:
    from collections.abc import Callable

BAD_DATA, BAD_USAGE, OWN_FAULT, INTERRUPTED, READER_GONE = 1, 2, 70, 130, 141
_NO_MEMORY = "There is not enough memory for this; use fewer columns (--columns, --drop) or rows."
# The options of a rule ("… option of StARS") are no options of the command line.
_OPTION = re.compile(r"\AThe '(\w+)' option(?! of )")
TRACEBACK = "SECONDLOOK_TRACEBACK"
# typer brings click along, as a package of its own or inside itself; this finds the classes either way.
_USAGE_ERROR = typer.BadParameter.__mro__[1]


def failed(error: BaseException) -> int:
    """Says on stderr what went wrong, and returns the exit code.

    Parameters
    ----------
    error : BaseException
        Whatever a command raised.
    """
    if os.environ.get(TRACEBACK, "0") not in ("", "0"):
        with contextlib.suppress(OSError):
            traceback.print_exception(error)
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0 if error.code is None else BAD_DATA
    if isinstance(error, BrokenPipeError):
        return READER_GONE
    sentence, code = _judged(error)
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write(f"secondlook: {printable(' '.join(sentence.split()))}\n")
    return code


def _judged(error: BaseException) -> tuple[str, int]:
    known: tuple[tuple[Any, Callable[[Any], str], int], ...] = (
        ((KeyboardInterrupt, typer.Abort), lambda error: str(error) or "Interrupted.", INTERRUPTED),
        (OptionError, _in_dashes, BAD_USAGE),
        (SecondlookError, _in_options, BAD_DATA),
        (_USAGE_ERROR, usage_sentence, BAD_USAGE),
        (OSError, _os_sentence, BAD_DATA),
        (MemoryError, lambda _: _NO_MEMORY, BAD_DATA),
        (BaseException, _own_fault, OWN_FAULT),
    )
    return next((words(error), code) for kind, words, code in known if isinstance(error, kind))


def _own_fault(error: BaseException) -> str:
    return (
        f"secondlook itself failed with {type(error).__name__}: {str(error) or 'no message'}; "
        f"set {TRACEBACK}=1 to see where, and please report it."
    )


def usage_sentence(error: BaseException) -> str:
    """The parser's complaint with what was probably meant and where to read more."""
    message: str = getattr(error, "format_message", error.__str__)()
    meant = getattr(error, "possibilities", None)
    if meant:
        unknown = getattr(error, "option_name", "")
        message = f"There is no option {unknown}; did you mean {' or '.join(sorted(meant))}?"
    message = " ".join(message.split())
    if message[-1:] not in ".?!":
        message += "."
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "secondlook"
    return f"{message} See '{command} --help'."


def _in_dashes(error: OptionError) -> str:
    """The library's sentence with its option spelled as on the command line."""
    return _OPTION.sub(
        lambda name: f"The --{name[1].removeprefix('n_').replace('_', '-')} option", str(error)
    )


def _in_options(error: SecondlookError) -> str:
    """The library's sentence with the remedies spelled as this command line spells them."""
    said = str(error)
    if isinstance(error, BudgetError):
        head, remedy, rest = said.rpartition("Use smaller alphas, ")
        for name, option in (("set max_level", "set --max-level"), ("raise max_tests", "raise --max-tests")):
            rest = rest.replace(name, option)
        return head + remedy + rest.replace("drop these variables", "--drop these variables")
    for end in ("drop the column.", "drop one of them.", "drop what never changes."):
        if said.endswith(end):
            return f"{said[:-1]} (--drop)."
    return said


def _os_sentence(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    where = f" {str(error.filename)!r}" if error.filename is not None else ""
    return f"Reading or writing{where} failed: {reason}."
