"""The studies that the command line knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secondlook.errors import OptionError
from secondlook.search.options import unknown_choice
from secondlook.studies.flagship.flagship import Flagship
from secondlook.studies.framingham.table2 import Table2
from secondlook.studies.networks.networks import Networks
from secondlook.studies.synthetic.figure1 import Figure1
from secondlook.studies.synthetic.table1 import Table1
from secondlook.studies.theory.theory import Theory

if TYPE_CHECKING:
    from secondlook.studies.study import Study

_ALL: tuple[Study, ...] = (Table1(), Figure1(), Table2(), Theory(), Networks(), Flagship())
STUDIES: dict[str, Study] = {study.name: study for study in _ALL}


def study_named(name: str) -> Study:
    """The study of this name; OptionError when there is none."""
    if name not in STUDIES:
        raise OptionError(unknown_choice("name", name, tuple(STUDIES)))
    return STUDIES[name]
