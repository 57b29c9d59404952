"""The record of a study under way: one file per finished unit, each there completely or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from typing import TYPE_CHECKING, Any

from secondlook.errors import DataError
from secondlook.studies.study import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from secondlook.studies.study import Settings, Study, Unit

FORMAT_VERSION = 1
"""1: rows and timings as lists of objects, under the fingerprint of the settings."""
_SETTINGS, _UNITS, _LOCK, _PART = "settings.json", "units", ".lock", ".part"


def described(study: Study, settings: Settings) -> dict[str, Any]:
    """Everything that decides a study's numbers, as JSON values."""
    from importlib.metadata import version

    return {
        "format": FORMAT_VERSION,
        "secondlook": version("secondlook"),
        "study": study.name,
        "seed": settings.seed,
        "draws": settings.draws,
        **{f"option {name}": value for name, value in sorted(settings.options.items())},
    }


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that at any moment the old one, none, or the whole new one is there."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_PART}")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class Journal:
    """The finished units of one study with one set of settings, in one folder.

    Parameters
    ----------
    out : Path
        The folder; it is made when missing.
    study : Study
        The study.
    settings : Settings
        Settled ones. Records of others are never read.
    """

    def __init__(self, out: Path, study: Study, settings: Settings) -> None:
        self._out = out
        self._units = out / _UNITS
        self._settings = described(study, settings)
        text = json.dumps(self._settings, sort_keys=True)
        self._fingerprint = hashlib.sha256(text.encode()).hexdigest()

    @contextlib.contextmanager
    def opened(self, *, force: bool = False) -> Iterator[None]:
        """Holds the folder for this process; a folder of other settings is refused, or begun anew.

        Parameters
        ----------
        force : bool
            Whether records of other settings are thrown away.

        Raises
        ------
        DataError
            If the folder holds other things, or another process is at work in it.
        """
        if self._out.exists() and not self._out.is_dir():
            raise DataError(f"{str(self._out)!r} is a file; name a folder with --out.")
        if not self._out.absolute().parent.is_dir():
            raise DataError(
                f"There is no folder {str(self._out.parent)!r} to make {self._out.name!r} in; "
                "create it first."
            )
        if not force:
            self._refuse_other_settings()
        self._units.mkdir(parents=True, exist_ok=True)
        with _locked(self._out):
            self._begin()
            yield

    def done(self, units: Sequence[Unit]) -> dict[str, Outcome]:
        """What the finished ones among some units found, by key."""
        found = {}
        for unit in units:
            outcome = self._read(self._path(unit.key))
            if outcome is not None:
                found[unit.key] = outcome
        return found

    def add(self, key: str, outcome: Outcome) -> None:
        """Records a finished unit; when this returns, no crash can lose it."""
        record = {"settings": self._fingerprint, "rows": outcome.rows, "timings": outcome.timings}
        write_whole(self._path(key), json.dumps(record, separators=(",", ":")).encode())

    def _path(self, key: str) -> Path:
        return self._units / f"{key}.json"

    def _read(self, path: Path) -> Outcome | None:
        """The record in a file; None when there is none, a damaged one, or one of other settings."""
        try:
            record = json.loads(path.read_bytes())
            if record["settings"] == self._fingerprint:
                return Outcome(record["rows"], record["timings"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            pass  # it will be run and written again
        return None

    def _refuse_other_settings(self) -> None:
        known = self._known_settings()
        if known == self._settings:
            return
        if known is None:
            if self._out.is_dir() and {path.name for path in self._out.iterdir()} - {_UNITS, _LOCK}:
                raise DataError(
                    f"The folder {str(self._out)!r} holds other files; name a new one with --out, "
                    "or write beside them with --force."
                )
            return
        keys = [key for key in {**known, **self._settings} if known.get(key) != self._settings.get(key)]
        there = ", ".join(f"{key} {known.get(key, 'not set')}" for key in keys)
        asked = ", ".join(f"{key} {self._settings.get(key, 'not set')}" for key in keys)
        raise DataError(
            f"The folder {str(self._out)!r} holds results of {there}, and {asked} was asked for; "
            "name another one with --out, or throw these away with --force."
        )

    def _known_settings(self) -> dict[str, Any] | None:
        try:
            found = json.loads((self._out / _SETTINGS).read_bytes())
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def _begin(self) -> None:
        """Clears away what a killed process left half written, and records of other settings."""
        if self._known_settings() != self._settings:
            for path in self._units.glob("*.json"):
                path.unlink()
            write_whole(self._out / _SETTINGS, (json.dumps(self._settings, indent=2) + "\n").encode())
        for folder in (self._out, self._units):
            for path in folder.glob(f".*{_PART}"):
                path.unlink()


@contextlib.contextmanager
def _locked(out: Path) -> Iterator[None]:
    """Keeps other processes out of the folder; the lock of a killed one ends with it."""
    import fcntl

    with (out / _LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataError(
                f"Another process is running a study in {str(out)!r}; wait for it, or name another "
                "folder with --out."
            ) from None
        yield
