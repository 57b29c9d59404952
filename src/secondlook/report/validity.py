"""Whether a graph is a valid CPDAG, and if not, what is in the way."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from secondlook.graphs import cpdag, extension
from secondlook.graphs.order import acyclic_prefix
from secondlook.metrics import pair_shd

if TYPE_CHECKING:
    from secondlook.graphs import PDAG


def validity(graph: PDAG) -> dict[str, Any]:
    """What a graph is worth as the answer of a search.

    Parameters
    ----------
    graph : PDAG
        Any graph.

    Returns
    -------
    dict
        `acyclic`, `extendable` and `is_cpdag` (bool); `cycle`, the names along one directed cycle or None;
        `unfinished`, how many edges differ from the CPDAG that an extendable graph stands for, or None.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> validity(PDAG("abc", directed=["ab", "bc", "ca"]))["cycle"]
    ['a', 'b', 'c']
    """
    cycle = directed_cycle(graph)
    found = extension(graph)
    extendable = found.extendable and cycle is None
    unfinished = pair_shd(cpdag(found.dag), graph) if extendable else None
    return {
        "acyclic": cycle is None,
        "extendable": extendable,
        "is_cpdag": unfinished == 0,
        "cycle": cycle,
        "unfinished": unfinished,
    }


def directed_cycle(graph: PDAG) -> list[str] | None:
    """The names along a shortest directed cycle through one node, or None when there is no cycle.

    Parameters
    ----------
    graph : PDAG
        Any graph; lines are not followed.
    """
    cleared = set(acyclic_prefix(graph))
    if len(cleared) == graph.d:
        return None
    near = graph.adjacency
    at = next(i for i in range(graph.d) if i not in cleared)
    seen: set[int] = set()
    # Every node that is left has a parent that is left: walking backwards must come round.
    while at not in seen:
        seen.add(at)
        at = next(i for i in near.parents[at] if i not in cleared)
    came_from = dict.fromkeys(near.children[at], at)
    queue = deque(near.children[at])
    while at not in came_from:
        node = queue.popleft()
        for child in near.children[node]:
            if child not in came_from:
                came_from[child] = node
                queue.append(child)
    walked = [at]
    while came_from[walked[-1]] != at:
        walked.append(came_from[walked[-1]])
    names = [graph.names[i] for i in reversed(walked)]
    first = min(range(len(names)), key=lambda k: graph.index(names[k]))
    return names[first:] + names[:first]
