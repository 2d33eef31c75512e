"""The invariants of 18DO find each position that breaks one of them, and nothing in one that bots have reached."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.played_positions import played, violations
from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.frozen import put
from trajekt.engine.state import CHARTER, IPO
from trajekt.games.do.state import Bec, Load, MarketSegment, do_state


@pytest.fixture(scope="module")
def game():
    made = played("18do", 260)
    assert any(company.director is not None and company.trains for company in made.state.companies.values())
    return made


def extra(state, **values):
    return replace(state, extra=replace(do_state(state), **values))


def company_of(state, wanted):
    return next(company for company in state.companies.values() if wanted(company))


def changed(state, company, **values):
    return replace(state, companies=put(state.companies, company.id, replace(company, **values)))


def on_map(state, at, **values):
    contents = {**state.board.contents_by_hex, at: replace(state.board.contents(at), **values)}
    return replace(state, board=Board(state.sheet, contents))


def directed(company):
    return company.director is not None


def lost_money(state):
    return replace(state, bank=state.bank - 1)


def debt(state):
    poor = replace(state.players[0], cash=-5)
    return replace(state, players=(poor, *state.players[1:]), bank=state.bank + state.players[0].cash + 5)


def lost_cube(state):
    return extra(state, stock=do_state(state).stock + 1)


def beer_in_a_closed_segment(state):
    segments = put(do_state(state).segments, 6, MarketSegment((1, 0), (0, 0), closed=True))
    return extra(state, segments=segments, stock=do_state(state).stock - 1)


def card_too_many(state):
    kind = next(kind for kind, train in state.sheet.trains.items() if kind != "2" and train.count)
    count = state.sheet.trains[kind].count
    return replace(state, depot=replace(state.depot, gone=(*state.depot.gone, *[kind] * (count + 1))))


def other_paper(state):
    company = company_of(state, directed)
    first, *others = company.certificates
    return changed(state, company, certificates=(replace(first, percent=first.percent + 10), *others))


def paper_nowhere(state):
    company = company_of(state, directed)
    *others, last = company.certificates
    return changed(state, company, certificates=(*others, replace(last, holder="drawer")))


def founded_in_the_offering(state):
    company = company_of(state, directed)
    *others, last = company.certificates
    return changed(state, company, certificates=(*others, replace(last, holder=IPO)))


def all_in_one_hand(state):
    company = company_of(state, directed)
    held = tuple(replace(each, holder=company.director) for each in company.certificates)
    return changed(state, company, certificates=held)


def director_without_the_paper(state):
    company = company_of(state, directed)
    held = tuple(replace(c, holder=CHARTER) if c.director else c for c in company.certificates)
    return changed(state, company, certificates=held)


def another_holds_more(state):
    company = company_of(state, directed)
    other = (company.director + 1) % 3
    held = tuple(each if each.director else replace(each, holder=other) for each in company.certificates)
    return changed(state, company, certificates=held)


def two_stations_on_a_hex(state):
    at, contents = next((at, c) for at, c in state.board.contents_by_hex.items() if c.stations)
    return on_map(state, at, stations=(*contents.stations, contents.stations[0]))


def two_tokens_on_a_hex(state):
    at = next(iter(state.board.contents_by_hex))
    return on_map(state, at, icons=("L10", "L20"))


def station_in_the_city(state):
    from trajekt.games.do.components import do_components

    return on_map(state, do_components(state.sheet).city, stations=(Station("KWE", 0),))


def trains_above_the_limit(state):
    company = company_of(state, lambda each: each.trains)
    return changed(state, company, trains=company.trains * 9)


def equipment_above_the_limit(state):
    charters = do_state(state).charters
    name = next(name for name, held in charters.items() if held.becs)
    held = charters[name]
    return extra(state, charters=put(charters, name, replace(held, becs=tuple(Bec(90 + n, "2") for n in range(12)))))


def wagons_overloaded(state):
    company = company_of(state, lambda each: each.trains)
    return extra(state, loads=put(do_state(state).loads, company.id, (Load(company.trains[0], 99),)))


def tile_lost(state):
    number = next(number for number, count in state.supply.items() if count)
    return replace(state, supply=put(state.supply, number, state.supply[number] - 1))


def tile_twice(state):
    at, contents = next((at, c) for at, c in state.board.contents_by_hex.items() if c.tile)
    free = next(hex_ for hex_ in state.sheet.hexes if hex_ not in state.board.contents_by_hex)
    assert at != free
    return replace(state, board=state.board.with_contents(free, HexContents(contents.tile)))


def test_played_position_is_sound(game):
    assert violations(game) == set()


@pytest.mark.parametrize(
    ("number", "change"),
    [
        ("1", lost_money),
        ("2", debt),
        ("3", lost_cube),
        ("4", beer_in_a_closed_segment),
        ("7", card_too_many),
        ("8", other_paper),
        ("8", paper_nowhere),
        ("8", founded_in_the_offering),
        ("8", all_in_one_hand),
        ("9", director_without_the_paper),
        ("9", another_holds_more),
        ("11", two_stations_on_a_hex),
        ("12", two_tokens_on_a_hex),
        ("11", station_in_the_city),
        ("13", trains_above_the_limit),
        ("13", equipment_above_the_limit),
        ("16", wagons_overloaded),
        ("14", tile_lost),
        ("14", tile_twice),
    ],
)
def test_broken_position_is_found(game, number, change):
    assert number in violations(game, change)
