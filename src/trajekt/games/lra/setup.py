"""Setting 18LRA up: capital, the package, homes, the scenario of three players, and what waits at Dalheim and Kevelaer."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from trajekt.engine.actions import FoundCompany
from trajekt.engine.board.board import Reservation
from trajekt.engine.components.schema import CompanyId, Sheet
from trajekt.engine.events import FlagSet, IconPlaced, NumberDrawn, StationsSet
from trajekt.engine.ruleset import Code, Draft, DrawNumber, Refusal, View, check, refuse
from trajekt.games.lra.components import BLANK, KREISBAHN, dalheim, kreisbahn, scenarios
from trajekt.games.lra.options import LraOptions
from trajekt.rules.floating import UsedCompanies
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.setup import lay_homes, lay_package, pay_capital

_SetUp = Callable[[Draft, DrawNumber], None]

SCENARIO = "scenario"
"""The mark of the position that names the scenario; without it all eight corporations are used."""

CAMP = "DEC"
"""The marker "under construction" on Dalheim (LRA-SET-08)."""


def set_up(options: LraOptions) -> _SetUp:
    """The set-up of the whole game for three or four players."""

    def begin(draft: Draft, draw: DrawNumber) -> None:
        players = len(draft.state.players)
        if players == 2:  # COMMON-SET-01
            message = "18LRA is for 3 or 4 players; two need the option investor or short_game"
            raise ValueError(message)
        pay_capital(draft)
        lay_package(draft)
        lay_homes(draft)
        lay_markers(draft)
        if players == 3:
            choose_scenario(draft, options.scenario, draw)
        draft.push(Rounds())

    return begin


def lay_markers(draft: Draft) -> None:
    """Dalheim is under construction; a place at Kevelaer is reserved for the Kreisbahn (LRA-SET-08, LRA-PRV-21)."""
    draft.emit(IconPlaced(dalheim(draft.sheet), CAMP))
    at = kreisbahn(draft.sheet)
    contents = draft.state.board.contents(at.hex)
    draft.emit(StationsSet(at.hex, contents.stations, (*contents.reservations, Reservation(KREISBAHN, at.stop))))


def choose_scenario(draft: Draft, chosen: int, draw: DrawNumber) -> None:
    """Six corporations are used; blank tokens cover the homes of the two others (LRA-SET-09)."""
    known = scenarios(draft.sheet)
    number = chosen
    if not number:
        number = sorted(known)[draw(SCENARIO, len(known))]
        draft.emit(NumberDrawn(SCENARIO, number))
    draft.emit(FlagSet(SCENARIO, str(number)))
    for company in draft.sheet.companies.values():
        if company.id not in known[number]:
            cover_home(draft, company.id)


def cover_home(draft: Draft, company: CompanyId) -> None:
    """Put a blank on the place for good; it blocks nobody (OQ-02)."""
    for home in draft.sheet.companies[company].homes:
        contents = draft.state.board.contents(home.hex)
        covered = tuple(replace(s, kind=BLANK) if s.company == company else s for s in contents.stations)
        draft.emit(StationsSet(home.hex, covered, contents.reservations))


def used(sheet: Sheet, marks: dict[str, str]) -> tuple[CompanyId, ...]:
    """The corporations of the game that is played."""
    number = marks.get(SCENARIO)
    return tuple(sheet.companies) if number is None else scenarios(sheet)[int(number)]


USED = UsedCompanies(lambda state: used(state.sheet, dict(state.marks)))


@check("LRA-SET-09")
def in_scenario(view: View, action: FoundCompany) -> Refusal | None:
    """Refuse the two corporations that are not in the game of three players."""
    if action.company in used(view.sheet, dict(view.state.marks)):
        return None
    return refuse(Code.NOT_IN_SCENARIO, company=action.company)
