"""The stock market as SVG: cells as printed, markers in stacks, and where a marker would go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from trajekt.engine.components.schema import CompanyId, Sheet, Space, StockMarket
from trajekt.rendering.theme import MarketLook
from trajekt.rendering.token_symbols import letters_of
from trajekt.rendering.track_curves import number

GAP = 2.0
SHOWING = 15 / 34  # how much of a marker shows beside the one on top of it
LONGEST = 20  # spaces in a line; a market of one longer row is broken into lines of equal length
SIGNS = {
    "railway": "M4 15V8H12V5H18V15ZM7 8V4M7 18a2 2 0 1 1 .01 0M15 18a2 2 0 1 1 .01 0",
    "brewery": "M5 5H15V19H5ZM15 8H19V15H15M8 9V15M12 9V15",
}
"""The signs of whose values a row of the market holds."""
TICK = '<circle cx="5" cy="5" r="5"/><path d="M2.6 5.2L4.3 6.9L7.5 3.4"/>'


@dataclass(frozen=True, slots=True)
class Ghost:
    """The space to which a choice would send a marker, what stands in the ring, and whether it is the choice selected."""

    space: Space
    text: str = ""
    chosen: bool = False


def draw_market(
    sheet: Sheet,
    stacks: Mapping[Space, Sequence[CompanyId]],
    *,
    look: MarketLook | None = None,
    ghosts: Sequence[Ghost] = (),
    operated: Collection[CompanyId] = (),
    cell: tuple[float, float] = (42.0, 30.0),
    label: str = "",
    said: Callable[[int, Sequence[CompanyId], Sequence[str]], str] | None = None,
    rows: Sequence[str] = (),
) -> list[str]:
    """The market, a piece for each space. `stacks` lists the companies on each space, first to operate first: it lies on top.

    `operated` companies bear a tick. `cell` is the size of a space in px: (42, 30), on a phone (42, 46).
    `said` describes a space for screen readers: of its price, who stands there, and what the ghosts bear; `rows` says what
    stands at the left of each row where `look` has a sign for it.
    """
    drawn, width, height = market_group(sheet, stacks, ghosts, operated, cell, said, look)
    left = 0.0
    if look is not None and look.rows:
        drawn = [*drawn, *draw_edge(look, cell, rows)]
        left = cell[0] + GAP
    named = f" aria-label={quoteattr(label)}" if label else ""
    box = f'viewBox="{number(-1 - left)} -1 {number(width + left + 2)} {number(height + 2)}"'
    return [f'<svg xmlns="http://www.w3.org/2000/svg" class="market" {box} role="group"{named}>', *drawn, "</svg>"]


def lines_of(market: StockMarket) -> tuple[int, int]:
    """Count the spaces in a line of the drawing and the lines of a row: one, unless it is the only row."""
    longest = max((len(row) for row in market.rows), default=0)
    lines = -(-longest // LONGEST) if len(market.rows) == 1 else 1
    return -(-longest // max(lines, 1)), max(lines, 1)


def market_group(
    sheet: Sheet,
    stacks: Mapping[Space, Sequence[CompanyId]],
    ghosts: Sequence[Ghost],
    operated: Collection[CompanyId],
    cell: tuple[float, float],
    said: Callable[[int, Sequence[CompanyId], Sequence[str]], str] | None = None,
    look: MarketLook | None = None,
) -> tuple[list[str], float, float]:
    """The spaces with the width and height of all."""
    market: StockMarket = sheet.market
    wide, high = cell
    columns, lines = lines_of(market)
    colours = look.colours(sheet) if look is not None else {}
    spaces = []
    for r, row in enumerate(market.rows, 1):
        for c, printed in enumerate(row, 1):
            if printed is None:
                continue
            here = [ghost for ghost in ghosts if ghost.space == (r, c)]
            stack = stacks.get((r, c), ())
            colour = f" from-{colours[r, c]}" if (r, c) in colours else ""
            kinds = "cell" + (" par" if printed.par else "") + colour + (" held" if stack else "")
            kinds += " target" if any(ghost.chosen for ghost in here) else ""
            words = ", ".join([str(printed.price), *(letters_of(sheet, company) for company in stack)])
            if said is not None:
                words = said(printed.price, stack, [ghost.text for ghost in here])
            inner = f'<rect width="{wide:g}" height="{high:g}" rx="4"/><text class="price" x="3" y="9.6">{printed.price}</text>'
            inner += draw_stack(stack, here, operated, cell)
            reach = ' tabindex="0"' if stack or here else ""
            line, column = divmod(c - 1, columns)
            spaces.append(
                f'<g class="{kinds}" data-space="{r},{c}" role="img"{reach} aria-label={quoteattr(words)} '
                f'transform="translate({number(column * (wide + GAP))} {number((r - 1 + line) * (high + GAP))})">{inner}</g>'
            )
    return spaces, columns * (wide + GAP) - GAP, len(market.rows) * lines * (high + GAP) - GAP


def draw_edge(look: MarketLook, cell: tuple[float, float], words: Sequence[str] = ()) -> list[str]:
    """A space at the left of each row: the sign of whose values stand there, and a cross where bankruptcy lies."""
    wide, high = cell
    cross = f'<path d="M{number(wide - 15)} {number(high - 13)}l9 9m0-9l-9 9"/>' if look.bankruptcy else ""
    drawn = []
    for n, kind in enumerate(look.rows):
        named = f' role="img" aria-label={quoteattr(words[n])}' if n < len(words) else ' aria-hidden="true"'
        title = f"<title>{escape(words[n])}</title>" if n < len(words) else ""
        drawn.append(
            f'<g class="edge {kind}"{named} transform="translate({number(-wide - GAP)} {number(n * (high + GAP))})">{title}'
            f'<rect width="{wide:g}" height="{high:g}" rx="4"/><path d="{SIGNS[kind]}"/>{cross}</g>'
        )
    return drawn


def draw_stack(
    stack: Sequence[CompanyId], ghosts: Sequence[Ghost], operated: Collection[CompanyId], cell: tuple[float, float]
) -> str:
    """Draw a stack that fans to the left, ghosts beside it; a wide one closes up so that it stays in its space."""
    wide, high = cell
    size = min(high - 10, 34.0)
    count = len(stack) + len(ghosts)
    step = min(size * SHOWING, (wide - size - 2) / (count - 1)) if count > 1 else 0.0
    x, y = wide - size - 1, high - size - 0.5
    svg = ""
    for n, company in reversed(list(enumerate(stack))):
        left = x - step * (n + len(ghosts))
        svg += f'<use href="#token-{escape(company)}" x="{number(left)}" y="{number(y)}" width="{size:g}" height="{size:g}"/>'
    for n, company in reversed(list(enumerate(stack))):
        if company in operated:
            left = x - step * (n + len(ghosts)) + (size - 10 if n + len(ghosts) == 0 else 0)
            svg += f'<g class="did" transform="translate({number(left)} {number(high - 10.5)})">{TICK}</g>'
    for n, ghost in enumerate(ghosts):
        kind = "ghost chosen" if ghost.chosen else "ghost"
        u, v = x - step * n + size / 2, y + size / 2
        svg += (
            f'<g class="{kind}"><circle cx="{number(u)}" cy="{number(v)}" r="{number(size / 2 - 1.2)}"/>'
            f'<text x="{number(u)}" y="{number(v + 3)}">{escape(ghost.text)}</text></g>'
        )
    return svg
