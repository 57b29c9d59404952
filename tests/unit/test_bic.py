"""BIC and EBIC: what they add up, what counts as infinite, how ties end."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest

import secondlook as sl
from secondlook import BIC, EBIC, PDAG, FisherZ, OptionError
from secondlook.graphs import consistent_extension, cpdag, extension, is_extendable
from secondlook.selection import Problem
from secondlook.selection.likelihood import (
    GaussianScore,
    families_of,
    naive_families,
    residual_variances,
)
from twins.likelihood import gaussian_bic, naive_bic
from zoo import NOT_EXTENDABLE, path_of, random_dag, random_pdag


def problem_of(test: sl.CITest) -> Problem:
    """The problem of a bound test."""
    return Problem(test, sl.SearchOptions())


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0])
def test_score_is_that_of_least_squares_on_the_rows(gamma, rng):
    """On random DAGs the score equals the one from a regression per variable."""
    X = rng.normal(size=(60, 6)) @ rng.normal(size=(6, 6)) + 5.0
    score = GaussianScore(FisherZ(X), gamma)
    for _ in range(20):
        dag = random_dag(rng, 6, 3.0)
        assert score(families_of(dag)) == pytest.approx(gaussian_bic(dag, X, gamma), abs=1e-8)


def test_naive_score_is_that_of_least_squares_on_the_rows(rng):
    """The naive parents are the directed ones and the neighbours of lower index."""
    X = rng.normal(size=(80, 6)) @ rng.normal(size=(6, 6))
    score = GaussianScore(FisherZ(X))
    for _ in range(20):
        graph = random_pdag(rng, 6, 3.0)
        assert score(naive_families(graph)) == pytest.approx(naive_bic(graph, X), abs=1e-8)


def test_rule_scores_are_those_of_the_extensions(rng):
    """Each alpha's score is the twin's score of its graph's extension, and the smallest is kept."""
    X = sl.simulate(7, 150, rng=rng, degree=3).data
    for rule, gamma in ((BIC(), 0.0), (EBIC(), 1.0), (EBIC(gamma=0.25), 0.25)):
        found = sl.autopc(X, rule=rule)
        expected = [gaussian_bic(extension(graph).dag, X, gamma) for graph in found.path.first.graphs]
        assert [score.value for score in found.scores] == pytest.approx(expected, abs=1e-7)
        assert found.chosen == int(np.argmin([score.value for score in found.scores]))
        assert found.details["extendable"] == tuple(map(is_extendable, found.path.first.graphs))
        assert found.details["defined"] == (True,) * len(found.alphas)


def test_equivalent_dags_score_the_same(rng):
    """Markov equivalent DAGs have one likelihood and as many edges."""
    score = GaussianScore(FisherZ(rng.normal(size=(50, 8)) @ rng.normal(size=(8, 8))), 1.0)
    for _ in range(10):
        dag = random_dag(rng, 8, 3.0)
        other = consistent_extension(cpdag(dag).relabelled(sorted(dag.names, reverse=True)))
        families = families_of(other.relabelled(dag.names))
        assert score(families) == pytest.approx(score(families_of(dag)), rel=1e-12)


def test_score_does_not_depend_on_the_order_of_families(rng):
    """The sum is rounded once, so its order plays no part."""
    score = GaussianScore(FisherZ(rng.normal(size=(50, 30))))
    families = families_of(random_dag(rng, 30, 4.0))
    assert len({score([families[k] for k in rng.permutation(30)]) for _ in range(20)}) == 1


@pytest.mark.parametrize("graph", NOT_EXTENDABLE.values(), ids=NOT_EXTENDABLE)
def test_graphs_without_extension_are_scored_by_the_fallback_and_flagged(graph, rng):
    """The record says where no DAG fits the graph, and what is scored is the fallback."""
    X = rng.normal(size=(100, graph.d)) @ rng.normal(size=(graph.d, graph.d))
    path = path_of(PDAG(graph.names), graph)
    choice = BIC().choose(path, problem_of(FisherZ(X, names=graph.names)))
    assert choice.details["extendable"] == (True, False)
    assert choice.scores[1].value == pytest.approx(gaussian_bic(extension(graph).dag, X), abs=1e-8)
    naive = BIC(extension="naive").choose(path, problem_of(FisherZ(X, names=graph.names)))
    assert naive.scores[1].value == pytest.approx(naive_bic(graph, X), abs=1e-8)
    assert "extendable" not in naive.details


def test_equal_scores_keep_the_smaller_alpha(rng):
    """One graph at two alphas ties, the first is kept, and both are named."""
    graph = PDAG("ab", ["ab"])
    a = rng.normal(size=200)
    X = np.column_stack([a, a + rng.normal(size=200)])
    choice = BIC().choose(path_of(PDAG("ab"), graph, graph), problem_of(FisherZ(X, names=list("ab"))))
    assert (choice.chosen, choice.ties) == (1, (1, 2))


def test_too_many_parents_for_the_rows_count_as_infinite():
    """With as many parents as rows less one the score is infinite, and that is said, whatever the matrix."""
    drawn = FisherZ(np.random.default_rng(0).normal(size=(4, 5)))
    given = FisherZ(correlation=np.eye(5), n=4, names=drawn.names)
    three, two = (PDAG(drawn.names, [(name, "x4") for name in drawn.names[:k]]) for k in (3, 2))
    for test in (drawn, given):
        choice = BIC().choose(path_of(PDAG(drawn.names), three, two), problem_of(test))
        assert choice.scores[1].value == inf
        assert choice.details["defined"] == (True, False, True)
        assert choice.chosen != 1


def test_collinear_parents_count_as_infinite(rng):
    """A family whose parents determine each other, or the child, is lost; a lone pair of them is not."""
    a, b = rng.normal(size=(2, 50))
    test = FisherZ(np.column_stack([a, b, a + b, rng.normal(size=50)]), names=list("abcd"))
    score = GaussianScore(test)
    assert score(families_of(PDAG("abcd", ["ac", "bc"]))) == inf
    assert score(families_of(PDAG("abcd", ["ad", "bd", "cd"]))) == inf
    assert score(families_of(PDAG("abcd", ["ad", "cd"]))) < inf
    assert residual_variances(test.correlation, [(2, (0, 1)), (0, ())]).tolist() == [0.0, 1.0]


def test_all_scores_infinite_keep_the_first():
    """When no graph can be scored the smallest alpha is kept, and all tie."""
    test = FisherZ(np.random.default_rng(0).normal(size=(4, 5)))
    star = PDAG(test.names, [(name, "x4") for name in test.names[:4]])
    choice = BIC().choose(path_of(star, star), problem_of(test))
    assert (choice.chosen, choice.ties, choice.details["defined"]) == (0, (0, 1), (False, False))


def test_ebic_asks_more_of_an_edge():
    """A correlation between the two thresholds keeps its edge with BIC and not with EBIC."""
    n, d = 100, 5
    per_edge = (log(n) + log(n) + 4 * log(d)) / 2  # halfway between the two penalties
    r = np.sqrt(1 - np.exp(-per_edge / n))
    correlation = np.eye(d)
    correlation[0, 1] = correlation[1, 0] = r
    test = FisherZ(correlation=correlation, n=n, names=list("abcde"))
    path = path_of(PDAG("abcde"), PDAG("abcde", ["ab"]))
    assert BIC().choose(path, problem_of(test)).chosen == 1
    assert EBIC().choose(path, problem_of(test)).chosen == 0
    assert EBIC(gamma=0.0).choose(path, problem_of(test)).chosen == 1


def test_bic_needs_a_gaussian_test():
    """A test that is not Fisher's z is refused with its name."""
    for rule in (BIC(), EBIC()):
        with pytest.raises(OptionError, match=f"The rule {rule.name} scores.*Got DSeparation"):
            sl.autopc(sl.DSeparation(PDAG("abc", ["ab"])), rule=rule)
