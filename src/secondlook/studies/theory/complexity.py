"""The claim about cost: how many tests the second look adds to those of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from secondlook.search import DEFAULT_ALPHAS, SearchOptions, alpha_path
from secondlook.studies.study import Outcome
from secondlook.studies.theory.consistency import drawn

if TYPE_CHECKING:
    from secondlook.search.run import EngineChoice
    from secondlook.studies.study import Row

COUNTED_ROWS = (1_000, 10_000, 100_000)
COUNTED_NODES = (10, 20, 50, 100, 200)
GENERIC_UP_TO = 20
"""The generic engine asks in Python; it is counted up to so many variables."""
MOST_DRAWS = 20
ENGINES: tuple[EngineChoice, ...] = ("native", "generic")


class Size(NamedTuple):
    """A number of variables, and how many models of it are counted."""

    d: int
    draws: int


def counted(size: Size, seed: int) -> Outcome:
    """Tests of both looks on random models, at every number of rows; with `overwrite` none is a vote's.

    Parameters
    ----------
    size : Size
        How large.
    seed : int
        The study's seed; models are those of the consistency part where sizes agree.
    """
    rows: list[Row] = []
    options = SearchOptions(colliders="overwrite")
    for draw in range(size.draws):
        for n in COUNTED_ROWS:
            test, _ = drawn(size.d, n, draw, seed)
            for engine in ENGINES:
                if engine == "generic" and size.d > GENERIC_UP_TO:
                    continue
                path = alpha_path(test, DEFAULT_ALPHAS, options, engine=engine)
                head: Row = {"part": "complexity", "d": size.d, "n": n, "draw": draw, "engine": engine}
                rows.append({**head, "first": path.first.n_tests, "second": path.second_look.n_tests})
    return Outcome(rows)
