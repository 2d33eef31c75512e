"""Forced purchases in 18LRA; the director borrows, or the game ends where a table has chosen so (section 14)."""

from __future__ import annotations

from trajekt.rules.forced_purchase import ForcedPolicy, cheapest_new_or_pool, every_company

FORCED = ForcedPolicy(
    rule="COMMON-FOR-03",
    sale_rule="COMMON-FOR-06",
    trains=cheapest_new_or_pool,
    rungs=("treasury", "charter", "cash", "own"),
    keeps=every_company,
)
