"""The face of 18DO: colours of its railways, its marks. Data for `show`, nothing else."""

from __future__ import annotations

from trajekt.engine.components.schema import Sheet, Space
from trajekt.games.do.components import BREWERY, RAILWAY, do_components
from trajekt.rendering.theme import Look, Mark, MarketLook, TokenLook

WHITE, BLACK = "#FFFFFF", "#17181A"

TOKENS = {
    "CME": TokenLook("#14713A", "#0B4A25", WHITE, "cross"),
    "BME": TokenLook("#C3212B", "#861219", WHITE, "chief"),
    "RhE": TokenLook("#1B62BF", "#0F3E80", WHITE, "saltire"),
    "KWE": TokenLook("#F7C921", "#FFE88A", BLACK, "ring"),
    "DEEG": TokenLook("#EF7F1A", "#FFC182", BLACK, "stripes"),
    "DHB": TokenLook("#3A3F45", "#5A5E63", WHITE, "quarter"),
    "HBB": TokenLook("#8FC46B", "#D2EBBF", BLACK, "pale"),
    "DUB": TokenLook("#C3212B", "#861219", WHITE, "pale"),
    "DAB": TokenLook("#1B62BF", "#0F3E80", WHITE, "bend"),
    "RIT": TokenLook("#14713A", "#0B4A25", WHITE, "ring"),
    "KRO": TokenLook("#6B2A94", "#431464", WHITE, "chief"),
    "STI": TokenLook("#7B4A21", "#4E2C10", WHITE, "cross"),
    "HAN": TokenLook("#9AA3AB", "#D3D9DE", BLACK, "saltire"),
}

MARKS = {
    "K": Mark("mine"),
    "S": Mark("mill"),
    **{f"K{value}": Mark("pill", f"K{value}", "#17181A") for value in (10, 20, 30)},
    **{f"S{value}": Mark("pill", f"S{value}", "#A3161F") for value in (10, 20, 30)},
}


def par_colours(sheet: Sheet) -> dict[Space, str]:
    """The colour of the phase from which on a space is a start value: railways in the upper row, breweries in the lower."""
    values = do_components(sheet).start_values
    return {
        (row, at): next(colour for colour, prices in values[kind].items() if cell.price in prices)
        for row, kind in ((1, RAILWAY), (2, BREWERY))
        for at, cell in enumerate(sheet.market.rows[row - 1], 1)
        if cell is not None and cell.par and any(cell.price in prices for prices in values[kind].values())
    }


LOOK = Look(tokens=TOKENS, marks=MARKS, market=MarketLook(par_colours, ("railway", "brewery"), bankruptcy=True))
