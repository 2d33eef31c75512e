"""Small line drawings for buttons, and the mark of the project."""

from __future__ import annotations

from markupsafe import Markup

# Drawn in a box of 16 by 16, in the ink of the text around.
ICONS = {
    "place": '<circle cx="8" cy="8" r="5.2" stroke-dasharray="2.6 2.2"/>',
    "plus": '<path d="M8 3v10M3 8h10"/>',
    "minus": '<path d="M3 8h10"/>',
    "fit": '<path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3"/>',
    "eye": '<path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z"/><circle cx="8" cy="8" r="2"/>',
    "name": '<path d="M3 12.5L7 3.5H9L13 12.5M4.5 9.5H11.5"/>',
    "route": (
        '<circle cx="3.5" cy="12.5" r="1.7"/><circle cx="12.5" cy="3.5" r="1.7"/>'
        '<path d="M5.2 12.5H9.5a2.25 2.25 0 0 0 0-4.5H6.5a2.25 2.25 0 0 1 0-4.5h4.3"/>'
    ),
    "hex": '<path d="M8 1.8L13.4 4.9V11.1L8 14.2L2.6 11.1V4.9Z"/>',
    "tiles": '<path d="M8 1.8L13.4 4.9V11.1L8 14.2L2.6 11.1V4.9Z"/><path d="M2.6 8Q8 8 10.7 3.3"/>',
    "check": '<path d="M3 8.5L6.5 12L13 4.5"/>',
    "why": '<circle cx="8" cy="8" r="6.2"/><path d="M8 7.5V11.2M8 4.9v.1"/>',
    "up": '<path d="M3 8H13M9 4L13 8L9 12"/>',
    "down": '<path d="M13 8H3M7 4L3 8L7 12"/>',
    "bell": '<path d="M8 2v6l4 2.5"/><circle cx="8" cy="8" r="6.3"/>',
    "first": '<path d="M12 3.5L6 8L12 12.5ZM4 3.5V12.5"/>',
    "prev": '<path d="M10 3.5L4.5 8L10 12.5"/>',
    "play": '<path d="M5 3.5L12 8L5 12.5Z"/>',
    "next": '<path d="M6 3.5L11.5 8L6 12.5"/>',
    "sun": (
        '<circle cx="8" cy="8" r="3"/><path d="M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.8.8M11.8'
        ' 11.8l.8.8M3.4 12.6l.8-.8M11.8 4.2l.8-.8"/>'
    ),
    "moon": '<path d="M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5Z"/>',
    "menu": '<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>',
    "chart": '<path d="M2.5 3v10.5h11M5 10.5l3-3.5 2 2 3.5-4.5"/>',
    "firm": '<circle cx="8" cy="8" r="6"/><path d="M8 2v6l5 3.2"/>',
    "log": '<path d="M3 4h10M3 8h10M3 12h6"/>',
    "people": (
        '<circle cx="6" cy="5.5" r="2.5"/><path d="M1.8 13.5c0-2.6 1.9-4 4.2-4s4.2 1.4 4.2 4M10.5 3.3a2.5'
        ' 2.5 0 0 1 0 4.5M12 9.9c1.4.5 2.3 1.7 2.3 3.6"/>'
    ),
    "map": '<path d="M2 4.5l4-1.7 4 1.7 4-1.7v9.7l-4 1.7-4-1.7-4 1.7ZM6 2.8v9.7M10 4.5v9.7"/>',
    "redo": '<path d="M13 5.5H6a3.5 3.5 0 0 0 0 7h4M10.5 3L13 5.5L10.5 8"/>',
    "undo": '<path d="M3 5.5H10a3.5 3.5 0 0 1 0 7H6M5.5 3L3 5.5L5.5 8"/>',
    "turn_left": '<path d="M4 3v3.5h3.5M4.3 6.3A5 5 0 1 1 3.2 9.5"/>',
    "turn_right": '<path d="M12 3v3.5H8.5M11.7 6.3A5 5 0 1 0 12.8 9.5"/>',
    "file": '<path d="M8 2.5v7.5M5 7.5L8 10.5L11 7.5M3 13.5h10"/>',
    "talk": '<path d="M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2Z"/>',
    "print": '<path d="M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7Z"/>',
    "branch": '<path d="M4.5 13.5V2.5M4.5 10.5C4.5 7 11.5 8.5 11.5 4.5M9.5 5.5l2-2.5 2 2.5"/>',
    "close": '<path d="M4 4l8 8M12 4l-8 8"/>',
}

LOGO = Markup(
    '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M16 1.8L28.3 8.9V23.1L16 30.2L3.7 23.1V8.9Z" fill="var(--ink)"/>'
    '<path d="M12.5 2.5C21 10 9 20 19.5 29.5" fill="none" stroke="#7FB9E2" stroke-width="5.5"/>'
    '<path d="M4.5 16H27.5" stroke="var(--page)" stroke-width="2.6" stroke-dasharray="3.2 2.2"/>'
    '<circle cx="7" cy="16" r="3.1" fill="var(--page)"/>'
    '<circle cx="25" cy="16" r="3.1" fill="var(--page)"/>'
    "</svg>"
)


def icon(name: str) -> Markup:
    """An icon; its meaning stands beside it, so it is hidden from screen viewers."""
    return Markup(  # noqa: S704  our own drawings
        '<svg class="ic" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" '
        f'stroke-linejoin="round" aria-hidden="true">{ICONS[name]}</svg>'
    )
