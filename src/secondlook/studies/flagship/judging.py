"""What every method makes of one data set, and of the same one with its columns in another order."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from secondlook.graphs import is_cpdag
from secondlook.metrics.marks import confusion
from secondlook.studies.flagship.draws import drawn, generator_of, permuted
from secondlook.studies.flagship.methods import HIDDEN, METHODS, OURS
from secondlook.studies.study import Outcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from secondlook.simulation import LinearModel
    from secondlook.studies.flagship.cells import Cell
    from secondlook.studies.flagship.draws import Block, Drawn
    from secondlook.studies.study import Row

_DIGITS = 6
_NOTHING = ("alpha", "shd", "f1", "mcc", "valid", "relabelled")


def judged_block(block: Block, seed: int) -> Outcome:
    """What the methods make of every draw of a block."""
    found = [judged(block.cell, block.first + k, seed, block.model) for k in range(block.draws)]
    return Outcome(
        [row for outcome in found for row in outcome.rows],
        [row for outcome in found for row in outcome.timings],
    )


def judged(cell: Cell, draw: int, seed: int, network: LinearModel | None = None) -> Outcome:
    """What every method makes of one draw; a failure is a row that says so.

    Parameters
    ----------
    cell : Cell
        The kind of data.
    draw : int
        The draw's number.
    seed : int
        The study's seed.
    network : LinearModel, optional
        The model of a network's cell.
    """
    asked = [name for name in METHODS if name != HIDDEN or cell.hides(draw)]
    outcome = Outcome([])
    try:
        data = drawn(cell, draw, seed, network)
        order = generator_of(cell, draw, seed, purpose=1).permutation(data.truth.d)
    except Exception as error:  # whatever it is, it belongs into the results
        outcome.rows.extend(_failure(_head(cell, draw, name), error) for name in asked)
        return outcome
    for name in asked:
        head = _head(cell, draw, name)
        try:
            again = name in OURS and (name != HIDDEN or cell.hidden_one_in == 1)
            row, seconds = _judged(name, data, order if again else None)
        except Exception as error:
            outcome.rows.append(_failure(head, error))
        else:
            outcome.rows.append({**head, **row, "status": "ok", "message": None})
            outcome.timings.append({**head, "seconds": seconds})
    return outcome


def _judged(name: str, data: Drawn, order: NDArray[np.int64] | None) -> tuple[Row, float]:
    method = METHODS[name]
    started = perf_counter()
    found = method.choose(data.test)
    graph = method.graph(found)
    seconds = perf_counter() - started
    scores = confusion(data.truth, graph)
    row: Row = {
        "alpha": found.alpha,
        "shd": scores.mistakes,
        "f1": round(scores.f1, _DIGITS),
        "mcc": round(scores.mcc, _DIGITS),
        "valid": int(is_cpdag(graph)),
        "relabelled": None,
    }
    if order is not None:
        again = method.graph(method.choose(permuted(data.test, order)))
        row["relabelled"] = int(again.relabelled(graph.names) == graph)
    return row, seconds


def _head(cell: Cell, draw: int, name: str) -> Row:
    return {"cell": cell.key, "draw": draw, "method": name}


def _failure(head: Row, error: Exception) -> Row:
    said: Row = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
    return {**head, **dict.fromkeys(_NOTHING), **said}
