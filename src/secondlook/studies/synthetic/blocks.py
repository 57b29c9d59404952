"""The units of the studies on synthetic data: blocks of draws, so that records stay few."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.studies.study import Outcome, Unit
from secondlook.studies.synthetic.draws import Block
from secondlook.studies.synthetic.judging import judged

if TYPE_CHECKING:
    from secondlook.studies.synthetic.draws import Cell

DRAWS_PER_UNIT = 20
"""Seconds of work at most: little is lost with a worker."""


def blocks_of(cells: tuple[Cell, ...], draws: int) -> list[Unit]:
    """All draws of all cells, in order."""
    return [
        Unit(f"n{cell.n}-d{cell.d}-{first:06d}", Block(cell, first, min(DRAWS_PER_UNIT, draws - first)))
        for cell in cells
        for first in range(0, draws, DRAWS_PER_UNIT)
    ]


def judged_block(block: Block, seed: int, methods: tuple[str, ...]) -> Outcome:
    """What PC and the methods make of every draw of a block."""
    found = [judged(block.cell, block.first + k, seed, methods) for k in range(block.draws)]
    return Outcome(
        [row for outcome in found for row in outcome.rows],
        [row for outcome in found for row in outcome.timings],
    )
