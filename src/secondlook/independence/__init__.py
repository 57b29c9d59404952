"""Conditional-independence tests: bound to their data, asked by index, answering with p-values."""

from __future__ import annotations

from secondlook.independence.binding import as_test as as_test
from secondlook.independence.fisher_z import FisherZ as FisherZ
from secondlook.independence.g_square import GSquare as GSquare
from secondlook.independence.memo import Memo as Memo
from secondlook.independence.oracle import DSeparation as DSeparation
from secondlook.independence.protocol import CITest as CITest
from secondlook.independence.protocol import Question as Question
from secondlook.independence.protocol import canonical as canonical
