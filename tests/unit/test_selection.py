"""The record of a choice: what it says, what another metric makes of it, and how it is kept on disk."""

from __future__ import annotations

import functools
import json
import operator
import pickle
from dataclasses import FrozenInstanceError
from itertools import combinations

import numpy as np
import pytest

from secondlook import (
    PDAG,
    AlphaPath,
    DataError,
    DSeparation,
    FisherZ,
    SearchOptions,
    Selection,
    alpha_path,
    autopc,
    metrics,
)
from secondlook.independence import CITest
from secondlook.search import COLLIDER_RULES
from secondlook.simulation import random_linear_model
from zoo import DAGS, random_dag

LONG_GRID = np.linspace(0.001, 0.6, 150).tolist()


def sample(rng: np.random.Generator, d: int = 8, n: int = 200) -> FisherZ:
    """Fisher's z on rows of a random linear model, dense enough for conflicts."""
    names = [f"column {i}" for i in range(d)]
    return FisherZ(random_linear_model(random_dag(rng, d, 4.0), rng).sample(n, rng), names=names)


def content(found: Selection):
    """Everything that a selection says."""
    path = found.path
    looks = []
    for look in (path.first, path.second_look):
        sepsets = [look.sepset(a, b, k) for k in range(len(path)) for a, b in combinations(path.names, 2)]
        reports = (look.untestable, look.n_untestable, look.n_tests, look.tests_by_level, look.held_votes)
        limits = (look.level_capped, look.rows_exhausted)
        looks.append((look.graphs[:], sepsets, look.conflicts, reports, limits))
    scores = [(score.value, score.key, type(score.key), score.is_perfect) for score in found.scores]
    choice = (found.chosen, found.alpha, found.ties, found.agreement, found.metric, found.rule, found.n_tests)
    return path.names, path.alphas, path.colliders, path.engine, path.seconds, looks, scores, choice


@pytest.mark.parametrize("metric", metrics.AGREEMENTS)
def test_rescored_is_a_search_with_that_metric(metric, rng):
    """Another metric chooses from the same graphs what a search with it would have chosen."""
    test = sample(rng)
    first, direct = autopc(test, metric="shd"), autopc(test, metric=metric)
    rescored = first.rescored(metric)
    assert rescored.path is first.path
    assert (rescored.chosen, rescored.metric, rescored.scores) == (
        direct.chosen,
        metric,
        direct.scores,
    )


def test_rescored_asks_nothing():
    """Choosing again by another metric asks the test nothing."""
    oracle = DSeparation(DAGS["m-bias"])

    class Fused(CITest):
        names = oracle.names
        blown = False

        def p_value(self, i, j, S):
            assert not self.blown, "a question after the search"
            return oracle.p_value(i, j, S)

    test = Fused()
    found = autopc(test)
    test.blown = True
    for metric in (*metrics.AGREEMENTS, metrics.f1, lambda _a, _b: 0.5):
        assert found.rescored(metric).graph == found.graph


@pytest.mark.parametrize("engine", ["native", "generic"])
def test_edge_ranges_are_the_graphs(engine, rng):
    """Edge ranges say of every pair and alpha what the graph there says, and list no other pair."""
    alphas = LONG_GRID if engine == "native" else LONG_GRID[::30]
    test = sample(rng)
    found = autopc(test if engine == "native" else DSeparation(DAGS["m-bias"]), alphas=alphas)
    ranges = {(r.a, r.b): r for r in found.edge_ranges}
    assert len(ranges) == len(found.edge_ranges)
    for a, b in combinations(found.names, 2):
        at = {"->": [], "<-": [], "--": []}
        for alpha, graph in zip(found.alphas, found.path.first.graphs, strict=True):
            if graph.is_adjacent(a, b):
                mark = "--" if b in graph.neighbors(a) else "->" if b in graph.children(a) else "<-"
                at[mark].append(alpha)
        anywhere = tuple(sorted(functools.reduce(operator.iadd, at.values(), [])))
        if not anywhere:
            assert (a, b) not in ranges
            continue
        entry = ranges[a, b]
        assert entry.alphas == anywhere
        assert (entry.a_to_b, entry.b_to_a, entry.undirected) == tuple(map(tuple, at.values()))


def test_repr_one_line(rng):
    """A selection, a path's graphs and a PC result show themselves in one line."""
    found = autopc(sample(rng))
    assert repr(found) == (
        f"Selection(alpha={found.alpha}, metric='shd', agreement={found.agreement:.4f}, 6 alphas, "
        f"8 variables, {found.graph.n_edges} edges)"
    )


def test_record_is_frozen(rng):
    """A record cannot be changed after the fact."""
    found = autopc(sample(rng))
    for record, name in ((found, "chosen"), (found.path, "alphas"), (found.path.first, "names")):
        with pytest.raises(FrozenInstanceError):
            setattr(record, name, ())


def test_path_index_and_upto(rng):
    """An alpha is found by value, and a path is cut without being searched again."""
    path = alpha_path(sample(rng), LONG_GRID)
    assert path.index(LONG_GRID[70]) == 70
    with pytest.raises(ValueError, match="The grid holds"):
        path.index(0.5555)
    for count in (1, 64, 65, 128, 150, 200):
        cut = path.upto(count)
        assert cut.alphas == path.alphas[:count]
        assert cut.first.graphs[:] == path.first.graphs[:count]
        assert cut.second_look.graphs[:] == path.second_look.graphs[:count]


def test_path_cut_keeps_no_later_conflicts(rng):
    """A path that is cut within a pass speaks of the alphas it kept, and of no others."""
    conflicts = 0
    for _ in range(20):
        path = alpha_path(sample(rng), LONG_GRID[:20], SearchOptions("overwrite"))
        cut = path.upto(5)
        expected = tuple(conflict for conflict in path.first.conflicts if conflict.alpha in cut.alphas)
        assert cut.first.conflicts == expected
        conflicts += len(path.first.conflicts) - len(expected)
    assert conflicts > 0


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize(
    ("metric", "alphas"),
    [*((metric, LONG_GRID[:6]) for metric in ("shd", "f1", "mcc", "parent_aid")), ("shd", LONG_GRID)],
)
def test_save_and_load(metric, alphas, rule, rng, tmp_path):
    """What was saved is loaded again, word for word and score for score, beyond 64 alphas too."""
    found = autopc(sample(rng), alphas=alphas, colliders=rule, metric=metric)
    found.save(tmp_path / "found.json")
    loaded = Selection.load(str(tmp_path / "found.json"))
    assert content(loaded) == content(found)
    assert content(loaded.rescored("mcc")) == content(found.rescored("mcc"))
    assert loaded.edge_ranges == found.edge_ranges
    assert [file.name for file in tmp_path.iterdir()] == ["found.json"]


def test_save_and_load_what_stopped_early(tmp_path, rng):
    """A record that stopped early, of a user's metric and the generic engine, survives as well."""

    def half(first: PDAG, second: PDAG) -> float:
        return 1.0 if first == second else 1 / 3

    for test in (DSeparation(DAGS["chain"]), sample(rng, 5, 100)):
        found = autopc(test, metric=half, early_stop=True)
        found.save(tmp_path / "found.json")
        assert content(Selection.load(tmp_path / "found.json")) == content(found)


def test_save_replaces_only_when_complete(tmp_path, monkeypatch, rng):
    """A failure while writing leaves the old file as it was and no rest behind."""
    found = autopc(sample(rng))
    file = tmp_path / "found.json"
    file.write_text("precious", encoding="utf-8")

    def out_of_disk(*_args, **_keywords):
        raise OSError("no space left")

    monkeypatch.setattr(type(file), "write_text", out_of_disk)
    with pytest.raises(OSError, match="no space left"):
        found.save(file)
    assert [entry.name for entry in tmp_path.iterdir()] == ["found.json"]
    assert file.read_bytes() == b"precious"


def test_save_nasty_names(tmp_path):
    """Names in any script and with any sign survive the file."""
    names = ['say "hello"', "two\nlines", "مرحبا", "👩\u200d🔬", "back\\slash", "\u2028"]
    found = autopc(DSeparation(PDAG(names, [(names[0], names[1]), (names[2], names[1])])))
    found.save(tmp_path / "found.json")
    assert Selection.load(tmp_path / "found.json").graph == found.graph


def _record(rng, tmp_path):
    autopc(sample(rng), alphas=[0.01, 0.2]).save(tmp_path / "found.json")
    return json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))


def _set(key, value):
    return lambda record: record.__setitem__(key, value)


DAMAGE = {
    "no names": lambda record: record.pop("names"),
    "no scores": _set("scores", None),
    "too few scores": lambda record: record["scores"].pop(),
    "chosen outside": _set("chosen", 99),
    "chosen negative": _set("chosen", -1),
    "chosen text": _set("chosen", "first"),
    "alphas unsorted": _set("alphas", [0.2, 0.01]),
    "alphas missing one": _set("alphas", [0.01]),
    "no first look": _set("first", None),
    "first look empty": _set("first", []),
    "edges cut": lambda record: record["first"][0]["edges"].append([0]),
    "edge beyond the columns": lambda record: record["first"][0]["edges"].append([0, 99, [0], [0]]),
    "edge at no alpha": lambda record: record["first"][0]["edges"].append([0, 1, [7], []]),
    "edge at an alpha beyond any pass": lambda record: record["first"][0]["edges"].append([0, 1, [99], []]),
    "alphas nothing": _set("alphas", None),
    "key nothing": lambda record: record["scores"][0].__setitem__("key", None),
    "conflict elsewhere": lambda record: record["first"][0]["conflicts"].append([5, 0, 1, 1.0, 1.0]),
    "sepset of nobody": lambda record: record["first"][0]["sepsets"].append([7, 8, [0], [99]]),
    "edges unsorted": lambda record: record["first"][0]["edges"].reverse(),
    "edge twice": lambda record: record["first"][0]["edges"].append(record["first"][0]["edges"][-1]),
    "strange key": lambda record: record["scores"][0].__setitem__("key", "complex:1j"),
    "names repeat": _set("names", ["a"] * 8),
    "names too few": _set("names", ["a", "b"]),
    "second look of another length": lambda record: record["second"].append(record["second"][0]),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_load_damaged(name, rng, tmp_path):
    """A damaged file is refused in one sentence that names it, when it is read and not later."""
    record = _record(rng, tmp_path)
    DAMAGE[name](record)
    file = tmp_path / "damaged.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(DataError, match=r"damaged\.json"):
        Selection.load(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[]", "does not hold a selection"),
        ("null", "does not hold a selection"),
        ('{"format": "secondlook.graph", "version": 1}', "does not hold a selection"),
        ('{"format": "secondlook.selection"}', r"has version None; readable: 1\."),
        ('{"format": "secondlook.selection", "version": 2}', r"has version 2; readable: 1\."),
    ],
)
def test_load_foreign_or_newer(text, message, tmp_path):
    """A file of another program, kind or version is refused in one sentence that names it."""
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=rf"other\.json' {message}"):
        Selection.load(file)


def test_load_not_text(tmp_path):
    """Bytes that are no text are refused; a file that is not there stays Python's own error."""
    file = tmp_path / "other.json"
    file.write_bytes(b"\x80\x04\xff")
    with pytest.raises(DataError, match="is not JSON"):
        Selection.load(file)
    with pytest.raises(FileNotFoundError):
        Selection.load(tmp_path / "absent.json")


@pytest.mark.parametrize("test", ["native", "generic"])
def test_pickle(test, rng):
    """A selection and its path survive pickling, for processes to exchange."""
    found = autopc(sample(rng) if test == "native" else DSeparation(DAGS["m-bias"]), alphas=LONG_GRID[::2])
    copy = pickle.loads(pickle.dumps(found))
    assert content(copy) == content(found)
    path = pickle.loads(pickle.dumps(found.path))
    assert isinstance(path, AlphaPath)
    assert path.first.graphs[:] == found.path.first.graphs[:]
