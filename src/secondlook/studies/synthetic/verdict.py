"""What Table 1 shows, in sentences whose every number is computed from the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.studies.statistics import mean_of, z_against
from secondlook.studies.synthetic.layout import BONFERRONI, compared
from secondlook.studies.synthetic.methods import AUTOPC, MEAN, METHODS, METRICS, REFERENCE
from secondlook.studies.synthetic.printed import DRAWS, printed
from secondlook.studies.synthetic.scores import is_better

if TYPE_CHECKING:
    from secondlook.studies.synthetic.scores import Scores

_CLOSE = 3.0


def verdict(scores: Scores, methods: tuple[str, ...]) -> list[str]:
    """The sentences: agreement with the paper, AutoPC against every other method, time, failures.

    Parameters
    ----------
    scores : Scores
        Of table1.
    methods : tuple of str
        Keys of the methods that were compared.
    """
    said = [_agreement(scores, group) for group in _groups(scores, methods)]
    if AUTOPC in methods:
        said += [_against(scores, other) for other in methods if other != AUTOPC]
        said.append(_overhead(scores, methods))
    said.append(_failures(scores))
    return said


def z_scores(scores: Scores, methods: tuple[str, ...]) -> list[float]:
    """Our means against all figures that the paper prints of some methods."""
    found = []
    for method in methods:
        for metric in METRICS:
            for cell in scores.cells:
                theirs = printed(metric, method, cell)
                if theirs is not None:
                    found.append(z_against(mean_of(scores.values(cell, method, metric)), theirs, DRAWS))
    return found


def _groups(scores: Scores, methods: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The methods that the paper prints: Mean and AutoPC, which have no settings, together, others alone."""
    plain = tuple(m for m in (MEAN, AUTOPC) if m in methods)
    others = tuple((m,) for m in methods if m not in plain)
    return [group for group in (plain, *others) if z_scores(scores, group)]


def _agreement(scores: Scores, group: tuple[str, ...]) -> str:
    z = z_scores(scores, group)
    close = sum(abs(value) < _CLOSE for value in z)
    named = " and ".join(METHODS[m].label for m in group)
    verb = "agree" if len(group) > 1 else "agrees"
    return (
        f"{named} {verb} with the paper (|z| < {_CLOSE:g}) in {close} of {len(z)} figures; "
        f"the largest |z| is {max(map(abs, z)):.1f}."
    )


def _against(scores: Scores, other: str) -> str:
    """Where AutoPC is better and where it is worse, by metric, with the numbers of variables."""
    parts = []
    for metric in METRICS:
        wins: list[int] = []
        losses: list[int] = []
        for cell in scores.cells:
            found = compared(scores, cell, metric, other)
            if found.p < BONFERRONI:
                (wins if is_better(metric, found.difference) else losses).append(cell.d)
        parts.append(f"{metric.upper()}: wins {_listed(wins)}, loses {_listed(losses)}")
    return (
        f"AutoPC against {METHODS[other].label}, in {len(scores.cells)} cells at p < {BONFERRONI}: "
        f"{'; '.join(parts)}. The others are undecided."
    )


def _overhead(scores: Scores, methods: tuple[str, ...]) -> str:
    parts = []
    for method in methods:
        if method != MEAN:
            factors = [scores.seconds(c, method) / scores.seconds(c, REFERENCE) for c in scores.cells]
            parts.append(f"{METHODS[method].label} {min(factors):.2f} to {max(factors):.2f}")
    return f"Time on top of PC at every alpha, as a factor of these PC runs: {', '.join(parts)}."


def _failures(scores: Scores) -> str:
    if scores.failures:
        return f"Failures: {scores.failures:,} rows; their status and message are in results.csv."
    return "No method failed on any draw."


def _listed(dimensions: list[int]) -> str:
    where = ", ".join(f"{dimensions.count(d)} at d = {d}" for d in sorted(set(dimensions)))
    return f"{len(dimensions)} ({where})" if dimensions else "none"
