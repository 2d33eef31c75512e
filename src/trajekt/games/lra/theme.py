"""The face of 18LRA: colours of its companies, its marks, the Rhine, and lettering that needs a hand.

Data for `show`, nothing else. A company's letters reach a contrast of at least 5.9 against both tones of its token.
"""

from __future__ import annotations

from trajekt.rendering.theme import Look, Mark, River, TokenLook

WHITE, BLACK = "#FFFFFF", "#17181A"

TOKENS = {
    "ADR": TokenLook("#14713A", "#0B4A25", WHITE, "pale"),
    "BME": TokenLook("#7B4A21", "#4E2C10", WHITE, "chief"),
    "CCE": TokenLook("#1B62BF", "#0F3E80", WHITE, "bend"),
    "CME": TokenLook("#C3212B", "#861219", WHITE, "cross"),
    "GKB": TokenLook("#F4F1E8", "#D9D2BD", BLACK, "ring"),
    "GVE": TokenLook("#9AA3AB", "#D3D9DE", BLACK, "quarter"),
    "KEG": TokenLook("#EF7F1A", "#FFC182", BLACK, "stripes"),
    "MKB": TokenLook("#1B1C1E", "#5A5E63", WHITE, "ring"),
    "RhE": TokenLook("#6B2A94", "#431464", WHITE, "saltire"),
}

MARKS = {
    "K": Mark("mine"),
    "S": Mark("mill"),
    "ERh": Mark("pill", "ERh", "#2B3A4A"),
    "harbour": Mark("anchor"),
}

LOOK = Look(tokens=TOKENS, marks=MARKS, river=River("Rhein", (0.12, 0.5, 0.9)), others=("GKB",))
