"""What people and programs read about a search: a plain model, and text made from it."""

from __future__ import annotations

from secondlook.report.model import Run as Run
from secondlook.report.model import pc_model as pc_model
from secondlook.report.model import selection_model as selection_model
