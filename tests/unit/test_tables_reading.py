"""Reading text files: clean ones fast, faulty ones with the line, the column and the value."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading

import numpy as np
import pytest

from secondlook.errors import DataError, OptionError
from secondlook.tables import bundled, load_sachs, read_table

CLEAN = "a,b,c\n1,2,3\n4,5.5,-6e3\n"
VALUES = [[1.0, 2.0, 3.0], [4.0, 5.5, -6000.0]]


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and returns its path."""

    def write(content, name="data.csv"):
        file = tmp_path / name
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    return write


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.csv", CLEAN),
        ("text as path.csv", CLEAN),
        ("data.tsv", CLEAN.replace(",", "\t")),
        ("data.TSV", CLEAN.replace(",", "\t")),
        ("data.txt", CLEAN.replace(",", ";")),
        ("european.csv", CLEAN.replace(",", ";")),
        ("data", CLEAN.replace(",", "|")),
        ("blanks.txt", CLEAN.replace(",", "  ")),
        ("tabs.dat", CLEAN.replace(",", "\t")),
        ("padded.csv", CLEAN.replace(",", " , ")),
        ("windows.csv", CLEAN.replace("\n", "\r\n")),
        ("old-mac.csv", CLEAN.replace("\n", "\r")),
        ("excel.csv", "\ufeff" + CLEAN),
        ("no-last-break.csv", CLEAN.rstrip()),
        ("blank-lines.csv", "\n\n" + CLEAN + "\n\n   \n"),
        ("blank-inside.csv", CLEAN.replace("\n4", "\n\n4")),
        ("quoted.csv", '"a","b","c"\n"1","2","3"\n4,5.5,"-6e3"\n'),
        ("packed.csv.gz", gzip.compress(CLEAN.encode(), mtime=0)),
        ("packed.tsv.gz", gzip.compress(CLEAN.replace(",", "\t").encode(), mtime=0)),
        ("packed-without-saying.csv", gzip.compress(CLEAN.encode(), mtime=0)),
    ],
)
def test_read_table_formats(written, name, content):
    """Separators, line ends, quotes, byte-order marks, blank lines and compression are all understood."""
    table = read_table(written(content, name))
    assert table.names == ("a", "b", "c")
    assert table.values.tolist() == VALUES


def test_read_table_path_as_text(written):
    """A path may be a string."""
    assert read_table(str(written(CLEAN))).values.tolist() == VALUES


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ('"body, mass","say ""hi""",c', ("body, mass", 'say "hi"', "c")),
        ("größe,温度,Δ x", ("größe", "温度", "Δ x")),
        ("a b,1,c", ("a b", "1", "c")),
        (" a , b , c ", ("a", "b", "c")),
        ('"two\nlines",b,c', ("two\nlines", "b", "c")),
    ],
)
def test_read_table_names(written, header, names):
    """Names may hold separators, quotes, line breaks and any script."""
    table = read_table(written(CLEAN.replace("a,b,c", header)))
    assert table.names == names
    assert table.values.tolist() == VALUES


@pytest.mark.parametrize("marker", ["", "NA", "NaN", "nan", "null", "NULL", "?", ".", "N/A", " NA ", '""'])
def test_read_table_missing_markers(written, marker):
    """The usual marks of a missing value become NaN."""
    table = read_table(written(f"a,b,c\n1,{marker},3\n4,5.5,-6e3\n"))
    np.testing.assert_array_equal(table.values, [[1, np.nan, 3], VALUES[1]])


def test_read_table_sep_given(written):
    """A given separator wins over what the header suggests."""
    table = read_table(written("a,b;c\n1;2\n"), sep=";")
    assert table.names == ("a,b", "c")
    assert read_table(written("a b\n1   2\n"), sep=" ").values.tolist() == [[1, 2]]


@pytest.mark.parametrize("sep", ["", "::"])
def test_read_table_sep_refused(written, sep):
    """A separator that is not one character is refused."""
    with pytest.raises(OptionError, match=r"'sep' parameter of read_table must be one character\. Got "):
        read_table(written(CLEAN), sep=sep)


@pytest.mark.parametrize(
    "content", [CLEAN.encode(), gzip.compress(CLEAN.encode(), mtime=0)], ids=["plain", "packed"]
)
def test_read_table_standard_input(monkeypatch, content):
    """A minus sign reads standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert read_table("-").values.tolist() == VALUES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_read_table_pipe(tmp_path):
    """A named pipe, which can be read only once, works even for a file with missing values."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(CLEAN.replace("5.5", "NA"),))
    writer.start()
    table = read_table(pipe)
    writer.join()
    assert np.isnan(table.values).sum() == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"data\.csv' is empty; a table needs a header line"),
        ("\n  \n", r"is empty"),
        ("a,b,c\n", r"has a header but no rows; add rows"),
        ("a,b,c\n\n \n", r"has a header but no rows"),
        ("1,2,3\n4,5,6\n", r"must begin with a line of column names\. Got the numbers 1, 2, 3; add"),
        ("1,2,3,4\n4,5,6,7\n", r"Got the numbers 1, 2, 3, …; add a header line"),
        ("a,b,a\n1,2,3\n", r"In the header of .*more than one of 'a'"),
        (",b,c\n1,2,3\n", r"Column number 1 has none\. If it holds row labels, write the file without"),
        ("a,b,c\n1,2\n", r"line 2: got 2 values for 3 columns; check its separators"),
        (
            "a,b,c\n1,2,3\n1,2,3,4\n",
            r"line 3: got 4 values for 3 columns; if the first is a row label, drop it",
        ),
        ("a,b,c\n1,2,3\n4,male,6\n", r"line 3, column 'b': 'male' is not a number; encode it or drop"),
        ("a,b,c\r\n1,2,3\r\n\r\n4,male,6\r\n", r"line 4, column 'b': 'male'"),
        ('"a\nx",b,c\n1,2,3\n4,5,oops\n', r"line 4, column 'c': 'oops'"),
        ("a,b,c\n1,1_000,3\n", r"line 2, column 'b': '1_000' is not a number"),
        ("a;b\n1,5;2\n", r"line 2, column 'a': '1,5' is not a number; write decimals with a point"),
        ("a,b,c\n1,NA,3\n2,x,3\n", r"line 3, column 'b': 'x'"),
        ("a,b\n1,\x00\n", r"line 2, column 'b'"),
        ('a,b\n1,"2\n3,4\n', r"cannot be split into cells: .*; check its quotes"),
        (b"a,b\n1,\xff\n", r"is not UTF-8 text \(byte 0xff\); save it as UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), r"is not UTF-8 text"),
        (gzip.compress(CLEAN.encode() * 50, mtime=0)[:-20], r"is a damaged gzip file; compress it again"),
        (b"\x1f\x8bnonsense", r"is a damaged gzip file"),
    ],
)
def test_read_table_faults(written, content, message):
    """Each fault of a file has its own sentence with the file, the line, the column and the value."""
    with pytest.raises(DataError, match=message) as refused:
        read_table(written(content))
    assert "data.csv" in str(refused.value)


def test_read_table_not_found(tmp_path):
    """A path without a file, or to a folder, is refused by name."""
    with pytest.raises(DataError, match=r"There is no file '.*nowhere\.csv'; check the path"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(DataError, match=r"is a folder; name a file in it"):
        read_table(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_read_table_no_permission(written):
    """A file that may not be read says so."""
    file = written(CLEAN)
    file.chmod(0)
    with pytest.raises(DataError, match="cannot be read"):
        read_table(file)


def test_read_table_long_file_both_ways(written, rng):
    """The fast and the careful way read the same numbers."""
    X = rng.normal(size=(2000, 4)) * 10.0 ** rng.integers(-20, 20, size=(2000, 4))
    lines = [",".join(map(repr, row)) for row in X.tolist()]
    fast = read_table(written("a,b,c,d\n" + "\n".join(lines), "fast.csv"))
    careful = read_table(written("a,b,c,d\n" + "\n".join([*lines, "NA,1,2,3"]), "careful.csv"))
    assert fast.values.tobytes() == X.tobytes() == careful.values[:-1].tobytes()


def test_load_sachs_size_and_first_row():
    """The bundled table has 7466 rows and 11 named columns."""
    table = load_sachs()
    assert table.names == ("raf", "mek", "plc", "pip2", "pip3", "erk", "akt", "pka", "pkc", "p38", "jnk")
    assert table.values.shape == (7466, 11)
    assert table.values[0, :3].tolist() == [3.5946, 3.1442, 2.9349]
    assert np.isfinite(table.values).all()


def test_load_sachs_equals_its_source(shared):
    """The bundled table is the published file, digit for digit."""
    source = read_table(shared / "data" / "sachs" / "sachs.2005.logxplus10.continuous.txt")
    assert source.names == load_sachs().names
    assert source.values.tobytes() == load_sachs().values.tobytes()


def test_bundled_truth():
    """The bundled truth has 20 arrows between the table's columns and no cycle."""
    truth = json.loads(bundled("sachs_truth.json").read_text(encoding="utf-8"))
    assert (truth["format"], truth["version"]) == ("secondlook.graph", 1)
    assert tuple(truth["nodes"]) == load_sachs().names
    assert len({(edge["from"], edge["to"]) for edge in truth["edges"]}) == 20
    assert {edge["kind"] for edge in truth["edges"]} == {"arrow"}
    assert {"from": "raf", "to": "mek", "kind": "arrow"} in truth["edges"]


def test_bundled_unknown():
    """A name that is not bundled is answered with those that are."""
    with pytest.raises(
        DataError, match=r"README\.md, sachs\.csv\.gz, sachs_truth\.json\. Got '\.\./table\.py'"
    ):
        bundled("../table.py")
