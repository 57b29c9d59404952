"""CPDAGs, v-structures and Markov equivalence, against definitions spelt out by brute force."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from secondlook.errors import GraphError
from secondlook.graphs import (
    PDAG,
    DSeparator,
    consistent_extension,
    cpdag,
    is_acyclic,
    is_cpdag,
    is_dag,
    markov_equivalent,
    topological_order,
    unshielded_triples,
    v_structures,
)
from zoo import DAGS, NOT_EXTENDABLE, all_dags, all_pdags, names, random_dag


def _independencies(dag: PDAG) -> frozenset[tuple[int, int, tuple[int, ...]]]:
    """Everything that d-separation in the DAG implies."""
    separator = DSeparator(dag)
    found = []
    for i, j in combinations(range(dag.d), 2):
        others = [k for k in range(dag.d) if k not in (i, j)]
        for size in range(len(others) + 1):
            found += [(i, j, S) for S in combinations(others, size) if separator.separated(i, j, S)]
    return frozenset(found)


def _classes(d: int) -> list[list[PDAG]]:
    """All DAGs on d nodes, those with the same independencies together."""
    classes: dict[frozenset[tuple[int, int, tuple[int, ...]]], list[PDAG]] = {}
    for dag in all_dags(d):
        classes.setdefault(_independencies(dag), []).append(dag)
    return list(classes.values())


@pytest.mark.parametrize(("d", "count"), [(1, 1), (2, 2), (3, 11), (4, 185)])
def test_cpdag_is_the_union_of_its_class(d, count):
    """An arrow of the CPDAG is in every DAG of the class, and a line is in the class both ways."""
    classes = _classes(d)
    assert len(classes) == count
    for members in classes:
        shared = frozenset.intersection(*(frozenset(dag.directed) for dag in members))
        free = [pair for pair in members[0].directed if pair not in shared]
        expected = PDAG(members[0].names, shared, free)
        assert {cpdag(dag) for dag in members} == {expected}


@pytest.mark.slow
def test_cpdag_finds_all_classes_on_five_nodes():
    """There are 8782 Markov equivalence classes on five nodes."""
    assert len({cpdag(dag) for dag in all_dags(5)}) == 8782


def test_is_cpdag_accepts_exactly_the_cpdags():
    """Of all 4096 graphs on four nodes, the 185 CPDAGs of DAGs pass and no other."""
    cpdags = {cpdag(dag) for dag in all_dags(4)}
    assert {graph for graph in all_pdags(4) if is_cpdag(graph)} == cpdags


def test_cpdag_is_a_fixed_point_of_completion(rng):
    """The CPDAG of an extension of a CPDAG is that CPDAG."""
    for d in (5, 10, 40):
        complete = cpdag(random_dag(rng, d))
        assert cpdag(consistent_extension(complete)) == complete
        assert is_cpdag(complete)


@pytest.mark.parametrize("dag", DAGS.values(), ids=DAGS)
def test_cpdag_does_not_depend_on_column_order(dag):
    """Permuting the columns permutes the CPDAG."""
    order = dag.names[::-1]
    assert cpdag(dag.relabelled(order)) == cpdag(dag).relabelled(order)


def test_cpdag_of_known_graphs():
    """Chains and forks are all lines; colliders and what hangs on them are arrows."""
    assert cpdag(DAGS["chain"]) == DAGS["chain"].skeleton
    assert cpdag(DAGS["fork"]) == DAGS["fork"].skeleton
    assert cpdag(DAGS["complete"]) == DAGS["complete"].skeleton
    assert cpdag(DAGS["collider with a tail"]) == DAGS["collider with a tail"]
    assert cpdag(DAGS["diamond"]) == PDAG("abcd", ["bd", "cd"], ["ab", "ac"])


def test_cpdag_refuses_lines_and_cycles():
    """Only a DAG has a CPDAG; the message names the line or the cycle."""
    with pytest.raises(GraphError, match=r"cpdag needs a DAG. Got the line 'a' -- 'b'"):
        cpdag(PDAG("ab", (), ["ab"]))
    with pytest.raises(GraphError, match=r"directed cycle among '[abc]', '[abc]', '[abc]'; remove"):
        cpdag(PDAG("xabcy", ["xa", "ab", "bc", "ca", "cy"]))


def test_v_structures_are_unshielded_colliders():
    """A collider counts when its parents are not adjacent, and is named once."""
    assert v_structures(DAGS["collider"]) == (("a", "b", "c"),)
    assert v_structures(DAGS["complete"]) == ()
    assert v_structures(PDAG("abc", ["ab", "cb"], ["ac"])) == ()
    assert v_structures(PDAG("abc", ["ab"], ["bc"])) == ()
    assert v_structures(PDAG("dcba", ["ab", "cb", "db"])) == (
        ("d", "b", "c"),
        ("d", "b", "a"),
        ("c", "b", "a"),
    )


def test_unshielded_triples_are_paths_whose_ends_are_apart():
    """Each triple is a pair of adjacent steps between nodes that are not adjacent, on all small graphs."""
    assert unshielded_triples(DAGS["chain"]) == (("a", "b", "c"), ("b", "c", "d"))
    for graph in all_pdags(3):
        expected = {
            (x, y, z)
            for x, y, z in permutations(graph.names, 3)
            if x < z and graph.is_adjacent(x, y) and graph.is_adjacent(y, z) and not graph.is_adjacent(x, z)
        }
        assert set(unshielded_triples(graph)) == expected


def test_is_acyclic_looks_at_arrows_only():
    """A directed cycle is found at any length, and lines close none."""
    assert all(is_acyclic(dag) for dag in DAGS.values())
    assert not is_acyclic(NOT_EXTENDABLE["directed cycle"])
    assert is_acyclic(PDAG("abc", ["ab", "bc"], ["ca"]))
    ring = [(f"x{i}", f"x{(i + 1) % 50}") for i in range(50)]
    assert not is_acyclic(PDAG(names(50), ring))
    assert is_acyclic(PDAG(names(50), ring[:-1]))


def test_is_dag_needs_arrows_without_a_cycle():
    """A line or a cycle makes a graph no DAG, on all graphs with three nodes."""
    assert {graph for graph in all_pdags(3) if is_dag(graph)} == set(all_dags(3))


def test_topological_order_puts_parents_first(rng):
    """Every arrow points forward in the order, and ties keep column order."""
    dag = random_dag(rng, 30)
    place = {name: k for k, name in enumerate(topological_order(dag))}
    assert all(place[tail] < place[head] for tail, head in dag.directed)
    assert topological_order(PDAG("cab")) == ("c", "a", "b")
    with pytest.raises(GraphError, match="topological_order needs a DAG"):
        topological_order(PDAG("ab", (), ["ab"]))


def test_topological_order_takes_the_earliest_column_that_is_free(rng):
    """At each step the first column whose parents are all out comes next."""
    for _ in range(20):
        dag = random_dag(rng, 12)
        left, expected = list(dag.names), []
        while left:
            free = next(name for name in left if not set(dag.parents(name)) & set(left))
            expected.append(free)
            left.remove(free)
        assert topological_order(dag) == tuple(expected)


def test_markov_equivalent_means_the_same_independencies():
    """On all pairs of DAGs with three nodes the answer is equality of the implied independencies."""
    dags = list(all_dags(3))
    implied = {dag: _independencies(dag) for dag in dags}
    for a in dags:
        for b in dags:
            assert markov_equivalent(a, b) == (implied[a] == implied[b])


def test_markov_equivalent_matches_names_not_columns():
    """The same DAG in another column order is equivalent."""
    dag = DAGS["m-bias"]
    assert markov_equivalent(dag, dag.relabelled(dag.names[::-1]))


def test_markov_equivalent_refuses_what_it_cannot_compare():
    """Other names and graphs that are no DAGs are refused."""
    with pytest.raises(GraphError, match=r"over the same names. Only one has 'b', 'c'"):
        markov_equivalent(PDAG("ab"), PDAG("ac"))
    with pytest.raises(GraphError, match="markov_equivalent needs a DAG"):
        markov_equivalent(PDAG("ab", ["ab"]), PDAG("ab", (), ["ab"]))
