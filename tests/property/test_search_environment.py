"""One correlation matrix, one answer: on any threads, processor, memory layout or hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import astuple

import numpy as np
import pytest

from secondlook import FisherZ, SearchOptions, alpha_path
from secondlook.search import COLLIDER_RULES
from secondlook.search.native import NativeEngine, orient_by_sepsets, orient_by_votes
from secondlook.search.run import VOTING_SIZES, vote_limits
from secondlook.simulation import random_linear_model, scale_free_dag
from zoo import random_dag

ALPHAS = (0.001, 0.05, 0.2)


def _sparse() -> FisherZ:
    rng = np.random.default_rng(1)
    return FisherZ(random_linear_model(random_dag(rng, 300, 4.0), rng).sample(200, rng))


def _hubs() -> FisherZ:
    rng = np.random.default_rng(2)
    return FisherZ(random_linear_model(scale_free_dag(150, 2, rng, hubs="source"), rng).sample(400, rng))


DATA = {"sparse": _sparse(), "hubs": _hubs()}


def _flat(record):
    """All arrays and numbers of a record, as bytes: equal means equal to the bit."""
    if isinstance(record, np.ndarray):
        return record.dtype.str, record.shape, record.tobytes()
    if isinstance(record, dict):
        return {key: _flat(value) for key, value in record.items()}
    if isinstance(record, (tuple, list)):
        return [_flat(value) for value in record]
    return _flat(astuple(record)) if hasattr(record, "__dataclass_fields__") else record


def _steps(test, rule, *, n_jobs=1, kernels=""):
    """Every array of every step of the native engine, and the tests of the first skeleton by level."""
    engine = NativeEngine(test, ALPHAS, SearchOptions(rule, max_level=4, n_jobs=n_jobs), kernels)
    d, found, tests = len(test.names), [], ()
    marks = sepsets = edges = None
    for look in (1, 2):
        if look == 1:
            edges, sepsets, report = engine.first_look()
            tests = report.tests
        else:
            edges, sepsets, report = engine.second_look(edges, marks["forward"], marks["backward"], sepsets)
        if rule in VOTING_SIZES:
            votes, vote_report = engine.vote(edges, vote_limits(rule, look, d))
            marks = orient_by_votes(d, edges, votes, rule)
            found += [votes, vote_report]
        else:
            marks = orient_by_sepsets(d, edges, sepsets, rule)
        found += [edges, sepsets, report, marks]
    return _flat(found), tests


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("name", DATA)
def test_native_any_number_of_threads(name, rule):
    """Edges, sets, votes, marks and counts are the same to the bit on 1, 2 and 5 threads."""
    alone, tests = _steps(DATA[name], rule)
    # below some 50,000 tests a level stays on one thread whatever n_jobs says: this is work enough to share
    assert max(tests) > 300_000
    for n_jobs in (2, 5):
        assert _steps(DATA[name], rule, n_jobs=n_jobs)[0] == alone


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("name", DATA)
def test_native_any_kernels(name, rule):
    """The loops built for any processor and those built for AVX2 answer the same to the bit."""
    baseline, _ = _steps(DATA[name], rule, kernels="baseline")
    try:
        fast, _ = _steps(DATA[name], rule, kernels="avx2")
    except ValueError as error:
        pytest.skip(f"this processor has one build only: {error}")
    assert fast == baseline
    assert _steps(DATA[name], rule)[0] == baseline


def test_native_unknown_kernels():
    """A build that does not exist is refused, so that comparing two builds compares two builds."""
    engine = NativeEngine(DATA["sparse"], ALPHAS, SearchOptions(), "abacus")
    with pytest.raises(ValueError, match="abacus"):
        engine.first_look()


@pytest.mark.parametrize("layout", ["fortran", "strided", "reversed", "read-only", "list"])
def test_any_memory_layout(layout, rng):
    """How a table lies in memory changes neither graph nor separating sets."""
    X = random_linear_model(random_dag(rng, 8, 2.0), rng).sample(200, rng)
    wide = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)
    read_only = X.copy()
    read_only.flags.writeable = False
    same = {
        "fortran": np.asfortranarray(X),
        "strided": wide[::2, ::3],
        "reversed": np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
        "read-only": read_only,
        "list": X.tolist(),
    }[layout]
    expected, found = (alpha_path(FisherZ(data), ALPHAS) for data in (X, same))
    for look, other in ((expected.first, found.first), (expected.second_look, found.second_look)):
        assert other.graphs[:] == look.graphs[:]
        assert other.chunks[0].sepsets.members.tolist() == look.chunks[0].sepsets.members.tolist()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["float32", "int64", ">f8"])
def test_any_dtype(dtype, order, rng):
    """A table of another type answers as the same numbers in float64 do."""
    X = (100 * random_linear_model(random_dag(rng, 8, 2.0), rng).sample(200, rng)).astype(dtype, order=order)
    expected, found = (alpha_path(FisherZ(data), ALPHAS) for data in (X.astype(np.float64), X))
    assert found.first.graphs[:] == expected.first.graphs[:]
    assert found.second_look.graphs[:] == expected.second_look.graphs[:]


_HASHED = """
import numpy as np
from secondlook import FisherZ, SearchOptions, alpha_path
from secondlook.search import COLLIDER_RULES
X = np.random.default_rng(7).normal(size=(60, 8))
X = X @ np.triu(np.random.default_rng(8).normal(size=(8, 8)))
for rule in COLLIDER_RULES:
    path = alpha_path(FisherZ(X, names=list("abcdefgh")), [0.01, 0.2], SearchOptions(rule), engine="generic")
    for look in (path.first, path.second):
        print([(g.directed, g.undirected) for g in look.graphs], look.conflicts, look.tests_by_level)
        print([look.sepset(a, b, 1) for a in path.names for b in path.names if a != b])
"""


def test_any_hash_seed():
    """The generic engine's output is the same text under any PYTHONHASHSEED."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", _HASHED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "20231")
    ]
    assert len(outputs[0].splitlines()) == 2 * 2 * len(COLLIDER_RULES)
    assert len(set(outputs)) == 1
