"""What a search may be told, checked once: the alpha grid, the collider rule, limits and threads."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral, Real
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from secondlook.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

ColliderRule = Literal["vote", "majority", "conservative", "first", "overwrite"]
COLLIDER_RULES: tuple[str, ...] = get_args(ColliderRule)
DEFAULT_ALPHAS = (0.0005, 0.001, 0.005, 0.01, 0.05, 0.1)
"""The paper's grid."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How one search runs, whatever its alphas. Background knowledge will be a field of this record.

    Attributes
    ----------
    colliders : str
        The rule that orients unshielded triples: "vote", "majority", "conservative", "first", "overwrite".
    max_level : int or None
        The largest conditioning set, also of votes and of the second look; None for no limit.
    max_tests : int or None
        The most tests a level may take before the search is refused; None for the engine's own budget, 0
        for none.
    n_jobs : int
        Threads of the native engine, processes of the generic one; -1 for all cores.
    """

    colliders: ColliderRule = "vote"
    max_level: int | None = None
    max_tests: int | None = None
    n_jobs: int = 1

    def __post_init__(self) -> None:
        if self.colliders not in COLLIDER_RULES:
            raise OptionError(unknown_choice("colliders", self.colliders, COLLIDER_RULES))
        for name in ("max_level", "max_tests"):
            value = getattr(self, name)
            if value is not None and (not _is_whole(value) or value < 0):
                raise OptionError(
                    f"The '{name}' option must be a whole number from 0 or None. Got {value!r}."
                )
        if not _is_whole(self.n_jobs) or self.n_jobs == 0 or self.n_jobs < -1:
            raise OptionError(
                f"The 'n_jobs' option must be a positive whole number or -1. Got {self.n_jobs!r}."
            )

    @property
    def threads(self) -> int:
        """The number of workers that n_jobs stands for on this machine."""
        return os.cpu_count() or 1 if self.n_jobs == -1 else int(self.n_jobs)


def checked_alphas(alphas: Iterable[float]) -> tuple[float, ...]:
    """The grid as a tuple of floats.

    Parameters
    ----------
    alphas : iterable of float
        At least one number in (0, 1), strictly ascending.

    Raises
    ------
    OptionError
        If the grid is empty, unsorted, repeats an alpha or leaves (0, 1).
    TypeError
        If it is not an iterable of numbers.

    Examples
    --------
    >>> checked_alphas([0.01, 0.05])
    (0.01, 0.05)
    """
    if isinstance(alphas, (str, bytes, Real)) or not hasattr(alphas, "__iter__"):
        raise TypeError(f"The 'alphas' option must be a list of numbers in (0, 1). Got {alphas!r}.")
    grid = tuple(checked_alpha(alpha, "alphas") for alpha in alphas)
    if not grid:
        raise OptionError("The 'alphas' option must hold at least one number in (0, 1). Got an empty grid.")
    for low, high in pairwise(grid):
        if low >= high:
            raise OptionError(
                f"The 'alphas' option must ascend without repeats; sort it. Got {low!r} before {high!r}."
            )
    return grid


def checked_alpha(alpha: Any, option: str = "alpha") -> float:
    """A single alpha as a float; OptionError unless it is a number in (0, 1)."""
    if isinstance(alpha, bool) or not isinstance(alpha, Real):
        raise TypeError(f"The '{option}' option must hold numbers in (0, 1). Got {alpha!r}.")
    if not 0.0 < float(alpha) < 1.0:
        raise OptionError(f"The '{option}' option must lie strictly between 0 and 1. Got {alpha!r}.")
    return float(alpha)


def critical_values(alphas: tuple[float, ...]) -> NDArray[np.float64]:
    """Two-sided critical values of the standard normal, shape (len(alphas),), falling.

    The lower tail is inverted, so that alphas far below machine precision keep their meaning.
    """
    normal = NormalDist()
    return np.array([-normal.inv_cdf(alpha / 2.0) for alpha in alphas])


def unknown_choice(option: str, value: object, choices: tuple[str, ...]) -> str:
    """One sentence for an unknown choice, with the nearest one where there is one."""
    near = difflib.get_close_matches(str(value), choices, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"The '{option}' option must be one of {', '.join(map(repr, choices))}. Got {value!r}.{hint}"


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
