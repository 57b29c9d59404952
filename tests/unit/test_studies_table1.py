"""Table 1 and Figure 1: rows, statistics, layout, verdict."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan, nan

import numpy as np
import pytest
from scipy.stats import ttest_rel

import secondlook as sl
from secondlook.studies import Results, Settings, contest
from secondlook.studies.statistics import Mean, mean_of, paired, z_against
from secondlook.studies.synthetic import judging, methods
from secondlook.studies.synthetic.draws import CELLS, Cell, drawn
from secondlook.studies.synthetic.figure1 import Figure1
from secondlook.studies.synthetic.methods import METHODS, METRICS, checked_methods
from secondlook.studies.synthetic.printed import printed, printed_seconds
from secondlook.studies.synthetic.scores import Scores
from secondlook.studies.synthetic.table1 import Table1

SMALL = Cell(1000, 10)


def row(method, draw, value, *, cell=SMALL, tuned_for="", alpha=0.01, status="ok"):
    """A row whose three metrics have one value."""
    head = {"n": cell.n, "d": cell.d, "draw": draw, "method": method, "tuned_for": tuned_for, "alpha": alpha}
    return {**head, **dict.fromkeys(METRICS, value), "status": status, "message": None}


def times(*seconds):
    """Timings of one draw."""
    return [{"n": 1000, "d": 10, "draw": 0, "method": method, "seconds": s} for method, s in seconds]


def test_judged_scores_what_the_library_finds():
    """Every row of a draw is what the library's own functions say of that data set."""
    rows = judging.judged(SMALL, 7, 1, ("bic", "autopc", "autopc-vote")).rows
    data = drawn(SMALL, 7, 1)
    for colliders, method in (("overwrite", "autopc"), ("vote", "autopc-vote")):
        for metric in METRICS:
            chosen = sl.autopc(data.test, metric=metric, colliders=colliders)
            (found,) = [r for r in rows if r["method"] == method and r["tuned_for"] == metric]
            assert found["alpha"] == chosen.alpha
            assert found["shd"] == sl.metrics.shd(data.truth, chosen.graph)
            assert found["mcc"] == sl.metrics.mcc(data.truth, chosen.graph)
    by_bic = sl.autopc(data.test, rule=sl.BIC(), colliders="overwrite")
    (found,) = [r for r in rows if r["method"] == "bic"]
    assert (found["alpha"], found["f1"]) == (by_bic.alpha, sl.metrics.f1(data.truth, by_bic.graph))
    single = [r["shd"] for r in rows if r["method"] == "pc"]
    assert single == [
        sl.metrics.shd(data.truth, sl.pc(data.test, alpha=a, colliders="overwrite").graph)
        for a in (0.0005, 0.001, 0.005, 0.01, 0.05, 0.1)
    ]


def test_drawn_does_not_depend_on_other_draws():
    """A draw is the same whichever came before, and another one for every number, size and seed."""
    first = drawn(SMALL, 3, 5).test.correlation
    drawn(SMALL, 2, 5, frozenset({"rows"}))
    assert np.array_equal(first, drawn(SMALL, 3, 5).test.correlation)
    for other in (drawn(SMALL, 4, 5), drawn(SMALL, 3, 6)):
        assert not np.array_equal(first, other.test.correlation)


def test_drawn_rows_have_the_same_truth():
    """With rows the model is the same, the data are a table of the cell's size, and the folds are its own."""
    with_rows, without = drawn(SMALL, 0, 0, frozenset({"rows"})), drawn(SMALL, 0, 0)
    assert with_rows.truth == without.truth
    assert with_rows.table.values.shape == (1000, 10)
    assert without.table is None
    assert without.moments is None
    both = drawn(SMALL, 0, 0, frozenset({"rows", "folds"}))
    assert np.array_equal(both.table.values, with_rows.table.values)
    assert both.moments.merged().count == 1000
    assert both.test.correlation == pytest.approx(sl.FisherZ(both.table).correlation, abs=1e-12)


def test_judged_gives_rules_what_they_need():
    """Rules that draw rows and rules that want folds find them, alone and together."""
    for named in (("stars",), ("octs",), ("stars", "octs")):
        rows = judging.judged(SMALL, 0, 0, named).rows
        assert {r["status"] for r in rows} == {"ok"}
        assert {r["method"] for r in rows} == {"pc", *named}


def test_judged_records_a_rule_that_fails(monkeypatch):
    """A rule that raises is a row with its message; all other rows are what they would be."""

    class Broken:
        name, looks = "broken", 1

        def choose(self, path, problem):
            raise ZeroDivisionError("no draw")

    expected = judging.judged(SMALL, 0, 0, ("bic",)).rows
    broken = methods.Method("Broken", lambda _: {"": Broken()})
    monkeypatch.setitem(METHODS, "broken", broken)
    rows = judging.judged(SMALL, 0, 0, ("broken", "bic")).rows
    (failed,) = [r for r in rows if r["method"] == "broken"]
    assert (failed["status"], failed["message"]) == ("failed", "ZeroDivisionError: no draw")
    assert failed["shd"] is None
    assert [r for r in rows if r["method"] != "broken"] == expected
    assert [set(r) for r in rows] == [set(failed)] * len(rows)


def test_judged_records_a_draw_that_fails(monkeypatch):
    """A data set that cannot be drawn or searched gives a failed row for every method, and no gap."""
    expected = judging.judged(SMALL, 0, 0, ("bic", "autopc-vote")).rows

    def refused(*_, **__):
        raise sl.BudgetError("Too many tests.")

    monkeypatch.setattr(contest, "alpha_path", refused)
    rows = judging.judged(SMALL, 0, 0, ("bic", "autopc-vote")).rows
    assert sorted((r["method"], r["tuned_for"]) for r in rows) == sorted(
        (r["method"], r["tuned_for"]) for r in expected
    )
    assert {r["message"] for r in rows} == {"BudgetError: Too many tests."}


def test_printed_figures_of_the_paper():
    """The first and last figures of each table are those that the paper prints."""
    assert printed("shd", "mean", CELLS[0]) == 5.165
    assert printed("shd", "autopc", CELLS[8]) == 4.912
    assert printed("f1", "bic-naive", CELLS[3]) == 0.824
    assert printed("mcc", "octs", CELLS[7]) == 0.915
    assert printed_seconds("autopc", CELLS[2]) == -0.064
    assert printed_seconds("stars", CELLS[8]) == 13.27
    assert printed("shd", "bic", CELLS[0]) is None
    assert printed("shd", "mean", Cell(5, 5)) is None
    assert printed_seconds("mean", CELLS[0]) is None


def test_printed_order_is_that_of_the_paper():
    """Cells go by variables, then by rows; in the paper AutoPC's SHD falls with n in each block of three."""
    assert [(c.n, c.d) for c in CELLS[:4]] == [(1000, 10), (10_000, 10), (100_000, 10), (1000, 20)]
    shd = [printed("shd", "autopc", cell) for cell in CELLS]
    assert all(shd[k] > shd[k + 1] for k in range(8) if (k + 1) % 3)


def test_paired_equals_scipy(rng):
    """The paired t-test is SciPy's, over the pairs without failures."""
    first, second = rng.normal(size=40), rng.normal(0.3, size=40)
    first[3] = nan
    kept = ~np.isnan(first)
    expected = ttest_rel(first[kept], second[kept])
    found = paired(first, second)
    assert found.size == 39
    assert found.t == pytest.approx(expected.statistic, rel=1e-12)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-9)


def test_paired_of_constant_differences():
    """Without any spread the test says certainly equal or certainly different, without a warning."""
    assert paired([1, 2], [1, 2]).p == 1.0
    assert paired([2, 3], [1, 2])[1:3] == (inf, 0.0)
    assert isnan(paired([1.0], [2.0]).p)


def test_z_against_counts_both_samples():
    """The difference is judged by both samples' errors; equal means have z = 0."""
    assert z_against(Mean(6.0, 2.0, 100), 5.0, 100) == pytest.approx(1 / (2 * np.sqrt(0.02)))
    assert z_against(Mean(6.0, 2.0, 100), 6.0, 500) == 0.0
    assert isnan(mean_of([nan]).value)


def test_scores_average_pc_over_alphas():
    """Mean is PC's average over the alphas, draw by draw; AutoPC is judged as tuned for the metric."""
    rows = [row("pc", draw, value, alpha=a) for draw in (0, 1) for a, value in ((0.01, 2), (0.1, 4 + draw))]
    rows += [row("autopc", 0, k, tuned_for=metric) for k, metric in enumerate(METRICS)]
    rows += [row("bic", 0, None, status="failed")]
    scores = Scores(Results(rows, times(("pc", 1.0), ("pc", 3.0), ("pc", 4.0))))
    assert scores.values(SMALL, "mean", "shd").tolist() == [3.0, 3.5]
    assert scores.values(SMALL, "autopc", "mcc").tolist() == [2.0]
    assert isnan(scores.values(SMALL, "bic", "f1")[0])
    assert scores.at_alphas(SMALL, "f1").tolist() == [[2.0, 4.0], [2.0, 5.0]]
    assert (scores.failures, scores.alphas, scores.seconds(SMALL, "pc")) == (1, [0.01, 0.1], 3.0)


def _fixed_results(ours, theirs, draws=20):
    """AutoPC with SHD near `ours` and BIC with SHD near `theirs`, the two a little apart in every draw."""
    rows = []
    for draw in range(draws):
        wobble = 0.01 * (draw % 3)
        rows += [row("pc", draw, ours + 1 + wobble, alpha=a) for a in (0.01, 0.1)]
        rows += [row("bic", draw, theirs - wobble)]
        rows += [row("autopc", draw, ours + wobble, tuned_for=metric) for metric in METRICS]
    return Results(rows, times(("pc", 0.002), ("bic", 0.003), ("autopc", 0.001)))


def _report(results, named="bic,autopc"):
    study = Table1(cells=(SMALL,))
    return study.report(results, study.settled(Settings(20, 0, {"methods": named})))


def test_table1_layout():
    """Columns are the paper's, the best figure is bold, z and times stand beside the paper's figures."""
    report = _report(_fixed_results(4.6, 5.0))
    titles = [table.title for table in report.tables]
    assert titles[:2] == ["1 (a) SHD (differing marks)", "1 (a) in the paper"]
    shd, paper = report.tables[:2]
    assert shd.header == ("n", "d", "BIC", "AutoPC")
    assert shd.rows[0][:2] == ("1,000", "10")
    assert shd.rows[0][2].startswith("4.9")
    assert shd.rows[0][3] == "**4.609 ± 0.002**"
    assert paper.header == ("n", "d", "AutoPC")
    assert paper.rows[0][2].startswith("4.618 (-")
    (time,) = [table for table in report.tables if table.title.startswith("1 (d)")]
    assert time.rows[0][2:] == ("2.00 ms", "3.00 ms = 1.50x", "1.00 ms = 0.50x (0.021 s)")


@pytest.mark.parametrize(
    ("theirs", "said"), [(5.0, "SHD: wins 1 (1 at d = 10), loses none"), (4.0, "loses 1")]
)
def test_verdict_says_who_wins(theirs, said):
    """The verdict turns round with the numbers."""
    (sentence,) = [s for s in _report(_fixed_results(4.6, theirs)).verdict if "against BIC" in s]
    assert said in sentence


def test_verdict_says_when_the_paper_is_missed():
    """Figures far from the paper's are counted as such, and failures are counted."""
    results = _fixed_results(9.0, 5.0)
    results.rows[2] = row("bic", 0, None, status="failed")
    said = _report(results).verdict
    assert any("AutoPC agrees with the paper (|z| < 3) in 0 of 3 figures" in s for s in said)
    assert any("Failures: 1 rows" in s for s in said)


def test_table1_reports_draws_that_all_failed(monkeypatch):
    """A study in which everything failed still has its tables and says so."""
    monkeypatch.setattr(judging, "drawn", lambda *_, **__: 1 / 0)
    study = Table1(cells=(SMALL,))
    settings = study.settled(Settings(2))
    found = [study.run(unit, settings) for unit in study.units(settings)]
    report = study.report(Results(found[0].rows, found[0].timings), settings)
    assert any("Failures" in sentence for sentence in report.verdict)


def test_figure1_compares_with_the_best_alpha():
    """AutoPC is tested against the alpha that is best on average, in each metric's own direction."""
    report = Figure1(cells=(SMALL,)).report(_fixed_results(4.6, 5.0), Settings(20))
    assert report.verdict[0].startswith(
        "SHD: AutoPC is better on average than the best single alpha in 1 of 1"
    )
    assert report.verdict[1].startswith(
        "F1: AutoPC is better on average than the best single alpha in 0 of 1"
    )
    assert report.tables[0].header == ("n", "d", "0.01", "0.1", "AutoPC", "p")


def test_figure1_has_the_draws_of_table1():
    """Both studies judge the same data sets where no method of table1 needs rows or folds."""
    table, figure = Table1(cells=(SMALL,)), Figure1(cells=(SMALL,))
    rows = []
    for study in (table, figure):
        settings = study.settled(Settings(2, 4, {"methods": "mean,bic,autopc"} if study is table else {}))
        (unit,) = study.units(settings)
        rows.append([r for r in study.run(unit, settings).rows if r["method"] in ("pc", "autopc")])
    assert rows[0] == rows[1]


def test_table1_units_cover_every_draw_once():
    """The blocks of a cell are disjoint, small, and cover all draws under keys that differ."""
    units = Table1().units(Settings(47))
    assert len({unit.key for unit in units}) == len(units)
    for cell in CELLS:
        draws = [u.task.first + k for u in units if u.task.cell == cell for k in range(u.task.draws)]
        assert draws == list(range(47))


def test_checked_methods_are_in_the_order_of_the_table():
    """Methods come in one order however they are typed, so that settings compare equal."""
    assert checked_methods("autopc, mean,autopc") == ("mean", "autopc")
    with pytest.raises(sl.OptionError, match="Did you mean 'autopc'"):
        checked_methods("autpc")
    with pytest.raises(sl.OptionError, match="at least one"):
        checked_methods(" , ")


def test_methods_are_told_their_seed_and_metrics():
    """Every method makes rules for all metrics or a single one, whatever the seed."""
    for method in METHODS.values():
        made = method.rules(5)
        assert set(made) in (set(), {""}, set(METRICS))
        assert all(isinstance(rule, sl.selection.Rule) for rule in made.values())


def test_settings_of_table1_default_to_all_methods():
    """Without options all methods are compared, and the settings say which."""
    settled = Table1().settled(Settings(1))
    assert settled.options["methods"].split(",") == list(METHODS)
    assert Table1().settled(settled) == settled
    assert replace(settled, draws=2) != settled
