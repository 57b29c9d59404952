"""Choosing columns: what is left out may hold anything."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

import secondlook as sl
from secondlook.cli.columns import Choice, chosen_columns, table_in

TEXT = 'id,a,"b, c",note\nr1,1,2,"say ""hi"""\nr2,3,4,"two\nlines"\n\nr3,5,6.5,\n'


@pytest.fixture
def mixed() -> str:
    """A table with row labels, a note that spans lines, a blank line and a quoted name."""
    Path("mixed.csv").write_text(TEXT, encoding="utf-8")
    return "mixed.csv"


@pytest.mark.parametrize("choice", [Choice(keep=("b, c", "a")), Choice(drop=("note", "id"))])
@pytest.mark.parametrize("packed", [False, True])
def test_columns_of_text_can_be_left_out(mixed, choice, packed):
    """Kept columns are read in the table's order, whatever the others hold."""
    if packed:
        Path(mixed).write_bytes(gzip.compress(TEXT.encode("utf-8-sig")))
    table = table_in(mixed, choice)
    assert table.names == ("a", "b, c")
    assert np.array_equal(table.values, [[1, 2], [3, 4], [5, 6.5]])


@pytest.mark.parametrize("separator", [",", "\t", ";", "|", " "])
def test_columns_are_chosen_with_any_separator(separator):
    """The rule for separators is that of read_table."""
    text = "".join(separator.join(row) + "\n" for row in (["a", "b", "c"], ["1", "x", "2"], ["3", "y", "4"]))
    Path("t.csv").write_text(text)
    table = table_in("t.csv", Choice(drop=("b",)))
    assert table.names == ("a", "c")
    assert np.array_equal(table.values, [[1, 2], [3, 4]])


def test_choosing_all_columns_changes_nothing(data):
    """Every number is the same, bit for bit, with and without a choice."""
    whole = sl.read_table(data)
    chosen = table_in(str(data), Choice(keep=whole.names))
    assert chosen.names == whole.names
    assert np.array_equal(chosen.values, whole.values)


def test_messages_name_the_lines_of_the_file(mixed):
    """A bad cell below a note of two lines and a blank line is found in its own line."""
    Path(mixed).write_text(TEXT + "r4,oops,1,\n")
    with pytest.raises(sl.DataError, match="line 7, column 'a': 'oops'"):
        table_in(mixed, Choice(keep=("a", "b, c")))
    Path(mixed).write_text(TEXT + "r4,1\n")
    with pytest.raises(sl.DataError, match="line 7: got 2 values for 4 columns"):
        table_in(mixed, Choice(keep=("a", "b, c")))


def test_repeated_names_can_be_dropped():
    """Dropping a name drops all columns of that name; keeping it is refused."""
    Path("t.csv").write_text("a,b,b,c\n1,2,3,4\n")
    assert table_in("t.csv", Choice(drop=("b",))).names == ("a", "c")
    with pytest.raises(sl.DataError, match="unique"):
        table_in("t.csv", Choice(keep=("a", "b")))


def test_long_texts_can_be_left_out():
    """A cell longer than the csv module's limit is no obstacle."""
    Path("t.csv").write_text("a,b,c\n1,2," + "x" * 200_000 + "\n")
    assert table_in("t.csv", Choice(drop=("c",))).names == ("a", "b")


def test_names_are_separated_by_commas_and_may_be_quoted():
    """Options may be repeated; a quoted name may hold a comma."""
    assert chosen_columns(["a, b", '"c,d"'], []) == Choice(keep=("a", "b", "c,d"))
    assert chosen_columns([], ["a"]) == Choice(drop=("a",))


@pytest.mark.parametrize("raw", [b"", b"\xff\xfea,b\n", b"\x1f\x8bbroken", b'a,b\n"1,2\n'])
def test_files_that_cannot_be_split_get_the_librarys_sentence(raw):
    """A choice of columns does not hide what is wrong with the file."""
    Path("bad.csv").write_bytes(raw)
    with pytest.raises(sl.DataError) as plain:
        table_in("bad.csv", Choice())
    with pytest.raises(sl.DataError) as chosen:
        table_in("bad.csv", Choice(keep=("a", "b")))
    assert str(chosen.value) == str(plain.value)


def test_fit_drops_a_column_of_text(cli, mixed):
    """The command line offers it, from a file and from stdin."""
    rows = "".join(f"r{k},{k % 7},{k % 5},x\n" for k in range(60))
    text = f"id,a,b,note\n{rows}"
    Path(mixed).write_text(text)
    assert "60 rows x 2 columns" in cli("fit", mixed, "--drop", "id,note").out
    assert "60 rows x 2 columns" in cli("fit", "-", "--columns", "a", "--columns", "b", stdin=text).out
