"""What a study is: units that can be run anywhere in any order, and a report made from all their rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from secondlook.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Value: TypeAlias = str | int | float | None
Row: TypeAlias = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the numbers of a study; how and where it runs does not.

    Attributes
    ----------
    draws : int
        How many random data sets per cell, at least 1.
    seed : int
        From 0: same seed, same results.
    options : mapping of str to str
        What else the study was told, such as its methods.
    """

    draws: int
    seed: int = 0
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, least in (("draws", 1), ("seed", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise OptionError(f"The '{name}' option must be a whole number from {least}. Got {value!r}.")


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a study that is run, and recorded, as a whole.

    Attributes
    ----------
    key : str
        Its name within the study: letters, digits, "-", "." and "_", for it names a file.
    task : object
        What `Study.run` needs to know; it travels to other processes.
    """

    key: str
    task: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a unit found.

    Attributes
    ----------
    rows : list of dict
        The same on every machine and in every run.
    timings : list of dict
        What may differ.
    """

    rows: list[Row]
    timings: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Results:
    """The rows and timings of all units, in the order of the units."""

    rows: list[Row]
    timings: list[Row]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table for people.

    Attributes
    ----------
    title : str
        What it shows.
    header : tuple of str
        One title per column.
    rows : list of tuple of str
        Cells as they are to be read.
    note : str
        What a reader has to know about it.
    """

    title: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture that is drawn when matplotlib is there.

    Attributes
    ----------
    name : str
        The file's name without suffix.
    caption : str
        What it shows.
    draw : callable
        Draws on an empty matplotlib Figure.
    size : (float, float)
        Width and height in inches.
    """

    name: str
    caption: str
    draw: Callable[[Any], None]
    size: tuple[float, float] = (9.0, 7.0)


@dataclass(frozen=True, slots=True)
class Report:
    """What a study says when all units are done.

    Attributes
    ----------
    verdict : list of str
        Sentences, every number in them computed from the rows.
    tables : list of ReportTable
        The paper's layout, and what goes beside it.
    plots : list of Plot
        Pictures of the same rows.
    """

    verdict: list[str]
    tables: list[ReportTable]
    plots: list[Plot] = field(default_factory=list)


class Study(Protocol):
    """One experiment; any object with these will do, and it must pickle.

    Attributes
    ----------
    name : str
        What the command line calls it.
    about : str
        One line for the list of studies.
    draws, quick_draws : int
        How many draws unless told, and with --quick.
    options : tuple of str
        The names of the options that it takes.
    command : str, optional
        What reruns it, where it is not ``secondlook study NAME``.
    """

    @property
    def name(self) -> str:
        """What the command line calls it."""
        ...

    @property
    def about(self) -> str:
        """One line for the list of studies."""
        ...

    @property
    def draws(self) -> int:
        """How many draws unless told."""
        ...

    @property
    def quick_draws(self) -> int:
        """How many draws with --quick."""
        ...

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options that it takes."""
        ...

    def settled(self, settings: Settings) -> Settings:
        """The settings with every option checked and every default filled in; OptionError otherwise."""
        ...

    def units(self, settings: Settings) -> list[Unit]:
        """All pieces of work, small problems first, in the order of the results."""
        ...

    def run(self, unit: Unit, settings: Settings) -> Outcome:
        """Does one piece of work; what goes wrong with a method is a row that says so."""
        ...

    def report(self, results: Results, settings: Settings) -> Report:
        """Tables, plots and verdict from the rows of all units."""
        ...


def refuse_unknown_options(study: Study, settings: Settings) -> None:
    """Raises OptionError when the settings hold an option that the study does not take."""
    for name in settings.options:
        if name not in study.options:
            takes = ", ".join(study.options) or "none of its own"
            raise OptionError(f"The '{name}' option is not one of {study.name}; it takes {takes}.")
