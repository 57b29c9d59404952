"""From what a user holds to a test bound to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from secondlook.independence.fisher_z import FisherZ
from secondlook.tables.table import as_table

if TYPE_CHECKING:
    from secondlook.independence.protocol import CITest


def as_test(X: Any) -> CITest:
    """The test itself when X is one, and Fisher's z on the table X otherwise.

    Parameters
    ----------
    X : CITest, dataframe or array_like
        An object with ``names`` and ``p_value(i, j, S)`` counts as a test.

    Returns
    -------
    CITest
        X itself, or ``FisherZ(X)``. A test without its own ``p_values`` is best asked through `Memo`.

    Raises
    ------
    DataError
        If X is a table that Fisher's z test cannot use.
    TypeError
        If X is a class instead of a test made from it, has ``p_value`` without ``names``, or is nothing
        of the kind.

    Examples
    --------
    >>> as_test([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0], [4.0, 4.0]])
    FisherZ(2 columns, n=4)
    """
    if isinstance(X, type):
        raise TypeError(f"A test must be bound to data. Got the class {X.__name__}; pass {X.__name__}(...).")
    if not callable(getattr(X, "p_value", None)):
        return FisherZ(as_table(X))
    if not hasattr(X, "names"):
        raise TypeError(
            f"A test must have names, one per column. Got a {type(X).__name__} without; "
            f"set names to a tuple of strings."
        )
    return cast("CITest", X)
