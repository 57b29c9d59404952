"""StARS: the densest graphs that resamples of the rows still agree on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import isqrt
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from secondlook.errors import DataError, OptionError
from secondlook.metrics import Score
from secondlook.search.arrays import MAX_ALPHAS
from secondlook.search.options import unknown_choice
from secondlook.selection.resampling import checked_workers, resampler_for, spread
from secondlook.selection.rule import Choice, Problem, checked_number, checked_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from secondlook.search import AlphaPath
    from secondlook.selection.resampling import Resampler

Scheme = Literal["subsample", "bootstrap"]
_SCHEMES = ("subsample", "bootstrap")
REDRAWS = 20
"""How often one resample is drawn again before the rule gives up."""


@dataclass(frozen=True)
class StARS:
    """Keeps the densest alpha at which resamples of the rows agree on who is adjacent.

    Every resample is searched at all alphas in one pass. With theta the share of resamples in which a pair is
    adjacent, the instability of an alpha is the mean of 2 theta (1 - theta) over all pairs. Alphas are put in
    order by the mean number of edges of their resamples, of equals the smaller alpha first; along this order
    the running maximum of the instability is compared with the threshold. The last alpha that does not
    exceed it is kept, of those with equally many edges the smallest, and the sparsest when none is that
    stable.

    A resample that the test refuses (a column may be constant in it) is drawn again from its own random
    stream, up to 20 times. How many were is in the details where there were any.

    Scores are the instabilities. Details: `running_maximum`, `mean_edges`, `stable`, and maybe `redrawn`.

    Attributes
    ----------
    draws : int
        Resamples, at least 2.
    scheme : str
        "subsample": rows without replacement; "bootstrap": with replacement.
    threshold : float
        In [0, 0.5]: the most instability that still counts as stable.
    seed : int
        At least 0. Each resample has a random stream of its own, so nothing depends on `n_jobs`.
    n_jobs : int
        Workers; -1 for all cores.
    size : int, optional
        Rows of a resample. By default floor(10 sqrt(n)) of n rows for subsamples, floor(0.8 n) when n is at
        most 144, and n for the bootstrap.

    References
    ----------
    Liu, H., Roeder, K. and Wasserman, L. (2010). Stability approach to regularization selection (StARS) for
    high dimensional graphical models. NeurIPS 23.
    """

    name: ClassVar[str] = "StARS"
    looks: ClassVar[Literal[1, 2]] = 1
    draws: int = 20
    scheme: Scheme = "subsample"
    threshold: float = 0.05
    seed: int = 0
    n_jobs: int = 1
    size: int | None = None

    def __post_init__(self) -> None:
        checked_whole(self.name, "draws", self.draws, least=2)
        if self.scheme not in _SCHEMES:
            raise OptionError(unknown_choice("scheme", self.scheme, _SCHEMES))
        checked_number(self.name, "threshold", self.threshold, least=0.0, most=0.5)
        checked_whole(self.name, "seed", self.seed, least=0)
        checked_workers(self.name, self.n_jobs)
        if self.size is not None:
            checked_whole(self.name, "size", self.size, least=1)

    def choose(self, path: AlphaPath, problem: Problem) -> Choice:
        """The densest stable alpha, or the sparsest of all."""
        resampler = resampler_for(path, problem, self.name, self.n_jobs)
        size = self._rows_of(len(resampler.table.values))
        plan = _Plan(size, self.scheme == "bootstrap", self.seed)
        drawn = spread(partial(_searched, resampler, plan), range(self.draws), self.n_jobs)
        joined, disagreeing = _counts([draw.chunks for draw in drawn], len(path))
        pairs = len(path.names) * (len(path.names) - 1) // 2
        # whole numbers up to here, so that the instability is rounded once
        instability = [2 * int(s) / (self.draws**2 * max(pairs, 1)) for s in disagreeing]
        order = sorted(range(len(path)), key=lambda k: joined[k])
        highest = dict(zip(order, accumulate((instability[k] for k in order), max), strict=True))
        stable = tuple(highest[k] <= self.threshold for k in range(len(path)))
        chosen = max((k for k in order if stable[k]), key=lambda k: joined[k], default=order[0])
        details: dict[str, tuple[Any, ...]] = {
            "running_maximum": tuple(highest[k] for k in range(len(path))),
            "mean_edges": tuple(edges / self.draws for edges in joined),
            "stable": stable,
        }
        redrawn = sum(draw.redrawn for draw in drawn)
        if redrawn:
            details["redrawn"] = (redrawn,) * len(path)
        scores = tuple(Score(value, -value, is_perfect=value == 0.0) for value in instability)
        return Choice(chosen, scores, "instability", (chosen,), details)

    def _rows_of(self, n: int) -> int:
        """How many of n rows a resample has."""
        if self.size is None:
            if self.scheme == "bootstrap":
                return n
            return isqrt(100 * n) if n > 144 else 4 * n // 5
        if self.scheme == "subsample" and self.size > n:
            raise OptionError(
                f"The 'size' option of StARS must be at most the {n} rows that there are. Got {self.size}."
            )
        return int(self.size)


class _Plan(NamedTuple):
    size: int
    replace: bool
    seed: int


class _Draw(NamedTuple):
    """What one resample's search found: per pass its pairs, as keys, and the alphas that join them."""

    chunks: list[tuple[NDArray[np.int64], NDArray[np.uint64]]]
    redrawn: int


def _searched(resampler: Resampler, plan: _Plan, draw: int) -> _Draw:
    rng = np.random.default_rng([plan.seed, draw])
    n, d = resampler.table.values.shape
    for redrawn in range(REDRAWS + 1):
        rows = rng.choice(n, plan.size, replace=plan.replace)
        try:
            path = resampler.path(rows)
        except DataError as error:
            refusal = error
            continue
        edges = [chunk.edges for chunk in path.first.chunks]
        return _Draw([(e.first.astype(np.int64) * d + e.second, e.alphas) for e in edges], redrawn)
    raise DataError(
        f"StARS drew {plan.size} of {n} rows {REDRAWS + 1} times, and the test could not use any of these "
        f"draws; give a larger size=…, or look at the last refusal: {refusal}"
    ) from refusal


def _counts(
    draws: Sequence[list[tuple[NDArray[np.int64], NDArray[np.uint64]]]], n_alphas: int
) -> tuple[list[int], list[int]]:
    """Per alpha: edges of all draws together, and the sum over pairs of (draws with) x (draws without)."""
    joined, disagreeing = [], []
    for c in range(len(draws[0])):
        keys = np.concatenate([draw[c][0] for draw in draws])
        masks = np.concatenate([draw[c][1] for draw in draws])
        pair = np.unique(keys, return_inverse=True)[1]
        for a in range(min(MAX_ALPHAS, n_alphas - c * MAX_ALPHAS)):
            present = (masks >> np.uint64(a) & np.uint64(1)).astype(bool)
            counts = np.bincount(pair[present], minlength=1)
            joined.append(int(counts.sum()))
            disagreeing.append(int((counts * (len(draws) - counts)).sum()))
    return joined, disagreeing
