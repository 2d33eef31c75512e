"""The state that only 18Ruhr has (`State.extra`); its events and their effects stand in `events`.

Much is not kept because it follows: a location marker's value lies on the map (`HexContents.icons`, one of `L0` to `L30`), a
marker is inactive by its stage and the phase, it waits in the treasury box if its stage has no box free for it, and the
money of a pMC is an account beside the map (`pmc_account`).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.state import Seat, State, set_aside_account
from trajekt.games.ruhr.components import NO_MARKERS, StageCounts, ruhr_components

SUPPLY, REMOVED = "supply", "removed"
ACTIVE, PASSIVE, MERGED, FOUNDED = "active", "passive", "merged", "founded"


class MontanAssets(msgspec.Struct, frozen=True):
    """The contents of a Montan company's charter: markers by stage, engines in order of type."""

    markers: StageCounts = NO_MARKERS
    engines: tuple[str, ...] = ()


class MontanCorporation(msgspec.Struct, frozen=True):
    """A MONTAN corporation: its locations by number of the pMC, the founding one first; the phase of its founding.

    `settled`: its excess certificates have been dealt with (RUHR-FLOAT-07). `closed`: it is out of the game (RUHR-DEV-20).
    """

    mines: tuple[int, ...]
    phase: str
    settled: bool = False
    closed: bool = False


class RuhrState(msgspec.Struct, frozen=True):
    """The extra state. `columns` is the package as dealt, `mines` what has become of each pMC, `worth` what it counts.

    `removed` markers by industry and `scrapped` engines are out of the game for good. `cards` are the Montan Round Cards by
    number, `lost` the players without a pMC in the order in which they lost their last. `refilled` is what refills of the
    bank would have brought in Mark (Q54), `owed` the unpaid levies by seat.
    """

    scenario: str
    columns: tuple[tuple[int, ...], tuple[int, ...]]
    mines: Mapping[int, str]
    works: Mapping[str, MontanAssets] = {}
    montan: Mapping[CompanyId, MontanCorporation] = {}
    worth: Mapping[int, int] = {}
    removed: Mapping[str, StageCounts] = {}
    scrapped: tuple[str, ...] = ()
    cards: tuple[Seat, ...] = ()
    lost: tuple[Seat, ...] = ()
    refilled: int = 0
    owed: Mapping[Seat, int] = {}


def ruhr_state(state: State) -> RuhrState:
    """The extra state of a game of 18Ruhr that has been set up."""
    extra = state.extra
    assert isinstance(extra, RuhrState)
    return extra


def pmc_account(mine: int) -> str:
    """The account of a pMC's treasury."""
    return set_aside_account(str(mine))


def treasury_of(state: State, works: str) -> int:
    """The treasury of a Montan company, in Mark."""
    if works.isdecimal():
        return state.aside.get(works, 0)
    return state.companies[works].treasury


def account(works: str) -> str:
    """The account of a Montan company's treasury."""
    return pmc_account(int(works)) if works.isdecimal() else works


def assets_of(state: State, works: str) -> MontanAssets:
    """The contents of a charter; empty where the company is not in play."""
    return ruhr_state(state).works.get(works, MontanAssets())


def location(state: State, mine: int) -> int:
    """The value of a location marker: 0 without a link, then 10, 20, 30; -1 where it is off the map (RUHR-REV-01)."""
    return value_at(state.board.contents(ruhr_components(state.sheet).hexes[mine]).icons)


def value_at(icons: tuple[str, ...]) -> int:
    """The value of the location marker among the things on a hex; -1 where there is none."""
    return next((int(icon[1:]) for icon in icons if icon[0] == "L"), -1)
