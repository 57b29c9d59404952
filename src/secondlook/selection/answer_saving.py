"""An Answer as plain lists, numbers and strings, and back, for the file that holds its Selection."""

from __future__ import annotations

from dataclasses import asdict
from math import inf, isfinite
from typing import Any

import numpy as np

from secondlook.errors import DataError
from secondlook.graphs import PDAG, is_cpdag
from secondlook.search.validity import Settled
from secondlook.selection.answer import FIRST_LOOK, REPAIRED, Answer, Correction, Pairs, Polish

_MARKS = ("->", "<-", "--", "")


def answer_dict(answer: Answer) -> dict[str, Any]:
    """The answer, its columns by position, numbers that are not finite as None."""
    graph = answer.graph
    return {
        "arrows": graph.arrows.tolist(),
        "lines": graph.lines.tolist(),
        "settled": [[graph.index(s.a), graph.index(s.b), *s[2:]] for s in answer.settled],
        "corrections": [_correction_dict(c, graph) for c in answer.corrections],
        "polish": None if answer.polish is None else _polish_dict(answer.polish),
    }


def answer_from(record: dict[str, Any], names: tuple[str, ...], alphas: tuple[float, ...]) -> Answer:
    """The Answer of what `answer_dict` made.

    Raises
    ------
    DataError
        If the graph is no CPDAG, or what was done for it does not fit the columns and alphas.
    """
    arrows, lines = (np.array(record[key], dtype=np.int32).reshape(-1, 2) for key in ("arrows", "lines"))
    graph = PDAG.from_indices(names, arrows, lines)
    if not is_cpdag(graph):
        raise DataError("Its answer is no valid CPDAG.")
    settled = tuple(
        Settled(*_pair(row[:2], names), _mark(row[2]), _mark(row[3]), float(row[4]), float(row[5]))
        for row in record["settled"]
    )
    rows = record["corrections"]
    if len(rows) not in (0, len(alphas)):
        raise DataError(f"Its {len(alphas)} alphas and {len(rows)} corrections do not fit together.")
    corrections = tuple(
        _correction(row, names, alpha) for row, alpha in zip(rows, alphas if rows else (), strict=True)
    )
    polish = None if record["polish"] is None else _polish(record["polish"], alphas)
    return Answer(graph, settled, corrections, polish)


def _correction_dict(c: Correction, graph: PDAG) -> dict[str, Any]:
    return {
        "kept": c.kept,
        "why": c.why,
        **{
            name: [[graph.index(a), graph.index(b)] for a, b in getattr(c, name)]
            for name in ("disputed", "joined", "parted")
        },
        "extendable": list(c.extendable),
        "ebic": None if c.ebic is None else [_number(score) for score in c.ebic],
    }


def _correction(row: dict[str, Any], names: tuple[str, ...], alpha: float) -> Correction:
    if row["kept"] not in (FIRST_LOOK, REPAIRED):
        raise DataError(f"A guard keeps the first look's graph or the repaired one, not {row['kept']!r}.")
    disputed, joined, parted = (_pairs(row[name], names) for name in ("disputed", "joined", "parted"))
    first, repaired = map(bool, row["extendable"])
    scores = None
    if row["ebic"] is not None:
        before, after = map(_float, row["ebic"])
        scores = (before, after)
    return Correction(
        alpha, row["kept"], str(row["why"]), disputed, joined, parted, (first, repaired), scores
    )


def _polish_dict(polish: Polish) -> dict[str, Any]:
    record = asdict(polish)
    record["starts"] = list(polish.starts)
    record["scores"] = [_number(score) for score in polish.scores]
    record["before"] = _number(polish.before)
    return record


def _polish(record: dict[str, Any], alphas: tuple[float, ...]) -> Polish:
    starts, scores = tuple(map(float, record["starts"])), tuple(map(_float, record["scores"]))
    chosen, skipped = float(record["chosen"]), str(record["skipped"])
    if len(starts) != len(scores) or not {*starts} <= {*alphas}:
        raise DataError("The starts of its polish, their scores and its alphas do not fit together.")
    if not skipped and chosen not in starts:
        raise DataError("Its polish ended best from a start that it did not have.")
    return Polish(starts, scores, _float(record["before"]), chosen, float(record["penalty"]), skipped)


def _pairs(rows: list[list[int]], names: tuple[str, ...]) -> Pairs:
    return tuple(_pair(row, names) for row in rows)


def _pair(row: list[int], names: tuple[str, ...]) -> tuple[str, str]:
    i, j = row
    if not 0 <= i < j < len(names):
        raise DataError(f"A pair is not two of its {len(names)} columns in their order.")
    return names[i], names[j]


def _mark(text: str) -> str:
    if text not in _MARKS:
        raise DataError(f"An edge is marked ->, <- or --, not {text!r}.")
    return text


def _number(value: float) -> float | None:
    return value if isfinite(value) else None


def _float(value: float | None) -> float:
    return inf if value is None else float(value)
