"""Random forests that predict each variable from its boundary, one per distinct fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from secondlook.selection.octs.boundaries import Fits

    Values = NDArray[Any]


def forest_predictions(
    values: Values, parts: list[slice], fits: Fits, *, trees: int, seed: int, n_jobs: int
) -> list[Values]:
    """What a forest of each fit, grown on the rows outside its fold, predicts for the rows inside.

    Whole numbers are categories: a classifier votes, and an empty boundary predicts the commonest one. Other
    numbers are averaged, and an empty boundary predicts the mean. A forest's seed is made from fold, variable
    and boundary, so that it is the same whoever grows it.

    Parameters
    ----------
    values : array, shape (n, d)
        Rows sorted by fold, columns by name.
    parts : list of slice
        The rows of each fold.
    fits : Fits
        What to predict from what.
    trees, seed, n_jobs : int
        As in `OCTs`.

    Returns
    -------
    list of arrays
        One per fit, as long as its fold.
    """
    from joblib import Parallel, delayed

    def tasks() -> Iterator[Any]:
        for fold, variable, boundary in fits.wanted:
            own = int(np.random.SeedSequence([seed, fold, variable, *boundary]).generate_state(1)[0])
            columns = values[:, [*boundary, variable]]
            train, test = np.delete(columns, parts[fold], axis=0), columns[parts[fold]]
            yield delayed(_predicted)(train[:, :-1], train[:, -1], test[:, :-1], trees=trees, seed=own)

    return list(Parallel(n_jobs=n_jobs)(tasks()))


def _predicted(train: Values, target: Values, test: Values, *, trees: int, seed: int) -> Values:
    """The predictions of one forest; it sees and changes nothing but its arguments."""
    categories = np.issubdtype(target.dtype, np.integer)
    if not train.shape[1]:
        constant = np.bincount(target).argmax() if categories else target.mean()
        return np.full(len(test), constant, dtype=target.dtype)
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    if categories:
        forest = RandomForestClassifier(trees, max_features="sqrt", random_state=seed)
    else:
        # leaves of five rows and a third of the columns a split: Breiman's advice for averages
        third = -(-train.shape[1] // 3)
        forest = RandomForestRegressor(trees, min_samples_leaf=5, max_features=third, random_state=seed)
    predicted: Values = forest.fit(train, target).predict(test)
    return predicted
