"""Cells of the report's tables: numbers with as many digits as tell them apart, and which rows to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from secondlook.report.page import Page

ALPHAS_SHOWN = 24
"""A terminal shows so many rows of the alpha table, those around the one that was kept."""


def column_of(values: Sequence[Any]) -> list[str]:
    """One column: yes and no, whole numbers, and other numbers with as many digits as tell them apart."""
    numbers = [value for value in values if isinstance(value, float)]
    digits = _digits(numbers, 1 if numbers and max(map(abs, numbers)) >= 100 else 4)
    # Chances may be far too small for decimals.
    style = ".3g" if any(0.0 < abs(value) < 5e-5 for value in numbers) else f",.{digits}f"
    return [_cell(value, style) for value in values]


def window(rows: list[dict[str, Any]], page: Page) -> range:
    """The rows to show: all, or on a terminal those around the one that was kept."""
    if not page.terminal or len(rows) <= ALPHAS_SHOWN:
        return range(len(rows))
    chosen = next(k for k, row in enumerate(rows) if row["chosen"])
    start = min(max(0, chosen - ALPHAS_SHOWN // 2), len(rows) - ALPHAS_SHOWN)
    return range(start, start + ALPHAS_SHOWN)


def _cell(value: Any, style: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    return format(value, style) if isinstance(value, float) else f"{value:,}"


def _digits(values: Sequence[float], least: int) -> int:
    """So many decimals at least, and as many as it takes to tell unequal values apart."""
    different = len(set(values))
    return next((k for k in range(least, 13) if len({f"{value:.{k}f}" for value in values}) == different), 13)
