"""Checks of the options that the simulations share; each refusal is one sentence with the remedy."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable


def checked_count(function: str, option: str, value: object, least: int) -> int:
    """The value as an int; refuses what is no integer or is smaller than the least."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
        raise TypeError(f"The {option!r} parameter of {function} must be an integer. Got {value!r}.")
    if value < least:
        raise OptionError(f"The {option!r} parameter of {function} must be at least {least}. Got {value}.")
    return int(value)


def checked_number(function: str, option: str, value: object) -> float:
    """The value as a finite float."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(f"The {option!r} parameter of {function} must be a number. Got {value!r}.")
    if not math.isfinite(value):
        raise OptionError(f"The {option!r} parameter of {function} must be finite. Got {value}.")
    return float(value)


def checked_range(function: str, option: str, value: object) -> tuple[float, float]:
    """The value as a pair 0 < low <= high of floats."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"The {option!r} parameter of {function} must be a pair (low, high). Got {value!r}.")
    low, high = (checked_number(function, option, end) for end in value)
    if not 0 < low <= high:
        raise OptionError(
            f"The {option!r} parameter of {function} must be a pair with 0 < low <= high. Got {value!r}."
        )
    return low, high


def checked_choice(function: str, option: str, value: object, choices: Iterable[str]) -> None:
    """Refuses a value that is not one of the choices."""
    choices = tuple(choices)
    if value not in choices:
        raise OptionError(
            f"The {option!r} parameter of {function} must be one of {', '.join(map(repr, choices))}. "
            f"Got {value!r}."
        )


def checked_generator(function: str, rng: object) -> None:
    """Refuses a source of randomness that is not a numpy Generator."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"The 'rng' parameter of {function} must be a numpy Generator. Got {type(rng).__name__}; "
            "make one with numpy.random.default_rng(seed)."
        )
