"""The folds of OCTs, and the boundaries that PC finds on all rows but those of one fold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from secondlook.errors import DataError, OptionError
from secondlook.independence import FisherZ, as_test
from secondlook.search.run import alpha_path
from secondlook.selection.octs.boundaries import distinct_fits, ranked_boundaries
from secondlook.tables import FoldMoments, Table, as_table
from secondlook.tables.naming import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from secondlook.independence import CITest
    from secondlook.search import SearchOptions
    from secondlook.selection.octs.boundaries import Fits
    from secondlook.selection.rule import Problem
    from secondlook.tables import Moments


@dataclass(frozen=True, slots=True)
class NameOrder:
    """Columns in the order of their names, so that the order in a table plays no part.

    Attributes
    ----------
    names : tuple of str
        As in the table.
    order : tuple of int
        The table's columns by ascending name.
    rank : tuple of int
        The place of each of the table's columns among the ascending names.
    """

    names: tuple[str, ...]
    order: tuple[int, ...]
    rank: tuple[int, ...]

    @classmethod
    def of(cls, names: tuple[str, ...]) -> NameOrder:
        """The order of these names."""
        order = sorted(range(len(names)), key=names.__getitem__)
        return cls(names, tuple(order), tuple(np.argsort(order).tolist()))


@dataclass(frozen=True, eq=False, slots=True)
class FoldedRows:
    """Rows split at random into folds whose sizes differ by at most one.

    Attributes
    ----------
    table : Table
        The rows as they came.
    held_out : list of int arrays
        The rows of each fold, ascending.
    columns : NameOrder
        The order of the columns of `values`.
    values : array, shape (n, d)
        Rows sorted by fold, columns by name: standard scores, or whole numbers for categories.
    parts : list of slice
        The rows of each fold in `values`.
    """

    table: Table
    held_out: list[NDArray[np.intp]]
    columns: NameOrder
    values: NDArray[Any]
    parts: list[slice]

    @classmethod
    def of(cls, table: Table, codes: NDArray[np.integer[Any]] | None, folds: int, seed: int) -> FoldedRows:
        """The rows of a table, or of the codes of its categories, split by a seed."""
        n = len(table.values)
        if n < folds:
            raise OptionError(
                f"The 'folds' option of OCTs must be at most the number of rows. Got {folds} for {n}."
            )
        held_out = [
            np.sort(part) for part in np.array_split(np.random.default_rng([seed, 1]).permutation(n), folds)
        ]
        columns = NameOrder.of(table.names)
        order = list(columns.order)
        # sorted before anything is added up, because the last bits of sums depend on the order
        if codes is None:
            values: NDArray[Any] = _standard_scores(as_table(table.values[:, order], sorted(table.names)))
        else:
            values = np.asarray(codes, dtype=np.int64)[:, order]
        ends = list(accumulate(map(len, held_out), initial=0))
        return cls(
            table,
            held_out,
            columns,
            values[np.concatenate(held_out)],
            [slice(start, stop) for start, stop in pairwise(ends)],
        )

    def training(self, fold: int) -> Table:
        """The rows outside a fold, as they came."""
        kept = np.ones(len(self.table.values), dtype=bool)
        kept[self.held_out[fold]] = False
        return as_table(self.table.values[kept], self.table.names)

    def places(self) -> list[NDArray[np.intp]]:
        """The rows of each fold in `values`."""
        return [np.arange(part.start, part.stop) for part in self.parts]


def _standard_scores(table: Table) -> NDArray[np.float64]:
    """The values with mean 0 and variance 1; DataError unless they are complete, as predictions need them."""
    values = table.values
    bad = np.flatnonzero(~np.isfinite(values).all(axis=0))
    if len(bad):
        raise DataError(
            f"The rule OCTs needs complete rows. Got missing or infinite values in "
            f"{listed([table.names[k] for k in bad])}; drop those rows or columns, or choose another rule."
        )
    whole = FoldMoments.of_rows(values, [np.arange(len(values))]).merged()
    scores: NDArray[np.float64] = (values - whole.mean) / _spread(whole)
    return scores


def standardized(moments: FoldMoments) -> FoldMoments:
    """The moments of columns brought to mean 0 and variance 1 over all folds; no correlation changes."""
    whole = moments.merged()
    scale = _spread(whole)
    return FoldMoments(
        moments.counts, (moments.means - whole.mean) / scale, moments.scatters / np.outer(scale, scale)
    )


def _spread(moments: Moments) -> NDArray[np.float64]:
    """Standard deviations to divide by: 1 for a constant."""
    variances = moments.scatter.diagonal() / moments.count
    return np.where(variances > 0.0, np.sqrt(variances), 1.0)


def fits_from_moments(
    moments: FoldMoments, columns: NameOrder, alphas: tuple[float, ...], options: SearchOptions
) -> Fits:
    """What Fisher's z finds from the moments of each training part, whose columns are in name order.

    PC sees them in that order too, because some orientations depend on it.
    """
    names = tuple(columns.names[k] for k in columns.order)

    def bound(fold: int) -> CITest:
        training = moments.training(fold)
        return FisherZ(correlation=training.correlation(names), n=training.count, names=names)

    return _learned(bound, range(len(names)), len(moments.counts), alphas, options)


def fits_from_rows(rows: FoldedRows, problem: Problem, alphas: tuple[float, ...]) -> Fits:
    """What the problem's own kind of test finds on each training part, with its columns as they came."""

    def bound(fold: int) -> CITest:
        return as_test(problem.make_test(rows.training(fold)))

    return _learned(bound, rows.columns.rank, len(rows.held_out), alphas, problem.options)


def _learned(
    bound: Callable[[int], CITest],
    rank: Sequence[int],
    folds: int,
    alphas: tuple[float, ...],
    options: SearchOptions,
) -> Fits:
    found = []
    for fold in range(folds):
        try:
            test = bound(fold)
        except DataError as error:
            raise DataError(f"OCTs cannot learn from the rows outside fold {fold + 1}: {error}") from error
        graphs = alpha_path(test, alphas, options, looks=1, order_free=True).first.graphs
        found.append([ranked_boundaries(graph, rank) for graph in graphs])
    return distinct_fits(found)
