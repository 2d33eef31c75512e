"""Legal lays against an independent, slow judgement; and what must hold after every lay (INV-10, INV-11, INV-12).

The judgement reads the rules once more from the sheet: it shares no table and no in-hex walk with the engine.
"""

from __future__ import annotations

import random
from itertools import product

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act
from tests.builders.rhl_positions import POS_R, POS_R_STATIONS, choices, ruleset, table, turn
from trajekt.engine.actions import LayTile, PlaceStation
from trajekt.engine.board.board import HexContents
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.reachability import reach
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.engine.decisions import refusal
from trajekt.engine.routing.runs import RouteRules
from trajekt.rules.operating_round import CompanyTurn

COLOURS = ("", "yellow", "green", "brown", "grey")
COMPANIES = ("RhE", "GVE", "DEE", "CME", "BME", "ADR")


def exits(face):
    """For each stop the edges that lead to it; and the pairs of edges joined without a stop."""
    stops = [
        {e for p in face.track for e in (p.a, p.b) if FIRST_STOP + n in (p.a, p.b) and e < FIRST_STOP}
        for n in range(len(face.stops))
    ]
    return stops, {(p.a, p.b) for p in face.track if p.b < FIRST_STOP}


def kinds(face):
    return sorted(stop.kind for stop in face.stops)


def kept(old, new):
    """Whether every old stop has a new one with all its edges, and plain track is still there."""
    stops, plain = exits(old)
    now, plain_now = exits(new)
    homes = []
    for n, edges in enumerate(stops):
        bank = old.stops[n].bank
        fitting = [m for m, e in enumerate(now) if edges <= e and not (bank and new.stops[m].bank not in ("", bank))]
        if not fitting:
            return None
        homes.append(fitting)
    wanted = min(len(old.stops), len(new.stops))  # stops merge only where the new tile has fewer
    apart = [list(choice) for choice in product(*homes) if len(set(choice)) == wanted]
    return [[home] for home in apart[0]] if apart and plain <= plain_now else None


def slow(rules, state, action) -> bool:
    """Whether a normal lay is legal, from first principles."""
    sheet, board, company = state.sheet, state.board, turn(state).company
    if action.hex not in sheet.hexes or action.tile not in sheet.tiles or not 0 <= action.rotation < 6:
        return False
    at, printed = action.hex, sheet.hexes[action.hex]
    contents, old, new = board.contents(at), board.face(at), sheet.rotated[action.tile, action.rotation]
    if (
        turn(state).lays
        or printed.face.colour in ("grey", "red")
        or (contents.tile and sheet.tiles[contents.tile].final)
    ):
        return False
    if new.colour not in COLOURS or COLOURS.index(new.colour) != COLOURS.index(old.colour) + 1:
        return False
    if new.colour not in state.current_phase.tiles or not state.supply[action.tile]:
        return False
    if not (set(printed.face.labels) & set(new.labels) or (not printed.face.labels and not new.labels)):
        return False
    if contents.tile and sheet.tiles[contents.tile].upgrades_to is not None:
        if action.tile not in sheet.tiles[contents.tile].upgrades_to:
            return False
    elif (not printed.face.labels or not old.colour) and kinds(old) != kinds(new):
        return False
    for edge in new.edges - printed.face.edges:
        other = beyond(at, edge, "pointy")
        if edge in printed.closed_edges or other not in sheet.hexes:
            return False
        if sheet.hexes[other].face.colour in ("grey", "red") and opposite(edge) not in sheet.hexes[other].face.edges:
            return False
    if at in ("D9", "F9", "I10") and action.rotation:
        return False
    if not set(printed.stubs) <= new.edges:
        return False
    homes = kept(old, new)
    if homes is None:
        return False
    if at == "E14" and state.privates[1].open and not contents.tile:
        return False
    cost = printed.cost if not contents.tile else sheet.tiles[contents.tile].upgrade_cost
    if cost > state.companies[company].treasury:
        return False
    if len(contents.stations) + len(contents.reservations) > sum(s.slots for s in new.stops):
        return False
    return joined(rules, state, action, old, new, homes)


def joined(rules, state, action, old, new, homes) -> bool:
    board, at = state.board, action.hex
    passage = ruleset(rules).policy(RouteRules).available
    company = turn(state).company
    after = board.with_contents(
        at,
        HexContents(
            action.tile, action.rotation, tuple(replace(s, stop=homes[s.stop][0]) for s in board.contents(at).stations)
        ),
    )

    def reached(on):
        own = [
            on.network.stops_in_hex[place][s.stop].node
            for place, g in on.contents_by_hex.items() for s in g.stations if s.company == company and not s.asleep
        ]  # fmt: skip
        return reach(on.network, own, passage(on, company))

    before, later = reached(board), reached(after)
    city = any(s.kind == "city" for s in old.stops)
    if old.colour and city and before.hex(at):
        return True
    stops, plain = exits(old)
    merged = len(old.stops) > len(new.stops)
    had = {(e, homes[n][0]) for n, edges in enumerate(stops) for e in edges}
    for piece, track in zip(after.network.in_hex[at], new.track, strict=True):
        fresh = merged or not old.colour
        if track.b >= FIRST_STOP and track.a < FIRST_STOP:
            fresh = fresh or (track.a, track.b - FIRST_STOP) not in had
        else:
            fresh = fresh or (track.a, track.b) not in plain
        if fresh and later.piece(piece):
            return True
    return False


def invariants(before, after):
    """What must hold after a lay or a station."""
    sheet = after.sheet
    on_map = [g.tile for g in after.board.contents_by_hex.values() if g.tile]
    for number, tile in sheet.tiles.items():  # INV-10
        assert on_map.count(number) + after.supply[number] == tile.count
    for at, contents in after.board.contents_by_hex.items():
        face, printed = after.board.face(at), sheet.hexes[at]
        for edge in face.edges - printed.face.edges:
            assert edge not in printed.closed_edges
            assert beyond(at, edge, "pointy") in sheet.hexes
        if contents.tile != "935":  # INV-11
            assert kept(before.board.face(at), face) is not None
        here = [s.company for s in contents.stations]  # INV-12
        assert len(here) == len(set(here))
        for n, stop in enumerate(face.stops):
            assert sum(s.stop == n for s in contents.stations) <= stop.slots
    for company in after.companies.values():
        placed = sum(s.company == company.id for g in after.board.contents_by_hex.values() for s in g.stations)
        assert placed + len(company.stations) == len(sheet.companies[company.id].station_costs)
    money = after.bank + sum(c.treasury for c in after.companies.values()) + sum(after.aside.values())
    assert money == before.bank + sum(c.treasury for c in before.companies.values()) + sum(before.aside.values())


def start(rules, dice):
    stations = "RhE I10:a; CME I10:c; GVE G6:b; DEE F9:b; BME F13:b; ADR K2:a"
    state = table(rules, "RhE", stations=stations, treasury=3000, phase="yellow")
    state = replace(
        state, companies={n: replace(c, treasury=3000) for n, c in state.companies.items()}, bank=state.bank - 7 * 3000
    )
    return given(state, dice.choice(COMPANIES))


def given(state, company, step="track"):
    companies = {n: replace(c, director=0 if n == company else 1) for n, c in state.companies.items()}
    return replace(state, companies=companies, agenda=(CompanyTurn(company, step),))


def changed(dice, state, action):
    """The action with one field changed."""
    tiles, hexes = list(state.sheet.tiles), list(state.sheet.hexes)
    return dice.choice(
        (
            replace(action, rotation=dice.randrange(6)),
            replace(action, hex=dice.choice(hexes)),
            replace(action, tile=dice.choice(tiles)),
        )
    )


@pytest.mark.rule("COMMON-TRK-01", "COMMON-TRK-08", "COMMON-TRK-10", "COMMON-TRK-11", "RHL-TRK-12", "COMMON-TRK-15")
@pytest.mark.parametrize("rules", ("R1", "R2"))
@pytest.mark.parametrize("seed", range(3))
def test_game_of_lays_is_judged_alike(rules, seed):
    dice = random.Random(seed)
    state = start(rules, dice)
    compared = 0
    for number in range(60):
        phase = ("yellow", "green", "brown", "grey")[min(number // 14, 3)]
        state = replace(given(state, dice.choice(COMPANIES)), phase=phase)
        listed = choices(rules, state, LayTile)
        for action in dice.sample(listed, min(3, len(listed))):
            assert slow(rules, state, action), (number, action)
            for _ in range(4):
                other = changed(dice, state, action)
                accepted = refusal(ruleset(rules), state, 0, other) is None
                assert accepted == slow(rules, state, other), (number, other, refusal(ruleset(rules), state, 0, other))
                assert accepted == (other in listed)
                compared += 1
        if listed:
            after = act(ruleset(rules), state, 0, dice.choice(listed)).state
            invariants(state, after)
            state = after
        state = given(state, turn(state).company, "station")
        placing = choices(rules, state, PlaceStation)
        if placing and dice.random() < 0.3:
            after = act(ruleset(rules), state, 0, dice.choice(placing)).state
            invariants(state, after)
            state = after
    assert compared > 200


@pytest.mark.rule("COMMON-TRK-08", "COMMON-TRK-11", "RHL-TRK-12")
@pytest.mark.parametrize("rules", ("R1", "R2", "compat"))
@pytest.mark.parametrize("company", ("RhE", "GVE", "DEE"))
def test_recorded_lays_are_judged_alike(rules, company):
    state = table(rules, company, tiles=POS_R, stations=POS_R_STATIONS, phase="green")
    listed = choices(rules, state, LayTile)
    assert len(listed) == len(set(listed)) > 20
    for number in state.sheet.tiles:
        for at in ("K6", "K2", "G8", "E12", "J3", "F11", "H9", "K4", "E8", "I8", "G6", "D11"):
            for way in range(6):
                action = LayTile(at, number, way)
                assert (action in listed) == slow(rules, state, action), action
                after = None if action not in listed else act(ruleset(rules), state, 0, action).state
                if after is not None:
                    invariants(state, after)
