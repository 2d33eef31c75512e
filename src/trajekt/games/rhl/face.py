"""The face of 18Rhl: colours of its companies, its marks, the Rhine, and lettering that needs a hand.

Data for `show`, nothing else. A company's letters reach a contrast of at least 5.9 against both tones of its token.
"""

from __future__ import annotations

from trajekt.show.look import Look, Mark, River, TokenLook

WHITE, BLACK = "#FFFFFF", "#17181A"

TOKENS = {
    "ADR": TokenLook("#14713A", "#0B4A25", WHITE, "pale"),
    "BME": TokenLook("#7B4A21", "#4E2C10", WHITE, "chief"),
    "CCE": TokenLook("#1B62BF", "#0F3E80", WHITE, "bend"),
    "CME": TokenLook("#C3212B", "#861219", WHITE, "cross"),
    "DEE": TokenLook("#F7C921", "#FFE88A", BLACK, "ring"),
    "GVE": TokenLook("#9AA3AB", "#D3D9DE", BLACK, "quarter"),
    "KKK": TokenLook("#EF7F1A", "#FFC182", BLACK, "stripes"),
    "MKB": TokenLook("#1B1C1E", "#5A5E63", WHITE, "ring"),
    "RhE": TokenLook("#6B2A94", "#431464", WHITE, "saltire"),
}

MARKS = {
    "K": Mark("mine"),
    "S": Mark("mill"),
    "RGE": Mark("pill", "RGE", "#7A4E00"),
    "ERh": Mark("pill", "ERh", "#2B3A4A"),
}

# Hexes where the place found by itself would be legal but not handsome: mostly the crowded rim.
PLACED: dict[str, dict[str, tuple[float, ...]]] = {
    "A14": {"slot": (-24, 41), "shift": (6, -18)},
    "B15": {"slot": (-46, 0), "shift": (22, 0)},
    "C2": {"slot": (46, 0), "shift": (-22, 0)},
    "G2": {"slot": (47, 0), "shift": (-24, 4), "ERh": (-20, -50)},
    "C14": {"shift": (16, -14), "icon0": (-27, 46), "icon1": (-56, 0)},
    "D15": {"shift": (16, -14), "icon0": (-27, 46), "icon1": (-56, 0)},
    "A4": {"RGE": (12, -60)},
    "A6": {"RGE": (0, -60)},
}

LOOK = Look(tokens=TOKENS, marks=MARKS, river=River("Rhein", (0.15, 0.45, 0.855)), placed=PLACED)
