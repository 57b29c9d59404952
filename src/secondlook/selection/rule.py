"""What a rule that chooses alpha gets to see, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

from secondlook.errors import OptionError
from secondlook.independence import FisherZ

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from secondlook.independence import CITest
    from secondlook.metrics import Score
    from secondlook.search import AlphaPath, SearchOptions
    from secondlook.tables import FoldMoments, Table

TestMaker: TypeAlias = "Callable[[Table], CITest]"


@dataclass(frozen=True, eq=False)
class Problem:
    """The data behind a path of graphs, for rules that look at more than the graphs.

    Attributes
    ----------
    test : CITest
        The test that the path was made with.
    options : SearchOptions
        How it was searched.
    table : Table or None
        The rows, where the user gave rows and not a test or a correlation matrix.
    make_test : callable
        Binds the same kind of test to other rows.
    moments : FoldMoments or None
        The moments of folds of the rows, columns as the test's: what linear `OCTs` can do with instead of
        rows.
    """

    test: CITest
    options: SearchOptions
    table: Table | None = None
    make_test: TestMaker = FisherZ
    moments: FoldMoments | None = None

    def rows_for(self, rule: str) -> Table:
        """The rows; OptionError when there are none."""
        if self.table is None:
            raise OptionError(
                f"The rule {rule} draws rows, so it needs the table itself and not a test made from it; "
                "give the table, and the kind of test as test=…, or choose another rule."
            )
        return self.table

    def gaussian_for(self, rule: str) -> FisherZ:
        """Correlation matrix and number of rows; OptionError when the test is not Gaussian."""
        if not isinstance(self.test, FisherZ):
            raise OptionError(
                f"The rule {rule} scores linear Gaussian or discrete models, so it needs FisherZ or GSquare. "
                f"Got {type(self.test).__name__}; choose another rule."
            )
        return self.test


@dataclass(frozen=True, slots=True)
class Choice:
    """What a rule says about a path.

    Attributes
    ----------
    chosen : int
        The position of the alpha kept.
    scores : tuple of Score
        One per alpha; a larger key is better, `value` is in the rule's own unit.
    measure : str
        What the values are: "shd", "bic", "instability", …
    ties : tuple of int
        The positions that the rule could not tell from the best one, the chosen among them, ascending.
    details : dict of str to tuple
        What else there is to know, one entry per alpha; numbers, booleans and strings only.
    """

    chosen: int
    scores: tuple[Score, ...]
    measure: str
    ties: tuple[int, ...]
    details: dict[str, tuple[Any, ...]] = field(default_factory=dict)


@runtime_checkable
class Rule(Protocol):
    """A way of choosing alpha from a path of graphs; any object with these three will do.

    Attributes
    ----------
    name : str
        What reports call it.
    looks : 1 or 2
        Whether it needs the second look.
    """

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def looks(self) -> Literal[1, 2]:
        """2 when the rule needs the second look."""
        ...

    def choose(self, path: AlphaPath, problem: Problem) -> Choice:
        """The choice among the alphas of the path."""
        ...


def checked_number(rule: str, option: str, value: Any, *, least: float, most: float = inf) -> float:
    """An option of a rule as a float; OptionError unless it is a finite number between least and most."""
    if not isinstance(value, bool) and isinstance(value, Real):
        number = float(value)
        if isfinite(number) and least <= number <= most:
            return number
    upto = f" and at most {most:g}" if isfinite(most) else ""
    raise OptionError(
        f"The '{option}' option of {rule} must be a number of at least {least:g}{upto}. Got {value!r}."
    )


def checked_whole(rule: str, option: str, value: Any, *, least: int) -> int:
    """An option of a rule as an int; OptionError unless it is a whole number from least."""
    if not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= least:
        return int(value)
    raise OptionError(f"The '{option}' option of {rule} must be a whole number from {least}. Got {value!r}.")


def first_best(scores: Sequence[Score]) -> int:
    """The position of the best score; of equals the first, so that ties give the smallest alpha."""
    # max() keeps the first of equals.
    return max(range(len(scores)), key=lambda k: scores[k].key)


def ties_with(scores: Sequence[Score], chosen: int) -> tuple[int, ...]:
    """The positions of all scores that equal the chosen one."""
    return tuple(k for k, score in enumerate(scores) if score.key == scores[chosen].key)
