"""Units spread over processes of this machine or a Dask cluster; a worker that dies costs only time."""

from __future__ import annotations

import contextlib
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from secondlook.errors import DataError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from secondlook.studies.study import Outcome, Settings, Study, Unit

_BACKENDS = ("loky", "dask")
_PATIENCE = 3
"""So many times in a row may workers die without one finished unit between."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work; the results are the same whoever does.

    Attributes
    ----------
    jobs : int
        Processes of this machine, from 1, or -1 for one per core; a Dask cluster brings its own.
    backend : str
        "loky" for processes of this machine, "dask" for a Dask cluster.
    scheduler : str or None
        The address of the cluster's scheduler.
    """

    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.jobs, bool) or not isinstance(self.jobs, int) or self.jobs == 0 or self.jobs < -1:
            raise OptionError(f"The 'jobs' option must be a positive whole number or -1. Got {self.jobs!r}.")
        if self.backend not in _BACKENDS:
            raise OptionError(f"The 'backend' option must be 'loky' or 'dask'. Got {self.backend!r}.")
        if self.backend == "dask" and not self.scheduler:
            raise OptionError(
                "The 'backend' option 'dask' needs a running cluster; give its address as scheduler, "
                "such as tcp://host:8786."
            )
        if self.backend != "dask" and self.scheduler:
            raise OptionError(
                "The 'scheduler' option goes with the backend 'dask'; ask for both, or for neither."
            )


def outcomes(
    study: Study, settings: Settings, units: Sequence[Unit], workers: Workers
) -> Iterator[tuple[str, Outcome]]:
    """What every unit finds, with its key, as soon as it is found and in any order.

    Parameters
    ----------
    study : Study
        The study.
    settings : Settings
        Settled ones.
    units : sequence of Unit
        The work; the last is begun first, because studies list small problems first.
    workers : Workers
        Who does it.

    Raises
    ------
    DataError
        If workers keep dying, or the cluster cannot be reached.
    OptionError
        If Dask is asked for and not installed.
    """
    missing = {unit.key: unit for unit in reversed(units)}
    if workers.backend == "loky" and workers.jobs == 1:
        yield from (finished(study, settings, unit) for unit in missing.values())
        return
    with _cluster(workers) as how:
        deaths = 0
        while missing:
            try:
                for key, outcome in _spread(study, settings, list(missing.values()), how):
                    yield key, outcome
                    del missing[key]
                    deaths = 0
            except BrokenExecutor as error:
                deaths = _counted(deaths, error)


def finished(study: Study, settings: Settings, unit: Unit) -> tuple[str, Outcome]:
    """One unit's key and what it found, on one core: threads could round the last bit another way."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return unit.key, study.run(unit, settings)


def _spread(
    study: Study, settings: Settings, units: list[Unit], how: dict[str, Any]
) -> Iterator[tuple[str, Outcome]]:
    import joblib

    with joblib.parallel_config(**how):
        parallel = joblib.Parallel(return_as="generator_unordered", batch_size=1)
        found = parallel(joblib.delayed(finished)(study, settings, unit) for unit in units)
    with contextlib.closing(found):
        yield from found


def _counted(deaths: int, error: BaseException) -> int:
    """One death more; DataError when there were too many."""
    if deaths + 1 < _PATIENCE:
        return deaths + 1
    raise DataError(
        f"Workers died {_PATIENCE} times in a row before one finished a unit, perhaps for want of memory; "
        "finished units are kept, so run it again with fewer --jobs."
    ) from error


@contextlib.contextmanager
def _cluster(workers: Workers) -> Iterator[dict[str, Any]]:
    """How joblib is to be told who works; a connection to a Dask cluster is closed at the end."""
    if workers.backend == "loky":
        yield {"backend": "loky", "n_jobs": workers.jobs}
        return
    try:
        from distributed import Client
    except ImportError:
        raise OptionError(
            "The 'backend' option 'dask' needs Dask; install it with pip install 'secondlook[dask]'."
        ) from None
    try:
        client: Any = Client(workers.scheduler, set_as_default=True)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise DataError(
            f"There is no Dask scheduler at {workers.scheduler!r} ({error}); check the address."
        ) from error
    with client:
        yield {"backend": "dask", "n_jobs": -1}
