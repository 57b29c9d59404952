"""`secondlook fit --rule`: how rules are typed, what is refused, and what the report says."""

from __future__ import annotations

import json
import re

import pytest

import secondlook as sl
from secondlook.cli.rules import RULES, rule_named
from secondlook.errors import OptionError

TYPED = {
    "double-check": sl.DoubleCheck(),
    "double-check:metric=f1": sl.DoubleCheck("f1"),
    "bic": sl.BIC(),
    "bic:extension=naive": sl.BIC(extension="naive"),
    "ebic:gamma=0.5": sl.EBIC(gamma=0.5),
    "stars": sl.StARS(),
    "stars:threshold=0.04,scheme=bootstrap": sl.StARS(threshold=0.04, scheme="bootstrap"),
    "stars: draws = 5 , size=60": sl.StARS(draws=5, size=60),
    "stars:size=none,n-jobs=2": sl.StARS(n_jobs=2),
    "octs:model=linear,trees=10,approximate=yes": sl.OCTs(model="linear", trees=10, approximate=True),
    "markov-check:level=0.2": sl.MarkovCheck(level=0.2),
    "pc-cv:folds=3,one-se=yes,seed=4": sl.PcCV(folds=3, one_se=True, seed=4),
    "pc-cv:one_se=False": sl.PcCV(),
}


@pytest.mark.parametrize("text", TYPED)
def test_rule_is_what_was_typed(text):
    """Names and options give the same rule as in Python."""
    assert rule_named(text) == TYPED[text]


def test_every_rule_is_tried():
    """The table of rules holds none that is not typed above."""
    assert {text.partition(":")[0] for text in TYPED} == set(RULES)


def test_rule_workers_are_the_jobs():
    """--jobs reaches the rules that have workers; their own option says otherwise."""
    assert rule_named("stars", 3) == sl.StARS(n_jobs=3)
    assert rule_named("stars:n_jobs=2", 3) == sl.StARS(n_jobs=2)
    assert rule_named("bic", 3) == sl.BIC()


@pytest.mark.parametrize("text", TYPED)
def test_fit_keeps_what_the_library_keeps(cli, data, text):
    """The chosen alpha, its ties, the scores and the details are those of the library."""
    model = json.loads(cli("fit", data, "--rule", text, "--json").out)
    found = sl.autopc(sl.read_table(data), rule=TYPED[text])
    assert model["choice"]["rule"] == found.rule
    assert (model["choice"]["alpha"], model["choice"]["ties"]) == (found.alpha, list(found.ties))
    assert [row["score"] for row in model["alphas"]] == [score.value for score in found.scores]
    for name, entries in found.details.items():
        assert [row["details"][name] for row in model["alphas"]] == list(entries)


def test_report_names_the_rule_and_prints_its_details(cli, data):
    """The report says which rule kept the alpha, and has a column for each detail."""
    out = cli("fit", data, "--rule", "stars:seed=1").out
    assert " kept: the rule StARS says so" in out
    header = next(line for line in out.splitlines() if "instability" in line)
    for word in ("instability", "running maximum", "mean edges", "stable"):
        assert word in header
    assert "second look" not in header


def test_small_chances_are_not_printed_as_zero(cli, data):
    """A Markov p far below what decimals show is printed with an exponent."""
    out = cli("fit", data, "--rule", "markov-check", "--max-level", "0", "--alphas", "1e-12,0.0001").out
    model = json.loads(
        cli(
            "fit", data, "--rule", "markov-check", "--max-level", "0", "--alphas", "1e-12,0.0001", "--json"
        ).out
    )
    small = [row["score"] for row in model["alphas"] if 0 < row["score"] < 5e-5]
    assert small
    assert all(f"{value:.3g}" in out for value in small)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("starz", "one of double-check, bic, .* Got 'starz'. Did you mean 'stars'?"),
        ("", "Got ''."),
        ("StARS", "Did you mean 'stars'?"),
        ("stars:treshold=1", "has the options draws, .* Got 'treshold'. Did you mean 'threshold'?"),
        ("stars:threshold=x", "option threshold of --rule stars must be a number. Got 'x'."),
        ("stars:draws=2.5", "option draws of --rule stars must be a whole number. Got '2.5'."),
        ("pc-cv:one-se=maybe", "option one_se of --rule pc-cv must be true or false. Got 'maybe'."),
        ("stars:threshold", "typed as OPTION=VALUE. Got 'threshold'."),
        ("stars:", "typed as OPTION=VALUE. Got ''."),
        ("stars:seed=", "typed as OPTION=VALUE. Got 'seed='."),
        ("stars:seed=1,seed=2", "seed of --rule stars must be given once"),
        ("stars:threshold=0.9", "threshold=0.9 is refused: The 'threshold' option of StARS .* 0.5. Got 0.9."),
        ("stars:scheme=boot", "Did you mean 'bootstrap'?"),
        ("stars:size=1000", "'size' option of StARS must be at most the 500 rows"),
        ("bic:extension=naiv", "Did you mean 'naive'?"),
        ("double-check:metric=f2", "metric 'f2' is unknown"),
        ("pc-cv:folds=400", "The 'folds' option of PC-CV must leave 2 of the 500 rows"),
    ],
)
def test_rules_are_refused_in_one_sentence(refusal, data, text, said):
    """A wrong rule, option or value exits with 2, and near misses are suggested."""
    pattern = ".*".join(map(re.escape, said.split(".*")))
    assert re.search(pattern, refusal(2, "fit", data, "--rule", text))


def test_rules_are_refused_before_the_table_is_read(refusal):
    """A misspelt rule is refused although there is no table."""
    assert "starz" in refusal(2, "fit", "no.csv", "--rule", "starz")
    assert "0.9" in refusal(2, "fit", "no.csv", "--rule", "stars:threshold=0.9")


@pytest.mark.parametrize("words", [["--metric", "f1"], ["--early-stop"]])
def test_options_of_the_double_check_go_with_it_alone(refusal, cli, data, words):
    """--metric and --early-stop are refused with any other rule, and taken with double-check."""
    said = refusal(2, "fit", data, "--rule", "bic", *words)
    assert said == f"{words[0]} goes with the double check; leave it out with --rule bic."
    assert cli("fit", data, "--rule", "double-check", *words).code == 0


def test_metric_is_given_once(refusal, data):
    """A metric inside the rule and beside it is one too many."""
    said = refusal(2, "fit", data, "--rule", "double-check:metric=f1", "--metric", "mcc")
    assert said == "Give the metric once: as --metric mcc, or in --rule double-check:metric=f1."


def test_alpha_leaves_no_rule(refusal, data):
    """With --alpha nothing is chosen."""
    assert "so --rule has no meaning" in refusal(2, "fit", data, "--alpha", "0.01", "--rule", "bic")


def test_record_of_a_rule_is_saved(cli, data):
    """--save keeps the rule and its details."""
    assert cli("fit", data, "--rule", "stars:draws=4", "--save", "record.json").code == 0
    loaded = sl.Selection.load("record.json")
    assert loaded.rule == "StARS"
    assert set(loaded.details) == {"running_maximum", "mean_edges", "stable"}


def test_rule_of_unknown_name_in_python():
    """The parser raises what the command line says."""
    with pytest.raises(OptionError, match=r"Got 'x'\."):
        rule_named("x")
