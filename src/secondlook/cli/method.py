"""What `secondlook fit` is to run: the method that was named, or the one that the other options go with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from secondlook.cli.numbers import numbers
from secondlook.cli.rules import rule_named
from secondlook.errors import OptionError
from secondlook.metrics import AGREEMENTS, agreement
from secondlook.search import DEFAULT_ALPHAS, SearchOptions
from secondlook.search.options import checked_alpha, checked_alphas, unknown_choice
from secondlook.selection import DoubleCheck

if TYPE_CHECKING:
    from secondlook.selection import Rule

MethodName = Literal["secondlook", "autopc", "pc"]
METHODS = ("secondlook", "autopc", "pc")
_POLISH: dict[str, bool | Literal["auto"]] = {"auto": "auto", "yes": True, "no": False}
_PLAIN_ALPHA = 0.01


@dataclass(frozen=True, slots=True)
class Method:
    """What is to be run: SecondLook or a rule's choice among `alphas`, or PC at the one in `alpha`."""

    name: MethodName
    options: SearchOptions
    alpha: float | None = None
    alphas: tuple[float, ...] = ()
    rule: Rule = field(default_factory=DoubleCheck)
    early_stop: bool = False
    polish: bool | Literal["auto"] = "auto"


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that decide about the method, as they were typed; None where they were not."""

    method: str | None = None
    alpha: float | None = None
    alphas: str | None = None
    rule: str | None = None
    metric: str | None = None
    early_stop: bool = False
    colliders: str | None = None
    polish: str | None = None

    @property
    def of_autopc(self) -> dict[str, bool]:
        """Which of the options that SecondLook does not have were given."""
        return {
            "--rule": self.rule is not None,
            "--metric": self.metric is not None,
            "--early-stop": self.early_stop,
            "--colliders": self.colliders not in (None, "vote"),
        }


def method_for(asked: Asked, max_level: int | None, max_tests: int | None, jobs: int) -> Method:
    """The method that the options ask for.

    Raises
    ------
    OptionError
        If an option is wrong, or does not go with the method or with another option.
    """
    # SearchOptions checks the rule's name.
    options = SearchOptions(asked.colliders or "vote", max_level, max_tests, jobs)  # type: ignore[arg-type]
    name = _name(asked)
    if name != "secondlook" and asked.polish is not None:
        raise OptionError(f"--polish goes with --method secondlook; leave it out with {name}.")
    if name == "pc":
        return Method("pc", options, _plain_alpha(asked))
    if asked.alpha is not None:
        raise OptionError(f"--alpha goes with --method pc; use --alphas {asked.alpha} with {name}.")
    grid = DEFAULT_ALPHAS if asked.alphas is None else checked_alphas(numbers("--alphas", asked.alphas))
    if name == "autopc":
        return Method("autopc", options, None, grid, _rule(asked, jobs), asked.early_stop)
    given = [option for option, is_given in asked.of_autopc.items() if is_given]
    if given:
        raise OptionError(f"{given[0]} goes with AutoPC; use --method autopc, or leave it out.")
    polish = asked.polish or "auto"
    if polish not in _POLISH:
        raise OptionError(unknown_choice("polish", polish, tuple(_POLISH)))
    return Method("secondlook", options, None, grid, polish=_POLISH[polish])


def _name(asked: Asked) -> MethodName:
    if asked.method is None:
        if asked.alpha is not None:
            return "pc"
        return "autopc" if any(asked.of_autopc.values()) else "secondlook"
    for name in METHODS:
        if asked.method == name:
            return name  # type: ignore[return-value] # METHODS are the names
    raise OptionError(unknown_choice("method", asked.method, METHODS))


def _plain_alpha(asked: Asked) -> float:
    """The one alpha of PC; OptionError when something is to be chosen by."""
    given = {
        "--alphas": asked.alphas,
        "--rule": asked.rule,
        "--metric": asked.metric,
        "--early-stop": asked.early_stop,
    }
    because = "--method pc" if asked.alpha is None else "--alpha"
    for option, value in given.items():
        if value:
            raise OptionError(f"With {because} nothing is chosen, so {option} has no meaning; leave one out.")
    return _PLAIN_ALPHA if asked.alpha is None else checked_alpha(asked.alpha)


def _rule(asked: Asked, jobs: int) -> Rule:
    """The rule that --rule and --metric ask for."""
    text, metric = asked.rule, asked.metric
    rule = DoubleCheck() if text is None else rule_named(text, jobs)
    if isinstance(rule, DoubleCheck):
        if metric is not None and text is not None and ":" in text:
            raise OptionError(f"Give the metric once: as --metric {metric}, or in --rule {text}.")
        if metric is not None:
            if metric not in AGREEMENTS:
                raise OptionError(unknown_choice("metric", metric, AGREEMENTS))
            rule = DoubleCheck(metric)
        agreement(rule.metric)
        return rule
    for option, given in (("--metric", metric), ("--early-stop", asked.early_stop)):
        if given:
            raise OptionError(f"{option} goes with the double check; leave it out with --rule {text}.")
    return rule
