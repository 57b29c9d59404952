"""pcalg's own answers: pc with stable.fast and u2pd="relaxed", six alphas each, 54 graphs in all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from answers import DATA, PCALG_SHARED, PCALG_SHIPPED, checksums, pcalg, sha256

from secondlook import FisherZ, SearchOptions, alpha_path, pc
from twins.autopc import both_looks, marks_of
from twins.evidence import by_fisher_z

if TYPE_CHECKING:
    from answers import Arrays

EVERY = PCALG_SHIPPED + PCALG_SHARED


def _test(answer: Arrays) -> FisherZ:
    return FisherZ(correlation=answer["correlation"], n=int(answer["n"]))


def test_golden_files_unchanged():
    """The shipped golden answers are the bytes that were recorded, no file more and no file less."""
    found = {file.name: sha256(file) for file in DATA.iterdir() if file.name != "checksums.sha256"}
    assert found == checksums()


@pytest.mark.parametrize("name", EVERY)
def test_golden_files_hold_six_alphas(name, request):
    """Nine files of six alphas make 54 graphs; none is left out by accident."""
    assert len(EVERY) == 9
    assert len(pcalg(name, request)["alphas"]) == 6


@pytest.mark.parametrize("rule", ["overwrite", "vote"])
@pytest.mark.parametrize("name", EVERY)
def test_pcalg_skeletons(name, rule, request):
    """Every skeleton equals pcalg's, whatever the rule that orients it afterwards."""
    answer = pcalg(name, request)
    path = alpha_path(_test(answer), answer["alphas"], SearchOptions(rule), looks=1)
    for graph, expected in zip(path.first.graphs, answer["pcalg"], strict=True):
        assert np.array_equal(marks_of(graph.skeleton), expected | expected.T)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", EVERY)
def test_pcalg_graphs_overwrite(name, threads, request):
    """With the rule "overwrite" every graph equals pcalg's, mark by mark, on any number of threads."""
    answer = pcalg(name, request)
    options = SearchOptions("overwrite", n_jobs=threads)
    path = alpha_path(_test(answer), answer["alphas"], options, looks=1)
    for graph, expected in zip(path.first.graphs, answer["pcalg"], strict=True):
        assert np.array_equal(marks_of(graph), expected)


@pytest.mark.parametrize("name", PCALG_SHIPPED)
def test_pcalg_graphs_one_alpha_at_a_time(name, request):
    """A run of its own at each alpha, by either engine, gives pcalg's graph too."""
    answer = pcalg(name, request)
    test = _test(answer)
    for alpha, expected in zip(answer["alphas"].tolist(), answer["pcalg"], strict=True):
        assert np.array_equal(marks_of(pc(test, alpha=alpha, colliders="overwrite").graph), expected)
        generic = alpha_path(test, [alpha], SearchOptions("overwrite"), looks=1, engine="generic")
        assert np.array_equal(marks_of(generic.first.graphs[0]), expected)


@pytest.mark.parametrize("name", PCALG_SHIPPED)
def test_pcalg_graphs_of_the_twin(name, request):
    """The slow twin, made from the specification alone, agrees with pcalg: it may judge the engines."""
    answer = pcalg(name, request)
    correlation, n = answer["correlation"], int(answer["n"])
    for alpha, expected in zip(answer["alphas"].tolist(), answer["pcalg"], strict=True):
        looks = both_looks(len(correlation), by_fisher_z(correlation, n, alpha), "overwrite")
        assert np.array_equal(looks.first, expected)
