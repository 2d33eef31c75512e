"""The invariants of 18Ruhr find each position that breaks one of them, and nothing in one that bots have reached."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.played_positions import played, violations
from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.frozen import put, without
from trajekt.engine.state import GONE, POOL, Markers
from trajekt.games.ruhr.components import ruhr_components
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.state import ACTIVE, FOUNDED, MERGED, PASSIVE, ruhr_state


@pytest.fixture(scope="module")
def game():
    """A position in which mines of every status stand side by side, and the PWB runs under a director, with others' shares."""
    made = played("18ruhr", 700)
    every = {ACTIVE, FOUNDED, MERGED, PASSIVE}

    def suits(state):
        company = state.companies["PWB"]
        held = company.floated and company.director is not None and len(company.shareholders) > 1
        return held and every == {*ruhr_state(state).mines.values()}

    return made.at(next(n for n in range(0, made.number, 5) if suits(made.state_at(n))))


def founded(state):
    """Some MONTAN corporation that plays."""
    return next(name for name, each in ruhr_state(state).montan.items() if not each.closed)


def a_mine(state):
    """Some pMC that has assets of its own."""
    return next(name for name in ruhr_state(state).works if name.isdecimal())


def extra(state, **values):
    return replace(state, extra=replace(ruhr_state(state), **values))


def changed(state, company, **values):
    known = state.companies[company]
    return replace(state, companies=put(state.companies, company, replace(known, **values)))


def holders(state, company, holder, *, of_director=False, of_others=False):
    certificates = state.companies[company].certificates
    chosen = [replace(c, holder=holder) if (of_director if c.director else of_others) else c for c in certificates]
    return changed(state, company, certificates=tuple(chosen))


def assets(state, works, **values):
    known = ruhr_state(state).works
    return extra(state, works=put(known, works, replace(known[works], **values)))


def on_map(state, at, **values):
    contents = {**state.board.contents_by_hex, at: replace(state.board.contents(at), **values)}
    return replace(state, board=Board(state.sheet, contents))


def mine_hex(state, status):
    mine = next(mine for mine, found in ruhr_state(state).mines.items() if found == status)
    return mine, ruhr_components(state.sheet).hexes[mine]


def shows(state, status, icon):
    _, at = mine_hex(state, status)
    kept = tuple(each for each in state.board.contents(at).icons if not each.startswith("L"))
    return on_map(state, at, icons=(*kept, *([icon] if icon else [])))


def lost_money(state):
    return replace(state, bank=state.bank - 1)


def debt(state):
    poor = replace(state.players[0], cash=-5)
    return replace(state, players=(poor, *state.players[1:]), bank=state.bank + state.players[0].cash + 5)


def nobody_directs(state):
    return changed(state, "PWB", director=None)


def bank_without_the_paper(state):
    return changed(state, "PWB", director=None, receivership=True)


def another_holds_more(state):
    other = (state.companies["PWB"].director + 1) % 3
    return holders(state, "PWB", other, of_others=True)


def director_is_bankrupt(state):
    director = state.companies["PWB"].director
    broke = tuple(replace(p, bankrupt=p.bankrupt or seat == director) for seat, p in enumerate(state.players))
    return replace(state, players=broke)


def closed_with_papers(state):
    montan = ruhr_state(state).montan
    name = founded(state)
    return extra(state, montan=put(montan, name, replace(montan[name], closed=True)))


def engine_without_a_link(state):
    return assets(state, a_mine(state), engines=("W3",))


def charter_of_a_passive_mine(state):
    mine = next(
        n for n, status in ruhr_state(state).mines.items() if status == ACTIVE and state.privates[n].owner is not None
    )
    return replace(state, privates=put(state.privates, mine, replace(state.privates[mine], open=False)))


def phase_behind(state):
    return replace(state, phase=state.sheet.phases[0].name)


def sold_out_of_order(state):
    first = next(iter(state.sheet.trains))
    return replace(state, depot=replace(state.depot, display=put(state.depot.display, first, 1)))


def tile_too_early(state):
    number = next(n for n, tile in state.sheet.tiles.items() if tile.face.colour not in state.current_phase.tiles)
    free = next(at for at in state.sheet.hexes if at not in state.board.contents_by_hex)
    return replace(state, board=state.board.with_contents(free, HexContents(number)))


def crowded(state):
    at, contents = next((at, c) for at, c in state.board.contents_by_hex.items() if c.stations)
    there = contents.stations[0].stop
    return on_map(state, at, stations=(*contents.stations, *[Station(name, there) for name in ("DGEE", "KWE", "CME")]))


def marker_off_the_market(state):
    spaces = without(state.markers.spaces, "PWB")
    return replace(state, markers=Markers(spaces, tuple(c for c in state.markers.arrivals if c != "PWB")))


def stack_without_a_space(state):
    return replace(state, markers=Markers(without(state.markers.spaces, "PWB"), state.markers.arrivals))


def merged_into_nothing(state):
    montan = {name: replace(found, mines=found.mines[:1]) for name, found in ruhr_state(state).montan.items()}
    return extra(state, montan=montan)


def works_twice(state):
    return replace(state, agenda=(*state.agenda, MontanTurn(founded(state), used=("develop", "develop"))))


def test_played_position_is_sound(game):
    assert violations(game) == set()


@pytest.mark.parametrize(
    ("number", "change"),
    [
        (1, lost_money),
        (1, debt),
        (2, lambda s: holders(s, "PWB", GONE, of_others=True)),
        (2, lambda s: holders(s, "PWB", 7, of_others=True)),
        (2, closed_with_papers),
        (3, nobody_directs),
        (3, bank_without_the_paper),
        (3, lambda s: holders(s, "PWB", POOL, of_director=True)),
        (3, director_is_bankrupt),
        (3, another_holds_more),
        (6, lambda s: assets(s, founded(s), markers=(50, 0, 0, 0, 0, 0))),
        (6, lambda s: assets(s, founded(s), markers=(0, 3, 0, 0, 0, 0))),
        (6, lambda s: assets(s, a_mine(s), markers=(4, 3, 2, 1, 0, 0))),
        (7, engine_without_a_link),
        (7, charter_of_a_passive_mine),
        (8, lambda s: replace(s, depot=replace(s.depot, sold=(*s.depot.sold, "8")))),
        (9, lambda s: assets(s, founded(s), engines=("W3",) * 9)),
        (
            9,
            lambda s: assets(
                replace(s, depot=replace(s.depot, sold=(*s.depot.sold, "6"))), founded(s), engines=("W1",)
            ),
        ),
        (10, phase_behind),
        (10, sold_out_of_order),
        (10, lambda s: changed(s, founded(s), trains=("4",))),
        (12, tile_too_early),
        (13, lambda s: shows(s, FOUNDED, "")),
        (14, crowded),
        (15, lambda s: shows(s, FOUNDED, "L0")),
        (15, lambda s: shows(s, FOUNDED, "L30")),
        (15, lambda s: shows(s, ACTIVE, "L20")),
        (15, merged_into_nothing),
        (16, works_twice),
        (18, marker_off_the_market),
        (18, stack_without_a_space),
    ],
)
def test_broken_position_is_found(game, number, change):
    assert f"invariant {number}" in violations(game, change)


def test_mine_that_merged_has_its_status(game):
    mine, _ = mine_hex(game.state, MERGED)
    assert any(mine in found.mines[1:] for found in ruhr_state(game.state).montan.values())
