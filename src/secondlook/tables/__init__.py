"""Tables: reading and checking what users hold, and the data set that comes with the package."""

from __future__ import annotations

from secondlook.tables.bundled import bundled as bundled
from secondlook.tables.bundled import load_sachs as load_sachs
from secondlook.tables.coding import Codes as Codes
from secondlook.tables.coding import as_codes as as_codes
from secondlook.tables.moments import FoldMoments as FoldMoments
from secondlook.tables.moments import Moments as Moments
from secondlook.tables.reading import read_table as read_table
from secondlook.tables.table import Table as Table
from secondlook.tables.table import as_table as as_table
