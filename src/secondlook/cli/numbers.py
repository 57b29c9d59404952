"""Lists of numbers as they are typed: 0.001,0.01."""

from __future__ import annotations

from secondlook.errors import OptionError


def numbers(option: str, text: str) -> tuple[float, ...]:
    """The numbers of a comma-separated list.

    Parameters
    ----------
    option : str
        The option's name, for the message.
    text : str
        What was typed.

    Raises
    ------
    OptionError
        If one of them is no number.
    """
    found = []
    for word in filter(None, (word.strip() for word in text.split(","))):
        try:
            found.append(float(word))
        except ValueError:
            raise OptionError(
                f"The {option} option must be numbers with commas between. Got {word!r}."
            ) from None
    return tuple(found)
