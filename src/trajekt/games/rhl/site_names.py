"""Names and numbers of 18Rhl at 18xx.games, and how the site draws the locations (CMP-04, CMP-07)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trajekt.engine.components.schema import CompanyId

PRIVATES = {"PWB": 1, "ATB": 1, "KEO": 2, "Szl": 3, "Tjt": 4, "NLK": 5, "RhE": 6}
COMPANIES = {"KEG": "MKB", "KKK": "MKB"}
CERTIFICATES = {"MKB": (0, 2, 3, 1, 4, 5, 6)}
"""The site's number of each certificate, where it is not ours (CMP-07)."""
FIRST_POOL = frozenset({"RhE_1", "RhE_2", "RhE_3"})
OPTIONS = {
    "optional_2_train": "optional_2_train",
    "lower_starting_capital": "lower_capital",
    "promotion_tiles": "promotion_tiles",
    "ratingen_variant": "ratingen",
}

CITIES = {"916": "ba", "917": "ba", "920": "ba"}
"""Tiles whose cities the site counts in another order than the sheet."""

SITE = {"MKB": "KEG"}
METROPOLISES = range(921, 927)
"""Tiles whose copies the site writes with an X."""


def draw_of(export: Mapping[str, Any]) -> int:
    """Return the draw of the locations, 1 to 9, as the site works it out of the seed of its game (CMP-04).

    Games without a seed use the digits of their id.

    >>> draw_of({"settings": {"seed": 23692664}})
    5
    """
    settings = export.get("settings")
    seed = settings.get("seed") if isinstance(settings, Mapping) else None
    if not isinstance(seed, int):
        seed = int("".join(c for c in str(export.get("id", "")) if c in "0123456789") or 0)
    return (1103515245 * seed + 12345) % 2**31 % 9 + 1


def company_of(name: object) -> str:
    """Return the id of a company that the site calls otherwise (CMP-07)."""
    return COMPANIES.get(str(name), str(name))


def tile_of(name: object) -> str:
    """Return the tile of which `X921-0` is a copy: 921 (CMP-07)."""
    return str(name).rpartition("-")[0].removeprefix("X")


def site_name(company: CompanyId) -> str:
    """Return the site's name of a corporation.

    >>> site_name("MKB")
    'KEG'
    """
    return SITE.get(company, company)
