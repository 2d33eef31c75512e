"""What the editions of 18Rhl choose for pay-out, trains, forced purchases and their end (sections 12 to 14)."""

from __future__ import annotations

from trajekt.rules.bankruptcy import BankruptcyPolicy, bank_completes, best_for_bank
from trajekt.rules.forced_purchase import ForcedPolicy, cheapest_new_or_pool, every_company, operating_only
from trajekt.rules.running_and_dividends import RUN_TRAINS, PayPolicy
from trajekt.rules.trains import TrainPolicy, after_first

PAY_1 = PayPolicy(goes_under=False)
PAY_2 = PayPolicy(goes_under=True)

TRAINS_1 = TrainPolicy(after_first("3"), "RHL-TRN-03")
TRAINS_2 = TrainPolicy()

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

BANKRUPTCY_1 = BankruptcyPolicy()

RUN_TRAINS_1 = RUN_TRAINS.derive(added=(best_for_bank,))
"""Running with receivership, which only the first edition knows (RHL-BKR-03)."""
