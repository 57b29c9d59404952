"""What was done to the raw graphs on the way to the answer, as plain dictionaries, lists and numbers."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from secondlook.metrics import shd

if TYPE_CHECKING:
    from collections.abc import Iterable

    from secondlook.search import Settled
    from secondlook.selection import Polish, Selection


def finite(value: Any) -> Any:
    """The value, or None where JSON has no word for it."""
    return None if isinstance(value, float) and not isfinite(value) else value


def correction_model(selection: Selection, k: int) -> dict[str, Any] | None:
    """What the second look made of the k-th graph, or None where it only scored it.

    Returns
    -------
    dict or None
        `disputed_marks`, `disputed`, `joined` and `parted` (pairs), `kept`, `why`, `extendable` (of the first
        look's graph and of the repaired one), `ebic` of both and `kept_ebic`, None for tests without one.
    """
    if selection.answer is None or not selection.answer.corrections:
        return None
    found, path = selection.answer.corrections[k], selection.path
    ebic = None if found.ebic is None else [finite(score) for score in found.ebic]
    return {
        "disputed_marks": shd(path.first.graphs[k], path.second_look.graphs[k]),
        "disputed": [list(pair) for pair in found.disputed],
        "joined": [list(pair) for pair in found.joined],
        "parted": [list(pair) for pair in found.parted],
        "kept": found.kept,
        "why": found.why,
        "extendable": list(found.extendable),
        "ebic": ebic,
        "kept_ebic": None if ebic is None else ebic[found.is_repaired],
    }


def polish_model(polish: Polish | None) -> dict[str, Any] | None:
    """The search over orders: its starts by alpha, what each ended with, the best before and after."""
    if polish is None:
        return None
    return {
        "starts": list(polish.starts),
        "scores": [finite(score) for score in polish.scores],
        "before": finite(polish.before),
        "after": finite(min((polish.before, *polish.scores))),
        "chosen": polish.chosen,
        "penalty": polish.penalty,
        "skipped": polish.skipped,
    }


def settled_model(settled: Iterable[Settled]) -> list[dict[str, Any]]:
    """The edges whose marks the answer changed, each with the support of its two ways."""
    return [
        {
            "from": edge.a,
            "to": edge.b,
            "raw": edge.raw,
            "answer": edge.answer,
            "support_forward": edge.toward_b,
            "support_backward": edge.toward_a,
        }
        for edge in settled
    ]
