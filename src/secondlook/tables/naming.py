"""Column names: how they are checked, and how messages list them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from secondlook.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHOWN = 5


def default_names(d: int) -> tuple[str, ...]:
    """The names x0, x1, … of d columns that came without names.

    Parameters
    ----------
    d : int
        The number of columns.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> default_names(3)
    ('x0', 'x1', 'x2')
    """
    return tuple(f"x{k}" for k in range(d))


def checked_names(names: Iterable[object], d: int) -> tuple[str, ...]:
    """The names as strings, one per column.

    Parameters
    ----------
    names : iterable
        One name per column; anything but a string goes through ``str``.
    d : int
        The number of columns.

    Returns
    -------
    tuple of str
        Unique and non-empty.

    Raises
    ------
    DataError
        If there are not d names, or if two are equal as strings, or if one is empty.
    """
    if isinstance(names, str):
        raise DataError(f"Column names must be a list of {d} names. Got the single text {names!r}.")
    words = tuple(str(name) for name in names)
    if len(words) != d:
        raise DataError(f"There must be one name per column. Got {len(words)} names for {d} columns.")
    if "" in words:
        raise DataError(f"Every column must have a name. Column number {words.index('') + 1} has none.")
    if len(set(words)) < d:
        repeated = [word for word, count in Counter(words).items() if count > 1]
        raise DataError(
            f"Column names must be unique as text. Got more than one of {listed(repeated)}; "
            f"rename or drop the repeats."
        )
    return words


def listed(names: Sequence[str], *, notes: Sequence[str] | None = None, noun: str = "") -> str:
    """Up to five quoted names, then how many more there are.

    Parameters
    ----------
    names : sequence of str
        At least one name.
    notes : sequence of str, optional
        A text to put right after each name.
    noun : str, default ""
        A word to put in front, in the plural when there are several names.

    Returns
    -------
    str

    Examples
    --------
    >>> listed(["a", "b"], noun="column")
    "columns 'a', 'b'"
    """
    tails = [""] * len(names) if notes is None else notes
    shown = [f"{name!r}{tail}" for name, tail in zip(names[:_SHOWN], tails[:_SHOWN], strict=True)]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    head = f"{noun}{'s' if len(names) > 1 else ''} " if noun else ""
    return f"{head}{', '.join(shown)}{more}"
