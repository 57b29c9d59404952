"""Peak memory of a whole run in a process of its own, against the correlation matrix."""

from __future__ import annotations

import resource
import subprocess
import sys
from time import perf_counter

from benchmarks.figures import Figure


def figures() -> list[Figure]:
    """All of this page."""
    return [figure for rule in ("overwrite", "vote") for figure in _run(10_000, 500, rule)]


def _run(d: int, n: int, rule: str) -> list[Figure]:
    command = [sys.executable, "-m", "benchmarks.memory", str(d), str(n), rule]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, peak = map(float, answer.split())
    where = f"{rule}, d={d}, n={n}, degree 4"
    matrix = 8 * d * d
    note = f"{peak / 1e9:.3g} GB / {matrix / 1e9:.3g} GB, from the table on, {seconds:.3g} s"
    return [
        Figure(
            f"peak memory against the correlation matrix, six alphas, {where}",
            peak / matrix,
            "x",
            2.5,
            note=note,
        )
    ]


def child(d: int, n: int, rule: str) -> None:
    """Prints the seconds of a run from the table on and the peak of this process's memory in bytes."""
    from benchmarks import cases
    from secondlook import AutoPC

    data = cases.table(d, n, 4.0)
    begin = perf_counter()
    AutoPC(colliders=rule).fit(data)
    seconds = perf_counter() - begin
    scale = 1 if sys.platform == "darwin" else 1024
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale)


if __name__ == "__main__":
    child(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
