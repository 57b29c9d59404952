"""Time against the number of variables, as a table and as the plot in the documentation."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks import cases
from benchmarks.clock import in_turns
from benchmarks.figures import Figure
from secondlook import autopc

SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
RULES = ("overwrite", "vote")
ROWS = 500
PLOT = Path(__file__).parent.parent / "docs" / "images" / "growth.svg"


def figures() -> list[Figure]:
    """All of this page; writes the plot."""
    seconds = {rule: [_time(d, rule) for d in SIZES] for rule in RULES}
    plot(seconds, PLOT)
    return [
        Figure(f"AutoPC, six alphas, {rule}, d={d}, n={ROWS}, degree 4", time, "s")
        for rule in RULES
        for d, time in zip(SIZES, seconds[rule], strict=True)
    ]


def _time(d: int, rule: str) -> float:
    test = cases.test_of(cases.table(d, ROWS, 4.0))
    # At d = 10,000 the tests that a level might take exceed the default budget; those it takes do not.
    work = partial(autopc, test, colliders=rule, max_tests=0)
    if d <= 2000:
        return in_turns({rule: work}, seconds=1.0)[rule]
    started = perf_counter()  # once is enough where a run takes seconds
    work()
    return perf_counter() - started


def plot(seconds: dict[str, list[float]], file: Path) -> None:
    """A line for each rule on logarithmic scales."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "secondlook"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for rule, marker in zip(seconds, "os", strict=True):
        axes.loglog(SIZES, seconds[rule], marker=marker, label=f'colliders="{rule}"')
    axes.set_xlabel(f"variables (n = {ROWS} rows, expected degree 4)")
    axes.set_ylabel("seconds from the correlation matrix, one thread")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
