"""Track of 18LRA that several tests lay."""

from __future__ import annotations

# From Kevelaer by Walbeck, Straelen and Wachtendonk to Kempen, and on to the two towns of E9.
TO_KEMPEN = {"B2": "4 r2", "D4": "4 r2", "E5": "8 r2", "E7": "57 r1"}
