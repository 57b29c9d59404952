"""How long it takes before anything happens."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from benchmarks.clock import in_turns
from benchmarks.figures import Figure


def figures() -> list[Figure]:
    """All of this page."""
    run = partial(subprocess.run, check=True, capture_output=True)
    time = in_turns(
        {
            "python": partial(run, [sys.executable, "-c", "pass"]),
            "import": partial(run, [sys.executable, "-c", "import secondlook"]),
            "help": partial(run, [sys.executable, "-m", "secondlook.cli", "--help"]),
        },
        seconds=8,
    )
    return [
        Figure("import secondlook, without Python's own start", time["import"] - time["python"], "s", 0.3),
        Figure("secondlook --help, all of it", time["help"], "s", 0.5),
    ]
