"""What the flagship study shows, in sentences whose every number is computed from the rows."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from secondlook.studies.flagship.methods import METHODS, OURS, PAPER, PLAIN, POLISHED, VOTE
from secondlook.studies.flagship.recorded import RECORDED, WHAT

if TYPE_CHECKING:
    from secondlook.studies.flagship.cells import Cell
    from secondlook.studies.flagship.scores import Scores

SURE = 2.5
"""From this |t| on a difference counts."""
FEWEST = 10
"""A t of fewer draws is not shown: it says more about luck than about methods."""
NEAR = 2.0
"""So many standard errors above a recorded mean is still reached."""


def verdict(scores: Scores) -> list[str]:
    """The sentences: against both AutoPCs, polish, what was recorded, validity, column order, failures.

    Parameters
    ----------
    scores : Scores
        Of the flagship study.
    """
    said = [_gain(scores, method) for method in OURS]
    said += [_losses(scores, method, other) for other in (PAPER, VOTE) for method in OURS]
    said.append(_losses(scores, POLISHED, PLAIN))
    said += [_reached(scores, method) for method in OURS]
    said += [_valid(scores), _relabelled(scores), _failures(scores)]
    return [sentence for sentence in said if sentence]


def reached(scores: Scores, cell: Cell, method: str) -> bool | None:
    """Whether a mean is at most two standard errors above what was recorded; None without a record."""
    recorded = RECORDED[method].get(cell.key)
    mean = scores.mean(cell, method, "shd")
    if recorded is None or mean.size < FEWEST:
        return None
    return mean.value - recorded <= NEAR * mean.error


def _gain(scores: Scores, method: str) -> str:
    cells = [cell for cell in scores.cells if cell.group == "nine"]
    tests = [(scores.ratio(cell, method, PAPER), scores.compared(cell, method, PAPER)) for cell in cells]
    found = [(ratio, test.t) for ratio, test in tests if test.size >= FEWEST and not isnan(ratio)]
    if not found:
        return ""
    less = [100.0 * (1.0 - ratio) for ratio, _ in found]
    return (
        f"{METHODS[method].label} has {min(less):.0f} to {max(less):.0f} % fewer wrong marks than "
        f"{METHODS[PAPER].label} in the paper's {len(found)} cells; the smallest |t| is "
        f"{min(abs(t) for _, t in found):.1f}."
    )


def _losses(scores: Scores, method: str, other: str) -> str:
    tests = [(cell, scores.compared(cell, method, other)) for cell in scores.cells]
    tests = [(cell, test) for cell, test in tests if test.size >= FEWEST]
    better = sum(test.t < -SURE for _, test in tests)
    worse = [cell.key for cell, test in tests if test.t > SURE]
    if not tests:
        return ""
    return (
        f"{METHODS[method].label} against {METHODS[other].label}, SHD in {len(tests)} cells: better "
        f"(|t| > {SURE}) in {better}, worse in {_listed(worse)}."
    )


def _reached(scores: Scores, method: str) -> str:
    found = {cell.key: reached(scores, cell, method) for cell in scores.cells}
    asked = {key: yes for key, yes in found.items() if yes is not None}
    if not asked:
        return ""
    missed = [key for key, yes in asked.items() if not yes]
    return (
        f"{METHODS[method].label} reaches the recorded SHD of {WHAT[method]} (at most {NEAR:g} standard "
        f"errors above) in {len(asked) - len(missed)} of {len(asked)} cells and misses it in "
        f"{_listed(missed)}."
    )


def _valid(scores: Scores) -> str:
    counts = {name: scores.counted(name, "valid") for name in METHODS}
    ours = [counts[name] for name in OURS]
    valid, asked = sum(c[0] for c in ours), sum(c[1] for c in ours)
    shares = (f"{METHODS[n].label} {_share(counts[n])}" for n in METHODS if n not in OURS and counts[n][1])
    return (
        f"Of SecondLook's {asked:,} graphs {valid:,} are valid CPDAGs; of the others': {', '.join(shares)}."
    )


def _relabelled(scores: Scores) -> str:
    counts = [scores.counted(name, "relabelled") for name in OURS]
    same, asked = sum(c[0] for c in counts), sum(c[1] for c in counts)
    return (
        f"Permuting the columns permuted SecondLook's graph and changed nothing else in {same:,} of "
        f"{asked:,} runs."
    )


def _failures(scores: Scores) -> str:
    if scores.failures:
        return f"Failures: {scores.failures:,} rows; their status and message are in results.csv."
    return "No method failed on any draw."


def _share(counts: tuple[int, int]) -> str:
    return f"{100.0 * counts[0] / counts[1]:.0f} %"


def _listed(keys: list[str]) -> str:
    return f"{len(keys)} ({', '.join(keys)})" if keys else "none"
