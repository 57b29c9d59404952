"""Plots as SVG text, the same bytes for the same numbers."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from secondlook.studies.study import Plot


def svg_of(plot: Plot) -> str:
    """The plot as SVG.

    Parameters
    ----------
    plot : Plot
        What to draw.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # A fixed salt and no date: matplotlib would otherwise name parts at random and stamp the time.
    with mpl.rc_context({"svg.hashsalt": plot.name, "svg.fonttype": "none"}):
        figure = Figure(figsize=plot.size, layout="constrained")
        plot.draw(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
