"""The exceptions of secondlook: every message is one sentence that names the culprit and the remedy."""

from __future__ import annotations


class SecondlookError(ValueError):
    """Base class of everything secondlook raises on purpose."""


class DataError(SecondlookError):
    """Raised when a table, a correlation matrix or a test's answer cannot be used."""


class GraphError(SecondlookError):
    """Raised when a graph or a graph file breaks the rules of a PDAG."""


class OptionError(SecondlookError):
    """Raised when an option has a value outside its documented range."""


class BudgetError(SecondlookError):
    """Raised before a search starts work that would exceed its budget of tests."""
