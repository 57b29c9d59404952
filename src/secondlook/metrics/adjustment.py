"""Distances between the adjustment sets that two graphs offer for all ordered pairs, through gadjid.

Both graphs must be a DAG or a CPDAG. A PDAG that is neither has no effects of its own (gadjid would answer,
but about half of all random ones would then lie at a positive distance from themselves): complete it first,
with ``secondlook.graphs``. gadjid starts its own pool of threads at the first call.

References
----------
.. [1] Henckel, Wuertzen, Weichwald (2024), Adjustment identification distance: a gadjid for causal structure
   learning, UAI. Definition 5 (parent, ancestor and optimal adjustment).
.. [2] Peters, Buehlmann (2015), Structural intervention distance for evaluating causal graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.errors import GraphError
from secondlook.graphs import is_acyclic, is_cpdag, is_dag
from secondlook.metrics.alignment import aligned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.graphs import PDAG

_UNDIRECTED = 2  # gadjid's code for a line, in one of its two cells


def parent_aid(truth: PDAG, guess: PDAG) -> float:
    """The parent adjustment distance in [0, 1]: wrongly adjusted pairs out of d * (d - 1), 0 for one node.

    An ordered pair (t, y) counts when the parents of t in the guess do not identify the effect of t on y in
    the truth. The distance is not symmetric.

    Parameters
    ----------
    truth, guess : PDAG
        DAGs or CPDAGs over the same names.

    Raises
    ------
    GraphError
        When the names differ, or a graph is neither a DAG nor a CPDAG.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> parent_aid(PDAG("abc", directed=["ab", "bc"]), PDAG("abc", directed=["ab"]))
    0.3333333333333333
    """
    return _normalised(parent_aid_count(truth, guess), truth.d)


def ancestor_aid(truth: PDAG, guess: PDAG) -> float:
    """The ancestor adjustment distance in [0, 1]: as ``parent_aid``, adjusting for the ancestors of t.

    Parameters
    ----------
    truth, guess : PDAG
        DAGs or CPDAGs over the same names.

    Raises
    ------
    GraphError
        When the names differ, or a graph is neither a DAG nor a CPDAG.
    """
    return _normalised(ancestor_aid_count(truth, guess), truth.d)


def oset_aid(truth: PDAG, guess: PDAG) -> float:
    """The optimal adjustment distance in [0, 1]: as ``parent_aid``, adjusting for the optimal set of (t, y).

    Parameters
    ----------
    truth, guess : PDAG
        DAGs or CPDAGs over the same names.

    Raises
    ------
    GraphError
        When the names differ, or a graph is neither a DAG nor a CPDAG.
    """
    return _normalised(oset_aid_count(truth, guess), truth.d)


def sid(truth: PDAG, guess: PDAG) -> float:
    """The structural intervention distance of two DAGs in [0, 1]: wrong pairs out of d * (d - 1).

    Parameters
    ----------
    truth, guess : PDAG
        DAGs over the same names; ``parent_aid`` takes CPDAGs too.

    Raises
    ------
    GraphError
        When the names differ, or a graph is not a DAG.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> sid(PDAG("abc", directed=["ab", "bc"]), PDAG("abc", directed=["ba", "bc"]))
    0.5
    """
    return _normalised(sid_count(truth, guess), truth.d)


def parent_aid_count(truth: PDAG, guess: PDAG) -> int:
    """The number of wrong pairs behind ``parent_aid``, in 0..d * (d - 1).

    Parameters
    ----------
    truth, guess : PDAG
        DAGs or CPDAGs over the same names.

    Raises
    ------
    GraphError
        When the names differ, or a graph is neither a DAG nor a CPDAG.
    """
    return _count("parent_aid", truth, guess)


def ancestor_aid_count(truth: PDAG, guess: PDAG) -> int:
    """The number of wrong pairs behind ``ancestor_aid``, in 0..d * (d - 1).

    Parameters
    ----------
    truth, guess : PDAG
        DAGs or CPDAGs over the same names.

    Raises
    ------
    GraphError
        When the names differ, or a graph is neither a DAG nor a CPDAG.
    """
    return _count("ancestor_aid", truth, guess)


def oset_aid_count(truth: PDAG, guess: PDAG) -> int:
    """The number of wrong pairs behind ``oset_aid``, in 0..d * (d - 1).

    Parameters
    ----------
    truth, guess : PDAG
        DAGs or CPDAGs over the same names.

    Raises
    ------
    GraphError
        When the names differ, or a graph is neither a DAG nor a CPDAG.
    """
    return _count("oset_aid", truth, guess)


def sid_count(truth: PDAG, guess: PDAG) -> int:
    """The number of wrong pairs behind ``sid``, in 0..d * (d - 1).

    Parameters
    ----------
    truth, guess : PDAG
        DAGs over the same names.

    Raises
    ------
    GraphError
        When the names differ, or a graph is not a DAG.
    """
    return _count("sid", truth, guess)


def fault_of(distance: str, role: str, graph: PDAG) -> str | None:
    """Why this graph has no such distance, as one sentence; None when it has.

    Parameters
    ----------
    distance : {"parent_aid", "ancestor_aid", "oset_aid", "sid"}
        The distance that is asked for.
    role : {"truth", "guess"}
        The graph's part in the comparison, for the sentence.
    graph : PDAG
        The graph to judge.
    """
    if is_dag(graph):
        return None
    if not is_acyclic(graph):
        return f"The {role} of {distance} must have no directed cycle. Got {graph!r}."
    if distance == "sid":
        return f"The {role} of sid must be a DAG. Got {graph!r}; use parent_aid, which takes CPDAGs too."
    if not is_cpdag(graph):
        return (
            f"The {role} of {distance} must be a DAG or a CPDAG. Got {graph!r}; "
            "take the CPDAG of its consistent extension first."
        )
    return None


def _normalised(count: int, d: int) -> float:
    return count / (d * (d - 1)) if d > 1 else 0.0


def _count(distance: str, truth: PDAG, guess: PDAG) -> int:
    guess = aligned(truth, guess)
    for role, graph in (("truth", truth), ("guess", guess)):
        fault = fault_of(distance, role, graph)
        if fault:
            raise GraphError(fault)
    if truth.d < 2:
        # gadjid panics on a single node
        return 0
    return _gadjid_count(distance, _encoded(truth), _encoded(guess))


def _encoded(graph: PDAG) -> NDArray[np.int8]:
    matrix = np.zeros((graph.d, graph.d), dtype=np.int8)
    matrix[graph.arrows[:, 0], graph.arrows[:, 1]] = 1
    matrix[graph.lines[:, 0], graph.lines[:, 1]] = _UNDIRECTED
    return matrix


def _gadjid_count(distance: str, truth: NDArray[np.int8], guess: NDArray[np.int8]) -> int:
    import gadjid

    try:
        _, count = getattr(gadjid, distance)(truth, guess, edge_direction="from row to column")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # a Rust panic arrives as pyo3's PanicException, which `except Exception` would let through
        reason = (str(error).splitlines() or ["no message"])[0]
        raise GraphError(f"gadjid could not compute {distance} of these graphs: {reason}.") from error
    return int(count)
