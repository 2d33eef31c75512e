"""Colours of the page and the map, light and dark, as variables of CSS.

The tables are the source of every colour of the page; a test measures the contrasts. The rules of the pages use the same
variables. `<html data-theme="light">` or `"dark"` overrules the system's choice. Tiles differ in lightness as well, so
that they are told apart with each kind of colour-blindness.
"""

from __future__ import annotations

FONT = 'Inter,"Segoe UI",system-ui,-apple-system,"Helvetica Neue","Noto Sans","Liberation Sans",sans-serif'

PAGE_LIGHT = {
    "page": "#FFFFFF", "desk": "#EDE9DF", "fill": "#F4F2EC", "ink": "#191C20", "ink2": "#474D55", "ink3": "#636A73",
    "line": "#E2DFD7", "line2": "#C9C5BB", "par": "#F3C8D4", "may": "#00665B", "may-ink": "#FFFFFF", "may-soft": "#E3F3F0",
    "turn": "#FFB81C", "turn-ink": "#241800", "up": "#00665B", "down": "#A3261B",
}  # fmt: skip
PAGE_DARK = {
    "page": "#16191C", "desk": "#1C2023", "fill": "#22272B", "ink": "#ECEEF0", "ink2": "#B9C0C7", "ink3": "#969EA7",
    "line": "#2B3035", "line2": "#454C53", "par": "#66304E", "may": "#5AD3C3", "may-ink": "#06231F", "may-soft": "#16332F",
    "turn": "#FFC13B", "turn-ink": "#241800", "up": "#5AD3C3", "down": "#FF9C8F",
}  # fmt: skip
MAP_LIGHT = {
    "land": "#FAF8F2", "upland": "#F1EADB", "hex-line": "#DDD8CB", "land-ink": "#23262A", "tile-line": "#00000030",
    "yellow": "#F4D55A", "green": "#97D590", "brown": "#BF9C61", "grey": "#B7BABB", "red": "#CB8477", "orange": "#F0A04B",
    "water": "#9CC7E6", "bank": "#6FA3CC", "water-ink": "#14507F", "hill": "#A38A5E", "hill-fill": "#EFE6D2",
    "hill-ink": "#5B4A2C", "track": "#1D2024", "track-land": "#1D2024", "tile-ink": "#16181B",
}  # fmt: skip
MAP_DARK = {
    "land": "#2A2F33", "upland": "#342F28", "hex-line": "#3B4248", "land-ink": "#E3E6E9", "tile-line": "#00000066",
    "yellow": "#DDBD49", "green": "#59A874", "brown": "#B28248", "grey": "#989DA0", "red": "#E1756C", "orange": "#E8A257",
    "water": "#34698F", "bank": "#254C69", "water-ink": "#DCEEFB", "hill": "#A08B66", "hill-fill": "#453D30",
    "hill-ink": "#DCC9A2", "track": "#1D2024", "track-land": "#C4CAD0", "tile-ink": "#16181B",
}  # fmt: skip
ROUTES = ("#C2106E", "#0B4FC4", "#007A4D", "#C23B00", "#6D28B8", "#0E7490")


def variables(table: dict[str, str]) -> str:
    """A table of colours as CSS variables."""
    return "".join(f"--{name}:{colour};" for name, colour in table.items())


def themes() -> str:
    """The variables: light, and dark where the system or `data-theme` asks for it."""
    routes = {f"route{n}": colour for n, colour in enumerate(ROUTES, 1)}
    light = variables(PAGE_LIGHT | MAP_LIGHT | routes)
    dark = variables(PAGE_DARK | MAP_DARK)
    return (
        f":root{{color-scheme:light;--font:{FONT};{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}"
    )
