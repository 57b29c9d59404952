"""From a table to an answer, beside what users would call instead."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

from benchmarks import cases
from benchmarks.clock import in_turns, milliseconds
from benchmarks.figures import Figure
from secondlook import AutoPC, autopc
from secondlook.search.options import DEFAULT_ALPHAS

if TYPE_CHECKING:
    import numpy as np

PCALG_RECORDED = 53e-3
"""Seconds of pcalg 2.7's stable.fast for the same six alphas at d=50, n=10000, recorded on a machine of this
kind; R is not installed beside us, so this is no side-by-side measurement."""


def figures() -> list[Figure]:
    """All of this page."""
    return [*_medium(50, 10_000), _overhead(10, 1000)]


def _medium(d: int, n: int) -> list[Figure]:
    data = cases.table(d, n, 2.0)
    test = cases.test_of(data)
    with threadpool_limits(1):
        ours = in_turns(
            {
                "fit": partial(AutoPC().fit, data),
                "paper": partial(AutoPC(colliders="overwrite").fit, data),
                "after": partial(autopc, test),
                "paper, after": partial(autopc, test, colliders="overwrite"),
                "causal-learn": partial(causal_learn, data),
            },
            seconds=15,
        )
    where = f"d={d}, n={n}"
    peer = ours["causal-learn"]
    figures = [
        Figure(
            f"causal-learn, six PC runs, against AutoPC().fit(table), {name}, {where}",
            peer / ours[key],
            "x",
            100,
            at_least=True,
            note=f"{milliseconds(peer)} / {milliseconds(ours[key])}",
        )
        for name, key in (("vote", "fit"), ("overwrite", "paper"))
    ]
    figures += [
        Figure(
            f"pcalg, six runs (recorded), against what follows the correlation matrix, {name}, {where}",
            PCALG_RECORDED / ours[key],
            "x",
            15,
            at_least=True,
            note=f"{milliseconds(PCALG_RECORDED)} / {milliseconds(ours[key])}",
        )
        for name, key in (("vote", "after"), ("overwrite", "paper, after"))
    ]
    return figures


def _overhead(d: int, n: int) -> Figure:
    data = cases.table(d, n, 2.0)
    time = in_turns({"fit": partial(AutoPC().fit, data)}, seconds=2)["fit"]
    return Figure(f"AutoPC().fit(table), all of it, d={d}, n={n}", time * 1e3, "ms", 1.0)


def causal_learn(data: np.ndarray) -> None:
    """Six runs of causal-learn's stable PC, one for each alpha."""
    from causallearn.search.ConstraintBased.PC import pc

    for alpha in DEFAULT_ALPHAS:
        pc(data, alpha, "fisherz", stable=True, show_progress=False)
