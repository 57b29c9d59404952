"""`python -m secondlook.cli` does what `secondlook` does."""

from __future__ import annotations

from secondlook.cli import entry

entry()
