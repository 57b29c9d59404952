"""Figures that were recorded before this study: what its means are held against."""

from __future__ import annotations

from secondlook.studies.flagship.methods import HIDDEN, PLAIN, POLISHED

_CELLS = tuple(f"d{d}-n{n}" for d in (10, 20, 50) for n in (1_000, 10_000, 100_000))
RECORDED: dict[str, dict[str, float]] = {
    HIDDEN: dict(zip(_CELLS, (2.62, 1.15, 0.49, 3.14, 1.44, 0.71, 4.57, 1.92, 1.01), strict=True)),
    PLAIN: dict(zip(_CELLS, (2.26, 1.01, 0.38, 2.85, 1.26, 0.58, 4.22, 1.79, 0.88), strict=True)),
    POLISHED: dict(
        zip(
            ("d10-n1000", "d10-n10000", "d20-n1000", "d20-n10000", "d20-n100000", "d50-n1000", "d50-n10000"),
            (0.94, 0.39, 0.66, 0.38, 0.04, 1.58, 0.56),
            strict=True,
        )
    ),
}
"""SHD in marks. Of the first two: prototypes of the repair, unguarded, 2,000 to 3,000 other draws per cell.
Of the polished: Tetrad's BOSS at penalty 2 with ten starts and a backward search, on other draws."""
WHAT = {
    HIDDEN: "the repair's prototype, tests only",
    PLAIN: "the repair's prototype, Gaussian",
    POLISHED: "Tetrad's BOSS, ten starts",
}
