"""Writing files: all refusals before the work, and never half a file."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from secondlook.cli.talk import note
from secondlook.errors import DataError, OptionError
from secondlook.report.page import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def refuse_targets(targets: Sequence[str], *, force: bool, inputs: Iterable[str] = ()) -> None:
    """Refuses what cannot or must not be written, before the work starts.

    Parameters
    ----------
    targets : sequence of str
        Paths of files to be written.
    force : bool
        Whether existing files may be replaced.
    inputs : iterable of str
        Paths that are read and must not be replaced even so.

    Raises
    ------
    OptionError
        If two targets are the same file, or one is an input.
    DataError
        If a target exists and `force` is not set, is a folder, or lies in none that can be written to.
    """
    seen: set[Path] = set()
    read = {Path(path).resolve() for path in inputs}
    for target in targets:
        path = Path(target)
        real = path.resolve()
        if real in seen and not _is_device(path):
            raise OptionError(f"The file {target!r} is to be written twice; give each output its own name.")
        if real in read:
            raise OptionError(f"The file {target!r} is read by this command; write to another one.")
        seen.add(real)
        _refuse(path, real, force=force)


def write_all(contents: Sequence[tuple[str, bytes]], *, quiet: bool = False) -> None:
    """Writes files, each complete or not at all: all are written aside before the first is put in place.

    Parameters
    ----------
    contents : sequence of (str, bytes)
        Paths and what goes there.
    quiet : bool
        Whether to leave out the note about each file.
    """
    aside: list[tuple[str, Path, Path]] = []
    target = ""
    try:
        for target, content in contents:
            path = Path(target)
            if _is_device(path):
                path.write_bytes(content)  # a device is written to; renaming a file over it would replace it
                continue
            real = path.resolve()  # the file behind a link is replaced, not the link
            part = real.with_name(f".secondlook-{secrets.token_hex(6)}.part")
            aside.append((target, part, real))
            part.write_bytes(content)
        for target, part, real in aside:  # noqa: B007 # the handler below names the target
            if real.exists():
                shutil.copymode(real, part)
            part.replace(real)
    except OSError as error:
        # The name of the file that was asked for says more than that of its unfinished double.
        raise OSError(error.errno, error.strerror or str(error), target) from error
    finally:
        for _, part, _ in aside:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
    for target, _ in contents:
        note(f"Wrote {printable(target)}", quiet=quiet)


def _is_device(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _refuse(path: Path, real: Path, *, force: bool) -> None:
    shown = str(path)
    if path.is_dir():
        raise DataError(f"{shown!r} is a folder; name a file in it.")
    if not real.parent.is_dir():
        raise DataError(
            f"There is no folder {str(path.parent)!r} to write {path.name!r} to; create it first."
        )
    if not os.access(real if _is_device(path) else real.parent, os.W_OK):
        raise DataError(f"The folder {str(path.parent)!r} does not let you write {path.name!r} to it.")
    if path.is_file() and not force:
        raise DataError(f"The file {shown!r} exists; choose another name, or replace it with --force.")
