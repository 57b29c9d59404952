"""The record of a study under way."""

from __future__ import annotations

import json
import os

import pytest
from toy_study import Toy

from secondlook import DataError
from secondlook.studies import Outcome, Settings, Unit
from secondlook.studies.journal import Journal, write_whole

UNITS = [Unit(f"u{k}", k) for k in range(3)]
FOUND = Outcome([{"k": 1, "value": 0.1, "message": None}], [{"seconds": 1.5}])


def journal(folder, *, draws=3, seed=0, power="2"):
    """The journal of a toy study."""
    return Journal(folder, Toy(), Settings(draws, seed, {"power": power}))


def test_journal_gives_back_what_was_added(tmp_path):
    """A recorded unit is read back equal, by another process too; the others are missing."""
    with journal(tmp_path / "out").opened():
        journal(tmp_path / "out").add("u1", FOUND)
    again = journal(tmp_path / "out")
    with again.opened():
        assert again.done(UNITS) == {"u1": FOUND}


@pytest.mark.parametrize("half", ["", "{", '{"settings": "x"}', "[]", "null", "\x00\x00"])
def test_journal_runs_damaged_record_again(tmp_path, half):
    """A record that cannot be read counts as not there."""
    kept = journal(tmp_path)
    with kept.opened():
        kept.add("u1", FOUND)
        (tmp_path / "units" / "u1.json").write_text(half)
        assert kept.done(UNITS) == {}


def test_journal_clears_half_written_files(tmp_path):
    """What a killed process left beside the records is neither read nor kept."""
    with journal(tmp_path).opened():
        pass
    part = tmp_path / "units" / ".u1.json.1234.part"
    part.write_text('{"settings"')
    (tmp_path / ".results.csv.1234.part").write_text("k,va")
    with journal(tmp_path).opened():
        assert journal(tmp_path).done(UNITS) == {}
    assert not part.exists()
    assert not (tmp_path / ".results.csv.1234.part").exists()


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"draws": 4}, "draws 3, and draws 4"), ({"seed": 1}, "seed 0"), ({"power": "3"}, "option power 3")],
)
def test_journal_refuses_other_settings(tmp_path, changed, said):
    """A folder of other settings is refused with what differs and both remedies, and stays as it was."""
    kept = journal(tmp_path)
    with kept.opened():
        kept.add("u1", FOUND)
    with pytest.raises(DataError, match=said) as refused, journal(tmp_path, **changed).opened():
        pass
    assert "--out" in str(refused.value)
    assert "--force" in str(refused.value)
    assert kept.done(UNITS) == {"u1": FOUND}


def test_journal_begins_anew_when_forced(tmp_path):
    """With force the records of other settings are gone, and those of the same settings stay."""
    kept = journal(tmp_path)
    with kept.opened():
        kept.add("u1", FOUND)
    with kept.opened(force=True):
        assert kept.done(UNITS) == {"u1": FOUND}
    other = journal(tmp_path, seed=1)
    with other.opened(force=True):
        assert other.done(UNITS) == {}
        assert list((tmp_path / "units").iterdir()) == []


def test_journal_never_mixes_records_of_other_settings(tmp_path):
    """A record that was put there from elsewhere is not read under other settings."""
    with journal(tmp_path / "a").opened():
        journal(tmp_path / "a").add("u1", FOUND)
    other = journal(tmp_path / "b", seed=1)
    with other.opened():
        (tmp_path / "b" / "units" / "u1.json").write_bytes((tmp_path / "a/units/u1.json").read_bytes())
        assert other.done(UNITS) == {}


def test_journal_refuses_folder_of_other_things(tmp_path):
    """A folder that holds other files is not written to without force."""
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(DataError, match="holds other files"), journal(tmp_path).opened():
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    with journal(tmp_path).opened(force=True):
        pass
    assert (tmp_path / "letter.txt").read_text() == "Dear"


def test_journal_refuses_second_process(tmp_path):
    """Two processes do not work in one folder; the lock ends with its holder."""
    with (
        journal(tmp_path).opened(),
        pytest.raises(DataError, match="Another process"),
        journal(tmp_path).opened(),
    ):
        pass
    with journal(tmp_path).opened():
        pass


def test_journal_refuses_places_that_are_no_folder(tmp_path):
    """A file, or a folder in a folder that is not there, is refused by name."""
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="is a file"), journal(tmp_path / "file").opened():
        pass
    with pytest.raises(DataError, match="There is no folder"), journal(tmp_path / "no" / "out").opened():
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_journal_says_when_folder_is_read_only(tmp_path):
    """A folder that cannot be written to raises the system's own error."""
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError), journal(tmp_path / "out").opened():
        pass


def test_write_whole_leaves_old_file_when_it_fails(tmp_path, monkeypatch):
    """A write that fails midway leaves the old content and nothing beside it."""
    path = tmp_path / "file"
    write_whole(path, b"old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_settings_file_says_what_was_run(tmp_path):
    """settings.json names the study, the draws, the seed, the options and the version."""
    with journal(tmp_path).opened():
        pass
    found = json.loads((tmp_path / "settings.json").read_text())
    assert found == {
        "format": 1,
        "secondlook": found["secondlook"],
        "study": "toy",
        "seed": 0,
        "draws": 3,
        "option power": "2",
    }
