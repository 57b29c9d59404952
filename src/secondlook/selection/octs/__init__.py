"""OCTs, out-of-sample causal tuning: boundaries, predictions, their information, and the swap test."""

from __future__ import annotations

from secondlook.selection.octs.rule import OCTs as OCTs
