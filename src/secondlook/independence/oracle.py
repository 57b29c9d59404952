"""The oracle: d-separation in a known DAG, in the shape of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from secondlook.graphs import DSeparator
from secondlook.independence.protocol import CITest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from secondlook.graphs import PDAG
    from secondlook.independence.protocol import Question


class DSeparation(CITest):
    """The test that knows the truth: p-value 1 where the DAG d-separates, 0 where it does not.

    With it a search has no sampling error, so that every alpha below 1 must give the DAG's own CPDAG.

    Parameters
    ----------
    dag : PDAG
        A graph of arrows without a directed cycle.

    Attributes
    ----------
    names : tuple of str
        The DAG's nodes.

    Raises
    ------
    GraphError
        If the graph has an undirected edge or a directed cycle.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> oracle = DSeparation(PDAG("abc", directed=["ab", "bc"]))
    >>> oracle.p_value(0, 2, [1]), oracle.p_value(0, 2, [])
    (1.0, 0.0)
    """

    names: tuple[str, ...]

    def __init__(self, dag: PDAG) -> None:
        self.names = dag.names
        self._separator = DSeparator(dag)

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """1.0 if S d-separates i from j, else 0.0.

        Parameters
        ----------
        i, j : int
            Two different nodes.
        S : sequence of int
            The nodes conditioned on, in any order.

        Returns
        -------
        float

        Raises
        ------
        GraphError
            If the question names a node twice or one that does not exist.
        """
        return 1.0 if self._separator.separated(i, j, S) else 0.0

    def p_values(self, questions: Sequence[Question]) -> NDArray[np.float64]:
        """1.0 or 0.0 for each canonical question, in their order.

        Parameters
        ----------
        questions : sequence of (int, int, tuple of int)
            Canonical questions.

        Returns
        -------
        ndarray of float64, shape (len(questions),)

        Raises
        ------
        GraphError
            If a question names a node twice or one that does not exist.
        """
        separated = self._separator.separated
        answers = (separated(i, j, S) for i, j, S in questions)
        return np.fromiter(answers, dtype=np.float64, count=len(questions))

    def __repr__(self) -> str:
        return f"DSeparation({len(self.names)} nodes)"
