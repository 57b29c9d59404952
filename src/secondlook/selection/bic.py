"""BIC and extended BIC: the alpha whose graph, made a DAG, fits best for its number of edges."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, ClassVar, Literal

from secondlook.errors import OptionError
from secondlook.graphs import extension
from secondlook.metrics import Score
from secondlook.search.options import unknown_choice
from secondlook.selection.likelihood import families_of, naive_families, score_for
from secondlook.selection.rule import Choice, Problem, checked_number, first_best, ties_with

if TYPE_CHECKING:
    from secondlook.graphs import PDAG
    from secondlook.search import AlphaPath
    from secondlook.selection.likelihood import DiscreteScore, Family, GaussianScore

ExtensionKind = Literal["consistent", "naive"]
_EXTENSIONS = ("consistent", "naive")


@dataclass(frozen=True)
class BIC:
    """Keeps the first alpha of the smallest BIC, for linear Gaussian data and for categories.

    The score of a graph is that of a consistent extension. For `FisherZ` it is n times the sum of log
    residual variances given the parents, plus log n per edge; for `GSquare` -2 times the log-likelihood of a
    table for each variable given its parents, plus log n per free parameter of the tables. Where there is no
    extension, it is that of the fallback of `secondlook.graphs.extension`; the record says at which alphas. A
    score that is not defined, because too few rows or collinear parents leave a variable no variance, counts
    as infinite.

    Attributes
    ----------
    extension : str
        "consistent", or "naive": parents are the directed ones and the undirected neighbours of lower index,
        which may make cycles and new v-structures. It is here because it reproduces the AutoPC paper's
        column, and for nothing else.
    """

    name: ClassVar[str] = "BIC"
    looks: ClassVar[Literal[1, 2]] = 1
    extension: ExtensionKind = "consistent"

    def __post_init__(self) -> None:
        if self.extension not in _EXTENSIONS:
            raise OptionError(unknown_choice("extension", self.extension, _EXTENSIONS))

    def choose(self, path: AlphaPath, problem: Problem) -> Choice:
        """The first alpha of the smallest score."""
        return _choice(path, score_for(problem, self.name), "bic", self.extension)


@dataclass(frozen=True)
class EBIC:
    """Keeps the first alpha of the smallest extended BIC, which asks more of an edge among many variables.

    Attributes
    ----------
    gamma : float
        At least 0: adds 4 * gamma * log d per edge to the BIC.

    References
    ----------
    Foygel, R. and Drton, M. (2010). Extended Bayesian information criteria for Gaussian graphical models.
    """

    name: ClassVar[str] = "EBIC"
    looks: ClassVar[Literal[1, 2]] = 1
    gamma: float = 1.0

    def __post_init__(self) -> None:
        checked_number(self.name, "gamma", self.gamma, least=0.0)

    def choose(self, path: AlphaPath, problem: Problem) -> Choice:
        """The first alpha of the smallest score."""
        score = score_for(problem, self.name, float(self.gamma))
        return _choice(path, score, "ebic", "consistent")


def _choice(
    path: AlphaPath, score: GaussianScore | DiscreteScore, measure: str, kind: ExtensionKind
) -> Choice:
    known: dict[PDAG, tuple[float, bool]] = {}
    found = []
    for graph in path.first.graphs:
        if graph not in known:
            families, extendable = _families(graph, kind)
            known[graph] = score(families), extendable
        found.append(known[graph])
    scores = tuple(Score(value, -value, is_perfect=False) for value, _ in found)
    chosen = first_best(scores)
    details = {"extendable": tuple(e for _, e in found)} if kind == "consistent" else {}
    details["defined"] = tuple(isfinite(value) for value, _ in found)
    return Choice(chosen, scores, measure, ties_with(scores, chosen), details)


def _families(graph: PDAG, kind: ExtensionKind) -> tuple[list[Family], bool]:
    if kind == "naive":
        return naive_families(graph), True
    found = extension(graph)
    return families_of(found.dag), found.extendable
