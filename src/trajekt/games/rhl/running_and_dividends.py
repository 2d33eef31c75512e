"""Running and pay-out in the editions of 18Rhl (sections 11 and 12)."""

from __future__ import annotations

from trajekt.rules.bankruptcy import best_for_bank
from trajekt.rules.running_and_dividends import RUN_TRAINS, PayPolicy

PAY_1 = PayPolicy(goes_under=False)
PAY_2 = PayPolicy(goes_under=True)


RUN_TRAINS_1 = RUN_TRAINS.derive(added=(best_for_bank,))
"""Running with receivership, which only the first edition knows (RHL-BKR-03)."""
