"""Properties that every test of independence must have, on random tables."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from secondlook.graphs import PDAG
from secondlook.independence import DSeparation, FisherZ, Memo, canonical


@st.composite
def tables(draw):
    """A table of 3 to 8 correlated columns, 5 to 60 rows."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d = draw(st.integers(3, 8))
    n = draw(st.integers(5, 60))
    return rng.normal(size=(n, d)) @ (np.eye(d) + 0.5 * rng.normal(size=(d, d)))


@st.composite
def questions(draw, d):
    """Two columns and a set of others, in any order."""
    order = draw(st.permutations(range(d)))
    size = draw(st.integers(0, d - 2))
    return order[0], order[1], order[2 : 2 + size]


@st.composite
def dags(draw):
    """A DAG on 3 to 6 nodes whose order is not the columns' order."""
    d = draw(st.integers(3, 6))
    order = draw(st.permutations(range(d)))
    arrows = [
        (f"v{order[a]}", f"v{order[b]}") for a in range(d) for b in range(a + 1, d) if draw(st.booleans())
    ]
    return PDAG([f"v{k}" for k in range(d)], directed=arrows)


def same(one, other):
    """Equal to the bit, NaN included."""
    return np.float64(one).tobytes() == np.float64(other).tobytes()


@given(st.data(), tables())
def test_fisher_z_symmetry(data, X):
    """The answer has the same bits for (i, j) and (j, i) and for any order of S."""
    test = FisherZ(X)
    i, j, S = data.draw(questions(X.shape[1]))
    shuffled = data.draw(st.permutations(S))
    assert same(test.p_value(i, j, S), test.p_value(j, i, shuffled))
    assert same(test.statistic(i, j, S), test.statistic(j, i, shuffled))


@given(st.data(), tables())
def test_fisher_z_range(data, X):
    """An answer lies in [0, 1], or is NaN exactly where there are too few rows."""
    i, j, S = data.draw(questions(X.shape[1]))
    p = FisherZ(X).p_value(i, j, S)
    if len(X) - len(S) - 3 <= 0:
        assert np.isnan(p)
    else:
        assert 0.0 <= p <= 1.0


@given(st.data(), tables())
def test_fisher_z_relabelling(data, X):
    """Permuting the columns permutes the answers: no column is confused with another."""
    d = X.shape[1]
    order = data.draw(st.permutations(range(d)))
    i, j, S = data.draw(questions(d))
    moved = FisherZ(X[:, order]).p_value(order.index(i), order.index(j), [order.index(s) for s in S])
    np.testing.assert_allclose(moved, FisherZ(X).p_value(i, j, S), rtol=1e-6, atol=1e-9, equal_nan=True)


@given(st.data(), tables())
def test_fisher_z_batches(data, X):
    """A batch answers like single questions, and a memo like the test."""
    test = FisherZ(X)
    batch = [canonical(*data.draw(questions(X.shape[1]))) for _ in range(data.draw(st.integers(1, 6)))]
    alone = np.array([test.p_value(*question) for question in batch])
    memo = Memo(test)
    assert test.p_values(batch).tobytes() == alone.tobytes()
    assert memo.p_values(batch).tobytes() == memo.p_values(batch).tobytes() == alone.tobytes()
    assert memo.n_asked == len(set(batch))
    assert memo.n_untestable == len({q for q, p in zip(batch, alone, strict=True) if np.isnan(p)})


@given(st.data(), tables(), st.integers(-30, 30))
def test_fisher_z_units(data, X, power):
    """Shifts and units change nothing; the sign of a column changes only the statistic's sign."""
    i, j, S = data.draw(questions(X.shape[1]))
    scaled = X.copy()
    scaled[:, i] *= -(2.0**power)
    one, other = FisherZ(X), FisherZ(scaled)
    assert same(one.p_value(i, j, S), other.p_value(i, j, S))
    np.testing.assert_equal(-one.statistic(i, j, S), other.statistic(i, j, S))


@given(st.data(), dags())
def test_oracle_symmetry(data, dag):
    """d-separation does not depend on the order of i and j or of S, and is 0 or 1."""
    oracle = DSeparation(dag)
    i, j, S = data.draw(questions(dag.d))
    p = oracle.p_value(i, j, S)
    assert p in {0.0, 1.0}
    assert p == oracle.p_value(j, i, S[::-1]) == Memo(oracle).p_value(i, j, S)
