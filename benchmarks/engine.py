"""The native engine: the whole grid against one correlation matrix; alphas, threads, looks compared."""

from __future__ import annotations

from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import cases
from benchmarks.clock import in_turns, milliseconds
from benchmarks.figures import Figure
from secondlook import SearchOptions, alpha_path, autopc
from secondlook.search.options import DEFAULT_ALPHAS

MANY_ALPHAS = tuple(np.geomspace(0.0005, 0.1, 64).tolist())
LARGEST = (DEFAULT_ALPHAS[-1],)


def figures() -> list[Figure]:
    """All of this page."""
    return [*_wide(1000, 2000), *_very_wide(5000, 500), *_hubs(1600, 850)]


def _wide(d: int, n: int) -> list[Figure]:
    data = cases.table(d, n, 4.0)
    test = cases.test_of(data)
    look = partial(alpha_path, test, options=SearchOptions("overwrite"), looks=1)
    with threadpool_limits(1):
        time = in_turns(
            {
                "t_cor": partial(np.corrcoef, data, rowvar=False),
                "overwrite": partial(autopc, test, colliders="overwrite"),
                "vote": partial(autopc, test),
                "two threads": partial(autopc, test, colliders="overwrite", n_jobs=2),
                "vote, two threads": partial(autopc, test, n_jobs=2),
                "one alpha": partial(look, LARGEST),
                "six alphas": partial(look, DEFAULT_ALPHAS),
                "64 alphas": partial(look, MANY_ALPHAS),
            },
            seconds=20,
        )
    where = f"d={d}, n={n}, degree 4"
    t_cor = time["t_cor"]

    def ratio(
        what: str, name: str, to: str, bound: float, unit: str = "x", *, at_least: bool = False
    ) -> Figure:
        behind = f"{milliseconds(time[name])} / {milliseconds(time[to])}"
        return Figure(what, time[name] / time[to], unit, bound, at_least, behind)

    return [
        Figure(f"np.corrcoef, one thread, {where}", t_cor * 1e3, "ms", note="t_cor"),
        ratio(f"AutoPC, six alphas, overwrite, {where}", "overwrite", "t_cor", 1.5, "x t_cor"),
        ratio(f"AutoPC, six alphas, vote, {where}", "vote", "t_cor", 3.0, "x t_cor"),
        ratio(f"six alphas against the largest alone, one look, {where}", "six alphas", "one alpha", 1.25),
        ratio(f"64 alphas against the largest alone, one look, {where}", "64 alphas", "one alpha", 2.0),
        ratio(f"one thread against two, overwrite, {where}", "overwrite", "two threads", 1.6, at_least=True),
        ratio(f"one thread against two, vote, {where}", "vote", "vote, two threads", 1.6, at_least=True),
        _looks(where, test, bound=0.15),
    ]


def _very_wide(d: int, n: int) -> list[Figure]:
    test = cases.test_of(cases.table(d, n, 4.0))
    time = in_turns(
        {
            "overwrite": partial(autopc, test, colliders="overwrite"),
            "two threads": partial(autopc, test, colliders="overwrite", n_jobs=2),
        },
        rounds=2,
    )
    where = f"d={d}, n={n}, degree 4"
    behind = f"{milliseconds(time['overwrite'])} / {milliseconds(time['two threads'])}"
    gain = time["overwrite"] / time["two threads"]
    return [
        Figure(f"AutoPC, six alphas, overwrite, {where}", time["overwrite"], "s", 3.0),
        Figure(f"one thread against two, overwrite, {where}", gain, "x", 1.7, at_least=True, note=behind),
        _looks(where, test),
    ]


def _hubs(d: int, n: int) -> list[Figure]:
    figures = []
    for pointing in ("random", "source"):
        test = cases.test_of(cases.hubs(d, n, pointing))
        time = in_turns({"overwrite": partial(autopc, test, colliders="overwrite", max_level=3)})
        where = f"scale-free, hubs={pointing!r}, d={d}, n={n}, max_level 3"
        figures.append(Figure(f"AutoPC, six alphas, overwrite, {where}", time["overwrite"], "s", 0.5))
    return figures


def _looks(where: str, test: cases.FisherZ, bound: float | None = None) -> Figure:
    """The skeleton of the second look against that of the first, as the search itself times them."""
    first = second = float("inf")
    for _ in range(5):
        seconds = alpha_path(test, DEFAULT_ALPHAS, SearchOptions("overwrite")).seconds
        first, second = min(first, seconds["first skeleton"]), min(second, seconds["second skeleton"])
    note = f"{milliseconds(second)} / {milliseconds(first)}"
    return Figure(
        f"second look's skeleton against the first's, {where}", second / first, "x", bound, note=note
    )
