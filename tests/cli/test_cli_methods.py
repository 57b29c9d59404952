"""`secondlook fit --method`: which method runs, and what the report says of SecondLook's corrections."""

from __future__ import annotations

import json

import numpy as np
import pytest

import secondlook as sl
from secondlook.graphs import is_cpdag


@pytest.fixture
def hard(tmp_path):
    """A small dense table on which looks dispute, repairs join and edges need settling."""
    made = sl.simulate(8, 150, rng=np.random.default_rng(6), degree=4)
    file = tmp_path / "hard.csv"
    rows = [",".join(map(repr, row)) for row in made.data.tolist()]
    file.write_text("\n".join([",".join(f"v{k}" for k in range(8)), *rows]) + "\n")
    return file


@pytest.mark.parametrize(
    ("words", "method"),
    [
        ([], "secondlook"),
        (["--alphas", "0.01,0.05"], "secondlook"),
        (["--polish", "no"], "secondlook"),
        (["--colliders", "vote"], "secondlook"),
        (["--method", "secondlook", "--colliders", "vote"], "secondlook"),
        (["--rule", "bic"], "autopc"),
        (["--metric", "f1"], "autopc"),
        (["--early-stop"], "autopc"),
        (["--colliders", "overwrite"], "autopc"),
        (["--method", "autopc"], "autopc"),
        (["--alpha", "0.01"], "pc"),
        (["--method", "pc"], "pc"),
        (["--method", "pc", "--alpha", "0.05", "--colliders", "first"], "pc"),
    ],
)
def test_method_is_the_one_that_the_options_go_with(cli, data, words, method):
    """Without --method, an option of AutoPC or PC decides; the report's second line says which ran."""
    model = json.loads(cli("fit", data, *words, "--json").out)
    assert model["method"] == method
    title = {"secondlook": "SecondLook", "autopc": "AutoPC", "pc": "PC"}[method]
    assert cli("fit", data, *words).out.splitlines()[1].startswith(f"{title}, Fisher z test")


@pytest.mark.parametrize(
    "words", [["--rule", "bic"], ["--metric", "f1"], ["--early-stop"], ["--colliders", "overwrite"]]
)
def test_options_of_autopc_are_refused_with_secondlook(refusal, data, words):
    """What SecondLook does not have is refused in one sentence that names AutoPC."""
    said = refusal(2, "fit", data, "--method", "secondlook", *words)
    assert said == f"{words[0]} goes with AutoPC; use --method autopc, or leave it out."


@pytest.mark.parametrize(("typed", "polish"), [("auto", "auto"), ("yes", True), ("no", False)])
def test_polish_is_passed_on(cli, hard, typed, polish):
    """--polish is the library's keyword."""
    assert cli("fit", hard, "--polish", typed, "--save", "record.json", "--quiet").code == 0
    found, expected = sl.Selection.load("record.json"), sl.secondlook(sl.read_table(hard), polish=polish)
    assert (found.graph, found.answer.corrections) == (expected.graph, expected.answer.corrections)
    assert (found.answer.polish, found.answer.settled) == (expected.answer.polish, expected.answer.settled)


def test_pc_without_alpha_is_the_library_default(cli, data):
    """--method pc runs at the alpha that the library's pc has by default."""
    found = json.loads(cli("fit", data, "--method", "pc", "--json").out)
    assert found["choice"]["alpha"] == sl.pc(sl.read_table(data)).alpha


def test_report_tells_what_was_disputed_and_corrected(cli, hard):
    """A row per alpha: edges, disputed marks, joined, parted, kept graph and its score; then the guard."""
    found = sl.secondlook(sl.read_table(hard), polish=False)
    out = cli("fit", hard, "--polish", "no").out
    lines = [line.split() for line in out.splitlines()]
    path = found.path
    for k, correction in enumerate(found.answer.corrections):
        starts = (line[line[0] == ">" :] for line in lines if line)
        row = next(line for line in starts if line[0] == str(correction.alpha))
        cells = [
            path.first.graphs[k].n_edges,
            sl.metrics.shd(path.first.graphs[k], path.second_look.graphs[k]),
            len(correction.joined),
            len(correction.parted),
        ]
        assert row[1:5] == list(map(str, cells))
        assert correction.kept in " ".join(row)
    assert found.answer.corrections[found.chosen].why in out
    assert "Graph at alpha" in out
    assert "The graph is a valid CPDAG" in out


def test_report_tells_what_the_polish_gained(cli, hard):
    """The polish has a line of its own with the scores before and after, and conflicts are left out."""
    out = cli("fit", hard).out
    assert "Polish: a search over orders of the variables, from " in out
    assert "Graph after the polish" in out
    assert "asked to point both ways" not in out


@pytest.mark.parametrize("words", [["--polish", "no"], ["--method", "autopc"], ["--alpha", "0.1"]])
def test_report_lists_what_was_settled(cli, tmp_path, words):
    """Edges that the answer marks otherwise than the raw graph are listed with both, and counted."""
    for seed in range(40):
        made = sl.simulate(10, 100, rng=np.random.default_rng(seed), degree=5)
        rows = [",".join(map(repr, row)) for row in made.data.tolist()]
        file = tmp_path / f"{seed}.csv"
        file.write_text("\n".join([",".join(f"v{k}" for k in range(10)), *rows]) + "\n")
        model = json.loads(cli("fit", file, *words, "--json").out)
        if model["settled"]:
            break
    assert model["settled"]
    assert model["validity"]["is_cpdag"]
    out = cli("fit", file, *words).out
    assert "settled, so that a DAG fits the graph:" in out
    for edge in model["settled"]:
        start = f"  {edge['from']} - {edge['to']} "
        cells = [line.split()[3:5] for line in out.splitlines() if line.startswith(start)]
        assert [edge["raw"], edge["answer"] or "none"] in cells


def test_json_of_a_pair_that_only_the_second_look_joins(cli, hard):
    """An edge of the answer that no first look has is listed at no alpha."""
    model = json.loads(cli("fit", hard, "--json").out)
    found = sl.secondlook(sl.read_table(hard))
    first = {frozenset(pair) for graph in found.path.first.graphs for pair in graph.skeleton.undirected}
    new = [edge for edge in model["edges"] if frozenset((edge["from"], edge["to"])) not in first]
    assert new
    assert all(edge["forward"] == edge["backward"] == edge["line"] == [] for edge in new)
    assert is_cpdag(found.graph)
