"""What the study of the theorems shows."""

from __future__ import annotations

from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

from secondlook.search import COLLIDER_RULES, DEFAULT_ALPHAS
from secondlook.studies.study import Plot, ReportTable
from secondlook.studies.theory.complexity import COUNTED_NODES, COUNTED_ROWS, ENGINES
from secondlook.studies.theory.consistency import BY_C, BY_N, COLLIDERS, FIXED, GRIDS, LARGEST_C, NODES, ROWS
from secondlook.studies.theory.scores import Where, whole

if TYPE_CHECKING:
    from secondlook.studies.study import Row
    from secondlook.studies.theory.scores import Scores

_LABELS = {"overwrite": "AutoPC", "vote": "AutoPC, vote"}


def tables_of(scores: Scores) -> list[ReportTable]:
    """The oracle's counts, the chance of the truth and the agreement by rows, the tests of both looks."""
    titles = {
        "right": "Theorems 2 and 3: how often the chosen graph is the true CPDAG",
        "agreement": "Theorems 2 and 3: agreement m of the two looks at the chosen alpha",
        "spurious": "How often the chosen graph has an edge too many and lacks none",
        "too_few": "How often the chosen graph lacks an edge",
        "somewhere": "How often the true CPDAG is the graph of some alpha of the grid",
    }
    notes = {
        "right": "Shares ± standard errors. 'fixed' is the paper's grid. 'by 1/n' multiplies its alphas by "
        "1000 / n from 1000 rows on. 'by c' replaces an alpha by 2 (1 - Phi(sqrt(n) c / 2)) "
        "as soon as that is smaller, with c in proportion to the critical values, "
        f"{LARGEST_C:g} for the smallest alpha.",
        "agreement": "m is 1 - SHD / (d (d - 1)) of the two looks.",
        "spurious": "An independence called a dependence, with nothing lost that could have caused it.",
        "too_few": "A dependence too weak for the alpha; with weights drawn at random some nearly cancel.",
        "somewhere": "What no rule that chooses from the grid can exceed.",
    }
    return [
        _oracle_table(scores),
        *(_growth_table(scores, column, title, notes[column]) for column, title in titles.items()),
        _tests_table(scores),
    ]


def verdict_of(scores: Scores) -> list[str]:
    """One sentence for each theorem and for the cost, every number from the rows."""
    return [
        _oracle_said(scores),
        *(_growth_said(scores, d) for d in NODES),
        _limit_said(scores),
        *_tests_said(scores),
    ]


def plots_of(scores: Scores) -> list[Plot]:
    """The chance of the truth against rows, and the tests against variables."""
    return [
        Plot(
            "theory-truth",
            "Share of models whose chosen graph is the true CPDAG, against rows; solid: fixed grid, dashed: "
            "shrinking by 1/n, dotted: by c.",
            partial(_draw_truth, scores),
            (12.0, 4.0),
        ),
        Plot(
            "theory-tests",
            "Tests of the first look (solid) and of the second (dotted), native engine, all six alphas.",
            partial(_draw_tests, scores),
            (6.0, 4.5),
        ),
    ]


def _oracle_table(scores: Scores) -> ReportTable:
    found = scores.oracle
    groups = dict.fromkeys((str(row["kind"]), whole(row["d"])) for row in found)
    lines = []
    for kind, d in groups:
        of_group = {str(row["colliders"]): row for row in found if (row["kind"], row["d"]) == (kind, d)}
        cells = (f"{of_group[rule]['right']}" + _beyond(of_group[rule]) for rule in COLLIDER_RULES)
        lines.append((f"{kind} DAGs", str(d), f"{of_group['vote']['graphs']}", *cells))
    return ReportTable(
        "Theorem 1: DAGs whose CPDAG both looks find at every alpha, by the oracle",
        ("", "nodes", "DAGs", *COLLIDER_RULES),
        lines,
        "In brackets those of the others in which some pair is separated only by more than three variables: "
        "`vote` counts no larger sets, and there a triple stays undecided.",
    )


def _beyond(row: Row) -> str:
    return f" (+{row['beyond_votes']})" if row["beyond_votes"] else ""


def _oracle_said(scores: Scores) -> str:
    found = scores.oracle
    tried, right, agreeing, beyond = (
        sum(whole(row[name]) for row in found) for name in ("graphs", "right", "agreeing", "beyond_votes")
    )
    wrong = tried - right - beyond
    return (
        f"Theorem 1: of {tried:,} pairs of DAG and collider rule both looks are the true CPDAG at every "
        f"alpha in {right:,}, and in {beyond:,} more `vote` leaves undecided what only sets of four or more "
        f"separate; {wrong:,} are wrong otherwise. Both looks agree perfectly in {agreeing:,}."
    )


def _growth_table(scores: Scores, column: str, title: str, note: str) -> ReportTable:
    places = [Where(d, grid, colliders) for d in NODES for grid in GRIDS for colliders in COLLIDERS]
    lines = []
    for where in places:
        means = (scores.growth(where, n, column) for n in ROWS)
        cells = (f"{mean.value:.3f} ± {mean.error:.3f}" for mean in means)
        lines.append((str(where.d), where.grid, _LABELS[where.colliders], *cells))
    return ReportTable(title, ("d", "grid", "method", *(f"n = {n:.0e}" for n in ROWS)), lines, note)


def _growth_said(scores: Scores, d: int) -> str:
    last = {
        (grid, c): scores.growth(Where(d, grid, c), ROWS[-1], "right") for grid in GRIDS for c in COLLIDERS
    }
    said = {
        grid: " and ".join(
            f"{_LABELS[c]} {last[grid, c].value:.3f} ± {last[grid, c].error:.3f}" for c in COLLIDERS
        )
        for grid in GRIDS
    }
    return (
        f"Theorems 2 and 3, d = {d}, n = 10^7: the chosen graph is the truth in a share of {said[FIXED]} "
        f"with the fixed grid, whose smallest alpha is {DEFAULT_ALPHAS[0]:g}; of {said[BY_N]} with one that "
        f"shrinks by 1/n; of {said[BY_C]} with one that shrinks by c, which loses what is below c / 2."
    )


def _limit_said(scores: Scores) -> str:
    d = NODES[-1]
    share = {
        (grid, column): scores.growth(Where(d, grid, "vote"), ROWS[-1], column).value
        for grid in GRIDS
        for column in ("spurious", "too_few")
    }
    parts = "; ".join(
        f"{grid} {share[grid, 'spurious']:.3f} and {share[grid, 'too_few']:.3f}" for grid in GRIDS
    )
    return (
        f"What consistency needs, AutoPC with vote, d = {d}, n = 10^7: the share of graphs that have an edge "
        f"too many and lack none, and of those that lack one, by grid: {parts}. With fixed alphas some "
        "independence is called a dependence at any n, so that the share of true graphs cannot reach 1; "
        "alphas have to shrink, but so slowly that every dependence of the model is still found."
    )


def _tests_table(scores: Scores) -> ReportTable:
    lines: list[tuple[str, ...]] = []
    for engine in ENGINES:
        for d in COUNTED_NODES:
            for n in COUNTED_ROWS:
                first, second = scores.tests(engine, d, n)
                if not isnan(first):
                    lines.append(
                        (engine, str(d), f"{n:,}", f"{first:,.0f}", f"{second:,.0f}", f"{second / first:.1%}")
                    )
    return ReportTable(
        "Cost: tests of the two looks, all six alphas together",
        ("engine", "d", "n", "first look", "second look", "second / first"),
        lines,
        "Means over random models of degree 2, rule `overwrite`: no test is a vote's. The native engine "
        "counts the tests that it runs, the generic one the questions that it has not asked before: those "
        "of the second look were nearly all asked in the first, by some alpha.",
    )


def _tests_said(scores: Scores) -> list[str]:
    said = []
    for engine in ENGINES:
        pairs = [scores.tests(engine, d, n) for d in COUNTED_NODES for n in COUNTED_ROWS]
        shares = [second / first for first, second in pairs if not isnan(first)]
        said.append(
            f"Cost: the second look adds {min(shares):.1%} to {max(shares):.1%} to the first look's tests "
            f"({engine} engine, over the sizes tried)."
        )
    return said


def _draw_truth(scores: Scores, figure: Any) -> None:
    panels = figure.subplots(1, len(NODES), squeeze=False, sharey=True)[0]
    styles = {FIXED: "-", BY_N: "--", BY_C: ":"}
    colours = dict(zip(COLLIDERS, ("black", "tab:blue"), strict=True))
    for panel, d in zip(panels, NODES, strict=True):
        for grid in GRIDS:
            for colliders in COLLIDERS:
                means = [scores.growth(Where(d, grid, colliders), n, "right") for n in ROWS]
                panel.errorbar(
                    ROWS,
                    [mean.value for mean in means],
                    yerr=[mean.error for mean in means],
                    color=colours[colliders],
                    linestyle=styles[grid],
                    capsize=2,
                    label=f"{_LABELS[colliders]}, {grid} grid",
                )
        panel.set_xscale("log")
        panel.set_title(f"d = {d}", fontsize=9)
        panel.set_xlabel("rows")
    panels[0].set_ylabel("share of true CPDAGs")
    panels[0].legend(fontsize=7)


def _draw_tests(scores: Scores, figure: Any) -> None:
    panel = figure.subplots()
    for n, colour in zip(COUNTED_ROWS, ("tab:blue", "tab:orange", "black"), strict=True):
        pairs = [scores.tests("native", d, n) for d in COUNTED_NODES]
        for k, style in enumerate(("-", ":")):
            look = "second" if k else "first"
            values = [pair[k] for pair in pairs]
            panel.plot(COUNTED_NODES, values, style, color=colour, marker=".", label=f"{look}, n = {n:,}")
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("variables")
    panel.set_ylabel("tests")
    panel.legend(fontsize=7)
