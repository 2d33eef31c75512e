"""Charts as SVG: amounts over the rounds of a game, a line a name, each told apart by colour, dash and its name at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 72, 96, 14, 34
DASHES = ("", "9 4", "3 3", "12 4 3 4", "6 3", "2 5", "14 5", "5 2 2 2")
STEPS = (1, 2, 5)
LABEL_GAP = 20.0
"""The least distance of two names at the right edge, in units of the drawing."""
LETTER = 10.0
"""The width of a letter of an axis on a phone, where letters are largest in units of the drawing."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a chart: its name, its amounts in Mark by round (None: nothing to show there), its colour in CSS."""

    name: str
    values: tuple[int | None, ...]
    colour: str


def nice_step(highest: int, lines: int = 5) -> int:
    """The distance of grid lines: 1, 2 or 5 times a power of ten, so that at most `lines` are needed."""
    power = 1
    while True:
        for step in STEPS:
            if step * power * lines >= highest:
                return step * power
        power *= 10


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Heights as near as may be to the wanted ones, at least `gap` apart, between `low` and `high` where they fit."""
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    out = list(wanted)
    last = low - gap
    for n in order:
        out[n] = last = max(out[n], last + gap)
    ceiling = high
    for n in reversed(order):
        out[n] = min(out[n], ceiling)
        ceiling = out[n] - gap
    return out


def line_chart(rounds: Sequence[str], series: Sequence[Series], money: Callable[[int], str], label: str) -> str:
    """A chart over the rounds; `label` is what a screen reader says, `money` writes an amount."""
    amounts = [value for each in series for value in each.values if value is not None]
    highest = max([1, *amounts])
    step = nice_step(highest)
    top = step * -(-highest // step)
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(n: int) -> float:
        return LEFT + across * n / max(len(rounds) - 1, 1)

    def y(value: float) -> float:
        return TOP + down * (1 - value / top)

    out = [f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">']
    for value in range(0, top + 1, step):
        out.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}"/>')
        out.append(f'<text class="axis" x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{money(value)}</text>')
    room = 0.0
    for n, name in enumerate(rounds):
        half = LETTER * len(name) / 2
        if x(n) - half >= room:
            out.append(
                f'<text class="axis" x="{x(n):.1f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(name)}</text>'
            )
            room = x(n) + half + LETTER
    ends: list[tuple[float, int]] = []
    for k, each in enumerate(series):
        points = [(x(n), y(value)) for n, value in enumerate(each.values) if value is not None]
        if not points:
            continue
        path = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
        dash = f' stroke-dasharray="{DASHES[k % len(DASHES)]}"' if DASHES[k % len(DASHES)] else ""
        out.append(f'<path class="series" d="{path}" stroke="{each.colour}"{dash}/>')
        px, py = points[-1]
        out.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3.5" fill="{each.colour}"/>')
        ends.append((py, k))
    places = apart([py for py, _ in ends], LABEL_GAP, TOP, TOP + down)
    for (_, k), py in zip(ends, places, strict=True):
        out.append(f'<text class="end" x="{WIDTH - RIGHT + 8}" y="{py + 4:.1f}">{escape(series[k].name)}</text>')
    return "".join(out) + "</svg>"
