"""Times taken in turns."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[], object]


def in_turns(works: dict[str, Work], *, seconds: float = 4.0, rounds: int = 3) -> dict[str, float]:
    """The shortest time of each work, in seconds.

    The works take turns, so that a slow moment of the machine hits all of them, for so many rounds at least
    and until so many seconds have passed.
    """
    for work in works.values():
        work()
    best = dict.fromkeys(works, float("inf"))
    started = perf_counter()
    while rounds > 0 or perf_counter() - started < seconds:
        rounds -= 1
        for name, work in works.items():
            begin = perf_counter()
            work()
            best[name] = min(best[name], perf_counter() - begin)
    return best


def milliseconds(time: float) -> str:
    """A time as people read it."""
    return f"{time * 1e3:.3g} ms" if time < 1 else f"{time:.3g} s"
