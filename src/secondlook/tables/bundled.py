"""The data set that comes with the package."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from secondlook.errors import DataError
from secondlook.tables.reading import parse_table

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from secondlook.tables.table import Table


def bundled(name: str) -> Traversable:
    """A file that comes with the package; read it with ``read_text``, ``read_bytes`` or ``open``.

    Parameters
    ----------
    name : str
        "sachs.csv.gz", "sachs_truth.json" or "README.md", which says where they come from.

    Returns
    -------
    Traversable
        Like a path.

    Raises
    ------
    DataError
        If there is no such file; the sentence lists those there are.
    """
    folder = files("secondlook.tables") / "data"
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    if name not in names:
        raise DataError(f"The package comes with {', '.join(names)}. Got {name!r}.")
    return folder / name


def load_sachs() -> Table:
    """Protein signalling in 7466 cells, 11 continuous columns, as log(x + 10) (Sachs et al. 2005; CC0).

    Returns
    -------
    Table
        Columns raf, mek, plc, pip2, pip3, erk, akt, pka, pkc, p38, jnk. The consensus graph of 20 edges
        that goes with it is the bundled file "sachs_truth.json".

    References
    ----------
    Sachs, K. et al. (2005). Causal protein-signaling networks derived from multiparameter single-cell
    data. Science 308, 523-529.

    Examples
    --------
    >>> load_sachs().values.shape
    (7466, 11)
    """
    return parse_table(lambda: bundled("sachs.csv.gz").open("rb"), "sachs.csv.gz")
