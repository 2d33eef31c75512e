"""The rulesets of 18Rhl as tables choose them, and positions of a turn's track and station steps: sections 8, 9 and 15.

Stations are written `"RhE I10:a; CME I10:c asleep"`, tiles as in `with_tiles`.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from tests.builders.random_positions import on_top, position, with_market, with_tiles
from tests.builders.route_boards import POS_M1, POS_M_STATIONS, POS_R, POS_R_STATIONS
from trajekt.engine.agenda import run
from trajekt.engine.board.board import Board, HexContents, Reservation, Station
from trajekt.engine.decisions import legal
from trajekt.engine.ruleset import Draft, Ruleset, View
from trajekt.engine.state import State
from trajekt.games.rhl.title import TITLE
from trajekt.rules.operating_round import CompanyTurn


@cache
def ruleset(name: str = "R2") -> Ruleset:
    """The ruleset of a table: `R1`, `R2`, `compat`, or with a variant `R1+ratingen`, `R1+promotion_tiles`."""
    edition, _, variant = name.partition("+")
    chosen = {"edition": 2 if edition == "R2" else 1, "compat": edition == "compat", "fixed_seats": True}
    options = TITLE.options(chosen | ({variant: True} if variant else {}))
    return TITLE.build(TITLE.sheet(options, None), options)


def with_stations(state: State, text: str) -> State:
    """Stations on their stops; every station takes a token of its company, the cheapest first."""
    contents_by_hex = dict(state.board.contents_by_hex)
    companies = dict(state.companies)
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        owner, place, *more = entry.split()
        at, letter = place.split(":")
        contents = contents_by_hex.get(at, HexContents())
        index = "abc".index(letter)
        if "kept" in more:
            contents_by_hex[at] = replace(contents, reservations=(*contents.reservations, Reservation(owner, index)))
            continue
        station = Station(owner, index, asleep="asleep" in more)
        contents_by_hex[at] = replace(contents, stations=(*contents.stations, station))
        companies[owner] = replace(companies[owner], stations=companies[owner].stations[1:])
    return replace(state, board=Board(state.sheet, contents_by_hex), companies=companies)


def table(
    rules: str, company: str, *, tiles: str = "", stations: str = "", phase: str = "yellow", treasury: int = 500,
    step: str = "track", privates: dict[int, int] | None = None, lays: tuple[str, ...] = (), operated: bool = True,
) -> State:  # fmt: skip
    """Seat 0 directs the company, seat 1 all others; the company's turn stands in a step. `privates`: owner by number."""
    sheet = ruleset(rules).sheet
    state = position(int(sheet.edition), variants=sheet.variants, phase=phase)
    state = with_tiles(state, **dict(part.split(maxsplit=1) for part in map(str.strip, tiles.split(";")) if part))
    state = with_stations(state, stations)
    companies = {
        c.id: replace(c, director=0 if c.id == company else 1, floated=True, founded=True, operated=True, par=80)
        for c in state.companies.values()
    }
    companies[company] = replace(companies[company], treasury=treasury, operated=operated)
    state = with_market(state, **dict.fromkeys(companies, (2, 3)))
    owned = {n: replace(p, owner=(privates or {}).get(n)) for n, p in state.privates.items()}
    state = replace(state, companies=companies, privates=owned, bank=state.bank - treasury)
    return on_top(state, CompanyTurn(company, step, lays=lays))


def settle(rules: str, state: State) -> State:
    """The position after frames have run by themselves."""
    draft = Draft(ruleset(rules), state)
    run(draft)
    return draft.state


def turn(state: State) -> CompanyTurn:
    top = state.agenda[-1]
    assert isinstance(top, CompanyTurn)
    return top


def choices(rules: str, state: State, kind: type) -> list:
    """The legal actions of one kind for the director."""
    return [choice.action for choice in legal(ruleset(rules), state, (0,)) if isinstance(choice.action, kind)]


def view(rules: str, state: State) -> View:
    return View(ruleset(rules), state, 0, state.agenda[-1])


__all__ = [
    "POS_M1",
    "POS_M_STATIONS",
    "POS_R",
    "POS_R_STATIONS",
    "choices",
    "ruleset",
    "settle",
    "table",
    "turn",
    "view",
]
