"""The C++ engine: arrays in, arrays out."""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Ints = NDArray[np.int32]
Masks = NDArray[np.uint64]
Counts = NDArray[np.uint32]

class Report(TypedDict):
    tests: list[int]
    collinear_count: int
    collinear: list[tuple[int, ...]]
    level_capped: bool
    rows_exhausted: bool
    over_budget: bool
    hubs: list[int]
    estimate: float

class Look(TypedDict):
    first: Ints
    second: Ints
    alphas: Masks
    sepset_first: Ints
    sepset_second: Ints
    sepset_alphas: Masks
    sepset_begin: Masks
    sepset_members: Ints
    report: Report

class Triples(TypedDict):
    x: Ints
    y: Ints
    z: Ints
    alphas: Masks

class Votes(Triples):
    separating: Counts
    containing: Counts
    held_to: list[int]
    held_variables: list[int]
    report: Report

class Oriented(TypedDict):
    forward: Masks
    backward: Masks
    conflicts: Ints  # alpha, x, y of each in turn
    conflict_support: Doubles  # toward y, toward x of each in turn

class VotingSizes(TypedDict):
    sizes: NDArray[np.int32]
    held_to: list[int]
    held_variables: list[int]

class Dags(TypedDict):
    tails: Ints  # sorted by head; the arrows of the k-th DAG are [begin[k], begin[k + 1])
    heads: Ints
    begin: Masks

class Extensions(Dags):
    consistent: list[bool]

class Orders(Dags):
    scores: list[float]

def ask_parents(
    correlation: Doubles,
    n: float,
    critical: Doubles,
    *,
    open_first: Ints,
    open_second: Ints,
    open_alphas: Masks,
    first: Ints,
    second: Ints,
    forward: Masks,
    backward: Masks,
    max_level: int,
    max_tests: float,
    threads: int,
    kernels: str = "",
) -> Look: ...
def extensions(
    *, first: Ints, second: Ints, forward: Masks, backward: Masks, d: int, n_alphas: int
) -> Extensions: ...
def scores(
    correlation: Doubles, n: float, *, penalty: float, tails: Ints, heads: Ints, begin: Masks
) -> list[float]: ...
def best_orders(
    correlation: Doubles, n: float, *, penalty: float, tails: Ints, heads: Ints, begin: Masks
) -> Orders: ...

class Independence(TypedDict):
    statistic: Doubles
    freedom: Doubles
    informative: Doubles

class Categories:
    def __init__(self, codes: NDArray[np.unsignedinteger[Any]], levels: Ints) -> None: ...
    def independence(
        self, *, first: Ints, second: Ints, begin: Masks, members: Ints, pearson: bool
    ) -> Independence: ...
    def log_likelihoods(self, *, first: Ints, begin: Masks, members: Ints) -> Doubles: ...

def skeleton(
    correlation: Doubles,
    n: float,
    critical: Doubles,
    *,
    max_level: int,
    max_tests: float,
    threads: int,
    kernels: str = "",
) -> Look: ...
def second_look(
    correlation: Doubles,
    n: float,
    critical: Doubles,
    *,
    first: Ints,
    second: Ints,
    forward: Masks,
    backward: Masks,
    sepset_first: Ints,
    sepset_second: Ints,
    sepset_alphas: Masks,
    sepset_begin: Masks,
    sepset_members: Ints,
    max_level: int,
    max_tests: float,
    threads: int,
    kernels: str = "",
) -> Look: ...
def vote(
    correlation: Doubles,
    n: float,
    critical: Doubles,
    *,
    first: Ints,
    second: Ints,
    alphas: Masks,
    max_size: int,
    max_sets: float,
    max_questions: float,
    max_level: int,
    max_tests: float,
    threads: int,
    kernels: str = "",
) -> Votes: ...
def unshielded_triples(*, first: Ints, second: Ints, alphas: Masks, d: int) -> Triples: ...
def voting_sizes(
    *,
    first: Ints,
    second: Ints,
    alphas: Masks,
    d: int,
    n_alphas: int,
    max_size: int,
    max_level: int,
    max_sets: float,
    max_questions: float,
) -> VotingSizes: ...
def orient_by_sepsets(
    *,
    d: int,
    first: Ints,
    second: Ints,
    alphas: Masks,
    sepset_first: Ints,
    sepset_second: Ints,
    sepset_alphas: Masks,
    sepset_begin: Masks,
    sepset_members: Ints,
    rule: str,
    threads: int,
) -> Oriented: ...
def orient_by_votes(
    *,
    d: int,
    first: Ints,
    second: Ints,
    alphas: Masks,
    x: Ints,
    y: Ints,
    z: Ints,
    triple_alphas: Masks,
    separating: Counts,
    containing: Counts,
    rule: str,
    rank: Ints | None = None,
) -> Oriented: ...
