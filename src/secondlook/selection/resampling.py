"""What rules that draw rows share: resamples as tables, one path of graphs each, on any number of workers."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeVar

from secondlook.errors import OptionError
from secondlook.independence import as_test
from secondlook.search.run import alpha_path
from secondlook.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from secondlook.search import AlphaPath, SearchOptions
    from secondlook.selection.rule import Problem, TestMaker

    Job = TypeVar("Job")
    Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, eq=False)
class Resampler:
    """The search of a problem, to be repeated on some of its rows.

    Attributes
    ----------
    table : Table
        All rows.
    make_test : callable
        Binds the test to a table.
    alphas : tuple of float
        The grid.
    options : SearchOptions
        How to search.
    """

    table: Table
    make_test: TestMaker
    alphas: tuple[float, ...]
    options: SearchOptions

    def path(self, rows: NDArray[Any]) -> AlphaPath:
        """The graphs of these rows at all alphas, from one pass; DataError where the test refuses them."""
        part = Table(self.table.names, self.table.values[rows])
        return alpha_path(as_test(self.make_test(part)), self.alphas, self.options, looks=1, order_free=True)


def resampler_for(path: AlphaPath, problem: Problem, rule: str, n_jobs: int) -> Resampler:
    """The search that made a path; with many jobs each of them searches on one thread."""
    table = problem.rows_for(rule)
    options = problem.options if n_jobs == 1 else replace(problem.options, n_jobs=1)
    return Resampler(table, problem.make_test, path.alphas, options)


def spread(work: Callable[[Job], Found], jobs: Sequence[Job], n_jobs: int) -> list[Found]:
    """The result of every job, in their order.

    The native engine and NumPy let go of Python while they compute, so threads are preferred; under
    ``joblib.parallel_config`` the jobs go to Dask, Ray or processes instead.

    Parameters
    ----------
    work : callable
        Depends on its job alone.
    jobs : sequence
        What to call it with.
    n_jobs : int
        Workers; -1 for all cores.
    """
    if n_jobs == 1 or len(jobs) < 2:
        return [work(job) for job in jobs]
    from joblib import Parallel, delayed

    workers = os.cpu_count() or 1 if n_jobs == -1 else n_jobs
    found: list[Found] = Parallel(n_jobs=workers, prefer="threads")(delayed(work)(job) for job in jobs)
    return found


def checked_workers(rule: str, value: Any) -> int:
    """The number of workers of a rule; OptionError unless it is a positive whole number or -1."""
    if not isinstance(value, bool) and isinstance(value, Integral) and (int(value) > 0 or int(value) == -1):
        return int(value)
    raise OptionError(f"The 'n_jobs' option of {rule} must be a positive whole number or -1. Got {value!r}.")
