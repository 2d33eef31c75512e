"""The charters as a picture: a card for each company with its letters, name, stations, shares and treasury."""

from __future__ import annotations

from xml.sax.saxutils import escape

from trajekt.engine.state import State
from trajekt.rendering.component_sheets import stand_alone
from trajekt.rendering.theme import Look

WIDE, HIGH, GAP, ACROSS = 300, 170, 16, 3
FONT = "font-family:system-ui,sans-serif"


def draw_charters_file(state: State, look: Look) -> str:
    """All charters as an SVG file of its own."""
    cards = "".join(_card(state, look, company, n) for n, company in enumerate(state.companies))
    rows = -(-len(state.companies) // ACROSS)
    size = (ACROSS * (WIDE + GAP) + GAP, rows * (HIGH + GAP) + GAP)
    return stand_alone(state.sheet, look, f'<g class="charters">{cards}</g>', (-GAP, -GAP, *size))


def _text(x: float, y: float, size: int, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" style="{FONT};font-size:{size}px;{more}">{escape(text)}</text>'


def _card(state: State, look: Look, company: str, n: int) -> str:
    row, column = divmod(n, ACROSS)
    printed, held = state.sheet.companies[company], state.companies[company]
    token = look.tokens[company]
    x, y = column * (WIDE + GAP), row * (HIGH + GAP)
    shares = " ".join(f"{c.percent}{'D' if c.director else ''}" for c in held.certificates)
    lines = (
        f"home {', '.join(home.hex for home in printed.homes)}   float {printed.float_percent} %",
        f"shares {shares}",
        f"stations {' '.join(map(str, held.stations)) or '-'}",
        f"par {held.par or '-'}   price {state.price(company) or '-'}   treasury {held.treasury}",
        f"trains {'+'.join(held.trains) or '-'}",
    )
    text = "".join(_text(14, 76 + 19 * k, 13, line, "fill:#222") for k, line in enumerate(lines))
    return (
        f'<g transform="translate({x} {y})"><rect width="{WIDE}" height="{HIGH}" rx="10" fill="#fff" stroke="#888"/>'
        f'<circle cx="34" cy="32" r="21" fill="{token.contents}"/>'
        + _text(34, 37, 13, printed.letters or company, f"text-anchor:middle;font-weight:700;fill:{token.ink}")
        + _text(66, 37, 14, printed.name, "font-weight:600;fill:#222")
        + text
        + "</g>"
    )
