"""Forced purchases in the editions of 18Rhl (section 14)."""

from __future__ import annotations

from trajekt.rules.bankruptcy import bank_completes
from trajekt.rules.forced_purchase import ForcedPolicy, cheapest_new_or_pool, every_company, operating_only

FORCED_1 = ForcedPolicy(
    rule="RHL-FOR-01",
    sale_rule="RHL-FOR-01",
    trains=cheapest_new_or_pool,
    rungs=("treasury", "cash", "own"),
    keeps=operating_only,
    bank=bank_completes,
)
FORCED_2 = ForcedPolicy(
    rule="COMMON-FOR-03",
    sale_rule="COMMON-FOR-06",
    trains=cheapest_new_or_pool,
    rungs=("treasury", "charter", "cash", "own"),
    keeps=every_company,
)
