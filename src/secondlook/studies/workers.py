"""Units spread over processes of this machine or a Dask cluster; a worker that dies costs only time."""

from __future__ import annotations

import contextlib
import re
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from secondlook.errors import DataError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from secondlook.studies.study import Outcome, Settings, Study, Unit

Spread: TypeAlias = "Callable[[Study, Settings, list[Unit]], Iterator[tuple[str, Outcome]]]"
_BACKENDS = ("loky", "dask")
_ADDRESS = re.compile(r"(\w+://)?[^\s/]+:\d+")
_SECONDS_TO_CONNECT = 10
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
        if self.scheduler and not _ADDRESS.fullmatch(self.scheduler):
            # Dask itself never lets go of a malformed address
            raise OptionError(
                f"The 'scheduler' option must be an address such as tcp://host:8786. Got {self.scheduler!r}."
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
    with _spreading(workers) as spread:
        deaths = 0
        while missing:
            try:
                for key, outcome in spread(study, settings, list(missing.values())):
                    yield key, outcome
                    del missing[key]
                    deaths = 0
            except BrokenExecutor as error:
                deaths = _counted(deaths, error)
                # from the other end: the unit that kills must not stand before all others again
                missing = dict(reversed(missing.items()))


def finished(study: Study, settings: Settings, unit: Unit) -> tuple[str, Outcome]:
    """One unit's key and what it found, on one core: threads could round the last bit another way."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return unit.key, study.run(unit, settings)


def _over_processes(
    jobs: int, study: Study, settings: Settings, units: list[Unit]
) -> Iterator[tuple[str, Outcome]]:
    import joblib

    parallel = joblib.Parallel(jobs, backend="loky", return_as="generator_unordered", batch_size=1)
    found = parallel(joblib.delayed(finished)(study, settings, unit) for unit in units)
    with contextlib.closing(found):
        yield from found


def _over_cluster(
    client: Any, study: Study, settings: Settings, units: list[Unit]
) -> Iterator[tuple[str, Outcome]]:
    """Dask itself and not through joblib, whose Dask backend waits forever for a unit that raised."""
    from distributed import as_completed

    # Dask moves the work of a dead worker to others; a unit that kills one after the other is given up.
    futures = client.map(partial(finished, study, settings), units, pure=False, key="secondlook-unit")
    done: Any = as_completed(futures, loop=client.loop)
    try:
        for future in done:
            yield _answered(future)
            future.release()
    finally:
        client.cancel(futures)


def _answered(future: Any) -> tuple[str, Outcome]:
    """What a unit found on the cluster; BrokenExecutor when it outlived too many workers."""
    from distributed import CancelledError
    from distributed.comm.core import CommClosedError
    from distributed.scheduler import KilledWorker

    try:
        answer: tuple[str, Outcome] = future.result()
    except KilledWorker as error:
        raise BrokenExecutor(str(error)) from error
    except ImportError as error:
        raise DataError(
            f"A worker of the Dask cluster lacks something ({error}); install it there."
        ) from error
    except (CancelledError, CommClosedError, OSError) as error:
        raise DataError(
            "The Dask cluster went away; finished units are kept, so run it again when the cluster is back."
        ) from error
    return answer


def _counted(deaths: int, error: BaseException) -> int:
    """One death more; DataError when there were too many."""
    if deaths + 1 < _PATIENCE:
        return deaths + 1
    raise DataError(
        f"Workers died {_PATIENCE} times in a row before one finished a unit, perhaps for want of memory; "
        "finished units are kept, so run it again with fewer --jobs."
    ) from error


@contextlib.contextmanager
def _spreading(workers: Workers) -> Iterator[Spread]:
    """What hands units out; a connection to a Dask cluster is closed at the end."""
    if workers.backend == "loky":
        yield partial(_over_processes, workers.jobs)
        return
    try:
        from distributed import Client
    except ImportError:
        raise OptionError(
            "The 'backend' option 'dask' needs Dask; install it with pip install 'secondlook[dask]'."
        ) from None
    try:
        client: Any = Client(workers.scheduler, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise DataError(
            f"No Dask scheduler answers at {workers.scheduler!r}; check the address, and that it runs."
        ) from error
    with client:
        yield partial(_over_cluster, client)
