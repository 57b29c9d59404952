"""Causal discovery that checks its own answer: PC at every alpha, looked at twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from secondlook import graphs as graphs
from secondlook import metrics as metrics
from secondlook import simulation as simulation
from secondlook.errors import BudgetError as BudgetError
from secondlook.errors import DataError as DataError
from secondlook.errors import GraphError as GraphError
from secondlook.errors import OptionError as OptionError
from secondlook.errors import SecondlookError as SecondlookError
from secondlook.graphs import PDAG as PDAG
from secondlook.graphs import read_graph as read_graph
from secondlook.graphs import write_graph as write_graph
from secondlook.independence import CITest as CITest
from secondlook.independence import DSeparation as DSeparation
from secondlook.independence import FisherZ as FisherZ
from secondlook.independence import GSquare as GSquare
from secondlook.independence import Memo as Memo
from secondlook.metrics import compare as compare
from secondlook.search import AlphaPath as AlphaPath
from secondlook.search import PCResult as PCResult
from secondlook.search import SearchOptions as SearchOptions
from secondlook.search import alpha_path as alpha_path
from secondlook.search import pc as pc
from secondlook.selection import BIC as BIC
from secondlook.selection import EBIC as EBIC
from secondlook.selection import DoubleCheck as DoubleCheck
from secondlook.selection import Fixed as Fixed
from secondlook.selection import MarkovCheck as MarkovCheck
from secondlook.selection import OCTs as OCTs
from secondlook.selection import PcCV as PcCV
from secondlook.selection import Selection as Selection
from secondlook.selection import StARS as StARS
from secondlook.selection import autopc as autopc
from secondlook.selection import secondlook as secondlook
from secondlook.simulation import simulate as simulate
from secondlook.tables import load_sachs as load_sachs
from secondlook.tables import read_table as read_table

if TYPE_CHECKING:
    from secondlook.search.estimator import PC as PC
    from secondlook.selection.estimator import AutoPC as AutoPC
    from secondlook.selection.second_look_estimator import SecondLook as SecondLook

# Estimators need scikit-learn, which is slow to import: they are fetched when first named.
_LAZY = {
    "PC": "secondlook.search.estimator",
    "AutoPC": "secondlook.selection.estimator",
    "SecondLook": "secondlook.selection.second_look_estimator",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("secondlook")
    raise AttributeError(f"module 'secondlook' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY, "__version__"])
