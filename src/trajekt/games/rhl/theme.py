"""The face of 18Rhl: colours of its companies, its marks, the Rhine, and lettering that needs a hand.

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

# Hexes where the place found by itself would be legal but not handsome: the crowded rim, double cities, metropolises.
RIM: dict[str, dict[str, tuple[float, ...]]] = {
    "A4": {"RGE": (12, -60)},
    "A6": {"RGE": (0, -60)},
    "A14": {"slot": (-24, 41), "shift": (6, -18)},
    "B15": {"slot": (-46, 0), "shift": (22, 0)},
    "C2": {"slot": (46, 0), "shift": (-24, 0)},
    "C14": {"shift": (16, -14), "icon0": (-27, 46), "icon1": (-56, 0)},
    "D15": {"shift": (16, -14), "icon0": (-27, 46), "icon1": (-56, 0)},
    "G2": {"slot": (48, 0), "shift": (-28, 4), "ERh": (-20, -50)},
}
CITIES: dict[str, dict[str, tuple[float, ...]]] = {
    "C12": {"Herne": (-42, 42, 20), "Gelsenkirchen": (0, -44, 18), "label": (56, 42), "K": (14, 46)},
    "D11": {"Oberhausen": (-8, -42, 18), "Mülheim": (28, 42, 20), "label": (-46, 42), "K": (62, -34)},
    "F13": {"Elberfeld": (-38, 22, 15), "Barmen": (-2, 41, 13.5)},
    "G6": {"M.-Gladbach": (25, -2, 16.5), "Rheydt": (42, 24, 18), "label": (-56, 0)},
    "G12": {
        "Solingen": (-18, -44, 20),
        "Remscheid": (42, 43, 16),
        "label": (63, -40),
        "hill": (-38, 53),
        "revenue1": (0, 0),
    },
    "K2": {"Aachen": (-32, -46, 20), "label": (-62, 30), "hill": (-6, 54), "revenue0": (52, 44)},
}
FERRY_LEFT = {"revenue0": (-26, 36), "K": (-30, -42), "S": (-30, -42)}
GREY = {"revenue0": (69, -28), "label": (-70, -28), "K": (-69, 28), "S": (-69, 28)}
DUESSELDORF: dict[str, dict[str, tuple[float, ...]]] = {
    "F9": {
        "Neuss": (-46, 0, 18), "Düsseldorf": (14, -62, 16.5), "label": (-75, 17), "revenue0": (-62, -30), "cost": (-28, -34),
        "revenue1": (14, 8),
    },
    "F9/921": FERRY_LEFT | {"Neuss": (-55, -38, 16), "Düsseldorf": (-10, -63, 15), "label": (-70, 40)},
    "F9/922": FERRY_LEFT | {"Neuss": (-6, -32, 14), "Düsseldorf": (2, -60, 14, 2), "label": (-70, 40)},
    "F9/927": {"Neuss": (-60, -38, 17), "Düsseldorf": (60, -39, 14, 2), "revenue0": (60, 42), "label": (-62, 37)},
    "F9/932": GREY | {"Neuss": (0, -66, 18), "Düsseldorf": (0, 69, 12.5, 2)},
}  # fmt: skip
KOELN: dict[str, dict[str, tuple[float, ...]]] = {
    "I10": {
        "Köln": (-62, 0, 17), "Deutz": (46, 4, 18), "label": (32, 66), "revenue0": (-24, 0), "cost": (28, 36),
        "revenue2": (62, 36),
    },
    "I10/923": {"Köln": (-12, -70, 18), "Deutz": (50, 42, 18), "revenue0": (67, -37), "label": (24, 68)},
    "I10/924": {"Köln": (-12, -70, 18), "Deutz": (50, 42, 18), "revenue0": (67, -37), "label": (24, 68)},
    "I10/928": {"Köln": (-58, 37, 20), "Deutz": (48, 39, 20), "revenue0": (60, -42), "label": (-62, -36)},
    "I10/932": GREY | {"Köln": (0, -66, 18), "Deutz": (0, 66, 18)},
}  # fmt: skip
DUISBURG: dict[str, dict[str, tuple[float, ...]]] = {
    "D9": {
        "Duisburg": (-38, -44, 17), "label": (-33, -14), "revenue0": (-67, -6), "revenue1": (67, 0), "cost": (30, 0),
        "K": (0, 74), "S": (0, 74),
    },
    "D9/925": FERRY_LEFT | {"Duisburg": (-12, -66, 15.5), "label": (-65, -38)},
    "D9/926": FERRY_LEFT | {"Duisburg": (-12, -66, 15.5), "label": (-65, -38)},
    "D9/929": {"Duisburg": (-40, -42, 17), "label": (-62, 38), "revenue0": (60, 42), "K": (0, -68), "S": (0, -68)},
    "D9/932": GREY | {"Duisburg": (0, 69, 13, 2)},
}  # fmt: skip
PLACED = RIM | CITIES | DUESSELDORF | KOELN | DUISBURG

LOOK = Look(tokens=TOKENS, marks=MARKS, river=River("Rhein", (0.15, 0.45, 0.855)), placed=PLACED)
