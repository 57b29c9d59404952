"""Every refusal of the command line: one sentence, the right exit code, no output, nothing written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import secondlook as sl


@pytest.fixture
def graph():
    """A graph file."""
    sl.write_graph(sl.PDAG("ab", ["ab"]), "g.json")
    return "g.json"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fitt", "x"], "Did you mean 'fit'?"),
        (["nothing-like-it"], "No such command 'nothing-like-it'. See 'secondlook --help'."),
        (["--versoin"], "did you mean --version"),
        (["fit"], "Missing argument 'DATA'. See 'secondlook fit --help'."),
        (["fit", "a", "b"], "unexpected extra argument"),
        (["fit", "d.csv", "--coliders", "vote"], "There is no option --coliders; did you mean --colliders"),
        (["fit", "d.csv", "--alpha"], "--alpha"),
        (["fit", "d.csv", "--alpha", "many"], "'--alpha'"),
        (["fit", "d.csv", "--alpha", "2"], "The --alpha option must lie strictly between 0 and 1. Got 2.0."),
        (["fit", "d.csv", "--alpha", "nan"], "strictly between 0 and 1"),
        (["fit", "d.csv", "--alphas", "0.1,0.01"], "The --alphas option must ascend"),
        (["fit", "d.csv", "--alphas", "0.1,x"], "must be numbers with commas between. Got 'x'."),
        (["fit", "d.csv", "--alphas", ""], "must hold at least one number"),
        (["fit", "d.csv", "--metric", "sdh"], "Did you mean 'shd'?"),
        (["fit", "d.csv", "--colliders", "vot"], "Did you mean 'vote'?"),
        (["fit", "d.csv", "--max-level", "-1"], "'--max-level'"),
        (["fit", "d.csv", "--max-tests", "-1"], "'--max-tests'"),
        (["fit", "d.csv", "--jobs", "0"], "The --jobs option must be a positive whole number or -1. Got 0."),
        (["fit", "d.csv", "--alpha", "0.1", "--alphas", "0.1"], "so --alphas has no meaning"),
        (["fit", "d.csv", "--alpha", "0.1", "--metric", "f1"], "so --metric has no meaning"),
        (["fit", "d.csv", "--alpha", "0.1", "--early-stop"], "so --early-stop has no meaning"),
        (["fit", "d.csv", "--alpha", "0.1", "--save", "s.json"], "use --alphas 0.1 instead"),
        (["fit", "d.csv", "--method", "autopcc"], "Did you mean 'autopc'?"),
        (["fit", "d.csv", "--polish", "ja"], "must be one of 'auto', 'yes', 'no'. Got 'ja'."),
        (["fit", "d.csv", "--rule", "bic", "--polish", "no"], "leave it out with autopc"),
        (["fit", "d.csv", "--alpha", "0.1", "--polish", "no"], "leave it out with pc"),
        (["fit", "d.csv", "--method", "autopc", "--alpha", "0.1"], "use --alphas 0.1 with autopc"),
        (["fit", "d.csv", "--method", "secondlook", "--alpha", "0.1"], "use --alphas 0.1 with secondlook"),
        (["fit", "d.csv", "--method", "pc", "--alphas", "0.1"], "so --alphas has no meaning"),
        (["fit", "d.csv", "--method", "pc", "--save", "s.json"], "use --alphas 0.01 instead"),
        (["fit", "d.csv", "--out", "g.png"], "must end in .json, .dot, .graphml"),
        (["fit", "d.csv", "--out", "g"], "Got no suffix"),
        (["fit", "d.csv", "--save", "s.txt"], "The --save file must end in .json. Got 's.txt'."),
        (["fit", "d.csv", "--save", "-"], "The --save file must end in .json. Got '-'."),
        (["fit", "d.csv", "--out", "-", "--json"], "Only one thing can go to stdout"),
        (["fit", "d.csv", "--out", "-", "--out", "-.dot"], "Only one thing can go to stdout"),
        (["fit", "d.csv", "--out", "g.json", "--save", "./g.json"], "is to be written twice"),
        (["fit", "d.txt", "--out", "d.txt", "--force"], "is read by this command"),
        (["fit", "d.csv", "--columns", "a", "--drop", "b"], "but not both"),
        (["fit", "d.csv", "--columns", ""], "needs at least one column name"),
        (["fit", "d.csv", "--columns", '"a'], "check its quotes"),
        (["compare", "a.json"], "Missing argument 'GUESS'"),
        (["compare", "--", "-", "-.dot"], "Only one of TRUTH and GUESS can come from stdin"),
        (["compare", "a.json", "b.csv"], "The GUESS file 'b.csv' must end in .json"),
        (["simulate", "--rows", "5"], "'--nodes'"),
        (["simulate", "--rows", "5", "--nodes", "0"], "'--nodes'"),
        (["simulate", "--rows", "0", "--nodes", "5"], "'--rows'"),
        (["simulate", "--rows", "5", "--nodes", "5", "--seed", "-1"], "'--seed'"),
        (["simulate", "--rows", "5", "--nodes", "3", "--degree", "9"], "from 0 to --nodes minus 1, here 2"),
        (["simulate", "--rows", "5", "--nodes", "3", "--degree", "nan"], "The --degree option"),
        (["simulate", "--rows", "5", "--nodes", "3", "--kind", "tree"], "'erdos-renyi', 'scale-free'"),
        (["simulate", "--rows", "5", "--nodes", "3", "--hubs", "sink"], "use kind='scale-free' for hubs"),
        (["simulate", "--rows", "5", "--nodes", "3", "--noise", "gauss"], "'gaussian'"),
        (["simulate", "--rows", "5", "--nodes", "3", "--weights", "1"], "must be two numbers, LOW,HIGH"),
        (["simulate", "--rows", "5", "--nodes", "3", "--weights", "2,1"], "0 < low <= high"),
        (["simulate", "--rows", "5", "--nodes", "3", "--variances", "a"], "The --variances option"),
        (["simulate", "--rows", "5", "--nodes", "3", "--variances", "1,2,3"], "must be two numbers"),
        (["simulate", "--rows", "5", "--nodes", "3", "--truth", "-"], "cannot both go to stdout"),
        (["simulate", "--rows", "5", "--nodes", "3", "--out", "x.xlsx"], "must end in .csv, .tsv or .tab"),
        (["simulate", "--rows", "5", "--nodes", "3", "--truth", "t.png"], "The --truth file 't.png'"),
        (["demo", "x"], "unexpected extra argument"),
    ],
)
def test_wrong_command_lines_are_refused(refusal, words, said):
    """A wrong command line exits with 2 and says in one sentence what is wrong."""
    assert said in refusal(2, *words)
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("a,b\n", "has a header but no rows"),
        ("1,2\n3,4\n", "must begin with a line of column names"),
        ("a,b\n1,2\n3,1\n", "at least 4 rows"),
        ("a\n1\n2\n3\n4\n", "at least 2 columns"),
        ("a,a\n1,2\n2,1\n3,3\n4,1\n", "Column names must be unique"),
        ("a,\n1,2\n2,1\n3,3\n4,1\n", "Every column must have a name"),
        ("a,b\n1,2\n2,NA\n3,3\n4,1\n5,1\n", "no missing values. Got 1 of them in 'b'"),
        ("a,b\n1,2\n2,inf\n3,3\n4,1\n5,1\n", "no infinite values"),
        ("a,b\n1,2\n1,3\n1,3\n1,1\n1,1\n", "the constant column 'a'; drop what never changes (--drop)."),
        ("a,b\n1,2\n2,4\n3,6\n4,8\n5,10\n", "drop one of them (--drop)."),
        ("a,b\n1,2\n2,red\n3,3\n4,1\n", "line 3, column 'b': 'red' is not a number"),
        ("a,b\n1,2\n2\n3,3\n4,1\n", "line 3: got 1 values for 2 columns"),
        (b"a,b\n\xff,1\n", "is not UTF-8 text"),
        (b"\x1f\x8bnot gzip", "is a damaged gzip file"),
    ],
)
def test_tables_that_cannot_be_used_are_refused(refusal, content, said):
    """A bad table exits with 1 and a sentence about it, from a file and from stdin."""
    raw = content.encode() if isinstance(content, str) else content
    Path("bad.csv").write_bytes(raw)
    assert said in refusal(1, "fit", "bad.csv")
    assert said in refusal(1, "fit", "-", stdin=raw)


def test_missing_tables_are_refused(refusal):
    """A path to nothing, and a folder, are no tables, with and without a choice of columns."""
    for choice in ([], ["--drop", "a"]):
        assert refusal(1, "fit", "no.csv", *choice) == "There is no file 'no.csv'; check the path."
        assert refusal(1, "fit", ".", *choice) == "'.' is a folder; name a file in it."


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("Incom", "There is no column 'Incom' in 'named.csv'; did you mean 'income'?"),
        ("AGE", "did you mean 'age'?"),
        ("zzz", "There is no column 'zzz' in 'named.csv'. It has columns 'age', 'income', 'city'."),
    ],
)
@pytest.mark.parametrize("option", ["--columns", "--drop"])
def test_unknown_columns_are_refused_with_the_nearest(refusal, write_table, option, wanted, said):
    """A misspelt column name is answered with the name that was probably meant."""
    write_table(["age", "income", "city"])
    assert said in refusal(2, "fit", "named.csv", option, wanted)


def test_dropping_every_column_is_refused(refusal, write_table):
    """Nothing is left to search."""
    write_table(["a", "b"])
    assert "leaves no column" in refusal(2, "fit", "named.csv", "--drop", "a,b")


def test_searches_over_budget_are_refused(refusal, write_table):
    """A search over --max-tests exits with 1 and remedies spelled as options."""
    write_table([f"v{k}" for k in range(10)])
    said = refusal(1, "fit", "named.csv", "--max-tests", "50", "--out", "g.json")
    assert "set --max-level, --drop these variables, or raise --max-tests." in said
    assert not Path("g.json").exists()


@pytest.mark.parametrize("option", [["--out", "old.json"], ["--save", "old.json"]])
def test_existing_files_are_refused_before_the_table_is_read(refusal, option):
    """Without --force an existing file is refused although there is not even a table."""
    Path("old.json").write_text("precious")
    said = refusal(1, "fit", "no.csv", "--out", "new.dot", *option)
    assert said == "The file 'old.json' exists; choose another name, or replace it with --force."
    assert Path("old.json").read_text() == "precious"
    assert not Path("new.dot").exists()


def test_targets_that_cannot_be_written_are_refused(refusal):
    """A folder in the way, and a folder that is not there, are refused before the table is read."""
    Path("dir.json").mkdir()
    assert refusal(1, "fit", "no.csv", "--out", "dir.json") == "'dir.json' is a folder; name a file in it."
    assert "There is no folder 'no/where'" in refusal(1, "fit", "no.csv", "--out", "no/where/g.json")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_folders_without_permission_are_refused(refusal):
    """A folder that must not be written to is refused before the table is read."""
    Path("locked").mkdir(mode=0o500)
    assert "does not let you write" in refusal(1, "fit", "no.csv", "--out", "locked/g.json")


def test_names_that_a_format_cannot_hold_are_refused_before_the_search(refusal, write_table, monkeypatch):
    """Tetrad's text has no blanks in names; the search is not even begun."""
    path = write_table(["two words", "b"])
    monkeypatch.setattr("secondlook.selection.autopc", None)
    assert "'two words'" in refusal(1, "fit", path, "--out", "g.txt", "--out", "g.json")
    assert not Path("g.json").exists()


def test_full_disks_lose_no_report(cli, data):
    """When a file cannot be written at last, the report is printed, nothing half-written is left, code 1."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    Path("full.json").symlink_to("/dev/full")
    answer = cli("fit", data, "--out", "g.dot", "--out", "full.json")
    assert answer.code == 1
    assert "Graph after the polish" in answer.out
    assert answer.err == "secondlook: Reading or writing 'full.json' failed: No space left on device.\n"
    assert sorted(path.name for path in Path().iterdir()) == ["data.csv", "full.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "text is not JSON: Expecting value in line 1."),
        ("{}", "not a graph of secondlook"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_files_that_hold_no_graph_are_refused(refusal, graph, content, said):
    """A bad graph exits with 1 and a sentence about it, from a file and from stdin."""
    raw = content.encode() if isinstance(content, str) else content
    Path("bad.json").write_bytes(raw)
    assert said in refusal(1, "compare", graph, "bad.json")
    assert said in refusal(1, "compare", "-", graph, stdin=raw)


def test_missing_graphs_are_refused(refusal, graph):
    """A path to nothing, and a folder, are no graphs."""
    assert refusal(1, "compare", graph, "no.dot") == "There is no graph file 'no.dot'; check the path."
    Path("dir.dot").mkdir()
    assert refusal(1, "compare", "dir.dot", graph) == "'dir.dot' is a folder; name a graph file in it."


def test_graphs_over_other_nodes_are_refused(refusal, graph):
    """Graphs can be compared only over the same names."""
    sl.write_graph(sl.PDAG("ac"), "other.json")
    assert "the guess lacks 'b' and the truth lacks 'c'" in refusal(1, "compare", graph, "other.json")


def test_simulate_and_demo_refuse_existing_files(refusal):
    """Neither replaces a file without --force."""
    Path("x.csv").write_text("precious")
    words = ["simulate", "--nodes", "3", "--rows", "5", "--degree", "1"]
    assert "exists" in refusal(1, *words, "--out", "x.csv")
    Path("graph.dot").write_text("precious")
    assert "'graph.dot' exists" in refusal(1, "demo", "--out", ".")
    assert "is a file" in refusal(1, "demo", "--out", "x.csv")
    assert "There is no folder 'no'" in refusal(1, "demo", "--out", "no/where")
    assert {path.name: path.read_text() for path in Path().iterdir()} == {
        "x.csv": "precious",
        "graph.dot": "precious",
    }


def test_unexpected_errors_are_one_sentence(refusal, data, monkeypatch):
    """A fault of our own exits with 70, names the exception, and says how to see more."""

    def broken(*_, **__):
        raise ZeroDivisionError("by\nzero \x1b[31m")

    monkeypatch.setattr("secondlook.selection.secondlook", broken)
    said = refusal(70, "fit", data)
    assert said.startswith("secondlook itself failed with ZeroDivisionError: by zero \\x1b[31m;")
    assert "SECONDLOOK_TRACEBACK=1" in said


def test_unexpected_errors_show_their_traceback_on_request(cli, data, monkeypatch):
    """SECONDLOOK_TRACEBACK=1 prints the traceback before the sentence."""
    monkeypatch.setenv("SECONDLOOK_TRACEBACK", "1")
    answer = cli("fit", "no.csv")
    assert answer.code == 1
    assert answer.err.startswith("Traceback (most recent call last)")
    assert answer.err.endswith("secondlook: There is no file 'no.csv'; check the path.\n")


def test_too_little_memory_is_one_sentence(refusal, data, monkeypatch):
    """MemoryError has a remedy and exits with 1."""

    def greedy(*_, **__):
        raise MemoryError

    monkeypatch.setattr("secondlook.selection.secondlook", greedy)
    assert refusal(1, "fit", data).startswith("There is not enough memory")


def test_hostile_words_do_not_reach_the_terminal(refusal):
    """Escape sequences in options, commands and paths are spelled out."""
    for words in (["\x1b[31mfit"], ["fit", "\x1b[31m.csv"], ["fit", "x", "--\x1b[31m"]):
        said = refusal(1 if words[-1].endswith("csv") else 2, *words)
        assert "\x1b" not in said
