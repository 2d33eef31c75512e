"""Choices of the editions of 18Rhl, and of the public site, where the rules on routes differ."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from trajekt.engine.components.schema import HexId, TrainKind
from trajekt.games.rhl.city_blocking import RhinePassage
from trajekt.games.rhl.options import RhlOptions

NORTH: tuple[HexId, ...] = ("A4", "A6")
SOUTH: tuple[HexId, ...] = ("L11", "L13")
EASTERN_RUHR = "eastern_ruhr"
VENLO: HexId = "E2"


class Express(msgspec.Struct, frozen=True):
    """The Rheingold-Express. One end must be in `starts`; other red hexes only where `red`; Venlo never or only as an end.

    `closed`: hexes of another colour that are closed to it as red ones are. `skips`: cities may be left out, the ends too
    unless `keeps_ends`. `onward`: it runs away from its border, so that of two marks at its ends one lies on the other.
    `rule` is the requirement that says so.
    """

    rule: str
    starts: tuple[HexId, ...]
    red: bool
    venlo_ends: bool
    skips: bool = False
    keeps_ends: bool = True
    train: TrainKind = "8"
    closed: tuple[HexId, ...] = ()
    onward: bool = False

    def closes(self, at: HexId, colour: str) -> bool:
        """Tell whether a hex is closed to it: red ones but for its own destinations, where they are not open."""
        return at in self.closed or (not self.red and colour == "red" and at not in (*NORTH, *SOUTH))


class Choices(msgspec.Struct, frozen=True):
    """The choices of an edition where the rules on routes differ.

    `town_ends`: a town may end a route and counts then (COMMON-RTE-06, else RHL-RTE-05). `west`: the western end of the
    Iron Rhine; `west_reserved`: a station there keeps the bonus for its owner (RHL-TOK-08); `west_only`: it is on no
    route without the bonus (RHL-REV-09). `limestone` in Mark (RHL-RAT-03). `apart`: areas that are one stop for all
    trains but the express (CMP-27). `mines_stay`: under a grey tile too (RHL-REV-05).
    """

    rhine: RhinePassage
    express: Express
    town_ends: bool
    west: HexId
    west_reserved: bool = False
    west_only: bool = False
    limestone: int = 40
    apart: tuple[str, ...] = ()
    must_run: bool = True
    mines_stay: bool = True


FIRST = Choices(
    RhinePassage(places=False),
    Express("RHL-RTE-20", (*NORTH, *SOUTH), red=False, venlo_ends=False, skips=True, onward=True),
    town_ends=False,
    west="G2",
    west_reserved=True,
)
SECOND = Choices(
    RhinePassage(places=True),
    Express("RHL-RTE-21", NORTH, red=True, venlo_ends=True),
    town_ends=True,
    west="H1",
    west_only=True,
)
FOUR_AREAS = ("eastern_ruhr", "hamburg_berlin", "nijmegen_arnhem", "basel_frankfurt")
"""All off-board areas of two hexes; the books name the first two pairs (OQ-24)."""

AS_PRINTED = (("A14", "B15"), ("B15", "A14"), ("C2", "C2"))
"""The red hexes that a station closes by the letter of the first edition, against its board (OQ-43)."""


def chosen(options: RhlOptions) -> Choices:
    """The choices of an edition with the readings that a table has chosen."""
    edition = FIRST if options.edition == 1 else SECOND
    areas = FOUR_AREAS if options.four_areas else edition.rhine.areas
    closing = AS_PRINTED if options.minden_closes_hamburg else edition.rhine.closing
    rhine = replace(edition.rhine, areas=areas, closing=closing, one_stop=options.one_stop_a_hex)
    return replace(edition, rhine=rhine)


COMPAT = Choices(  # section 19: CMP-25 to CMP-32, CMP-40
    RhinePassage(places=False, yellow_banks=False, areas=("eastern_ruhr", "nijmegen_arnhem")),
    Express("RHL-RTE-20", (*NORTH, *SOUTH), red=False, venlo_ends=False, skips=True, keeps_ends=False, closed=("L9",)),
    town_ends=False,
    west="G2",
    limestone=30,
    apart=("basel_frankfurt",),
    must_run=False,
    mines_stay=False,
)
