"""The study of standard networks."""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, NoReturn

import numpy as np

from secondlook.errors import BudgetError
from secondlook.graphs import cpdag
from secondlook.independence import FisherZ, GSquare
from secondlook.metrics import compare
from secondlook.search import DEFAULT_ALPHAS, SearchOptions
from secondlook.selection import Problem
from secondlook.simulation import LinearModel
from secondlook.studies.contest import Sheet, contested
from secondlook.studies.files import data_option, digest_of
from secondlook.studies.networks.budget import MAX_LEVEL, MAX_TESTS, MOST_CATEGORIES
from secondlook.studies.networks.folder import networks_in, read_network
from secondlook.studies.networks.layout import report_of
from secondlook.studies.networks.methods import NETWORK_METHODS, entrants
from secondlook.studies.networks.scores import SCORED
from secondlook.studies.study import Outcome, Unit
from secondlook.studies.synthetic.methods import checked_methods
from secondlook.tables import as_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from secondlook.graphs import PDAG
    from secondlook.search.options import ColliderRule
    from secondlook.studies.networks.folder import Network
    from secondlook.studies.study import Report, Results, Row, Settings

ROWS = {"gaussian": (500, 1000, 5000), "discrete": (1000, 5000)}
_DRAWS_PER_UNIT = 5
_WHAT = "a folder of .json, .bif or .bif.gz files"


class Samples(NamedTuple):
    """Consecutive samples of n rows from the network in a file."""

    name: str
    path: str
    n: int
    first: int
    draws: int


class Networks:
    """Every rule and every metric on samples of standard networks; the networks are the user's own files."""

    name: ClassVar[str] = "networks"
    about: ClassVar[str] = (
        "Standard networks, Gaussian and discrete: all rules, all metrics; needs --data FOLDER."
    )
    draws: ClassVar[int] = 10
    quick_draws: ClassVar[int] = 1
    options: ClassVar[tuple[str, ...]] = ("data", "methods")

    def settled(self, settings: Settings) -> Settings:
        """All methods unless some are named; the networks are read once to see that they are there."""
        folder = data_option(self.name, settings, _WHAT)
        networks_in(folder)
        asked = settings.options.get("methods")
        methods = tuple(NETWORK_METHODS) if asked is None else checked_methods(asked, NETWORK_METHODS)
        return replace(settings, options={"data": str(folder), "methods": ",".join(methods)})

    def units(self, settings: Settings) -> list[Unit]:
        """Blocks of samples of each network and number of rows, named after the content of the file too."""
        return [
            Unit(
                f"{found.name}-{digest_of(found.path)}-n{n}-{first:06d}",
                Samples(found.name, str(found.path), n, first, min(_DRAWS_PER_UNIT, settings.draws - first)),
            )
            for found in networks_in(data_option(self.name, settings, _WHAT))
            for n in ROWS[found.kind]
            for first in range(0, settings.draws, _DRAWS_PER_UNIT)
        ]

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        """PC at every alpha and every method on each sample of a block."""
        samples: Samples = unit.task
        network = read_network(Path(samples.path))
        outcome = Outcome([])
        for draw in range(samples.first, samples.first + samples.draws):
            found = judged(network, samples, draw, settings)
            outcome.rows.extend(found.rows)
            outcome.timings.extend(found.timings)
        return outcome

    def report(self, results: Results, settings: Settings) -> Report:
        """A table for each metric, what was refused, and how the methods rank."""
        return report_of(results, _methods(settings))


def judged(network: Network, samples: Samples, draw: int, settings: Settings) -> Outcome:
    """What PC and the methods make of one sample.

    Parameters
    ----------
    network : LinearModel or DiscreteNetwork
        What is sampled.
    samples : Samples
        Its name and the number of rows.
    draw : int
        The number of the sample.
    settings : Settings
        Seed and methods.
    """
    stream = (settings.seed, zlib.crc32(samples.name.encode()), samples.n, draw)
    bound = _binder(network, samples.n, np.random.default_rng(np.random.SeedSequence(stream)))
    rule_seed = int(np.random.SeedSequence((*stream, 1)).generate_state(1)[0])
    kind = "gaussian" if isinstance(network, LinearModel) else "discrete"
    head: Row = {"kind": kind, "network": samples.name, "d": network.dag.d, "n": samples.n, "draw": draw}
    truth = cpdag(network.dag)

    def score(graph: PDAG) -> Row:
        found = compare(truth, graph)
        return {name: getattr(found, name) for name in SCORED}

    sheet = Sheet(head, SCORED, score)
    contested(sheet, bound, DEFAULT_ALPHAS, entrants(_methods(settings), rule_seed))
    return sheet.outcome


def _binder(network: Network, n: int, rng: np.random.Generator) -> Callable[[ColliderRule], Problem]:
    if isinstance(network, LinearModel):
        table = as_table(network.sample(n, rng), network.dag.names)
        fisher = FisherZ(table)
        return lambda colliders: Problem(fisher, SearchOptions(colliders=colliders), table)
    most = max(network.levels, key=len)
    if len(most) > MOST_CATEGORIES:
        name = network.dag.names[network.levels.index(most)]
        return partial(_too_many, name, len(most))
    codes = network.sample(n, rng)
    g_square, numbers = GSquare(codes), codes.table()
    return lambda colliders: Problem(
        g_square,
        SearchOptions(colliders=colliders, max_level=MAX_LEVEL, max_tests=MAX_TESTS),
        numbers,
        GSquare,
    )


def _too_many(name: str, categories: int, colliders: ColliderRule) -> NoReturn:
    del colliders  # none would help
    raise BudgetError(
        f"The variable {name!r} has {categories} categories, the study's budget is {MOST_CATEGORIES}."
    )


def _methods(settings: Settings) -> tuple[str, ...]:
    return tuple(settings.options["methods"].split(","))
