"""Metrics on pairs of nodes, on adjacencies and on arrowheads.

* An *adjacency* is an unordered pair of nodes joined in any way; there are d * (d - 1) / 2 places for one.
* An *arrowhead* is an arrow i -> j, kept with the node it comes from; there are d * (d - 1) places for one. A
  line has none. An arrowhead of the guess is right when the truth has the same arrow, so that a reversed
  arrow is one arrowhead too many and one missed.

Precision is TP / (TP + FP) and recall TP / (TP + FN). A ratio of the form 0/0 is 1 when nothing is wrong and
0 otherwise: an empty guess is perfect for an empty truth, and has precision 0 for any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.metrics.alignment import aligned
from secondlook.metrics.marks import Confusion, confusion_of_keys, shared_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.graphs import PDAG


def pair_shd(truth: PDAG, guess: PDAG) -> int:
    """The number of pairs of nodes whose edge differs, each counted once, in 0..d * (d - 1) / 2.

    This is what pcalg and much of the literature call SHD; ``shd`` counts differing marks.

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> pair_shd(PDAG("abc", directed=["ab", "bc"]), PDAG("abc", directed=["ba"], undirected=["bc"]))
    2
    """
    guess = aligned(truth, guess)
    d = truth.d
    same_arrows = shared_keys(_keys(truth.arrows, d), _keys(guess.arrows, d))
    same_lines = shared_keys(_keys(truth.lines, d), _keys(guess.lines, d))
    joined = skeleton_confusion(truth, guess)
    return joined.tp + joined.mistakes - same_arrows - same_lines


def skeleton_confusion(truth: PDAG, guess: PDAG) -> Confusion:
    """The counts of agreeing and differing adjacencies, out of d * (d - 1) / 2.

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> skeleton_confusion(PDAG("abc", directed=["ab"]), PDAG("abc", directed=["ba", "bc"]))
    Confusion(tp=1, fp=1, fn=0, tn=1)
    """
    guess = aligned(truth, guess)
    return confusion_of_keys(_adjacencies(truth), _adjacencies(guess), truth.d * (truth.d - 1) // 2)


def skeleton_precision(truth: PDAG, guess: PDAG) -> float:
    """The share of the guess's adjacencies that the truth has, in [0, 1].

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.
    """
    return skeleton_confusion(truth, guess).precision


def skeleton_recall(truth: PDAG, guess: PDAG) -> float:
    """The share of the truth's adjacencies that the guess has, in [0, 1].

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.
    """
    return skeleton_confusion(truth, guess).recall


def skeleton_f1(truth: PDAG, guess: PDAG) -> float:
    """The F1 score of the adjacencies, in [0, 1].

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> skeleton_f1(PDAG("abc", directed=["ab"]), PDAG("abc", directed=["ba"]))
    1.0
    """
    return skeleton_confusion(truth, guess).f1


def arrowhead_confusion(truth: PDAG, guess: PDAG) -> Confusion:
    """The counts of agreeing and differing arrowheads, out of d * (d - 1).

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> arrowhead_confusion(PDAG("abc", directed=["ab"]), PDAG("abc", directed=["ba"]))
    Confusion(tp=0, fp=1, fn=1, tn=4)
    """
    guess = aligned(truth, guess)
    d = truth.d
    return confusion_of_keys(_keys(truth.arrows, d), _keys(guess.arrows, d), d * (d - 1))


def arrowhead_precision(truth: PDAG, guess: PDAG) -> float:
    """The share of the guess's arrowheads that the truth has, in [0, 1].

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.
    """
    return arrowhead_confusion(truth, guess).precision


def arrowhead_recall(truth: PDAG, guess: PDAG) -> float:
    """The share of the truth's arrowheads that the guess has, in [0, 1].

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.
    """
    return arrowhead_confusion(truth, guess).recall


def arrowhead_f1(truth: PDAG, guess: PDAG) -> float:
    """The F1 score of the arrowheads, in [0, 1].

    Parameters
    ----------
    truth, guess : PDAG
        Graphs over the same names.

    Raises
    ------
    GraphError
        When the names differ.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> arrowhead_f1(PDAG("abc", directed=["ab", "cb"]), PDAG("abc", directed=["ab"], undirected=["bc"]))
    0.6666666666666666
    """
    return arrowhead_confusion(truth, guess).f1


def _keys(pairs: NDArray[np.int32], d: int) -> NDArray[np.int64]:
    # sorted because a PDAG stores both kinds of edges in lexicographic order
    return pairs[:, 0] * np.int64(d) + pairs[:, 1]


def _adjacencies(graph: PDAG) -> NDArray[np.int64]:
    arrows = graph.arrows
    joined = np.concatenate([np.sort(arrows, axis=1), graph.lines]) if len(arrows) else graph.lines
    keys = _keys(joined, graph.d)
    keys.sort()
    return keys
