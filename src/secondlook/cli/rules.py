"""The rules that choose alpha as they are typed: stars:threshold=0.04,scheme=bootstrap."""

from __future__ import annotations

import difflib
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Any

from secondlook.errors import OptionError
from secondlook.selection import BIC, EBIC, DoubleCheck, MarkovCheck, OCTs, PcCV, StARS

if TYPE_CHECKING:
    from secondlook.selection import Rule

RULES: dict[str, Any] = {
    "double-check": DoubleCheck,
    "bic": BIC,
    "ebic": EBIC,
    "stars": StARS,
    "octs": OCTs,
    "markov-check": MarkovCheck,
    "pc-cv": PcCV,
}
"""Every rule by its name on the command line; its options are the fields of its class."""

_YES, _NO = ("true", "yes", "1"), ("false", "no", "0")


def rule_named(text: str, jobs: int = 1) -> Rule:
    """The rule that was typed as NAME or NAME:OPTION=VALUE,OPTION=VALUE.

    Parameters
    ----------
    text : str
        What was typed.
    jobs : int
        The workers of rules that have some, unless their own option says otherwise.

    Raises
    ------
    OptionError
        If the rule or an option of it is unknown, given twice or has a value it cannot have.
    """
    name, colon, rest = (part.strip() for part in text.partition(":"))
    if name not in RULES:
        raise OptionError(f"The --rule option must be one of {', '.join(RULES)}. {_got(name, list(RULES))}")
    known = {field.name: field for field in fields(RULES[name])}
    given: dict[str, Any] = {"n_jobs": jobs} if "n_jobs" in known else {}
    seen: set[str] = set()
    for part in rest.split(",") if colon else ():
        option, equals, value = (word.strip() for word in part.partition("="))
        option = option.replace("-", "_")
        if not equals or not value:
            raise OptionError(f"An option of --rule {name} is typed as OPTION=VALUE. Got {part!r}.")
        if option not in known:
            some = f"has the options {', '.join(known)}" if known else "has no options"
            raise OptionError(f"The rule {name} {some}. {_got(option, list(known))}")
        if option in seen:
            raise OptionError(f"The option {option} of --rule {name} must be given once. Got it twice.")
        seen.add(option)
        given[option] = _value(name, known[option], value)
    try:
        made: Rule = RULES[name](**given)
    except OptionError as error:
        raise OptionError(f"--rule {text} is refused: {error}") from None
    return made


def _value(rule: str, field: Field[Any], text: str) -> Any:
    """A value by the type of the field; what is neither number nor truth value stays a word."""
    kind = str(field.type)
    if kind.endswith("| None") and text.lower() == "none":
        return None
    kind = kind.removesuffix("| None").strip()
    try:
        if kind == "bool":
            return {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}[text.lower()]
        if kind in ("int", "float"):
            return int(text) if kind == "int" else float(text)
    except (ValueError, KeyError):
        wanted = {"bool": "true or false", "int": "a whole number", "float": "a number"}[kind]
        raise OptionError(
            f"The option {field.name} of --rule {rule} must be {wanted}. Got {text!r}."
        ) from None
    return text


def _got(word: str, choices: list[str]) -> str:
    near = difflib.get_close_matches(word.lower(), choices, n=1)
    return f"Got {word!r}." + (f" Did you mean {near[0]!r}?" if near else "")
