"""A search and its choice as plain dictionaries, lists, numbers and strings, for every report to use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from secondlook.report.answer_model import correction_model, finite, polish_model, settled_model
from secondlook.report.validity import validity
from secondlook.search.options import SearchOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from secondlook.graphs import PDAG
    from secondlook.metrics.agreement import Score
    from secondlook.search import AlphaPath, Look, PCResult
    from secondlook.selection import EdgeRange, Selection

FORMAT = "secondlook.report"
FORMAT_VERSION = 1
# 1: data, options, choice, alphas (with what the rule and the second look say of each), edges, other_edges,
#    polish, validity, settled, conflicts, limits, tests, seconds.


@dataclass(frozen=True, slots=True)
class Run:
    """What a reader wants to know of a search and its record does not hold.

    Attributes
    ----------
    source : str
        Where the table came from.
    rows : int
        How many rows it has.
    options : SearchOptions
        How the search ran.
    asked : tuple of float
        The alphas that were asked for; more than the record holds when the search stopped early.
    test : str
        The test of independence.
    """

    source: str
    rows: int
    options: SearchOptions = field(default_factory=SearchOptions)
    asked: tuple[float, ...] = ()
    test: str = "Fisher z"


def selection_model(selection: Selection, run: Run) -> dict[str, Any]:
    """The choice of `secondlook` or `autopc` and everything it was made from, ready for JSON.

    Parameters
    ----------
    selection : Selection
        The record.
    run : Run
        What the record does not hold.

    Returns
    -------
    dict
        `data` (source, rows, columns, names, test), `options`, `choice` (rule, alpha, metric, score, ties),
        `alphas` (one entry each: edges of both looks, mistakes, score, chosen, tied, the rule's own details,
        and the `correction` after `secondlook`), `edges` of the answer and `other_edges` (each with the
        alphas at which it points `forward`, `backward` or is a `line` in the first look), `polish`,
        `validity`, `settled` edges, `conflicts` at the kept alpha, `limits` by step, `tests`, `seconds`.
    """
    answer = selection.answer
    corrected = answer is not None and bool(answer.corrections)
    model = _common(selection.path, selection.graph, run, "secondlook" if corrected else "autopc")
    model["choice"] = {
        "rule": selection.rule,
        "alpha": selection.alpha,
        "metric": selection.metric,
        "score": finite(selection.scores[selection.chosen].value),
        "ties": list(selection.ties),
    }
    model["alphas"] = [_alpha_row(selection, k, score) for k, score in enumerate(selection.scores)]
    model["seconds"]["choice"] = selection.rule_seconds
    model["edges"], model["other_edges"] = _edges(selection.graph, selection.edge_ranges)
    model["polish"] = None if answer is None else polish_model(answer.polish)
    model["settled"] = [] if answer is None else settled_model(answer.settled)
    repaired = answer is not None and corrected and answer.corrections[selection.chosen].is_repaired
    look = selection.path.repaired_look if repaired else selection.path.first
    model["conflicts"] = _conflicts(look, selection.graph, selection.alpha)
    return model


def pc_model(result: PCResult, run: Run) -> dict[str, Any]:
    """PC's answer at one alpha, ready for JSON.

    Parameters
    ----------
    result : PCResult
        The answer.
    run : Run
        What the answer does not hold.

    Returns
    -------
    dict
        As `selection_model` gives, with a `choice` that holds the alpha only.
    """
    model = _common(result.path, result.graph, run, "pc")
    model["choice"] = {"alpha": result.alpha}
    model["alphas"] = [{"alpha": result.alpha, "edges": result.graph.n_edges, "chosen": True}]
    model["edges"] = [
        {**edge, "forward": [], "backward": [], "line": [], _way(edge["kind"]): [result.alpha]}
        for edge in _plain_edges(result.graph)
    ]
    model["other_edges"] = []
    model["polish"] = None
    model["settled"] = settled_model(result.settled)
    model["conflicts"] = _conflicts(result.look, result.graph, result.alpha)
    return model


def _common(path: AlphaPath, graph: PDAG, run: Run, method: str) -> dict[str, Any]:
    looks = {"first": path.first, "second": path.second, "repair": path.repaired}
    tests = {step: 0 if look is None else look.n_tests for step, look in looks.items()}
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "method": method,
        "data": {
            "source": run.source,
            "rows": run.rows,
            "columns": len(path.names),
            "names": list(path.names),
            "test": run.test,
        },
        "options": {
            "colliders": path.colliders,
            "max_level": run.options.max_level,
            "max_tests": run.options.max_tests,
            "alphas": list(run.asked or path.alphas),
            "engine": path.engine,
        },
        "validity": validity(graph),
        "limits": {step: None if look is None else _limits(look) for step, look in looks.items()},
        "tests": {**tests, "total": sum(tests.values()), "by_level": list(path.first.tests_by_level)},
        "seconds": dict(path.seconds),
    }


def _alpha_row(selection: Selection, k: int, score: Score) -> dict[str, Any]:
    path = selection.path
    first, second = path.first.graphs[k], None if path.second is None else path.second.graphs[k]
    return {
        "alpha": selection.alphas[k],
        "edges": first.n_edges,
        "lines": len(first.lines),
        "edges_again": None if second is None else second.n_edges,
        # Counts and distances are kept as minus the number of mistakes; F1 and MCC are no counts.
        "mistakes": -score.key if isinstance(score.key, int) and second is not None else None,
        "score": finite(score.value),
        "chosen": k == selection.chosen,
        "tied": k in selection.tied,
        "details": {name: finite(entries[k]) for name, entries in selection.details.items()},
        "correction": correction_model(selection, k),
    }


def _edges(graph: PDAG, ranges: Iterable[EdgeRange]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The edges of the kept graph, and the pairs that are adjacent at other alphas only."""
    by_pair = {frozenset((entry.a, entry.b)): entry for entry in ranges}
    edges = []
    for edge in _plain_edges(graph):
        entry = by_pair.pop(frozenset((edge["from"], edge["to"])), None)
        if entry is None:  # the second look joined a pair that the first never did
            edges.append({**edge, "forward": [], "backward": [], "line": []})
            continue
        ways = (entry.a_to_b, entry.b_to_a) if entry.a == edge["from"] else (entry.b_to_a, entry.a_to_b)
        edges.append(
            {
                **edge,
                "forward": list(ways[0]),
                "backward": list(ways[1]),
                "line": list(entry.undirected),
            }
        )
    others = [
        {
            "from": entry.a,
            "to": entry.b,
            "forward": list(entry.a_to_b),
            "backward": list(entry.b_to_a),
            "line": list(entry.undirected),
        }
        for entry in by_pair.values()
    ]
    return edges, others


def _plain_edges(graph: PDAG) -> list[dict[str, Any]]:
    arrows = [{"from": a, "to": b, "kind": "arrow"} for a, b in graph.directed]
    return arrows + [{"from": a, "to": b, "kind": "line"} for a, b in graph.undirected]


def _way(kind: str) -> str:
    return "forward" if kind == "arrow" else "line"


def _conflicts(look: Look, graph: PDAG, alpha: float) -> list[dict[str, Any]]:
    """The edges of the chosen graph that colliders asked to point both ways, and what became of them."""
    found = []
    for conflict in look.conflicts:
        if conflict.alpha == alpha:
            a, b = conflict.a, conflict.b
            ahead, back = graph.has_edge(a, b), graph.has_edge(b, a)
            kept = ("line" if ahead else "none") if ahead == back else "forward" if ahead else "backward"
            support = {"support_forward": conflict.toward_b, "support_backward": conflict.toward_a}
            found.append({"from": a, "to": b, **support, "kept": kept})
    return found


def _limits(look: Look) -> dict[str, Any]:
    return {
        "untestable": look.n_untestable,
        "untestable_sets": [list(entry.variables) for entry in look.untestable],
        "level_capped": look.level_capped,
        "rows_exhausted": look.rows_exhausted,
        "held_votes": [
            {"alpha": vote.alpha, "size": vote.size, "neighbourhoods": vote.neighbourhoods}
            for vote in look.held_votes
        ],
    }
