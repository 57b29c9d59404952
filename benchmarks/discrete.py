"""PC on samples of standard networks, beside pgmpy's with its own G-square test; skeletons are compared."""

from __future__ import annotations

import logging
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.clock import in_turns, milliseconds
from benchmarks.figures import Figure
from secondlook import CITest, GSquare, SearchOptions, alpha_path, pc
from secondlook.simulation import read_bif

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from secondlook import PDAG
    from secondlook.tables import Codes

NETWORKS = Path(__file__).parent.parent.parent / "shared" / "data" / "networks"
"""The maintainers' copies of the Bayesian network repository; without them the page has no figures."""
NAMES = ("alarm", "insurance", "hailfinder", "win95pts")
N, ALPHA, MAX_LEVEL = 5000, 0.01, 3
"""Three columns to condition on: beyond, pgmpy takes minutes on hailfinder."""


class PgmpyTest(CITest):
    """pgmpy's G-square test in our search, to tell what a difference in skeletons comes from."""

    def __init__(self, frame: pd.DataFrame) -> None:
        from pgmpy.ci_tests import GSq

        self.names = tuple(frame.columns)
        self._test = GSq(frame)

    def p_value(self, i: int, j: int, S: Sequence[int]) -> float:
        """Its p-value."""
        self._test(self.names[i], self.names[j], [self.names[s] for s in sorted(S)], significance_level=ALPHA)
        return float(self._test.p_value_)


def figures() -> list[Figure]:
    """All of this page; none where networks or pgmpy are missing."""
    try:
        import pgmpy.ci_tests  # noqa: F401
    except ImportError:
        return []
    logging.getLogger("pgmpy").setLevel(logging.ERROR)
    return [figure for name in NAMES for figure in _network(name)]


def _network(name: str) -> list[Figure]:
    file = NETWORKS / f"{name}.bif.gz"
    if not file.is_file():
        return []
    network = read_bif(file)
    sample = network.sample(N, np.random.default_rng(1))
    frame = _frame(sample)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        time = in_turns(
            {
                "ours": partial(ours, sample, "first"),
                "vote": partial(ours, sample, "vote"),
                "pgmpy": partial(theirs, frame),
            },
            seconds=0,
            rounds=3,
        )
        peer = {frozenset(edge) for edge in theirs(frame).skeleton_.edges()}
        same_test = _pairs(pc(PgmpyTest(frame), alpha=ALPHA, colliders="first", max_level=MAX_LEVEL).graph)
    mine = _pairs(ours(sample, "first"))
    truth = _pairs(network.dag)
    where = f"{name}, n={N}, alpha {ALPHA}, max_level {MAX_LEVEL}"

    def ratio(rule: str, key: str) -> Figure:
        behind = f"{milliseconds(time['pgmpy'])} / {milliseconds(time[key])}"
        return Figure(
            f"pgmpy's PC against pc(GSquare(rows)), {rule}, {where}",
            time["pgmpy"] / time[key],
            "x",
            50,
            True,
            behind,
        )

    wrong = f"against the network: ours {_off(truth, mine)}, pgmpy's {_off(truth, peer)}"
    return [
        ratio("first", "ours"),
        ratio("vote", "vote"),
        Figure(f"edges in one skeleton only, {where}", len(mine ^ peer), "edges", note=wrong),
        Figure(f"the same with pgmpy's test in our search, {where}", len(same_test ^ peer), "edges", 0),
        _counting(where, sample),
    ]


def _counting(where: str, sample: Codes) -> Figure:
    """How much of a search is counting: the same questions in one batch, against the search."""
    test = GSquare(sample)
    asked: list[Any] = []

    class Recorded(CITest):
        names = test.names

        def p_values(self, questions: Sequence[Any]) -> Any:
            asked.extend(questions)
            return test.p_values(questions)

    options = SearchOptions("first", MAX_LEVEL)
    alpha_path(Recorded(), (ALPHA,), options, looks=1)
    time = in_turns(
        {
            "search": partial(alpha_path, test, (ALPHA,), options, looks=1),
            "counting": partial(test.p_values, asked),
        },
        seconds=1,
    )
    note = f"{milliseconds(time['counting'])} / {milliseconds(time['search'])}, {len(asked)} tests"
    return Figure(
        f"counting's share of the search, {where}", time["counting"] / time["search"], "x", note=note
    )


def ours(sample: Codes, rule: str) -> PDAG:
    """One run of our PC, binding the table included."""
    return pc(GSquare(sample), alpha=ALPHA, colliders=rule, max_level=MAX_LEVEL).graph


def theirs(frame: pd.DataFrame) -> Any:
    """One run of pgmpy's stable PC with its G-square test."""
    from pgmpy.causal_discovery import PC

    peer = PC(
        variant="stable",
        ci_test="g_sq",
        significance_level=ALPHA,
        max_cond_vars=MAX_LEVEL,
        n_jobs=1,
        show_progress=False,
    )
    return peer.fit(frame)


def _frame(sample: Codes) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(sample.codes, columns=list(sample.names)).astype("category")


def _pairs(graph: PDAG) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in graph.skeleton.undirected}


def _off(truth: set[frozenset[str]], guess: set[frozenset[str]]) -> str:
    return f"{len(truth - guess)} missing, {len(guess - truth)} too many"
