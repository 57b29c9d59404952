"""A Selection as versioned JSON: readable by people and other programs, and by us again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from secondlook.errors import DataError, SecondlookError
from secondlook.graphs import PDAG
from secondlook.metrics.agreement import Score
from secondlook.search.arrays import MAX_ALPHAS, Conflicts, Edges, Sepsets, StepReport, bits
from secondlook.search.options import checked_alphas
from secondlook.search.path import AlphaPath, Chunk, Look
from secondlook.selection.answer_saving import answer_dict, answer_from
from secondlook.selection.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable

_LOOKS = ("first", "second", "repaired")
FORMAT = "secondlook.selection"
FORMAT_VERSION = 1
# 1: names, alphas, looks as per-alpha edge lists and separating sets, scores as exact keys, the answer.


def save(selection: Selection, file: str | Path) -> None:
    """Writes the record; an existing file is replaced only once the new one is complete.

    Parameters
    ----------
    selection : Selection
        The record.
    file : str or Path
        Where to write.
    """
    target = Path(file)
    unfinished = target.with_name(target.name + ".part")
    try:
        unfinished.write_text(json.dumps(to_dict(selection), ensure_ascii=False), encoding="utf-8")
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def load(file: str | Path) -> Selection:
    """Reads what `save` wrote.

    Raises
    ------
    DataError
        If the file is not a selection of a version this release reads.
    """
    try:
        record = json.loads(Path(file).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DataError(f"The file {str(file)!r} is not JSON that secondlook wrote: {error}.") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise DataError(f"The file {str(file)!r} does not hold a selection; save one with Selection.save.")
    if record.get("version") != FORMAT_VERSION:
        raise DataError(
            f"The file {str(file)!r} has version {record.get('version')!r}; readable: {FORMAT_VERSION}."
        )
    try:
        return from_dict(record)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        what = str(error) if isinstance(error, SecondlookError) else f"{error!r}."
        raise DataError(f"The file {str(file)!r} is a damaged selection: {what}") from error


def to_dict(selection: Selection) -> dict[str, Any]:
    """The record as plain lists, numbers and strings."""
    path = selection.path
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "names": list(path.names),
        "alphas": list(path.alphas),
        "colliders": path.colliders,
        "engine": path.engine,
        "seconds": path.seconds,
        "rule": selection.rule,
        "metric": selection.metric,
        "chosen": selection.chosen,
        "tied": list(selection.tied),
        "details": {name: list(entries) for name, entries in selection.details.items()},
        "rule_seconds": selection.rule_seconds,
        "scores": [
            {"value": s.value, "key": _key_text(s.key), "perfect": s.is_perfect} for s in selection.scores
        ],
        **{name: _look_rows(path, getattr(path, name)) for name in _LOOKS},
        "unrepaired": list(path.unrepaired),
        "rank": None if path.rank is None else path.rank.tolist(),
        "answer": None if selection.answer is None else answer_dict(selection.answer),
    }


def from_dict(record: dict[str, Any]) -> Selection:
    """The Selection of what `to_dict` made; DataError where its parts contradict each other."""
    names, alphas = PDAG(record["names"]).names, checked_alphas(record["alphas"])
    first, second, repaired = (
        None if record[key] is None else Look(names, alphas, tuple(map(_chunk, record[key])))
        for key in _LOOKS
    )
    if first is None:
        raise DataError("A selection must hold its first look.")
    rank = None if record["rank"] is None else np.array(record["rank"], dtype=np.int32)
    how = (record["seconds"], record["engine"])
    unrepaired = tuple(map(int, record["unrepaired"]))
    path = AlphaPath(names, alphas, record["colliders"], first, second, *how, repaired, unrepaired, rank)
    scores = tuple(Score(float(s["value"]), _key(s["key"]), bool(s["perfect"])) for s in record["scores"])
    found = Selection(
        path,
        record["metric"],
        scores,
        int(record["chosen"]),
        tuple(map(int, record["tied"])),
        record["rule"],
        {name: tuple(entries) for name, entries in record["details"].items()},
        float(record["rule_seconds"]),
        None if record["answer"] is None else answer_from(record["answer"], names, alphas),
    )
    _check(found)
    return found


def _check(found: Selection) -> None:
    """Refuses what would only fail later, when a graph is first asked for."""
    path, n, chosen = found.path, len(found.path.alphas), found.chosen
    if len(found.scores) != n or not 0 <= chosen < n:
        raise DataError(
            f"Its {n} alphas, {len(found.scores)} scores and choice {chosen} do not fit together."
        )
    if any(not 0 <= k < n for k in found.tied) or any(len(e) != n for e in found.details.values()):
        raise DataError(f"Its ties or details do not fit its {n} alphas.")
    if path.rank is not None and sorted(path.rank.tolist()) != list(range(len(path.names))):
        raise DataError(f"Its rank does not give each of its {len(path.names)} columns a place.")
    if found.answer is not None and found.answer.corrections and path.repaired is None:
        raise DataError("It holds corrections, but not the repaired graphs that they are about.")
    if len(path.unrepaired) not in (0, n) or (path.repaired is None) != (not path.unrepaired):
        raise DataError(f"Its counts of pairs that no repair asked about do not fit its {n} alphas.")
    for look in (path.first, path.second, path.repaired):
        if look is None:
            continue
        if len(look.chunks) != -(-n // MAX_ALPHAS):
            raise DataError(f"A look at {n} alphas cannot have {len(look.chunks)} passes.")
        for c, chunk in enumerate(look.chunks):
            _check_chunk(chunk, len(path.names), min(n - c * MAX_ALPHAS, MAX_ALPHAS))


def _check_chunk(chunk: Chunk, d: int, n_alphas: int) -> None:
    edges, sepsets = chunk.edges, chunk.sepsets
    pairs = list(zip(edges.first.tolist(), edges.second.tolist(), strict=True))
    asked = list(zip(sepsets.first.tolist(), sepsets.second.tolist(), strict=True))
    if any(not 0 <= i < j < d for i, j in (*pairs, *asked)):
        raise DataError(f"A pair is not two of its {d} columns in their order.")
    if pairs != sorted(set(pairs)) or asked != sorted(asked):
        raise DataError("Its pairs are not sorted, or one comes twice.")
    if any(not 0 <= s < d for s in sepsets.members.tolist()):
        raise DataError(f"A separating set holds a column that is not one of its {d}.")
    masks = (*edges.alphas.tolist(), *sepsets.alphas.tolist())
    if any(not mask or mask >> n_alphas for mask in masks):
        raise DataError(f"A pair is joined or separated at none of the {n_alphas} alphas of its pass.")
    if any(
        not 0 <= k < n_alphas or not 0 <= x < d or not 0 <= y < d
        for k, x, y in chunk.conflicts.where.tolist()
    ):
        raise DataError("A conflict is about an alpha or a column that is not there.")


def _look_rows(path: AlphaPath, look: Look | None) -> list[dict[str, Any]] | None:
    return None if look is None else [_chunk_dict(chunk, len(grid)) for chunk, grid in _passes(path, look)]


def _passes(path: AlphaPath, look: Look) -> list[tuple[Chunk, tuple[float, ...]]]:
    grids = [path.alphas[start : start + MAX_ALPHAS] for start in range(0, len(path.alphas), MAX_ALPHAS)]
    return list(zip(look.chunks, grids, strict=True))


def _chunk_dict(chunk: Chunk, n_alphas: int) -> dict[str, Any]:
    live = (1 << n_alphas) - 1
    edges, sepsets = chunk.edges, chunk.sepsets
    rows = zip(
        edges.first.tolist(),
        edges.second.tolist(),
        chunk.forward.tolist(),
        chunk.backward.tolist(),
        strict=True,
    )
    begin = sepsets.begin.tolist()
    members = sepsets.members.tolist()
    pairs = zip(sepsets.first.tolist(), sepsets.second.tolist(), sepsets.alphas.tolist(), strict=True)
    return {
        # i, j, then the positions of the alphas that mark i -> j, and those that mark j -> i
        "edges": [[i, j, bits(f & live), bits(b & live)] for i, j, f, b in rows if (f | b) & live],
        # i, j, the positions of the alphas, the set that separated them there
        "sepsets": [
            [i, j, bits(m & live), members[begin[r] : begin[r + 1]]]
            for r, (i, j, m) in enumerate(pairs)
            if m & live
        ],
        "conflicts": [list(row) for row in chunk.conflicts.rows() if row[0] < n_alphas],
        "skeleton_report": _report_dict(chunk.skeleton_report),
        "vote_report": None if chunk.vote_report is None else _report_dict(chunk.vote_report),
    }


def _chunk(record: dict[str, Any]) -> Chunk:
    edges = record["edges"]
    ends = np.array([row[:2] for row in edges], dtype=np.int32).reshape(-1, 2)
    forward, backward = (np.array([_mask(row[k]) for row in edges], dtype=np.uint64) for k in (2, 3))
    sets = record["sepsets"]
    pairs = np.array([row[:2] for row in sets], dtype=np.int32).reshape(-1, 2)
    sepsets = Sepsets(
        pairs[:, 0].copy(),
        pairs[:, 1].copy(),
        np.array([_mask(row[2]) for row in sets], dtype=np.uint64),
        np.concatenate([[0], np.cumsum([len(row[3]) for row in sets])]).astype(np.uint64),
        np.array([s for row in sets for s in row[3]], dtype=np.int32),
    )
    return Chunk(
        Edges(ends[:, 0].copy(), ends[:, 1].copy(), forward | backward),
        forward,
        backward,
        sepsets,
        Conflicts.from_rows(record["conflicts"]),
        _report(record["skeleton_report"]),
        None if record["vote_report"] is None else _report(record["vote_report"]),
    )


def _report_dict(report: StepReport) -> dict[str, Any]:
    return {
        "tests": list(report.tests),
        "untestable_count": report.untestable_count,
        "untestable": [list(variables) for variables in report.untestable],
        "level_capped": report.level_capped,
        "rows_exhausted": report.rows_exhausted,
        "held": [list(entry) for entry in report.held],
    }


def _report(record: dict[str, Any]) -> StepReport:
    return StepReport(
        tuple(record["tests"]),
        int(record["untestable_count"]),
        tuple(tuple(variables) for variables in record["untestable"]),
        bool(record["level_capped"]),
        bool(record["rows_exhausted"]),
        tuple((int(a), int(size), int(count)) for a, size, count in record["held"]),
    )


def _mask(positions: list[int]) -> int:
    mask = 0
    for a in positions:
        mask |= 1 << int(a)
    return mask


def _key_text(key: object) -> str:
    """Exact keys survive as text: integers, fractions and floats each read back as they were."""
    return f"{type(key).__name__}:{key!s}" if not isinstance(key, float) else f"float:{key.hex()}"


def _key(text: str) -> Any:
    from fractions import Fraction

    kind, _, value = text.partition(":")
    readers: dict[str, Callable[[str], Any]] = {"int": int, "Fraction": Fraction, "float": float.fromhex}
    return readers[kind](value)
