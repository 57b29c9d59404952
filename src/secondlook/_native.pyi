"""The C++ engine: arrays in, arrays out. `secondlook.search.native` is its one caller."""

from typing import TypedDict

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
) -> Oriented: ...
