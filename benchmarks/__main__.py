"""python -m benchmarks [PAGE ...] [--out FILE]: measures and prints one table."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.figures import Figure

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy loads: one thread unless a figure says otherwise

PAGES = ("startup", "table", "engine", "discrete", "memory", "growth")


def main() -> None:
    """Runs the pages asked for, all by default."""
    from importlib import import_module

    from benchmarks.figures import save, show

    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE", help=f"some of {', '.join(PAGES)}; all by default"
    )
    parser.add_argument("--out", type=Path, help="a JSON file for the figures")
    asked = parser.parse_args()
    unknown = sorted(set(asked.pages) - set(PAGES))
    if unknown:
        parser.error(f"no page named {unknown[0]!r}; choose some of {', '.join(PAGES)}")
    figures: list[Figure] = []
    try:
        for page in asked.pages or PAGES:
            figures += import_module(f"benchmarks.{page}").figures()
    finally:  # a page that fails does not lose those before it
        show(figures)
        if asked.out:
            save(figures, asked.out)


if __name__ == "__main__":
    main()
