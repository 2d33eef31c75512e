"""Trains in the editions of 18Rhl (section 13)."""

from __future__ import annotations

from trajekt.rules.trains import TrainPolicy, after_first

TRAINS_1 = TrainPolicy(after_first("3"), "RHL-TRN-03", "3")
TRAINS_2 = TrainPolicy()
