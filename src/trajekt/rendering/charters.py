"""The charters as a picture: a card for each company and for each private company, in a reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from trajekt.engine.state import State
from trajekt.i18n.charters import charter_lines
from trajekt.i18n.private_powers import power_of
from trajekt.i18n.sentences import Speaker
from trajekt.rendering.component_sheets import stand_alone
from trajekt.rendering.label_placement import width
from trajekt.rendering.theme import Look

WIDE, GAP, ACROSS = 380, 16, 3
EDGE, LINE, SIZE, NAME = 14, 19, 13, 16


def draw_charters_file(state: State, look: Look, speaker: Speaker) -> str:
    """All charters as an SVG file of its own; rows are as high as their highest card."""
    cards = [_company(state, company, speaker) for company in state.companies]
    cards += [_private(state, number, speaker) for number in sorted(state.privates)]
    drawn, top = "", 0
    for row in (cards[n : n + ACROSS] for n in range(0, len(cards), ACROSS)):
        high = max(len(lines) for _, lines in row) * LINE + 66
        for n, (head, lines) in enumerate(row):
            drawn += _card(n * (WIDE + GAP), top, high, head, lines)
        top += high + GAP
    return stand_alone(
        state.sheet, look, f'<g class="charters">{drawn}</g>', (-GAP, -GAP, ACROSS * (WIDE + GAP) + GAP, top + GAP)
    )


def _company(state: State, company: str, speaker: Speaker) -> tuple[str, list[str]]:
    """The head of a company's card and its lines."""
    token = f'<use href="#token-{escape(company)}" x="{EDGE}" y="10" width="44" height="44"/>'
    lines = [line for label, text in charter_lines(state, company, speaker) for line in wrapped(f"{label}: {text}")]
    return token + _name(state.sheet.companies[company].name, 68), lines


def _private(state: State, number: int, speaker: Speaker) -> tuple[str, list[str]]:
    """The head of a private company's card and its lines."""
    printed, say = state.sheet.privates[number], speaker.catalogue
    facts = say.text("charter.private", price=say.money(printed.price), revenue=say.money(printed.revenue))
    return _name(f"{number} {speaker.private(number)}", EDGE), [*wrapped(facts), *wrapped(power_of(speaker, number))]


def _card(x: int, y: int, high: int, head: str, lines: list[str]) -> str:
    text = "".join(
        f'<text class="card-line" x="{EDGE}" y="{76 + LINE * n}" font-size="{SIZE}">{escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    box = f'<rect class="card-ground" width="{WIDE}" height="{high}" rx="10"/>'
    return f'<g transform="translate({x} {y})">{box}{head}{text}</g>'


def _name(name: str, left: int) -> str:
    """The name of a card, smaller where it would leave the card."""
    size = min(NAME, int(NAME * (WIDE - left - EDGE) / width(name, NAME)))
    return f'<text class="card-line name-of" x="{left}" y="38" font-size="{size}">{escape(name)}</text>'


def wrapped(text: str) -> Iterator[str]:
    """A text in lines that a card holds."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width(longer, SIZE) > WIDE - 2 * EDGE:
            yield line
            line = word
        else:
            line = longer
    if line:
        yield line
