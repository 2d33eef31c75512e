"""Things put on the table by hand: the books balance, what the rules have against it is told, nothing else happens."""

from __future__ import annotations

import msgspec
import pytest

from tests.server.steady import operating
from trajekt.engine.ruleset import Code, Draft, Refusal
from trajekt.engine.state import CHARTER, IPO, POOL
from trajekt.game import new_game
from trajekt.records import from_json, replay, to_json
from trajekt.rules.placement_by_hand import (
    AnyPlacement,
    FoundedByHand,
    MoneySet,
    PhaseSet,
    ShareGiven,
    StationPut,
    TilePut,
    TrainGiven,
    TurnGiven,
    against,
    arrange,
    foundable,
    pars_of,
)

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


def put(game, *placements):
    """A game with things put on the table, one entry for each."""
    for placement in placements:
        draft = arrange(game.ruleset, game.state, placement)
        assert isinstance(draft, Draft), draft
        game.accept(game.propose_arranged(draft))
    return game


def faults(game):
    return [fault for test in game.ruleset.invariants for fault in test(game.state)]


@pytest.mark.parametrize("name", GAMES)
def test_any_tile_on_any_hex(name):
    game = operating(name)
    bare = [at for at in game.state.sheet.hexes if not game.state.board.contents(at).stations]
    tile = next(tile for tile, left in game.state.supply.items() if left > 1)
    before = game.state.supply[tile]
    put(game, TilePut(bare[0], tile, 3))
    contents = game.state.board.contents(bare[0])
    assert (contents.tile, contents.rotation) == (tile, 3)
    assert game.state.supply[tile] == before - 1
    assert game.state.agenda == game.state_at(game.entries[-1].parent).agenda


@pytest.mark.parametrize("name", GAMES)
def test_turn_passes_to_another_company(name):
    game = operating(name)
    on = game.state.top.company
    others = [c.id for c in game.state.companies.values() if c.director is not None and c.id != on]
    if not others:
        game.undo()
        others = [c.id for c in game.state.companies.values() if c.director is not None]
    put(game, TurnGiven(others[0]))
    top = game.state.top
    assert getattr(top, "company", others[0]) == others[0]
    assert game.to_act


PLANNED = [(name, {}) for name in GAMES] + [
    ("18rhl", {"edition": 1}), ("18do", {"game": "expert"}), ("18do", {"game": "railway"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), PLANNED)
def test_any_company_is_planned_for(name, options):
    """Whoever nobody has founded yet gets a director, shares, a train and a turn, at the beginning of a game too."""
    opening = new_game(name, ["Ada", "Bert", "Cleo"], options, 3)
    companies = foundable(opening.ruleset, opening.state)
    assert companies
    for company in companies:
        game = new_game(name, ["Ada", "Bert", "Cleo"], options, 3)
        broken = faults(game)
        par = pars_of(game.state.sheet)[0]
        train = next(kind for kind, left in game.state.depot.display.items() if left)
        put(game, FoundedByHand(company, 1, par), MoneySet(company, 200), TrainGiven(company, train))
        founded = game.state.companies[company]
        assert (founded.director, founded.floated, game.state.price(company)) == (1, True, par)
        assert founded.percent(1) >= 20
        size = next(each.percent for each in founded.certificates if each.holder in (IPO, CHARTER, POOL))
        put(game, ShareGiven(company, 0, size))
        assert game.state.companies[company].percent(0) == size
        asleep = [
            s
            for c in game.state.board.contents_by_hex.values()
            for s in c.stations
            if s.company == company and s.asleep
        ]
        assert not asleep
        put(game, TurnGiven(company))
        assert getattr(game.state.top, "company", "") == company
        assert list(game.choices())
        assert [fault for fault in faults(game) if fault not in broken] == []
        assert from_json(to_json(game)).state == game.state


def test_train_and_station_cost_nothing():
    game = operating()
    company = game.state.companies[game.state.top.company]
    cash, trains, tokens = company.treasury, company.trains, company.stations
    free = next(
        at
        for at, printed in game.state.sheet.hexes.items()
        if printed.face.stops and not game.state.board.contents(at).stations
    )
    put(game, TrainGiven(company.id, "8"), StationPut(free, company.id))
    after = game.state.companies[company.id]
    assert after.treasury == cash
    assert sorted(after.trains) == sorted((*trains, "8"))
    assert after.stations == tokens[1:]
    assert [fault.partition(":")[0] for fault in faults(game)] == ["INV-15"]
    put(game, PhaseSet("grey"))
    assert game.state.phase == "grey"


@pytest.mark.parametrize("name", GAMES)
def test_money_and_shares_are_given(name):
    """Cash, a treasury and a certificate become what is wanted, and the books still balance."""
    game = operating(name)
    state = game.state
    lying = [
        (c.id, place, each.percent)
        for place in (IPO, CHARTER, POOL, 1, 2)
        for c in state.companies.values()
        for each in c.certificates
        if c.founded and each.holder == place and not each.director
    ]
    company, place, size = lying[0]
    held = state.companies[company].percent(0)
    before = [fault for fault in faults(game) if not fault.startswith("INV-01")]
    put(game, MoneySet("0", 1234), MoneySet(company, 7), MoneySet(company, 7), ShareGiven(company, 0, size))
    after = game.state
    assert (after.players[0].cash, after.companies[company].treasury) == (1234, 7)
    assert (after.companies[company].percent(0), after.companies[company].percent(place)) == (
        held + size,
        state.companies[company].percent(place) - size,
    )
    assert after.bank == state.bank + state.players[0].cash - 1234 + state.companies[company].treasury - 7
    assert [fault for fault in faults(game) if fault not in before] == []
    again = from_json(to_json(game))
    assert again.state == game.state


@pytest.mark.parametrize(
    ("placement", "code"),
    [
        (TilePut("Z99", "8"), Code.NO_SUCH_HEX),
        (TilePut("K2", "none"), Code.NOT_IN_RULESET),
        (StationPut("Z99", "RhE"), Code.NO_SUCH_HEX),
        (StationPut("K2", "???"), Code.NOT_IN_RULESET),
        (StationPut("K2", "RhE", "zz"), Code.NO_PLACE),
        (TrainGiven("RhE", "99"), Code.NOT_IN_RULESET),
        (TrainGiven("???", "2"), Code.NOT_IN_RULESET),
        (TurnGiven("???"), Code.NOT_IN_RULESET),
        (PhaseSet("purple"), Code.NOT_IN_RULESET),
        (MoneySet("9", 10), Code.NOT_IN_RULESET),
        (MoneySet("???", 10), Code.NOT_IN_RULESET),
        (ShareGiven("???", 0), Code.NOT_IN_RULESET),
        (ShareGiven("RhE", 9), Code.NOT_IN_RULESET),
        (ShareGiven("CCE", 0, 15), Code.NOT_FOUNDED_YET),
        (TurnGiven("CCE"), Code.NOT_FOUNDED_YET),
        (FoundedByHand("???", 0, 60), Code.NOT_IN_RULESET),
        (FoundedByHand("CCE", 9, 60), Code.NOT_IN_RULESET),
        (FoundedByHand("CCE", 0, 61), Code.NOT_PAR),
        (FoundedByHand("RhE", 0, 60), Code.ALREADY_FOUNDED),
        (ShareGiven("RhE", 0, 15), Code.NONE_LIES_THERE),
    ],
)
def test_what_box_lacks_is_refused(placement, code):
    game = operating()
    found = arrange(game.ruleset, game.state, placement)
    assert isinstance(found, Refusal)
    assert found.code == code


@pytest.mark.parametrize(("name", "company"), [("18ruhr", "RB"), ("18do", "DUB")])
def test_company_without_stations_gets_no_turn(name, company):
    """Its turns are of another kind, and what it begins with lies on a charter of its own."""
    game = new_game(name, ["Ada", "Bert", "Cleo"], {}, 3)
    for placement in (FoundedByHand(company, 0, 60), TurnGiven(company)):
        found = arrange(game.ruleset, game.state, placement)
        assert isinstance(found, Refusal)
        assert found.code == Code.NOT_IN_RULESET


def test_rules_against_placement_are_told():
    game = operating()
    state = game.state
    brown = next(number for number, tile in state.sheet.tiles.items() if tile.face.colour == "brown")
    company = state.companies[state.top.company]
    home = next(at for at, c in state.board.contents_by_hex.items() if any(s.company == company.id for s in c.stations))
    assert Code.NOT_IN_PHASE in [fault.code for fault in against(state, TilePut("K2", brown))]
    assert Code.STATION_HERE in [fault.code for fault in against(state, StationPut(home, company.id))]
    assert against(state, TurnGiven(company.id)) == ()


def test_undo_takes_placement_back():
    game = operating()
    before, number = game.state, game.number
    put(game, TrainGiven(game.state.top.company, "3"))
    game.undo()
    assert game.state == before
    game.redo()
    assert "3" in game.state.companies[before.top.company].trains
    assert [entry.kind for entry in game.entries[number:]] == ["arranged", "undo", "redo"]


def test_record_carries_and_replays_it():
    game = put(operating(), TrainGiven("RhE", "3"), PhaseSet("green"))
    again = from_json(to_json(game))
    assert again.state == game.state
    assert again.entries == game.entries
    assert list(replay(again)) == []


@pytest.mark.parametrize(
    "value", [b'{"place": "bank", "amount": 9}', b'{"place": "tile", "hex": "K2", "tile": "8", "turn": 6}']
)
def test_unreadable_placement_is_told(value):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(value, type=AnyPlacement)
