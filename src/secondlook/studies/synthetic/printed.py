"""The figures that the AutoPC paper prints in Table 1, of 500 draws each, in the order of the cells.

References
----------
Strobl, E. V. Automated hyperparameter selection for the PC algorithm. Table 1 (a) to (d).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.studies.synthetic.draws import CELLS

if TYPE_CHECKING:
    from secondlook.studies.synthetic.draws import Cell

DRAWS = 500
_COLUMNS = ("mean", "bic-naive", "stars", "octs", "autopc")
# fmt: off
_TABLES = {
    "shd": (
        (5.165, 4.732, 5.316, 4.966, 4.618),
        (3.483, 3.008, 3.438, 3.134, 2.832),
        (2.145, 1.766, 1.840, 1.896, 1.510),
        (9.603, 9.000, 9.446, 9.394, 8.560),
        (6.276, 5.416, 5.244, 5.780, 4.700),
        (4.554, 3.728, 3.346, 3.620, 2.908),
        (24.36, 21.03, 27.46, 24.69, 18.33),
        (16.50, 11.60, 15.83, 10.22, 8.500),
        (13.47, 8.400, 10.54, 5.992, 4.912),
    ),
    "f1": (
        (0.810, 0.823, 0.803, 0.827, 0.831),
        (0.890, 0.912, 0.896, 0.905, 0.916),
        (0.943, 0.955, 0.952, 0.957, 0.964),
        (0.810, 0.824, 0.812, 0.816, 0.829),
        (0.878, 0.896, 0.897, 0.892, 0.905),
        (0.920, 0.938, 0.947, 0.940, 0.952),
        (0.804, 0.824, 0.786, 0.802, 0.845),
        (0.872, 0.906, 0.871, 0.922, 0.928),
        (0.894, 0.943, 0.908, 0.953, 0.960),
    ),
    "mcc": (
        (0.791, 0.809, 0.789, 0.803, 0.815),
        (0.874, 0.893, 0.876, 0.890, 0.900),
        (0.931, 0.947, 0.942, 0.949, 0.958),
        (0.800, 0.817, 0.804, 0.806, 0.822),
        (0.879, 0.902, 0.900, 0.895, 0.911),
        (0.912, 0.928, 0.939, 0.929, 0.944),
        (0.805, 0.830, 0.781, 0.806, 0.852),
        (0.869, 0.905, 0.870, 0.915, 0.927),
        (0.894, 0.941, 0.911, 0.955, 0.958),
    ),
}
_SECONDS = (
    (0.048, 0.500, 1.842, 0.021),
    (0.056, 0.735, 2.346, -0.001),
    (0.077, 1.519, 2.599, -0.064),
    (0.055, 1.125, 4.012, 0.109),
    (0.061, 1.684, 4.990, 0.057),
    (0.125, 3.626, 5.927, 0.003),
    (0.098, 4.125, 14.84, 0.594),
    (0.120, 6.385, 19.65, 0.548),
    (0.298, 13.27, 22.37, 0.507),
)
# fmt: on


def printed(metric: str, method: str, cell: Cell) -> float | None:
    """The figure of Table 1 (a), (b) or (c); None where the paper has none.

    Parameters
    ----------
    metric : str
        "shd", "f1" or "mcc".
    method : str
        A key of the methods; the paper's BIC is "bic-naive", because that is what reproduces it.
    cell : Cell
        The row.
    """
    if method not in _COLUMNS or cell not in CELLS:
        return None
    return _TABLES[metric][CELLS.index(cell)][_COLUMNS.index(method)]


def printed_seconds(method: str, cell: Cell) -> float | None:
    """The figure of Table 1 (d), seconds on top of PC at every alpha; None where the paper has none."""
    if method not in _COLUMNS[1:] or cell not in CELLS:
        return None
    return _SECONDS[CELLS.index(cell)][_COLUMNS[1:].index(method)]
