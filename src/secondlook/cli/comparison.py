"""The metrics of two graphs as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from secondlook.report.page import number

if TYPE_CHECKING:
    from secondlook.metrics import Comparison
    from secondlook.report.page import Page

_GROUPS = {
    "marks": ("shd", "f1", "mcc"),
    "pairs": ("pair_shd",),
    "skeleton": ("skeleton_precision", "skeleton_recall", "skeleton_f1"),
    "arrowheads": ("arrowhead_precision", "arrowhead_recall", "arrowhead_f1"),
    "effects": ("parent_aid", "ancestor_aid", "oset_aid", "sid"),
}
_DISTANCES = frozenset({"shd", "pair_shd", *_GROUPS["effects"]})
"""0 is perfect for these, 1 for all others."""


def say_comparison(page: Page, found: Comparison, truth: str, guess: str) -> None:
    """Writes every metric on a page.

    Parameters
    ----------
    page : Page
        Where to write.
    found : Comparison
        The metrics.
    truth, guess : str
        What the graphs are called.
    """
    names = [page.name(name, whole=True) for name in (guess, truth)]
    page.say(f"{names[0]} against {names[1]}, {number(found.d, 'variable')}", "bold")
    page.say(f"{number(found.guess_edges, 'edge')} guessed, {number(found.truth_edges, 'edge')} true")
    rows = [
        ["" if k else group, name, _shown(getattr(found, name)), "0" if name in _DISTANCES else "1"]
        for group, names in _GROUPS.items()
        for k, name in enumerate(names)
    ]
    page.table(["on", "metric", "value", "perfect"], rows, right=(2, 3))
    for names, reason in _undefined(found):
        page.say(f"Undefined: {', '.join(names)}. {reason}", "yellow")


def comparison_model(found: Comparison) -> dict[str, Any]:
    """The metrics for JSON; a reason does not repeat the graph that it is about."""
    model: dict[str, Any] = found.to_dict()
    model["undefined"] = {name: _brief(reason) for name, reason in found.undefined}
    return model


def _undefined(found: Comparison) -> list[tuple[list[str], str]]:
    """The undefined metrics by reason."""
    grouped: dict[str, list[str]] = {}
    for name, reason in found.undefined:
        grouped.setdefault(_brief(reason).replace(f" of {name} ", " "), []).append(name)
    return [(names, reason) for reason, names in grouped.items()]


def _brief(reason: str) -> str:
    return f"{reason.partition(' Got ')[0].rstrip('.')}."


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
