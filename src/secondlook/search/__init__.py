"""The search: a test of independence in, graphs for every alpha out. It never sees a table."""

from __future__ import annotations

from secondlook.search.options import COLLIDER_RULES as COLLIDER_RULES
from secondlook.search.options import DEFAULT_ALPHAS as DEFAULT_ALPHAS
from secondlook.search.options import ColliderRule as ColliderRule
from secondlook.search.options import SearchOptions as SearchOptions
from secondlook.search.path import AlphaPath as AlphaPath
from secondlook.search.path import Conflict as Conflict
from secondlook.search.path import Look as Look
from secondlook.search.pc import PCResult as PCResult
from secondlook.search.pc import pc as pc
from secondlook.search.run import alpha_path as alpha_path
from secondlook.search.run import repaired_path as repaired_path
from secondlook.search.validity import Settled as Settled
