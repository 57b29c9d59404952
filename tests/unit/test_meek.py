"""Meek's rules, one by one and all together."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from secondlook.errors import GraphError
from secondlook.graphs import PDAG, closure, cpdag, is_acyclic
from zoo import all_dags, all_pdags, random_dag

RULE_3 = PDAG("xace", ["ac", "ec"], ["xa", "xe", "xc"])
RULE_4 = PDAG("xcez", ["ce", "ez"], ["xc", "xe", "xz"])


def test_rule_1_points_away_from_an_arrow():
    """A -> b -- c gives b -> c when a and c are not adjacent."""
    assert closure(PDAG("abc", ["ab"], ["bc"])) == PDAG("abc", ["ab", "bc"])


def test_rule_1_needs_an_unshielded_triple():
    """A -> b -- c stays as it is when a and c are adjacent."""
    shielded = PDAG("abc", ["ab"], ["bc", "ac"])
    assert closure(shielded) == shielded


def test_rule_2_avoids_a_cycle():
    """A -> b -> c with a -- c gives a -> c."""
    assert closure(PDAG("abc", ["ab", "bc"], ["ac"])) == PDAG("abc", ["ab", "bc", "ac"])


def test_rule_3_points_at_the_collider():
    """Two lines into the tails of a collider force the third line into its middle."""
    assert closure(RULE_3) == PDAG("xace", ["ac", "ec", "xc"], ["xa", "xe"])


def test_rule_4_points_at_the_end_of_the_chain():
    """X -- c -> e -> z with x -- e and c, z not adjacent gives x -> z."""
    assert closure(RULE_4) == PDAG("xcez", ["ce", "ez", "xz"], ["xc", "xe"])


def test_rules_feed_each_other():
    """A single arrow runs down a whole path."""
    assert closure(PDAG("edcba", ["ab"], ["bc", "cd", "de"])) == PDAG("edcba", ["ab", "bc", "cd", "de"])


@pytest.mark.parametrize("triple", ["abc", "cba"])
def test_ambiguous_triple_stops_rule_1(triple):
    """R1 says nothing about an ambiguous triple, whichever end comes first."""
    graph = PDAG("abc", ["ab"], ["bc"])
    assert closure(graph, ambiguous={tuple(triple)}) == graph


def test_ambiguous_triple_stops_rule_3():
    """R3 needs the two tails to be a non-collider at the first node."""
    assert closure(RULE_3, ambiguous={("e", "x", "a")}) == RULE_3
    assert closure(RULE_3, ambiguous={("a", "c", "e")}) != RULE_3


def test_ambiguous_triple_stops_rule_4():
    """R4 needs c -- x -- z to be a non-collider at x."""
    assert closure(RULE_4, ambiguous={("z", "x", "c")}) == RULE_4


def test_rule_4_notices_that_its_first_arrow_came_later():
    """The arrow c -> e appears after e -> z was looked at, and x -> z still follows."""
    graph = PDAG("ezwcx", ["ez", "wc"], ["xw", "xc", "xe", "xz", "ce"])
    closed = closure(graph, ambiguous={("w", "x", "e")})
    assert closed == PDAG("ezwcx", ["ez", "wc", "ce", "xz"], ["xw", "xc", "xe"])


def test_rule_4_notices_that_its_second_arrow_came_later():
    """The arrow e -> z appears after c -> e was looked at, and x -> z still follows."""
    graph = PDAG("cwezx", ["ce", "we"], ["xc", "xe", "xz", "xw", "wc", "ez"])
    closed = closure(graph, ambiguous={("c", "e", "z"), ("w", "x", "z")})
    assert closed == PDAG("cwezx", ["ce", "we", "ez", "xz"], ["xc", "xe", "xw", "wc"])


def test_ambiguous_triples_must_be_triples_of_nodes():
    """A triple with an unknown node or another length is refused."""
    with pytest.raises(GraphError, match="no node 'z'"):
        closure(PDAG("abc"), ambiguous={("a", "b", "z")})
    with pytest.raises(GraphError, match=r"must hold three names. Got \('a', 'b'\)"):
        closure(PDAG("abc"), ambiguous={("a", "b")})  # type: ignore[arg-type]


def test_opposite_demands_are_settled_by_the_lower_columns():
    """Where two arrows ask for opposite arrows the first to ask wins, and nothing is turned round."""
    assert closure(PDAG("abcd", ["ab", "dc"], ["bc"])) == PDAG("abcd", ["ab", "dc", "bc"])


def test_closure_of_any_graph_keeps_skeleton_and_arrows():
    """On every graph with four nodes closing keeps skeleton and arrows, and closing again does nothing."""
    for graph in all_pdags(4):
        closed = closure(graph)
        assert closed.skeleton == graph.skeleton
        assert set(graph.directed) <= set(closed.directed)
        assert closure(closed) == closed


def test_closure_of_a_cycle_keeps_the_cycle():
    """A directed cycle is left alone."""
    cycle = PDAG("abcd", ["ab", "bc", "ca"], ["cd"])
    assert not is_acyclic(closure(cycle))
    assert set(cycle.directed) <= set(closure(cycle).directed)


def test_closure_with_knowledge_is_what_the_class_agrees_on():
    """With arrows known from a DAG, the closure is what all equivalent DAGs with these arrows share.

    This is Meek's completeness theorem, on every DAG with four nodes and every choice of known arrows.
    """
    classes: dict[PDAG, list[frozenset[tuple[str, str]]]] = {}
    for dag in all_dags(4):
        classes.setdefault(cpdag(dag), []).append(frozenset(dag.directed))
    for pattern, members in classes.items():
        for known in _choices(pattern, members):
            lines = [(a, b) for a, b in pattern.undirected if not {(a, b), (b, a)} & known]
            agreeing = [arrows for arrows in members if known <= arrows]
            expected = frozenset.intersection(*agreeing)
            closed = closure(PDAG(pattern.names, [*pattern.directed, *known], lines))
            assert frozenset(closed.directed) == expected, (pattern, known)


def _choices(pattern, members):
    """Every set of arrows on the lines of a CPDAG that some DAG of its class has."""
    return {
        frozenset(known)
        for arrows in members
        for free in [sorted(arrows - set(pattern.directed))]
        for known in chain.from_iterable(combinations(free, k) for k in range(len(free) + 1))
    }


def test_closure_of_a_permuted_pattern_is_permuted(rng):
    """The closure of an extendable graph does not depend on the column order."""
    for _ in range(20):
        dag = random_dag(rng, 12)
        order = [dag.names[k] for k in rng.permutation(12)]
        pattern = cpdag(dag)
        some = [pair for pair in dag.directed if not pattern.has_edge(*reversed(pair)) or rng.random() < 0.2]
        rest = [pair for pair in dag.directed if pair not in some]
        graph = PDAG(dag.names, some, rest)
        assert closure(graph.relabelled(order)) == closure(graph).relabelled(order)
