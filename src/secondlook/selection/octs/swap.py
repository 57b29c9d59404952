"""The swap test asks whether two configurations' predictions can be exchanged, row by row, without a loss."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from secondlook.selection.octs.information import GaussianInformation, Information

    Floats = NDArray[np.float64]

# Numbers in the largest arrays of a block: 32 MB.
_BLOCK = 1 << 22
# Swaps that change nothing may differ from the observed gain by rounding.
_SLACK = 1e-12


@dataclass(frozen=True, eq=False, slots=True)
class Pair:
    """The best configuration and another one, over the variables that they predict differently.

    Attributes
    ----------
    variables : int array, shape (v,)
        These variables.
    values, best, other : array, shape (n, v)
        Their values and both predictions.
    best_sums, other_sums : float64 array, shape (v, width)
        What the measure of information adds up over the rows.
    """

    variables: NDArray[np.intp]
    values: NDArray[np.generic]
    best: NDArray[np.generic]
    other: NDArray[np.generic]
    best_sums: Floats
    other_sums: Floats

    def part(self, chosen: slice) -> Pair:
        """The pair on some of its variables."""
        return Pair(
            self.variables[chosen],
            self.values[:, chosen],
            self.best[:, chosen],
            self.other[:, chosen],
            self.best_sums[chosen],
            self.other_sums[chosen],
        )


def swap_p_value(measure: Information, pair: Pair, permutations: int, seed: int) -> float:
    """The share of random swaps whose gain reaches the observed one.

    The gain is the best configuration's information less the other's, summed over variables. A permutation
    swaps both predictions of every variable on one random half of the rows: each row with probability 1/2.
    """
    observed, swapped = 0.0, np.zeros(permutations)
    width = max(1, _BLOCK // (permutations * measure.width))
    for start in range(0, len(pair.variables), width):
        part = pair.part(slice(start, start + width))
        observed += float(_gain(measure, part, np.zeros_like(part.best_sums)))
        # every part starts the generator anew, so that all variables share the halves
        swapped += _gain(measure, part, _moved(measure, part, permutations, seed))
    return float(np.mean(swapped >= observed - _SLACK))


def normal_p_value(measure: GaussianInformation, pair: Pair) -> float:
    """The first-order normal approximation of the swap test.

    With signs e = -1 for swapped rows and 1 for the others, the gain is to first order around the midpoint of
    the two configurations' sums the total of e times q over the rows, where q is the gradient of the
    information there applied to the row's difference. (It is an odd function of the signs, so the second
    order vanishes.) Its variance is the total of q^2.
    """
    slopes = measure.gradient((pair.best_sums + pair.other_sums) / 2.0, pair.variables)
    variance = 0.0
    for rows in _row_blocks(len(pair.values), slopes.size):
        variance += float(np.sum(np.tensordot(_difference(measure, pair, rows), slopes, axes=2) ** 2))
    return normal_tail(float(_gain(measure, pair, np.zeros_like(slopes))), variance)


def normal_tail(gain: float, variance: float) -> float:
    """The chance that a normal variable with mean 0 reaches the gain; 1 or 0 where there is no variance."""
    if variance <= 0.0:
        return float(gain <= _SLACK)
    return NormalDist().cdf(-gain / sqrt(variance))


def _gain(measure: Information, pair: Pair, moved: Floats) -> Floats:
    """The best configuration's information less the other's, after sums have moved to it."""
    best = measure.of(pair.best_sums + moved, pair.variables)
    other = measure.of(pair.other_sums - moved, pair.variables)
    gain: Floats = (best - other).sum(axis=-1)
    return gain


def _moved(measure: Information, pair: Pair, permutations: int, seed: int) -> Floats:
    """What each permutation moves to the best configuration's sums, shape (permutations, v, width)."""
    rng = np.random.default_rng([seed, 2])
    size = pair.best_sums.size
    moved = np.zeros((permutations, size))
    for rows in _row_blocks(len(pair.values), max(size, permutations)):
        change = _difference(measure, pair, rows).reshape(-1, size)
        moved -= _halves(rng, len(change), permutations).T @ change
    return moved.reshape(permutations, *pair.best_sums.shape)


def _difference(measure: Information, pair: Pair, rows: slice) -> Floats:
    """What the best configuration adds on these rows less what the other one adds."""
    values = pair.values[rows]
    return measure.contributions(values, pair.best[rows]) - measure.contributions(values, pair.other[rows])


def _halves(rng: np.random.Generator, rows: int, permutations: int) -> Floats:
    """A coin for every row and permutation; the stream of coins does not depend on how rows are blocked."""
    words = rng.integers(1 << 32, size=(rows, -(-permutations // 32)), dtype=np.uint32)
    return np.unpackbits(words.view(np.uint8), axis=1, count=permutations).astype(np.float64)


def _row_blocks(n: int, per_row: int) -> list[slice]:
    height = max(1, _BLOCK // max(1, per_row))
    return [slice(start, min(start + height, n)) for start in range(0, n, height)]
