"""Station tokens and marks as symbols: drawn once on a page, used at every size by `<use href="#token-...">`."""

from __future__ import annotations

from xml.sax.saxutils import escape

from trajekt.engine.components.schema import CompanyId, Sheet
from trajekt.rendering.theme import Look, TokenLook

PARTITIONS = {
    "plain": "",
    "pale": '<path d="M0-46V46A46 46 0 0 0 0-46Z"/>',
    "chief": '<path d="M-46-16V-46H46V-16ZM-46 16V46H46V16Z"/>',
    "bend": '<path d="M-46-46H46L-46 46Z"/>',
    "cross": '<path d="M-10-46H10V46H-10ZM-46-10H46V10H-46Z"/>',
    "ring": '<path fill-rule="evenodd" d="M-37 0A37 37 0 1 0 37 0A37 37 0 1 0-37 0Z'
    'M-28 0A28 28 0 1 0 28 0A28 28 0 1 0-28 0Z"/>',
    "quarter": '<path d="M0-46V0H46V-46ZM0 46V0H-46V46Z"/>',
    "stripes": '<path d="M-34-46H-22V46H-34ZM-6-46H6V46H-6ZM22-46H34V46H22Z"/>',
    "saltire": '<path d="M-50-36L-36-50L0-14L36-50L50-36L14 0L50 36L36 50L0 14L-36 50L-50 36L-14 0Z"/>',
}
BROAD = frozenset({"pale", "bend", "quarter"})  # letters on these need no edge in the ground's colour
STRANGER = TokenLook("#5C636B", "#3F454C", "#FFFFFF", "plain")
HEXAGON = "M0-13L11.3-6.5V6.5L0 13L-11.3 6.5V-6.5Z"
MARKS = {
    "mine": f'<path class="mine" d="{HEXAGON}"/><path class="tool" d="M-5.5 6L4-3.5M5.5 6L-4-3.5"/>'
    '<path class="tool head" d="M1.5-6L6.5-1.2M-1.5-6L-6.5-1.2"/>',
    "mill": f'<path class="mill" d="{HEXAGON}"/>'
    '<path class="works" d="M-6.5 5.5V-.5L-2.5-3V-.5L1.5-3V-.5H2.8V-6.5H5.6V-.5H6.5V5.5Z"/>',
}


def letters_of(sheet: Sheet, company: CompanyId) -> str:
    """The code printed on a company's token."""
    known = sheet.companies.get(company)
    return (known.letters if known is not None else "") or company


def symbols(sheet: Sheet, look: Look) -> str:
    """All symbols that the drawings of a game use; put once into the page, inside a hidden `<svg>`."""
    parts = ['<clipPath id="token-disc"><circle r="46"/></clipPath>']
    for company in (*sheet.companies, *look.others):
        token = look.tokens.get(company, STRANGER)
        edge = " bare" if token.partition in BROAD else ""
        letters = letters_of(sheet, company)
        squeeze = f' textLength="{78}" lengthAdjust="spacingAndGlyphs"' if len(letters) > 3 else ""
        parts.append(
            f'<symbol id="token-{escape(company)}" viewBox="-50 -50 100 100"><g class="tok tok-{escape(company)}">'
            f'<circle class="ground" r="46"/><g class="part" clip-path="url(#token-disc)">{PARTITIONS[token.partition]}</g>'
            f'<circle class="rim" r="46"/><text class="letters{edge}" y="13" font-size="37"{squeeze}>{escape(letters)}</text>'
            "</g></symbol>"
        )
    for shape, drawing in MARKS.items():
        parts.append(f'<symbol id="mark-{shape}" viewBox="-14 -14 28 28"><g class="ind">{drawing}</g></symbol>')
    for name in ("water", "bank"):
        stops = "".join(
            f'<stop class="g-{name}" offset="{offset}"{fade}/>'
            for offset, fade in ((0, ' stop-opacity="0"'), (0.04, ""), (0.96, ""), (1, ' stop-opacity="0"'))
        )
        parts.append(f'<linearGradient id="river-{name}" x1="0" x2="0" y1="0" y2="1">{stops}</linearGradient>')
    return "".join(parts)


def page_symbols(sheet: Sheet, look: Look) -> str:
    """The symbols in an `<svg>` that takes no room; the first thing in the body of a page."""
    drawn = symbols(sheet, look)
    return f'<svg class="symbols" width="0" height="0" aria-hidden="true"><defs>{drawn}</defs></svg>'


def draw_token(company: CompanyId, size: float = 24, kind: str = "tk") -> str:
    """A token by itself, for tables and headings; the name stands beside it, so it is hidden from screen readers."""
    return (
        f'<svg class="{kind}" width="{size:g}" height="{size:g}" viewBox="0 0 100 100" aria-hidden="true">'
        f'<use href="#token-{escape(company)}" width="100" height="100"/></svg>'
    )


def token_css(look: Look) -> str:
    """The colours of tokens and marks, which are the same in both themes."""
    rules = []
    for company, token in look.tokens.items():
        name = f".tok-{company}"
        rules.append(
            f"{name} .ground{{fill:{token.contents}}}{name} .part{{fill:{token.second}}}"
            f"{name} text{{fill:{token.ink};stroke:{token.contents}}}"
        )
    pills = [mark for mark in look.marks.values() if mark.shape == "pill"]
    rules += sorted({f".pill-{mark.colour_name} rect{{fill:{mark.contents}}}" for mark in pills})
    return "\n".join(rules)
