"""Choosing alpha: rules that pick from a path of graphs, and the record of the choice."""

from __future__ import annotations

from secondlook.selection.autopc import autopc as autopc
from secondlook.selection.selection import EdgeRange as EdgeRange
from secondlook.selection.selection import Selection as Selection
