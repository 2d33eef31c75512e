"""The referee of a table with real cardboard: the books in full, the map as it is told or entered."""

from __future__ import annotations

import msgspec
import pytest

from tests.builders.all_tables import TABLES
from tests.builders.real_tables import at_run, played, real_table
from tests.server.steady import operating
from trajekt import new_game
from trajekt.engine.actions import LayTile, PayOut, RunTrains
from trajekt.engine.events import Paid, TrainsRan
from trajekt.game import Refused
from trajekt.records import from_json, replay, to_json
from trajekt.registry import title
from trajekt.rules.operating_round import turn_of
from trajekt.rules.referee_declarations import DeclareFact, DeclareRun, DeclareStation, DeclareTrack
from trajekt.rules.referee_entries import EnterStation, EnterTile, SetMirror
from trajekt.rules.referee_marks import lies_against, mirrored, stations_on_table

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def refusal(game, action, seat=None):
    found = game.why_not(action, seat)
    return None if found is None else found.code


def rerun(game):
    """The game decided anew from its record."""
    record = to_json(game)
    assert not list(replay(from_json(record)))
    return from_json(record)


def director(game):
    return game.state.companies[turn_of(game.state).company].director


# Books only -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options", "players"), TABLES, ids=str)
def test_books_are_kept_to_end(name, options, players):
    game = played(real_table(name, options, players), lambda _: False, seed=3, most=700)
    kinds = {type(entry.action) for entry in game.entries}
    assert DeclareRun in kinds
    assert not kinds & {LayTile, RunTrains}
    assert len(game.entries) > 60
    assert rerun(game).state == game.state


@pytest.mark.parametrize("name", GAMES)
def test_told_income_is_paid_out(name):
    game = at_run(real_table(name))
    company, before = turn_of(game.state).company, game.state
    seat = director(game)
    entry = game.play(DeclareRun(100))
    assert [event.revenue for event in entry.events if isinstance(event, TrainsRan)] == [100]
    paid = game.play(PayOut())
    own = [e.amount for e in paid.events if isinstance(e, Paid) and e.target == seat and e.cause == "dividend"]
    assert own == [before.companies[company].percent(seat)]
    assert before.bank > game.state.bank


@pytest.mark.rule("COMMON-RTE-01")
@pytest.mark.parametrize(("revenue", "code"), [(-10, "typed_sum"), (45, "typed_sum"), (10_000, "typed_sum")])
def test_impossible_income_is_refused(revenue, code):
    game = at_run(real_table("18rhl"))
    assert refusal(game, DeclareRun(revenue)) == code


@pytest.mark.rule("COMMON-RTE-01")
def test_no_income_without_train():
    game = real_table("18rhl")
    at_run(game, trains=False)
    company = turn_of(game.state).company
    assert not game.state.companies[company].trains
    assert refusal(game, DeclareRun(40)) == "no_train_no_income"
    price = game.state.price(company)
    game.play(DeclareRun(0))
    assert game.state.companies[company].revenue == 0
    assert game.state.price(company) <= price


@pytest.mark.rule("COMMON-TRK-14")
def test_track_is_paid_by_treasury():
    game = at_run(real_table("18rhl"), treasury=60)
    company = turn_of(game.state).company
    treasury = game.state.companies[company].treasury
    assert game.why_not(DeclareTrack(treasury // 10 * 10 + 10)).rule == "COMMON-TRK-14"
    assert refusal(game, DeclareTrack(treasury // 10 * 10 + 10)) == "unaffordable"
    game.play(DeclareTrack(30))
    assert game.state.companies[company].treasury == treasury - 30
    game.play(DeclareRun(20))
    assert refusal(game, DeclareTrack(30)) == "wrong_step"


@pytest.mark.rule("COMMON-TOK-01", "COMMON-TOK-03")
def test_station_takes_token_off_charter():
    game = at_run(real_table("18rhl"), treasury=200)
    company = turn_of(game.state).company
    before = game.state.companies[company]
    game.play(DeclareStation(before.stations[0]))
    after = game.state.companies[company]
    assert after.stations == before.stations[1:]
    assert after.treasury == before.treasury - before.stations[0]
    assert stations_on_table(game.state, company) == 1
    assert refusal(game, DeclareStation(0)) == "one_station"
    assert [fault for test in game.ruleset.invariants for fault in test(game.state)] == []


def test_map_waits_while_books_are_kept():
    game = at_run(real_table("18rhl"))
    assert refusal(game, RunTrains(())) == "books_only"
    assert all(not isinstance(choice.action, LayTile | RunTrains) for choice in game.choices())


@pytest.mark.rule("RHL-FLT-07")
def test_told_link_pays_rhe_once():
    game = real_table("18rhl", {"edition": 2})
    played(
        game, lambda g: g.state.companies["RhE"].founded and any(isinstance(c.action, DeclareFact) for c in g.choices())
    )
    state = game.state
    game.play(DeclareFact("link", "RhE"))
    gained = game.state.companies["RhE"].treasury - state.companies["RhE"].treasury
    assert gained == 3 * state.companies["RhE"].par
    assert refusal(game, DeclareFact("link", "RhE")) == "no_such_fact"


@pytest.mark.rule("COMMON-TRN-11")
def test_company_without_route_needs_no_train():
    game = real_table("18rhl", {"edition": 2})

    def must(g):
        return any(isinstance(c.action, DeclareFact) and c.action.what == "no_route" for c in g.choices())

    played(game, must)
    assert must(game)
    company = turn_of(game.state).company
    game.play(DeclareFact("no_route", company))
    turn = game.state.top
    assert getattr(turn, "company", "") != company or game.why_not({"kind": "pass"}) is None


@pytest.mark.parametrize("name", GAMES)
def test_other_tables_tell_no_income(name):
    game = operating(name)
    with pytest.raises((Refused, msgspec.ValidationError)):
        game.play({"kind": "declare_run", "revenue": 100})


# From books to map and back -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_table_changes_to_map(name):
    game = at_run(real_table(name))
    game.play(SetMirror("map"), 0)
    assert mirrored(game.state) == "map"
    assert refusal(game, DeclareRun(100), game.to_act[0]) in ("map_mirrored", "wrong_step")
    assert refusal(game, SetMirror("map"), 0) == "mirrored_so"
    game.play(SetMirror("books"), 1)
    assert mirrored(game.state) == "books"
    assert rerun(game).state == game.state


def test_unknown_mode_is_refused():
    game = real_table("18rhl")
    assert refusal(game, SetMirror("half"), 0) == "not_in_ruleset"
    with pytest.raises(ValueError, match="referee"):
        new_game("18rhl", ["A", "B", "C"], {"referee": "half"})


@pytest.mark.rule("COMMON-TRK-04")
def test_refused_lay_is_marked():
    game = real_table("18rhl", mode="map")
    at = next(at for at, found in game.state.sheet.hexes.items() if not found.fixed and not found.face.stops)
    tile = next(number for number, found in game.state.sheet.tiles.items() if found.face.colour == "brown")
    game.play(EnterTile(at, tile, 0), 0)
    assert game.state.board.contents(at).tile == tile
    assert lies_against(game.state) == {at: "COMMON-TRK-02"}
    game.undo()
    assert lies_against(game.state) == {}


def test_fitting_tile_is_not_marked():
    game = real_table("18rhl", mode="map")
    sheet = game.state.sheet
    bare = [
        at for at, found in sheet.hexes.items() if not found.fixed and not found.face.stops and not found.closed_edges
    ]
    yellow = [
        n for n, found in game.state.sheet.tiles.items() if found.face.colour == "yellow" and not found.face.stops
    ]
    free = [EnterTile(at, tile, turn) for at in bare[:6] for tile in yellow for turn in range(6)]
    marked = []
    for entry in free:
        game.play(entry, 0)
        marked.append(bool(lies_against(game.state)))
        game.undo()
    assert not all(marked)


def test_entry_is_paid_in_turn():
    game = real_table("18rhl")
    at, tile = next(iter(game.state.sheet.hexes)), next(iter(game.state.sheet.tiles))
    assert refusal(game, EnterTile(at, tile, 0, 20), 0) == "wrong_step"
    at_run(game, treasury=60)
    company = turn_of(game.state).company
    treasury = game.state.companies[company].treasury
    bare = next(n for n, found in game.state.sheet.hexes.items() if not found.fixed and not found.face.stops)
    game.play(EnterTile(bare, tile, 0, 20), 0)
    assert game.state.companies[company].treasury == treasury - 20


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (EnterTile("Z99", "8", 0), "no_such_hex"),
        (EnterTile("D7", "none", 0), "not_in_ruleset"),
        (EnterTile("D7", "8", 9), "orientation"),
        (EnterStation("Z99", "CME"), "no_such_hex"),
    ],
)
def test_what_box_has_not_is_refused(entry, code):
    assert refusal(real_table("18rhl"), entry, 0) == code


@pytest.mark.rule("COMMON-TOK-02")
def test_real_station_comes_to_map():
    game = at_run(real_table("18rhl"), treasury=100)
    company = turn_of(game.state).company
    game.play(DeclareStation(0))
    tokens = game.state.companies[company].stations
    at = next(
        n
        for n, found in game.state.sheet.hexes.items()
        if found.face.stops
        and found.face.stops[0].slots
        and all(s.company != company for s in game.state.board.contents(n).stations)
    )
    game.play(EnterStation(at, company), 0)
    assert any(s.company == company for s in game.state.board.contents(at).stations)
    assert game.state.companies[company].stations == tokens
    assert stations_on_table(game.state, company) == 0
    assert refusal(game, EnterStation(at, company), 0) == "station_here"


@pytest.mark.parametrize("name", GAMES)
def test_books_are_played_on_with_map(name):
    game = at_run(real_table(name))
    game.play(SetMirror("map"), 0)
    number = game.number
    played(game, lambda g: g.number > number + 40, seed=2)
    assert game.number > number + 30 or game.finished


@pytest.mark.parametrize("name", GAMES)
def test_game_played_here_has_no_referee(name):
    found = title(name)
    options = found.seated(found.options({}), 4 if name == "18ruhr" else 3)
    ruleset = found.ruleset(found.sheet(options, None), options)
    assert DeclareRun not in ruleset.actions
    assert SetMirror not in ruleset.actions
    assert found.referee
