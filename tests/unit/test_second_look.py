"""secondlook(): what the guard says, how alpha is chosen, any test, the oracle, and the record on disk."""

from __future__ import annotations

import json
from itertools import islice
from math import inf

import numpy as np
import pytest

from secondlook import (
    DataError,
    DSeparation,
    FisherZ,
    GSquare,
    OptionError,
    SearchOptions,
    Selection,
    alpha_path,
    metrics,
    secondlook,
)
from secondlook.graphs import cpdag, extension, is_cpdag
from secondlook.independence import CITest
from secondlook.selection import EBIC, Problem
from secondlook.simulation import random_linear_model
from zoo import DAGS, all_dags, random_dag

CHUNKS = 24
NOT_TRIED = "Not repaired: its two looks differ too much for it to be chosen."


class Plain(CITest):
    """A test that hides what it is made of."""

    def __init__(self, test: CITest) -> None:
        self.names = test.names
        self._test = test

    def p_value(self, i, j, S):
        return self._test.p_value(i, j, S)


def sample(rng: np.random.Generator, d: int = 8, n: int = 150, degree: float = 4.0) -> FisherZ:
    """Fisher's z on few rows of a dense random linear model."""
    dag = random_dag(rng, d, degree)
    return FisherZ(random_linear_model(dag, rng).sample(n, rng), names=dag.names)


def skeletons(graph):
    """The pairs of a graph, in column order."""
    return {tuple(sorted(pair, key=graph.index)) for pair in graph.skeleton.undirected}


def test_corrections_say_what_the_looks_say(rng):
    """Disputed, joined and parted pairs are the differences of the raw graphs of the path."""
    joined = parted = 0
    for _ in range(20):
        found = secondlook(sample(rng))
        path = found.path
        assert [c.alpha for c in found.answer.corrections] == list(path.alphas)
        for k, c in enumerate(found.answer.corrections):
            first, second, repaired = (
                skeletons(look.graphs[k]) for look in (path.first, path.second_look, path.repaired_look)
            )
            assert set(c.disputed) == second - first
            assert set(c.joined) == repaired - first
            assert set(c.parted) == first - repaired
            assert c.extendable == tuple(
                extension(look.graphs[k]).extendable for look in (path.first, path.repaired_look)
            )
            joined, parted = joined + len(c.joined), parted + len(c.parted)
    assert joined > 20
    assert parted > 0


def test_guard_keeps_repaired_graphs_that_fit_and_score_better(rng):
    """The guard's sentence, what it kept and the scores it looked at belong together."""
    seen = set()
    for _ in range(60):
        found = secondlook(sample(rng, degree=5.0), polish=False)
        best = min(found.path.differing_marks)
        for k, c in enumerate(found.answer.corrections):
            if found.path.differing_marks[k] > best + 2:
                assert (c.kept, c.why) == ("first look", NOT_TRIED)
                assert found.path.repaired_look.graphs[k] == found.path.first.graphs[k]
                continue
            same = found.path.first.graphs[k] == found.path.repaired_look.graphs[k]
            better = c.ebic[1] < c.ebic[0]
            assert (c.kept == "repaired") == (not same and c.extendable[1] and better)
            assert c.is_repaired == (c.kept == "repaired")
            if same:
                expected = "The repair changed nothing."
            elif not c.extendable[1]:
                expected = "No DAG fits the repaired graph."
            elif better:
                expected = "The repaired graph fits better: its extended BIC is lower."
            else:
                expected = "The repaired graph fits no better: its extended BIC is not lower."
            assert c.why == expected
            seen.add(expected)
    assert len(seen) == 4


@pytest.mark.parametrize("seed", [1, 34])
def test_guard_refuses_what_has_no_score(seed):
    """A repaired graph with as many parents as rows less one has no score, and is not kept."""
    rng = np.random.default_rng([5, 10, seed])
    X = rng.normal(size=(5, 1)) + 0.3 * rng.normal(size=(5, 10))
    found = secondlook(X, polish=False, alphas=[0.6])
    without = [c for c in found.answer.corrections if c.extendable[1] and c.ebic[1] == inf]
    assert without
    for c in without:
        assert c.kept == "first look"
        assert c.why == "The repaired graph has a family with too many parents for a score."


def test_ebic_of_the_first_look_is_that_of_the_rule(rng):
    """Where some DAG fits the first look's graph, its score is the one that the rule EBIC gives it."""
    compared = 0
    for _ in range(10):
        test = sample(rng)
        found = secondlook(test, polish=False)
        rule = EBIC().choose(found.path, Problem(test, SearchOptions()))
        for c, score in zip(found.answer.corrections, rule.scores, strict=True):
            if c.extendable[0]:
                compared += 1
                assert c.ebic[0] == pytest.approx(score.value, abs=1e-7)
    assert compared > 20


def test_choice_is_the_lowest_score_among_nearly_best_agreements(rng):
    """A Gaussian test keeps the first lowest extended BIC among alphas within two marks of the best pair."""
    moved = 0
    for _ in range(30):
        found = secondlook(sample(rng, n=400), polish=False)
        path = found.path
        mistakes = [
            metrics.shd(a, b) for a, b in zip(path.first.graphs, path.second_look.graphs, strict=True)
        ]
        assert found.details["disputed_marks"] == tuple(mistakes)
        scores = [c.ebic[c.is_repaired] for c in found.answer.corrections]
        near = [k for k, count in enumerate(mistakes) if count <= min(mistakes) + 2]
        assert found.chosen in near
        assert scores[found.chosen] == pytest.approx(min(scores[k] for k in near), rel=1e-6)
        assert all(scores[k] > scores[found.chosen] + 1e-9 for k in near if k < found.chosen)
        assert [score.value for score in found.scores] == pytest.approx(scores)
        moved += found.chosen != mistakes.index(min(mistakes))
    assert moved > 0


@pytest.mark.parametrize("metric", ["shd", "f1", "mcc"])
def test_choice_of_any_other_test_is_the_best_agreement(metric, rng):
    """A test that is not Gaussian keeps the first alpha whose looks agree best, in the metric given."""
    for _ in range(6):
        found = secondlook(Plain(sample(rng, d=6)), metric=metric)
        assert found.path.engine == "generic"
        assert (found.metric, found.answer.polish) == (metric, None)
        keys = [score.key for score in found.scores]
        assert found.chosen == keys.index(max(keys))
        assert all(c.ebic is None for c in found.answer.corrections)
        assert is_cpdag(found.graph)


def test_guard_of_any_other_test_asks_for_a_dag_only(rng):
    """Without scores a repaired graph is kept wherever some DAG fits it."""
    kept = set()
    for _ in range(60):
        found = secondlook(Plain(sample(rng, d=7, degree=5.0)))
        for k, c in enumerate(found.answer.corrections):
            if k != found.chosen:
                assert (c.kept, c.why) == ("first look", NOT_TRIED)
                assert found.path.repaired_look.graphs[k] == found.path.first.graphs[k]
                continue
            same = found.path.first.graphs[k] == found.path.repaired_look.graphs[k]
            assert (c.kept == "repaired") == (not same and c.extendable[1])
            kept.add(c.why)
    assert kept == {
        "The repair changed nothing.",
        "No DAG fits the repaired graph.",
        "Some DAG fits the repaired graph.",
    }


def test_unpolished_answer_is_the_kept_graph_made_valid(rng):
    """Without polish the answer is the CPDAG of the kept graph's DAG, and what it changed is settled."""
    settled = 0
    for _ in range(30):
        found = secondlook(sample(rng, n=60, degree=5.0), polish=False)
        correction = found.answer.corrections[found.chosen]
        look = found.path.repaired_look if correction.is_repaired else found.path.first
        raw = look.graphs[found.chosen]
        assert found.graph.skeleton == raw.skeleton
        assert is_cpdag(found.graph)
        assert bool(found.answer.settled) == (raw != found.graph)
        if correction.extendable[correction.is_repaired]:
            assert found.graph == cpdag(extension(raw).dag)
        settled += len(found.answer.settled)
    assert settled > 0


def test_polish_auto_is_skipped_with_many_columns():
    """Beyond 500 columns "auto" does not polish and says so; True does."""
    test = FisherZ(correlation=np.eye(501), n=100)
    found = secondlook(test)
    assert found.answer.polish.skipped == "more than 500 columns; polish=True does it all the same"
    assert found.graph.n_edges == 0
    assert not secondlook(test, polish=True).answer.polish.skipped


def test_polish_of_another_test_is_refused():
    """What is not Gaussian has no score to search by: polish=True is refused in one sentence."""
    with pytest.raises(OptionError, match="Only a FisherZ test can be polished"):
        secondlook(DSeparation(DAGS["chain"]), polish=True)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"colliders": "first"}, r"SecondLook orients by colliders='vote'; .* Got 'first'\."),
        ({"polish": "yes"}, r"The 'polish' option must be True, False or 'auto'\. Got 'yes'\."),
        ({"metric": "sdh"}, "Did you mean 'shd'"),
        ({"alphas": [0.1, 0.01]}, "must ascend"),
    ],
)
def test_wrong_options_are_refused(keywords, said, rng):
    """Options are refused in one sentence each, before anything is asked."""
    with pytest.raises(OptionError, match=said):
        secondlook(sample(rng), **keywords)


def test_tables_bind_the_test_that_is_asked_for(rng):
    """A table is bound by Fisher's z, or by the test given."""
    X = rng.integers(0, 3, size=(300, 4))
    X[:, 3] = (X[:, 0] + X[:, 1] + (rng.random(300) < 0.2)) % 3
    assert secondlook(X).path.engine == "native"
    found = secondlook(X, test=GSquare)
    assert found.path.engine == "generic"
    assert is_cpdag(found.graph)


def test_two_native_and_generic_paths_agree(rng):
    """Raw graphs of all three looks are the same for Fisher's z by either engine, in one column order."""
    test = sample(rng, d=6)
    native, generic = (
        alpha_path(test, [0.01, 0.1], repair=True, engine=engine) for engine in ("native", "generic")
    )
    for look in ("first", "second", "repaired"):
        assert getattr(native, look).graphs[:] == getattr(generic, look).graphs[:]


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_oracle_gives_the_cpdag_of_every_small_dag(d):
    """With a test that knows the truth the answer is the true CPDAG."""
    for dag in all_dags(d):
        found = secondlook(DSeparation(dag), alphas=[0.05])
        assert found.graph == cpdag(dag)
        assert found.answer.settled == ()


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_oracle_gives_the_cpdag_of_every_dag_on_five_nodes(chunk):
    """So it is for all 29,281 DAGs on five nodes."""
    for dag in islice(all_dags(5), chunk, None, CHUNKS):
        assert secondlook(DSeparation(dag), alphas=[0.05]).graph == cpdag(dag)


def test_n_tests_counts_the_repair(rng):
    """The tests of a selection are those of both looks and of the repair."""
    found = secondlook(sample(rng))
    path = found.path
    assert path.repaired_look.n_tests > 0
    assert found.n_tests == sum(look.n_tests for look in (path.first, path.second_look, path.repaired_look))


@pytest.mark.parametrize("polish", [True, False])
@pytest.mark.parametrize("kind", ["native", "generic"])
def test_record_is_saved_and_loaded(kind, polish, tmp_path, rng):
    """The file keeps the answer, what was settled and corrected, the polish, and the repaired graphs."""
    for _ in range(6):
        test = sample(rng, d=6, n=80)
        found = secondlook(test, polish=polish) if kind == "native" else secondlook(Plain(test))
        found.save(tmp_path / "found.json")
        loaded = Selection.load(tmp_path / "found.json")
        assert loaded.graph == found.graph
        assert loaded.answer.settled == found.answer.settled
        assert loaded.answer.corrections == found.answer.corrections
        assert loaded.answer.polish == found.answer.polish
        assert loaded.path.repaired_look.graphs[:] == found.path.repaired_look.graphs[:]
        assert loaded.path.repaired_look.n_tests == found.path.repaired_look.n_tests
        assert np.array_equal(loaded.path.column_rank, found.path.column_rank)
        assert (loaded.chosen, loaded.tied, loaded.rule) == (found.chosen, found.tied, found.rule)
        assert loaded.details == found.details


def _answer(key, value):
    return lambda record: record["answer"].__setitem__(key, value)


def _correction(key, value):
    return lambda record: record["answer"]["corrections"][0].__setitem__(key, value)


def _polish(key, value):
    return lambda record: record["answer"]["polish"].__setitem__(key, value)


DAMAGE = {
    "no answer field": lambda record: record.pop("answer"),
    "no rank": lambda record: record.pop("rank"),
    "rank twice": lambda record: record["rank"].__setitem__(0, record["rank"][1]),
    "rank too short": lambda record: record["rank"].pop(),
    "repaired graphs gone": lambda record: record.__setitem__("repaired", None),
    "repaired edges unsorted": lambda record: record["repaired"][0]["edges"].reverse(),
    "a cycle": _answer("arrows", [[0, 1], [1, 2], [2, 0]]),
    "no CPDAG": _answer("arrows", [[0, 1]]),
    "an arrow to nowhere": _answer("arrows", [[0, 99]]),
    "lines missing": lambda record: record["answer"].pop("lines"),
    "settled by nobody": _answer("settled", [[0, 99, "->", "<-", 0.0, 0.0]]),
    "settled marks": _answer("settled", [[0, 1, "=>", "<-", 0.0, 0.0]]),
    "settled short": _answer("settled", [[0, 1, "->"]]),
    "corrections of other alphas": lambda record: record["answer"]["corrections"].pop(),
    "kept by chance": _correction("kept", "neither"),
    "joined backwards": _correction("joined", [[3, 1]]),
    "one score": _correction("ebic", [1.0]),
    "scores of words": _correction("ebic", ["low", "high"]),
    "polish from elsewhere": _polish("starts", [0.123]),
    "polish scores": _polish("scores", []),
    "polish ended elsewhere": _polish("chosen", 0.123),
    "polish in words": _polish("penalty", "much"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_records_are_refused(name, tmp_path):
    """A damaged answer is refused in one sentence that names the file, when it is read and not later."""
    file = tmp_path / "damaged.json"
    rng = np.random.default_rng(4)
    secondlook(sample(rng), alphas=[0.01, 0.2]).save(file)
    record = json.loads(file.read_text(encoding="utf-8"))
    DAMAGE[name](record)
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(DataError, match=r"damaged\.json.* is a damaged selection"):
        Selection.load(file)
