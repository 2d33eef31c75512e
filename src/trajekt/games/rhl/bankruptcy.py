"""Bankruptcy in the first edition of 18Rhl; the second knows loans instead (section 14)."""

from __future__ import annotations

from trajekt.rules.bankruptcy import BankruptcyPolicy

BANKRUPTCY_1 = BankruptcyPolicy()
