"""Reading the Framingham data: the public teaching table, or the 2003 complete rows made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import DataError
from secondlook.tables import Table, as_table, read_table
from secondlook.tables.naming import listed

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

VARIABLES = ("TOTCHOL", "AGE", "SYSBP", "DIABP", "CIGPDAY", "BMI", "HEARTRTE", "GLUCOSE")
EXAMS = (1, 2, 3)
NAMES = tuple(f"{variable}{exam}" for exam in EXAMS for variable in VARIABLES)
"""The columns: all variables at the first exam, then at the second, then at the third."""
_PERSON, _EXAM = "RANDID", "PERIOD"


def read_framingham(path: str | PathLike[str]) -> Table:
    """Eight variables at three exams, one row per person without any gap.

    Parameters
    ----------
    path : str or path
        A CSV or TSV file. Either the teaching table, one row per person (RANDID) and exam (PERIOD 1, 2, 3):
        it is made wide, columns that are empty at an exam are dropped, then persons who lack any value, and
        the 24 columns are kept. Or a table that has these columns: TOTCHOL1 to GLUCOSE3.

    Returns
    -------
    Table
        With the columns `NAMES`.

    Raises
    ------
    DataError
        If the file cannot be read, is neither table, or holds no complete person.
    """
    table = read_table(path)
    lacking = [name for name in NAMES if name not in table.names]
    if not lacking:
        columns = [table.names.index(name) for name in NAMES]
        return _complete(table.values[:, columns], table.values[:, columns], str(path))
    wanted = (_PERSON, _EXAM, *VARIABLES)
    missing = [name for name in wanted if name not in table.names]
    if missing:
        raise DataError(
            f"{str(path)!r} lacks the {listed(missing, noun='column')} of the Framingham teaching table (and "
            f"{lacking[0]!r} of the ready one); give a file that has the columns of one of them."
        )
    wide, kept = _wide(table, str(path))
    return _complete(wide[:, :, kept].reshape(len(wide), -1), wide.reshape(len(wide), -1), str(path))


def _wide(table: Table, path: str) -> tuple[NDArray[np.float64], list[int]]:
    """All measurements by person, exam and column, and which columns are the eight."""
    columns = {name: k for k, name in enumerate(table.names)}
    person, exam = (table.values[:, columns[name]] for name in (_PERSON, _EXAM))
    if not np.isin(exam, EXAMS).all() or np.isnan(person).any():
        odd = np.flatnonzero(~np.isin(exam, EXAMS) | np.isnan(person))[0]
        raise DataError(
            f"Every row of {path!r} must have a {_PERSON} and a {_EXAM} of 1, 2 or 3. "
            f"Got {person[odd]:g} and {exam[odd]:g} in row {odd + 1}."
        )
    people, place = np.unique(person, return_inverse=True)
    at = exam.astype(np.int64) - 1
    if len(np.unique(place * len(EXAMS) + at)) < len(at):
        raise DataError(
            f"{path!r} has two rows of one person and exam; keep one for each {_PERSON} and {_EXAM}."
        )
    others = [name for name in table.names if name not in (_PERSON, _EXAM)]
    wide = np.full((len(people), len(EXAMS), len(others)), np.nan)
    wide[place, at] = table.values[:, [columns[name] for name in others]]
    return wide, [others.index(name) for name in VARIABLES]


def _complete(values: NDArray[np.float64], everything: NDArray[np.float64], path: str) -> Table:
    """The rows that lack nothing, also in columns that are not kept; what is always empty does not count."""
    there = ~np.isnan(everything)
    whole = there[:, there.any(axis=0)].all(axis=1) & ~np.isnan(values).any(axis=1)
    if not whole.any():
        raise DataError(
            f"{path!r} has no person without missing values at all three exams; give the whole table."
        )
    return as_table(values[whole], NAMES)
