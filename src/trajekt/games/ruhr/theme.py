"""The face of 18Ruhr: colours of its companies, the marks of mines and mills, location markers by value.

Data for `show`, nothing else. A company's letters reach a contrast of at least 4.5 against both tones of its token.
"""

from __future__ import annotations

from trajekt.engine.components.schema import Hex, Sheet, Space
from trajekt.games.ruhr.components import ruhr_components
from trajekt.rendering.theme import Look, Mark, MarketLook, TokenLook

WHITE, BLACK = "#FFFFFF", "#17181A"

TOKENS = {
    "BME": TokenLook("#14713A", "#0B4A25", WHITE, "pale"),
    "CME": TokenLook("#C3212B", "#861219", WHITE, "cross"),
    "DGEE": TokenLook("#F7C921", "#FFE88A", BLACK, "ring"),
    "KWE": TokenLook("#1B1C1E", "#5A5E63", WHITE, "ring"),
    "PWB": TokenLook("#1B62BF", "#0F3E80", WHITE, "bend"),
    "RhE": TokenLook("#6B2A94", "#431464", WHITE, "saltire"),
    "EH": TokenLook("#7B4A21", "#4E2C10", WHITE, "chief"),
    "RB": TokenLook("#2B2D30", "#5A5E63", WHITE, "pale"),
    "SK": TokenLook("#2B2D30", "#5A5E63", WHITE, "bend"),
    "TB": TokenLook("#2B2D30", "#5A5E63", WHITE, "saltire"),
    "US": TokenLook("#9AA3AB", "#D3D9DE", BLACK, "pale"),
    "VH": TokenLook("#9AA3AB", "#D3D9DE", BLACK, "bend"),
    "W": TokenLook("#9AA3AB", "#D3D9DE", BLACK, "saltire"),
}

MARKS = {
    "K": Mark("mine"),
    "S": Mark("mill"),
    "L0": Mark("pill", "", "#8A9299"),
    "L10": Mark("pill", "10", "#7A4E00"),
    "L20": Mark("pill", "20", "#14713A"),
    "L30": Mark("pill", "30", "#861219"),
}

PLACED: dict[str, dict[str, tuple[float, ...]]] = {"A12": {"Gronau–Enschede": (0, -34, 15)}}

CIRCLED = frozenset({"MB1", "DB", "EB", "MZ1", "DZ", "EZ"})
"""The brown and grey Montan cities, where the location marker lies in a circle (RUHR-TRK-14)."""

COUNTED = {"coal": ("K",), "": ("K", "S")}
"""The signs of what Wesel and Der Eiserne Rhein pay for (RUHR-REV-03)."""


def number(printed: Hex) -> str:
    """The number of the pMC of a hex."""
    return str(printed.own.get("pmc", ""))


def par_colours(sheet: Sheet) -> dict[Space, str]:
    """The colour of the phase from which on a space is a start value of a railway (RUHR-SR-14)."""
    found = ruhr_components(sheet).values["railway"]
    return {
        (1, at): next(colour for colour in sheet.colours if found[colour][0] <= cell.price <= found[colour][1])
        for at, cell in enumerate(sheet.market.rows[0], 1)
        if cell is not None and cell.par
    }


LOOK = Look(
    tokens=TOKENS,
    marks=MARKS,
    placed=PLACED,
    lasting=frozenset("KS"),
    circled=CIRCLED,
    number=number,
    counted=COUNTED,
    market=MarketLook(par_colours),
)
