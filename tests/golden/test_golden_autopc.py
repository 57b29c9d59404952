"""AutoPC's golden answers: three matrices by hand, and 72 cases on which two implementations agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from answers import ALPHAS, CASES_SHIPPED, DATA, RULES, arrays, edge_words, tiny

from secondlook import AlphaPath, DoubleCheck, FisherZ, SearchOptions, alpha_path, autopc, metrics
from secondlook.graphs import from_numpy, is_cpdag
from secondlook.search import DEFAULT_ALPHAS
from twins.autopc import both_looks, chosen, marks_of
from twins.evidence import by_fisher_z

if TYPE_CHECKING:
    from pathlib import Path

    from answers import Arrays

METRICS = ("shd", "f1", "mcc")
TIED = ("case0039", 0.01)
EVERY = tuple(f"case{k:04d}" for k in range(72))


def _hand_made(k: int, rule: str) -> tuple[dict, AlphaPath]:
    case = tiny()[k]
    test = FisherZ(correlation=case["C"], n=case["n"])
    return case, alpha_path(test, ALPHAS, SearchOptions(rule), repair=rule == "vote")


def _path(case: Arrays, rule: str, engine: str = "auto") -> AlphaPath:
    """Raw graphs in column order, which is the order that the golden answers were made in."""
    test = FisherZ(correlation=case["correlation"], n=int(case["n"]))
    return alpha_path(test, ALPHAS, SearchOptions(rule), repair=rule == "vote", engine=engine)


def _assert_golden(path: AlphaPath, case: Arrays, rule: str) -> None:
    for look, graphs in (("first", path.first.graphs), ("second", path.second_look.graphs)):
        for k, expected in enumerate(case[f"{rule}_{look}"]):
            assert np.array_equal(marks_of(graphs[k]), expected), f"{look} look at alpha {ALPHAS[k]}"
    found = [DoubleCheck(metric).choose(path).chosen for metric in METRICS]
    assert found == case[f"{rule}_chosen"].tolist()


def _assert_repaired(path: AlphaPath, case: Arrays, name: str) -> None:
    recorded = case["vote_repaired"].copy()
    if name == TIED[0]:
        # Two supports are equal as exact fractions, so that 2 - 6 stays a line until Meek points it.
        tied = recorded[ALPHAS.index(TIED[1])]
        assert (tied[2, 6], tied[6, 2]) == (0, 1)
        tied[2, 6], tied[6, 2] = 1, 0
    for k, expected in enumerate(recorded):
        assert np.array_equal(marks_of(path.repaired_look.graphs[k]), expected), f"at alpha {ALPHAS[k]}"


def test_default_alphas_are_the_papers():
    """The default grid is the one that the golden answers were made with."""
    assert DEFAULT_ALPHAS == ALPHAS


@pytest.mark.parametrize("k", range(3))
def test_tiny_graphs_overwrite(k):
    """Both graphs of every alpha are those worked out by hand."""
    case, found = _hand_made(k, "overwrite")
    assert [row["alpha"] for row in case["table"]] == list(found.alphas)
    for at, row in enumerate(case["table"]):
        assert edge_words(found.first.graphs[at]) == sorted(row["G1"])
        assert edge_words(found.second_look.graphs[at]) == sorted(row["G2"])


@pytest.mark.parametrize("k", range(3))
def test_tiny_graphs_vote(k):
    """The graphs of the rule "vote", and what the repair makes of them, are those worked out by hand."""
    case, found = _hand_made(k, "vote")
    for at, row in enumerate(case["table"]):
        assert edge_words(found.first.graphs[at]) == sorted(row["vote_G1"])
        assert edge_words(found.repaired_look.graphs[at]) == sorted(row["vote_pass2"])


@pytest.mark.parametrize("k", range(3))
def test_tiny_scores(k):
    """Mark counts, SHD, F1 and MCC of the two graphs are those worked out by hand, to six digits."""
    case, found = _hand_made(k, "overwrite")
    pairs = zip(found.first.graphs, found.second_look.graphs, case["table"], strict=True)
    for first, second, row in pairs:
        counts = metrics.confusion(first, second)
        expected = [row[name] for name in ("tp", "fp", "fn", "tn")]
        assert [counts.tp, counts.fp, counts.fn, counts.tn] == expected
        assert metrics.shd(first, second) == row["shd"]
        assert metrics.f1(first, second) == pytest.approx(row["f1"], abs=5e-7)
        assert metrics.mcc(first, second) == pytest.approx(row["mcc"], abs=5e-7)


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize("metric", METRICS)
def test_tiny_choice(k, metric):
    """The alpha kept is the one found by hand, stopping early or not, for every metric of the paper."""
    case, _ = _hand_made(k, "overwrite")
    test = FisherZ(correlation=case["C"], n=case["n"])
    for early_stop in (False, True):
        found = autopc(test, metric=metric, colliders="overwrite", early_stop=early_stop)
        assert found.alpha == case["chosen"][metric.upper()]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", CASES_SHIPPED)
def test_cases_shipped(name, rule):
    """The cases that travel with the tests: both graphs of six alphas and three choices."""
    case = arrays(DATA / "autopc_few.npz", f"{name}/")
    _assert_golden(_path(case, rule), case, rule)


@pytest.mark.parametrize("engine", ["native", "generic"])
@pytest.mark.parametrize("name", CASES_SHIPPED)
def test_cases_shipped_repaired(name, engine):
    """The cases that travel with the tests: the repaired graphs of six alphas, by either engine."""
    case = arrays(DATA / "autopc_few.npz", f"{name}/")
    _assert_repaired(_path(case, "vote", engine), case, name)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", CASES_SHIPPED)
def test_cases_shipped_of_the_twin(name, rule):
    """The slow twin, made from the specification alone, gives the golden graphs and choices."""
    case = arrays(DATA / "autopc_few.npz", f"{name}/")
    correlation, n = case["correlation"], int(case["n"])
    pairs = []
    for k, alpha in enumerate(ALPHAS):
        looks = both_looks(len(correlation), by_fisher_z(correlation, n, alpha), rule)
        assert np.array_equal(looks.first, case[f"{rule}_first"][k])
        assert np.array_equal(looks.second, case[f"{rule}_second"][k])
        pairs.append((looks.first, looks.second))
    assert [chosen(pairs, metric) for metric in METRICS] == case[f"{rule}_chosen"].tolist()


@pytest.fixture(scope="module")
def every_case(shared: Path) -> dict[str, Arrays]:
    """All 72 cases, read once."""
    cases: dict[str, Arrays] = {name: {} for name in EVERY}
    for key, value in arrays(shared / "golden" / "autopc_cases.npz").items():
        name, what = key.split("/")
        cases[name][what] = value
    return cases


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", EVERY)
def test_cases_all(name, rule, every_case):
    """Each of the 72 cases: the graphs of six alphas, repaired ones too, and three choices."""
    path = _path(every_case[name], rule)
    _assert_golden(path, every_case[name], rule)
    if rule == "vote":
        _assert_repaired(path, every_case[name], name)


def test_cases_are_all_there(every_case):
    """The file holds 72 cases, the shipped handful is a copy from it, and every truth is a CPDAG."""
    assert [len(case) for case in every_case.values()] == [10] * 72
    for name in CASES_SHIPPED:
        shipped = arrays(DATA / "autopc_few.npz", f"{name}/")
        assert all(np.array_equal(every_case[name][key], value) for key, value in shipped.items())
    for case in every_case.values():
        assert is_cpdag(from_numpy(case["truth_cpdag"], direction="from row to column"))
