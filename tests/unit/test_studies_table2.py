"""Table 2: the loader, the partial truth and its readings, the grid as printed, the report."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import secondlook as sl
from secondlook.metrics import Score
from secondlook.search import AlphaPath
from secondlook.selection import Choice
from secondlook.studies import Results, Settings, run_study
from secondlook.studies.framingham import table2
from secondlook.studies.framingham.data import NAMES, VARIABLES, read_framingham
from secondlook.studies.framingham.methods import TABLE2_METHODS, AsPrinted
from secondlook.studies.framingham.printed import ALPHAS, PRINTED, PRINTED_ALPHAS, PRINTED_ORDER
from secondlook.studies.framingham.scores import Scores
from secondlook.studies.framingham.table2 import Table2
from secondlook.studies.framingham.truth import (
    DEFINITIONS,
    NEGATIVES,
    REQUIRED,
    Definition,
    Tally,
    half_skips,
    tally,
)
from secondlook.tables import as_table

ALL = NEGATIVES[-1]
BACK_OTHER = NEGATIVES[2]


def graph_of(arrows=(), lines=()):
    """A graph over the 24 columns."""
    return sl.PDAG(NAMES, arrows, lines)


def required():
    """The 16 arrows that are known to be there."""
    return [(f"{v}{exam}", f"{v}{exam + 1}") for v in VARIABLES for exam in (1, 2)]


@pytest.fixture
def people(rng):
    """Values of 120 people, 3 exams and 8 variables, each exam close to the one before."""
    first = rng.normal(size=(120, 1, 8))
    steps = np.cumsum(rng.normal(0.0, 0.7, size=(120, 3, 8)), axis=1)
    return first + steps


def teaching_table(path, people, *, drop=(), holes=(), extra=True):
    """Writes a teaching table, its rows shuffled; HDLC is empty but at the third exam."""
    names = ["RANDID", "SEX", *VARIABLES, "PERIOD", *(["HDLC"] if extra else [])]
    rows = []
    for person, exams in enumerate(people):
        for exam, values in enumerate(exams):
            if (person, exam) in drop:
                continue
            cells = ["" if (person, exam, k) in holes else repr(float(v)) for k, v in enumerate(values)]
            hdlc = ["" if exam < 2 or (person, exam, "HDLC") in holes else "50"] if extra else []
            rows.append([str(1000 + person), str(person % 2), *cells, str(exam + 1), *hdlc])
    order = np.random.default_rng(0).permutation(len(rows))
    path.write_text("\n".join([",".join(names), *(",".join(rows[k]) for k in order)]) + "\n")
    return path


def test_read_framingham_pivots_the_teaching_table(tmp_path, people):
    """One row per person, the variables exam by exam; whoever lacks anything anywhere is left out."""
    file = teaching_table(tmp_path / "t.csv", people, drop={(3, 2)}, holes={(5, 1, 0), (7, 2, "HDLC")})
    table = read_framingham(file)
    assert table.names == NAMES
    kept = [k for k in range(120) if k not in (3, 5, 7)]
    assert np.array_equal(table.values, people[kept].reshape(117, 24))


def test_read_framingham_takes_the_ready_table(tmp_path, people):
    """A table that has the 24 columns is taken in our order, whatever else it holds."""
    wide = people.reshape(120, 24)
    columns = [*reversed(NAMES), "OTHER"]
    cells = np.column_stack([wide[:, ::-1], np.zeros(120)])
    file = tmp_path / "ready.csv"
    file.write_text("\n".join([",".join(columns), *(",".join(map(repr, row)) for row in cells.tolist())]))
    assert np.array_equal(read_framingham(file).values, wide)


def test_read_framingham_reads_the_papers_rows(shared):
    """The table that the paper used has 2003 people."""
    file = shared / "data" / "framingham" / "framingham_2003x24.csv"
    if not file.exists():
        pytest.skip("needs the Framingham data, which are not shipped")
    assert read_framingham(file).values.shape == (2003, 24)


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        (
            "RANDID,PERIOD,TOTCHOL,AGE",
            "1,1,1,1",
            "lacks the columns 'SYSBP', 'DIABP', 'CIGPDAY', 'BMI', 'HEARTRTE'",
        ),
        (",".join(("PERIOD", *VARIABLES)), "1" + ",1" * 8, "lacks the column 'RANDID' of the Framingham"),
        (",".join(("RANDID", "PERIOD", *VARIABLES)), "7,4" + ",1" * 8, "Got 7 and 4 in row 1"),
        (",".join(("RANDID", "PERIOD", *VARIABLES)), "7,1" + ",1" * 8, "no person without missing values"),
        (
            ",".join(("RANDID", "PERIOD", *VARIABLES)),
            "7,1" + ",1" * 8 + "\n7,1" + ",2" * 8,
            "two rows of one person and exam",
        ),
    ],
)
def test_read_framingham_refuses(tmp_path, header, row, said):
    """What is no such table is refused in one sentence that names columns or rows."""
    file = tmp_path / "t.csv"
    file.write_text(f"{header}\n{row}\n")
    with pytest.raises(sl.DataError) as refused:
        read_framingham(file)
    assert said in str(refused.value)


def test_tally_of_the_known_arrows():
    """A graph of the 16 required arrows has no mistake, whatever else is within exams or ahead in time."""
    found = tally(graph_of([*required(), ("AGE1", "BMI3"), ("AGE1", "AGE3")], [("BMI2", "AGE2")]))
    assert found == Tally(16, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1)
    assert (found.mistakes, found.found) == (0, 16)


def test_tally_counts_mistakes_against_time():
    """An arrow back in time is a mistake, a reversed required one two; a line is none."""
    arrows = [("AGE2", "AGE1"), ("AGE3", "AGE1"), ("BMI3", "AGE2"), ("AGE1", "BMI1")]
    lines = [("BMI2", "BMI1"), ("SYSBP1", "SYSBP3"), ("SYSBP3", "DIABP2")]
    found = tally(graph_of(arrows, lines))
    assert found == Tally(0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0)
    assert found.mistakes == (REQUIRED - 1) + 3
    assert half_skips(found) == (15 + 3) / 2


def test_definitions_on_marks_equal_the_metrics():
    """With every other mark negative and lines counted, the readings are the library's own on all marks."""
    truth = graph_of(required())
    guess = graph_of(
        [("AGE1", "AGE2"), ("BMI3", "AGE1"), ("AGE1", "SYSBP1"), ("GLUCOSE1", "GLUCOSE3")], [("BMI1", "BMI2")]
    )
    reading = Definition(ALL, "marks")
    assert reading.value("shd", tally(guess)) == sl.metrics.shd(truth, guess)
    assert reading.value("f1", tally(guess)) == sl.metrics.f1(truth, guess)
    assert reading.value("mcc", tally(guess)) == sl.metrics.mcc(truth, guess)


def test_definitions_ignore_what_is_neither():
    """A mark that is neither positive nor negative changes nothing; with arrows only a line is no claim."""
    guess = graph_of(required()[:8], [required()[8], ("AGE1", "BMI1")])
    ignored = graph_of([*required()[:8], ("AGE1", "AGE3")], [required()[8]])
    reading = Definition(BACK_OTHER, "marks")
    assert reading.confusion(tally(guess)) == reading.confusion(tally(ignored))
    assert reading.confusion(tally(guess)).tp == 9
    assert Definition(BACK_OTHER, "arrows").confusion(tally(guess)).tp == 8
    assert len({definition.text for definition in DEFINITIONS}) == len(DEFINITIONS) == 12


def test_printed_grid_is_the_papers():
    """The printed grid has 1e-5 twice, once out of order, and every alpha of it is in the grid as meant."""
    assert [ALPHAS[k] for k in PRINTED_ORDER] == list(PRINTED_ALPHAS)
    assert sorted(set(PRINTED_ALPHAS)) == [a for a in ALPHAS if a != 1e-6]
    assert PRINTED["shd"] == (5.238, 5.272, 5.096, 5.316, 4.888)


@pytest.mark.parametrize(
    ("keys", "chosen"), [((0, 0, 0, 9, 1, 1), 5), ((0, 0, 0, 9, 2, 1), 4), ((3, 3, 0, 9, 1, 1), 0)]
)
def test_as_printed_visits_in_the_printed_order(monkeypatch, keys, chosen):
    """The first best in the printed order is kept: of equals 1e-5 before 5e-6, and never 1e-6."""
    scores = tuple(Score(float(key), key, is_perfect=False) for key in keys)
    monkeypatch.setattr(sl.DoubleCheck, "choose", lambda *_: Choice(3, scores, "shd", (3,)))
    assert AsPrinted(sl.DoubleCheck()).choose(None, None).chosen == chosen


def test_as_printed_gives_other_rules_the_printed_alphas():
    """Rules that compare alphas see the five printed ones, and the answer is a position in the whole grid."""
    seen = []

    class Last:
        name, looks = "last", 1

        def choose(self, path, problem):
            seen.append(path.alphas)
            return Choice(3, (), "last", (3,))

    data = np.random.default_rng(0).normal(size=(100, 3))
    problem = SimpleNamespace(test=sl.FisherZ(data), options=sl.SearchOptions())
    path = sl.alpha_path(problem.test, ALPHAS)
    assert isinstance(path, AlphaPath)
    assert AsPrinted(Last()).choose(path, problem).chosen == ALPHAS.index(5e-6)
    assert seen == [(5e-8, 1e-7, 5e-7, 5e-6, 1e-5)]


def test_judged_scores_what_the_library_finds(people):
    """A bootstrap's rows follow from seed and number, and its graphs are the library's own."""
    table = as_table(people.reshape(120, 24), NAMES)
    rows = table2.judged(table, 3, 7, ("bic", "autopc")).rows
    assert rows == table2.judged(table, 3, 7, ("bic", "autopc")).rows
    rng = np.random.default_rng(np.random.SeedSequence((7, 3)))
    drawn = people.reshape(120, 24)[rng.integers(120, size=120)]
    chosen = sl.autopc(sl.FisherZ(drawn, names=NAMES), alphas=ALPHAS, metric="mcc", colliders="overwrite")
    (found,) = [r for r in rows if (r["method"], r["tuned_for"], r["grid"]) == ("autopc", "mcc", "meant")]
    assert found["alpha"] == chosen.alpha
    assert {name: found[name] for name in tally(chosen.graph).to_row()} == tally(chosen.graph).to_row()
    assert len(rows) == 6 + 2 + 6


def test_scores_average_over_both_grids():
    """Mean weighs 1e-5 twice on the printed grid and leaves out 1e-6."""
    counts = dict.fromkeys(("next_back", "next_line", "skip_ahead", "skip_back", "skip_line"), 0)
    counts |= dict.fromkeys(("other_ahead", "other_back", "other_line", "within_arrow", "within_line"), 0)
    head = {"draw": 0, "method": "pc", "grid": "", "tuned_for": "", "colliders": "overwrite", "status": "ok"}
    rows = [{**head, "alpha": a, "next_ahead": k, **counts} for k, a in enumerate(ALPHAS)]
    scores = Scores(Results(rows, []))
    measure = lambda found: float(found.next_ahead)  # noqa: E731
    assert scores.values("meant", "mean", "shd", measure).tolist() == [15 / 6]
    assert scores.values("printed", "mean", "shd", measure).tolist() == [(0 + 1 + 2 + 5 + 4 + 5) / 6]


def test_table2_runs_and_reports(tmp_path, people):
    """The study writes its page; every reading is there for every metric and both grids, and resumes."""
    file = teaching_table(tmp_path / "t.csv", people)
    settings = Settings(3, 0, {"data": str(file), "methods": "mean,bic-naive,autopc"})
    finished = run_study(Table2(), settings, tmp_path / "out")
    titles = [table.title for table in finished.report.tables]
    assert len(titles) == 2 + 6 + 1
    shd = finished.report.tables[2]
    assert shd.rows[0][:2] == ("**the paper**", "5.238")
    assert len(shd.rows) == 1 + len(DEFINITIONS) + 2
    assert [float(row[-1]) for row in shd.rows[1:]] == sorted(float(row[-1]) for row in shd.rows[1:])
    assert "No method failed on any bootstrap." in finished.report.verdict
    assert run_study(Table2(), settings, tmp_path / "out").resumed == 1
    teaching_table(file, people + 1.0)
    assert run_study(Table2(), settings, tmp_path / "out").resumed == 0


def test_table2_reports_failures(tmp_path, people, monkeypatch):
    """A study in which every method fails still has its tables, and says so."""
    file = teaching_table(tmp_path / "t.csv", people)

    def refused(*_, **__):
        raise sl.BudgetError("Too many tests.")

    monkeypatch.setattr("secondlook.studies.contest.alpha_path", refused)
    settings = Settings(1, 0, {"data": str(file), "methods": "mean,autopc"})
    report = run_study(Table2(), settings, tmp_path / "out").report
    assert any(sentence.startswith("Failures: 12 rows") for sentence in report.verdict)


def test_settings_of_table2_default_to_all_methods(tmp_path, people):
    """All methods unless some are named; without the data, one sentence."""
    file = teaching_table(tmp_path / "t.csv", people)
    settled = Table2().settled(Settings(1, 0, {"data": str(file)}))
    assert settled.options["methods"].split(",") == list(TABLE2_METHODS)
    assert "ebic" not in TABLE2_METHODS
    with pytest.raises(sl.OptionError, match="--data"):
        Table2().settled(Settings(1))
