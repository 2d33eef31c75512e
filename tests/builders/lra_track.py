"""Track of 18LRA that several tests lay."""

from __future__ import annotations

# From Kevelaer by Walbeck, Straelen and Wachtendonk to Kempen, and on to the two towns of E9.
TO_KEMPEN = {"B2": "4 r2", "D4": "4 r2", "E5": "8 r2", "E7": "57 r1"}

OVER_MINE_AND_MILL = {
    "B2": "4 r2", "D4": "3 r2", "C5": "8 r4", "C7": "9 r1", "C9": "L02 r5", "D10": "9 r2", "E11": "8 r0", "F10": "L17 r0",
}  # fmt: skip
