"""The user's own files as options of studies."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from secondlook.errors import OptionError

if TYPE_CHECKING:
    from secondlook.studies.study import Settings


def data_option(study: str, settings: Settings, what: str) -> Path:
    """The path in the option data.

    Parameters
    ----------
    study : str
        Whose option it is.
    settings : Settings
        The settings.
    what : str
        What the path should lead to, for the message.

    Raises
    ------
    OptionError
        If the option is not set.
    """
    if not settings.options.get("data"):
        raise OptionError(f"The study {study} needs your own copy of the data; give {what} with --data.")
    return Path(settings.options["data"])


def digest_of(path: Path) -> str:
    """Eight digits that change with the file; part of a unit's name, so that no record outlives its data."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]
