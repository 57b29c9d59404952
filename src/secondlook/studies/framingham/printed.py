"""What the AutoPC paper prints about the Framingham data: the grid, and Table 2 of 500 bootstraps.

References
----------
Strobl, E. V. Automated hyperparameter selection for the PC algorithm. Section 5.2 and Table 2.
"""

from __future__ import annotations

ALPHAS = (5e-8, 1e-7, 5e-7, 1e-6, 5e-6, 1e-5)
"""The grid as it was presumably meant."""
PRINTED_ALPHAS = (5e-8, 1e-7, 5e-7, 1e-5, 5e-6, 1e-5)
"""The grid as it is printed, in that order."""
PRINTED_ORDER = tuple(ALPHAS.index(alpha) for alpha in PRINTED_ALPHAS)
"""Where the printed alphas stand in `ALPHAS`."""
COLUMNS = ("mean", "bic-naive", "stars", "octs", "autopc")
"""Methods of Table 2; the paper's BIC is the naive one, because that is what reproduces its Table 1."""
PRINTED = {
    "shd": (5.238, 5.272, 5.096, 5.316, 4.888),
    "f1": (0.975, 0.973, 0.981, 0.971, 0.988),
    "mcc": (0.433, 0.433, 0.434, 0.432, 0.435),
}
PRINTED_SECONDS = {"bic-naive": 0.072, "stars": 4.877, "octs": 1.974, "autopc": 0.183}
