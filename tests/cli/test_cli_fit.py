"""`secondlook fit`: what it prints and writes."""

from __future__ import annotations

import gzip
import json
from xml.etree import ElementTree as ET

import pytest

import secondlook as sl
from secondlook.graphs import from_dot, from_json


def test_fit_prints_the_choice_the_edges_and_the_verdict(cli, data):
    """AutoPC's report names table, test, alpha, every edge, validity, conflicts, limits and cost."""
    answer = cli("fit", data, "--method", "autopc")
    selection = sl.autopc(sl.read_table(data))
    assert answer.code == 0
    assert answer.err == ""
    for part in (
        "data.csv: 500 rows x 8 columns",
        "AutoPC, Fisher z test, collider rule 'vote'",
        f"alpha {selection.alpha} kept: ",
        f"Graph at alpha {selection.alpha}: {selection.graph.n_edges} edges among 8 variables",
        "The graph is a valid CPDAG",
        "No edge was asked to point both ways.",
        "Every question could be tested, and nothing was capped.",
        f"{selection.n_tests:,} tests (",
    ):
        assert part in answer.out
    for a, b in selection.graph.directed:
        assert f"  {a} -> {b} " in answer.out
    for a, b in selection.graph.undirected:
        assert f"  {a} -- {b} " in answer.out


def test_fit_prints_plain_text_when_no_terminal_reads(cli, data):
    """There are no escape sequences, no trailing blanks and nothing but ASCII for ASCII names."""
    out = cli("fit", data).out
    assert out.isascii()
    assert "\x1b" not in out
    assert all(line == line.rstrip() for line in out.splitlines())


def test_fit_marks_the_chosen_alpha_and_its_ties(cli, data):
    """One row of the alpha table is kept, and every tie is called one."""
    selection = sl.autopc(sl.read_table(data))
    rows = [line.split() for line in cli("fit", data, "--method", "autopc").out.splitlines()]
    assert [row[1] for row in rows if row and row[0] == ">" and row[-1] == "kept"] == [str(selection.alpha)]
    tied = [row[0] for row in rows if row and row[-1] == "tied"]
    assert tied == [str(alpha) for alpha in selection.ties if alpha != selection.alpha]


def test_fit_json_is_the_model_of_the_same_search(cli, data):
    """--json prints one JSON object that agrees with the library."""
    model = json.loads(cli("fit", data, "--json", "--metric", "f1").out)
    selection = sl.autopc(sl.read_table(data), metric="f1")
    assert (model["format"], model["version"], model["method"]) == ("secondlook.report", 1, "autopc")
    assert model["choice"]["alpha"] == selection.alpha
    assert model["choice"]["score"] == selection.agreement
    assert model["data"]["rows"] == 500
    assert [row["score"] for row in model["alphas"]] == [score.value for score in selection.scores]
    edges = {(edge["from"], edge["to"], edge["kind"]) for edge in model["edges"]}
    assert edges == {(a, b, "arrow") for a, b in selection.graph.directed} | {
        (a, b, "line") for a, b in selection.graph.undirected
    }


def test_fit_alpha_runs_plain_pc(cli, data):
    """--alpha gives PC's graph at that alpha, and no table of alphas."""
    answer = cli("fit", data, "--alpha", "0.01", "--colliders", "first")
    graph = sl.pc(sl.read_table(data), alpha=0.01, colliders="first").graph
    assert f"Graph at alpha 0.01: {graph.n_edges} edges" in answer.out
    assert "agreement" not in answer.out
    model = json.loads(cli("fit", data, "--alpha", "0.01", "--colliders", "first", "--json").out)
    assert model["method"] == "pc"
    assert {(e["from"], e["to"]) for e in model["edges"] if e["kind"] == "arrow"} == set(graph.directed)


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        (["--alphas", "0.01, 0.05"], {"alphas": [0.01, 0.05]}),
        (["--metric", "mcc"], {"metric": "mcc"}),
        (["--colliders", "overwrite"], {"colliders": "overwrite"}),
        (["--max-level", "0"], {"max_level": 0}),
        (["--early-stop"], {"early_stop": True}),
        (["--jobs", "2"], {"n_jobs": 2}),
        (["--jobs", "-1"], {"n_jobs": -1}),
        (["--max-tests", "0"], {"max_tests": 0}),
    ],
)
def test_fit_passes_every_option_on(cli, data, options, keywords):
    """An option changes the search exactly as the library's keyword does."""
    words = ("--method", "autopc", *options)
    assert cli("fit", data, *words, "--save", "record.json", "--quiet").code == 0
    found = sl.Selection.load("record.json")
    expected = sl.autopc(sl.read_table(data), **keywords)
    assert found.alphas == expected.alphas
    assert found.graph == expected.graph
    assert [score.key for score in found.scores] == [score.key for score in expected.scores]
    assert found.path.first.level_capped == expected.path.first.level_capped


def test_fit_writes_every_format(cli, data):
    """--out may be repeated, and each file holds the same graph."""
    names = ["g.json", "g.dot", "g.graphml", "g.txt", "g.dagitty", "G.JSON"]
    answer = cli("fit", data, *[word for name in names for word in ("--out", name)])
    assert answer.code == 0
    assert answer.err.splitlines() == [f"Wrote {name}" for name in names]
    graphs = [sl.read_graph(name) for name in names]
    assert graphs == [sl.secondlook(sl.read_table(data)).graph] * len(names)


def test_fit_leaves_no_unfinished_files(cli, data, tmp_path):
    """After a run the folder holds what was asked for and nothing else."""
    cli("fit", data, "--out", "g.json", "--save", "s.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "g.json", "s.json"]


def test_fit_quiet_prints_nothing(cli, data):
    """--quiet leaves stdout and stderr empty; files are written."""
    answer = cli("fit", data, "--out", "g.dot", "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert sl.read_graph("g.dot").d == 8


def test_fit_dash_streams_the_graph_alone(cli, data):
    """`--out -` puts JSON and nothing else on stdout, `--out -.graphml` GraphML."""
    graph = sl.secondlook(sl.read_table(data)).graph
    assert from_json(cli("fit", data, "--out", "-").out) == graph
    assert from_dot(cli("fit", data, "--out", "-.DOT").out) == graph
    assert ET.fromstring(cli("fit", data, "--out", "-.graphml").out).tag.endswith("graphml")


def test_fit_force_replaces_a_file(cli, data, tmp_path):
    """--force replaces what was there, and keeps the file's permissions."""
    target = tmp_path / "g.json"
    target.write_text("old")
    target.chmod(0o640)
    assert cli("fit", data, "--out", "g.json", "--force").code == 0
    assert sl.read_graph(target).d == 8
    assert target.stat().st_mode & 0o777 == 0o640


def test_fit_writes_through_a_link(cli, data, tmp_path):
    """A link stays a link; the file behind it is replaced."""
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    assert cli("fit", data, "--out", "link.json", "--force").code == 0
    assert (tmp_path / "link.json").is_symlink()
    assert sl.read_graph(tmp_path / "real.json").d == 8


def test_fit_does_not_replace_a_device(cli, data, tmp_path):
    """A device is written to without --force and stays a device."""
    (tmp_path / "null.json").symlink_to("/dev/null")
    assert cli("fit", data, "--out", "null.json").code == 0
    assert (tmp_path / "null.json").is_char_device()


def test_fit_reads_stdin(cli, data):
    """`-` is stdin, plain or compressed, and is called so."""
    for content in (data.read_bytes(), gzip.compress(data.read_bytes())):
        answer = cli("fit", "-", stdin=content)
        assert answer.code == 0
        assert answer.out.startswith("standard input: 500 rows x 8 columns")


def test_fit_reads_tab_separated_files(cli, write_table):
    """A .tsv file is read with tabs, and so are chosen columns of it."""
    path = write_table(["a", "b", "c"], name="t.tsv")
    assert "500 rows x 3 columns" in cli("fit", path).out
    assert "500 rows x 2 columns" in cli("fit", path, "--drop", "b").out


def test_fit_says_when_it_stopped_early(cli, write_table):
    """An early stop tells how many alphas were tried."""
    path = write_table(["a", "b"])
    answer = cli("fit", path, "--early-stop")
    assert "Stopped early, at the first perfect agreement: 1 of 6 alphas tried." in answer.out


def test_fit_says_what_was_capped(cli, write_table):
    """A level that stopped the search is in the report."""
    path = write_table([f"v{k}" for k in range(12)], seed=3)
    assert "In the first look max-level 0 stopped the search" in cli("fit", path, "--max-level", "0").out


def test_fit_says_what_rows_were_too_few_for(cli, write_table):
    """A search that ran out of rows says so."""
    import numpy as np

    common = np.random.default_rng(0).standard_normal((4, 1))
    noise = np.random.default_rng(1).standard_normal((4, 6))
    path = write_table(["a"])
    values = common + 0.01 * noise
    path.write_text("a,b,c,d,e,f\n" + "".join(",".join(map(str, row)) + "\n" for row in values.tolist()))
    assert "4 rows were too few to test larger sets" in cli("fit", path).out


def test_fit_says_what_was_too_collinear(cli, tmp_path):
    """A column that is the sum of two others is reported, with an example of what could not be tested."""
    import numpy as np

    rng = np.random.default_rng(0)
    base = rng.standard_normal((200, 2))
    values = np.column_stack([base, base.sum(axis=1), rng.standard_normal(200) + base.sum(axis=1)])
    file = tmp_path / "sum.csv"
    file.write_text("a,b,total,y\n" + "".join(",".join(map(repr, row)) + "\n" for row in values.tolist()))
    answer = cli("fit", file)
    assert answer.code == 0
    assert "could not be tested, because columns are too collinear" in answer.out
    assert "total" in answer.out
    assert "nothing was capped" not in answer.out


def test_fit_shows_a_graph_without_edges(cli, tmp_path):
    """Independent columns give no table of edges and a valid CPDAG."""
    import numpy as np

    values = np.random.default_rng(4).standard_normal((100, 3)).tolist()
    file = tmp_path / "free.csv"
    file.write_text("a,b,c\n" + "".join(",".join(map(repr, row)) + "\n" for row in values))
    out = cli("fit", file, "--alphas", "0.0001").out
    assert "Graph after the polish: 0 edges among 3 variables\n" in out
    assert "alpha 0.0001 kept: the only one asked for" in out
    assert "valid CPDAG" in out


def test_fit_orders_nothing_by_hash(process, data):
    """Two processes with different hash seeds print the same report but for the seconds."""
    outs = [process("fit", data, env={"PYTHONHASHSEED": seed}).stdout.splitlines() for seed in ("1", "2")]
    assert outs[0][:-1] == outs[1][:-1]
