"""BIC and EBIC over categories: the score, and the rules that use it."""

from __future__ import annotations

from itertools import combinations
from math import log

import numpy as np
import pytest

from secondlook import BIC, EBIC, PDAG, DSeparation, GSquare, OptionError, autopc
from secondlook.selection.likelihood import DiscreteScore, families_of
from secondlook.simulation import DiscreteNetwork
from twins.contingency import log_likelihood, random_codes

LEVELS = [3, 2, 9, 2, 70]


def slow_score(codes, levels, families, gamma):
    """The score from its definition."""
    n, d = codes.shape
    total = 0.0
    for i, parents in families:
        free = (levels[i] - 1) * np.prod([levels[p] for p in parents], dtype=float)
        total += -2 * log_likelihood(codes, (i, parents)) + log(n) * free + 4 * gamma * log(d) * len(parents)
    return total


@pytest.mark.parametrize("gamma", [0.0, 1.0])
def test_score_equals_the_twin(gamma, rng):
    """The score of any families is that of the definition, whichever were met before."""
    codes = random_codes(rng, 400, LEVELS)
    test = GSquare(codes)
    score = DiscreteScore(test, gamma)
    levels = [len(own) for own in test.levels]
    for i in range(5):
        others = [k for k in range(5) if k != i]
        for size in range(5):
            for parents in combinations(others, size):
                families = [(i, parents), (others[0], ())]
                expected = slow_score(codes, levels, families, gamma)
                assert score(families) == pytest.approx(expected, rel=1e-12)


def test_score_is_the_same_within_an_equivalence_class(rng):
    """DAGs with the same skeleton and v-structures have the same score."""
    score = DiscreteScore(GSquare(random_codes(rng, 500, [3, 2, 4])))
    chains = (["ab", "bc"], ["cb", "ba"], ["ba", "bc"])
    first, *others = (score(families_of(PDAG("abc", arrows))) for arrows in chains)
    assert others == pytest.approx([first, first], rel=1e-12)
    assert score(families_of(PDAG("abc", ["ab", "cb"]))) != pytest.approx(first, rel=1e-9)


def network():
    """Four binary variables: a -> c <- b, c -> e."""
    dag = PDAG("abce", ["ac", "bc", "ce"])
    fair = np.array([0.5, 0.5])
    c = np.array([[[0.9, 0.1], [0.4, 0.6]], [[0.3, 0.7], [0.05, 0.95]]])
    e = np.array([[0.8, 0.2], [0.25, 0.75]])
    return DiscreteNetwork(dag, (("n", "y"),) * 4, (fair, fair, c, e))


@pytest.mark.parametrize("rule", [BIC(), EBIC(gamma=0.5)])
def test_rule_finds_the_graph_of_a_network(rule, rng):
    """From many rows of a network the rules keep an alpha whose graph is the network's own."""
    truth = network()
    found = autopc(GSquare(truth.sample(20_000, rng)), rule=rule)
    assert found.graph == truth.dag
    assert found.metric == rule.name.lower()
    values = [score.value for score in found.scores]
    assert found.chosen == int(np.argmin(values))
    exact = DiscreteScore(GSquare(truth.sample(1000, rng)), 0.0)(families_of(truth.dag))
    assert 1000 < exact < 6000


def test_rule_with_another_test():
    """A test that is neither Gaussian nor discrete has no BIC, and the sentence says which have."""
    with pytest.raises(OptionError, match=r"so it needs FisherZ or GSquare\. Got DSeparation"):
        autopc(DSeparation(PDAG("abc", ["ab", "cb"])), rule=BIC())
