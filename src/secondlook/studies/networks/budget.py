"""How much work a sample of categories may take before the study refuses it."""

from __future__ import annotations

MAX_LEVEL = 3
"""Sets of more than three variables are not asked about."""
MAX_TESTS = 100_000
"""A level, or a vote, that could take more tests than this is refused."""
MOST_CATEGORIES = 25
"""A network that has a variable of more categories is refused: its tables would cost minutes a sample."""
