"""Choosing alpha: rules that pick from a path of graphs, and the record of the choice."""

from __future__ import annotations

from secondlook.selection.answer import Answer as Answer
from secondlook.selection.answer import Correction as Correction
from secondlook.selection.answer import Polish as Polish
from secondlook.selection.autopc import autopc as autopc
from secondlook.selection.bic import BIC as BIC
from secondlook.selection.bic import EBIC as EBIC
from secondlook.selection.double_check import DoubleCheck as DoubleCheck
from secondlook.selection.fixed import Fixed as Fixed
from secondlook.selection.markov_check import MarkovCheck as MarkovCheck
from secondlook.selection.octs import OCTs as OCTs
from secondlook.selection.pc_cv import PcCV as PcCV
from secondlook.selection.rule import Choice as Choice
from secondlook.selection.rule import Problem as Problem
from secondlook.selection.rule import Rule as Rule
from secondlook.selection.second_look import secondlook as secondlook
from secondlook.selection.selection import EdgeRange as EdgeRange
from secondlook.selection.selection import Selection as Selection
from secondlook.selection.stars import StARS as StARS
