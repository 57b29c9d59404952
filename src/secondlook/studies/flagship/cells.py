"""The kinds of data of the flagship study, in groups that can be chosen by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from secondlook.errors import OptionError
from secondlook.search.options import unknown_choice
from secondlook.simulation import Recipe

if TYPE_CHECKING:
    from collections.abc import Iterator

NETWORKS = "networks"
"""The group whose models are read from files."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of data.

    Attributes
    ----------
    key : str
        Its name, in results and on the command line.
    group : str
        What it is chosen with.
    n, d : int
        Rows and variables.
    degree : float
        Expected edges at a variable; unused for a network.
    recipe : Recipe
        How its DAGs and models are made; unused for a network.
    network : str
        The network's name, empty where DAGs are random.
    one_in : int
        A study of m draws draws m / one_in data sets, rounded up.
    hidden_one_in : int
        The search that sees p-values only runs on one in so many of them, because it is slow in many
        variables; 0 is on none. Where it does not run on all, it runs once and not again with the columns
        permuted.
    """

    key: str
    group: str
    n: int
    d: int
    degree: float = 2.0
    recipe: Recipe = field(default_factory=Recipe)
    network: str = ""
    one_in: int = 10
    hidden_one_in: int = 1

    def draws(self, asked: int) -> int:
        """How many data sets a study of so many draws makes of it."""
        return -(-asked // self.one_in)

    def hides(self, draw: int) -> bool:
        """Whether the search that sees p-values only runs on this draw."""
        return self.hidden_one_in > 0 and draw % self.hidden_one_in == 0


def _nine() -> Iterator[Cell]:
    for d in (10, 20, 50):
        for n in (1_000, 10_000, 100_000):
            slow = d == 50
            yield Cell(f"d{d}-n{n}", "nine", n, d, one_in=1 + slow, hidden_one_in=1 + slow)


def _variations() -> Iterator[Cell]:
    for degree in (4, 6):
        for n in (1_000, 10_000):
            slow = 1 if degree == 4 else 2
            yield Cell(f"degree{degree}-d20-n{n}", "dense", n, 20, degree, hidden_one_in=slow)
    for n in (1_000, 10_000):
        yield Cell(f"weak-d20-n{n}", "weak", n, 20, recipe=Recipe(weights=(0.1, 0.5)))
    for noise in ("uniform", "exponential", "t5"):
        yield Cell(f"{noise}-d20-n1000", "noise", 1_000, 20, recipe=Recipe(noise=noise))
    for n in (1_000, 10_000):
        yield Cell(f"unequal-d20-n{n}", "unequal", n, 20, recipe=Recipe(variances=(0.5, 2.0)))
    for m, hubs in ((1, "random"), (2, "random"), (2, "sink")):
        recipe = Recipe(kind="scale-free", hubs=hubs)
        key = f"scale-free-m{m}-{hubs}-d50-n1000"
        slow = 1 if m == 1 else 4
        yield Cell(key, "scale-free", 1_000, 50, 2.0 * m, recipe, hidden_one_in=slow)
    yield Cell("degree3-d100-n1000", "wide", 1_000, 100, 3.0, hidden_one_in=4)
    yield Cell("d200-n1000", "wide", 1_000, 200, hidden_one_in=6)
    for d in (10, 20):
        for n in (100, 200):
            yield Cell(f"d{d}-n{n}", "small", n, d)


def _networks() -> Iterator[Cell]:
    for name, d in (("ecoli70", 46), ("arth150", 107), ("magic-niab", 44), ("magic-irri", 64)):
        for n in (500, 1_000, 5_000):
            slow = 0 if d > 100 and n == 5_000 else 2  # minutes a draw
            yield Cell(f"{name}-n{n}", NETWORKS, n, d, network=name, one_in=30, hidden_one_in=slow)


CELLS: dict[str, Cell] = {cell.key: cell for cell in (*_nine(), *_variations(), *_networks())}
GROUPS = tuple(dict.fromkeys(cell.group for cell in CELLS.values()))


def checked_cells(text: str) -> str:
    """A comma-separated list of groups and cells in its shortest form, so that equal choices compare equal.

    Raises
    ------
    OptionError
        If one is unknown or none is left.
    """
    asked = [word.strip() for word in text.split(",") if word.strip()]
    for name in asked:
        if name not in CELLS and name not in GROUPS:
            raise OptionError(unknown_choice("cells", name, (*GROUPS, *CELLS)))
    if not asked:
        raise OptionError(f"The 'cells' option must name at least one of {', '.join(GROUPS)}, or cells.")
    chosen = {key for key, cell in CELLS.items() if key in asked or cell.group in asked}
    words: dict[str, None] = {}
    for key, cell in CELLS.items():
        if key in chosen:
            whole = all(k in chosen for k, c in CELLS.items() if c.group == cell.group)
            words[cell.group if whole else key] = None
    return ",".join(words)


def cells_of(text: str) -> tuple[Cell, ...]:
    """The cells of a checked list, in the order of the study."""
    asked = text.split(",")
    return tuple(cell for key, cell in CELLS.items() if key in asked or cell.group in asked)
