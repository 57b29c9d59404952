"""In words: whether the graph is valid, where its evidence conflicts, and what the search could not do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from secondlook.report.page import number

if TYPE_CHECKING:
    from secondlook.report.page import Page

_CONFLICTS_SHOWN = 10
_KEPT = {"forward": "->", "backward": "<-", "line": "--", "none": "none"}
_LOOKS = {"first": "first look", "second": "second look", "repair": "repair"}


def say_validity(page: Page, model: dict[str, Any]) -> None:
    """Says whether the graph is a valid CPDAG and, when not, what is in the way."""
    found = model["validity"]
    if found["is_cpdag"]:
        page.say("The graph is a valid CPDAG: it stands for one Markov equivalence class of DAGs.", "green")
    elif not found["acyclic"]:
        cycle = found["cycle"]
        shown = " -> ".join(map(page.name, [*cycle, cycle[0]] if len(cycle) <= 12 else [*cycle[:12], "..."]))
        page.say(
            f"Not a valid CPDAG: its arrows close a cycle ({shown}), so no DAG fits the whole graph. "
            "Trust its edges more than its arrows.",
            "yellow",
        )
    elif not found["extendable"]:
        page.say(
            "Not a valid CPDAG: no DAG has this skeleton, these arrows and no other colliders, so some "
            "of its marks contradict each other. Trust its edges more than its arrows.",
            "yellow",
        )
    else:
        page.say(
            f"Not a valid CPDAG, but close to one: some DAGs fit it, and "
            f"{number(found['unfinished'], 'edge')} would be oriented otherwise in the CPDAG of these DAGs.",
            "yellow",
        )


def say_conflicts(page: Page, model: dict[str, Any]) -> None:
    """Lists the edges that colliders asked to point both ways."""
    conflicts = model["conflicts"]
    if not conflicts:
        page.say("No edge was asked to point both ways.")
        return
    page.say(f"{number(len(conflicts), 'edge was', 'edges were')} asked to point both ways:", "yellow")
    shown = conflicts[:_CONFLICTS_SHOWN] if page.terminal else conflicts
    rows = [
        [
            f"{page.name(conflict['from'])} - {page.name(conflict['to'])}",
            f"{conflict['support_forward']:.2f}",
            f"{conflict['support_backward']:.2f}",
            _KEPT[conflict["kept"]],
        ]
        for conflict in shown
    ]
    page.table(["between", "support for ->", "for <-", "kept"], rows, right=(1, 2))
    if len(shown) < len(conflicts):
        page.say(f"and {len(conflicts) - len(shown):,} more (use --json)", "dim", indent=2)


def say_limits(page: Page, model: dict[str, Any]) -> None:
    """Says what could not be tested and what was capped, or that there was nothing of the kind."""
    sentences = [
        sentence
        for key, look in _LOOKS.items()
        if model["limits"][key] is not None
        for sentence in _limits(page, model, model["limits"][key], look)
    ]
    for sentence in sentences:
        page.say(sentence, "yellow")
    if not sentences:
        page.say("Every question could be tested, and nothing was capped.")


def _limits(page: Page, model: dict[str, Any], limits: dict[str, Any], look: str) -> list[str]:
    said = []
    if limits["untestable"]:
        examples = limits["untestable_sets"][:1]
        such = (
            f", among them those about {page.listed([page.name(name) for name in examples[0]])} together"
            if examples
            else ""
        )
        said.append(
            f"In the {look} {number(limits['untestable'], 'question')} could not be tested, because columns "
            f"are too collinear or rows too few{such}; such a question never removes an edge."
        )
    if limits["level_capped"]:
        said.append(
            f"In the {look} max-level {model['options']['max_level']} stopped the search; larger sets might "
            "have removed more edges."
        )
    if limits["rows_exhausted"]:
        said.append(
            f"In the {look} {number(model['data']['rows'], 'row')} were too few to test larger sets; more "
            "rows might remove more edges."
        )
    said += _held(limits["held_votes"], model["choice"]["alpha"], look)
    return said


def _held(votes: list[dict[str, Any]], kept: float, look: str) -> list[str]:
    """One sentence about the kept alpha, whose arrows are shown, and one about how many others."""
    said = [
        f"In the {look} at alpha {kept} {number(vote['neighbourhoods'], 'neighbourhood')} voted with sets of "
        f"at most {vote['size']}: larger ones are too many, or above max-level. Arrows there rest on less."
        for vote in votes
        if vote["alpha"] == kept
    ]
    others = len(votes) - len(said)
    if others:
        said.append(
            f"In the {look} votes were limited in this way at {number(others, 'other alpha')} (--json)."
        )
    return said
