"""Positions set up by hand: as exported they come back, the game goes on, faults are told entry by entry."""

from __future__ import annotations

import json
import random
import re

import msgspec
import pytest
from msgspec.structs import replace

from tests.builders.hand_positions import GAMES, second_stock_rounds
from tests.server.steady import fresh, steady
from trajekt.engine.board.board import HexContents
from trajekt.engine.events import FramePushed, Paid, PriceMoved
from trajekt.game import Game, new_game
from trajekt.hand_position_file import PositionError, read_position
from trajekt.hand_positions import set_up_position
from trajekt.positions import position_json
from trajekt.records import from_json, replay, to_json
from trajekt.round_label import round_of
from trajekt.rules.operating_round import OperatingRound
from trajekt.rules.placement_by_hand import BY_HAND, set_up_by_hand


@pytest.fixture(scope="module")
def written():
    return second_stock_rounds()


def changed(written, **values):
    return json.dumps(written["18rhl"] | values).encode()


def faults_of(data):
    with pytest.raises(PositionError) as refused:
        set_up_position(data)
    return {(fault.path, fault.code) for fault in refused.value.faults}


@pytest.mark.parametrize("name", GAMES)
def test_exported_position_comes_back(written, name):
    game = set_up_position(json.dumps(written[name]).encode())
    again = json.loads(position_json(game))
    assert {k: v for k, v in again.items() if k != "number"} == {
        k: v for k, v in written[name].items() if k not in ("number", "round")
    }
    assert not [fault for test in game.ruleset.invariants for fault in test(game.state)]


def test_share_before_founding_stays(written):
    """A private company may have brought a certificate of a company that nobody has founded."""
    position = written["18rhl"]
    founded = {each["id"] for each in position["companies"]}
    company = next(each for each in fresh("18rhl").state.companies if each not in founded)
    holder = position["players"][0] | {"shares": position["players"][0]["shares"] | {company: 10}}
    game = set_up_position(changed(written, players=[holder, *position["players"][1:]]))
    held = game.state.companies[company]
    assert held.percent(0) == 10
    assert not held.founded
    assert json.loads(position_json(game))["players"][0]["shares"][company] == 10
    strange = holder | {"shares": {"XYZ": 10}}
    assert faults_of(changed(written, players=[strange, *position["players"][1:]])) == {
        ("$.players[0].shares", "no_company")
    }


@pytest.mark.parametrize("name", GAMES)
def test_game_goes_on_and_replays(written, name):
    game = set_up_position(json.dumps(written[name]).encode())
    steady(game, lambda g: round_of(g.state).kind == "operating")
    again = from_json(to_json(game))
    assert again == game
    assert list(replay(again)) == []


def test_operating_round_begins(written):
    data = changed(written, round={"kind": "operating", "set": 2, "number": 1, "of": 2})
    game = set_up_position(data)
    here = round_of(game.state)
    assert (here.key, here.of) == ("OR 2.1", 2)


def test_faults_are_named_entry_by_entry(written):
    base = written["18rhl"]
    company = next(c for c in base["companies"] if c["trains"])
    broken = company | {
        "trains": ["99"],
        "shares": company["shares"] | {"moon": 10},
        "stations": ["Z99:0"],
        "space": None,
        "price": 1,
    }
    at = base["companies"].index(company)
    data = changed(
        written,
        phase="purple",
        priority=9,
        companies=[broken if c is company else c for c in base["companies"]],
        tiles=[{"hex": "Z9", "tile": "8", "rotation": 0}],
    )
    assert faults_of(data) >= {
        ("$.phase", "no_phase"),
        ("$.priority", "no_seat"),
        (f"$.companies[{at}].trains", "no_train"),
        (f"$.companies[{at}].shares", "no_place"),
        (f"$.companies[{at}].stations[0]", "no_stop"),
        (f"$.companies[{at}].price", "no_price"),
        ("$.tiles[0]", "no_such_thing"),
    }


def test_books_are_checked(written):
    base = written["18rhl"]
    assert faults_of(changed(written, bank=base["bank"] + 10)) == {("$.bank", "bank")}
    players = [base["players"][0] | {"cash": 99_999}, *base["players"][1:]]
    assert ("$.bank", "bank_broken") in faults_of(changed(written, players=players, bank=None))
    assert ("$", "books") in faults_of(changed(written, phase="grey"))
    twice = [base["players"][0] | {"privates": [1, 1]}, *base["players"][1:]]
    assert ("$.players[0].privates", "no_private") in faults_of(changed(written, players=twice))


def test_both_languages_tell_faults(written):
    with pytest.raises(PositionError) as refused:
        set_up_position(changed(written, phase="purple"))
    assert "there is no such phase: purple" in refused.value.sentence("en")
    assert "eine solche Phase gibt es nicht: purple" in refused.value.sentence("de")


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (b"{", "$"),
        (b'{"position": 1, "game": "18rhl", "players": []}', "$.players"),
        (b'{"position": 1, "game": "18rhl", "players": [{"name": "A", "cash": -1}]}', "$.players[0].cash"),
        (b'{"position": 1, "game": "chess", "players": [{"name": "A"}]}', "$.game"),
        (b'{"position": 1, "game": "18rhl", "players": [{"name": "A"}]}', "$.game"),
        (b'{"position": 1, "game": "18do", "options": {"game": "railway"}, "players": [{"name": "A"}]}', "$.game"),
    ],
)
def test_unfit_file_is_told(data, path):
    with pytest.raises(PositionError) as refused:
        set_up_position(data)
    assert refused.value.faults[0].path == path


def test_ambiguous_price_asks_for_space(written):
    base = written["18rhl"]
    companies = [c | {"space": None} for c in base["companies"]]
    found = faults_of(changed(written, companies=companies))
    assert found
    assert {code for _, code in found} == {"several_spaces"}


def test_forged_set_up_is_none(written):
    """A stranger's set-up counts only where its events come behind the game's own and the books agree."""
    game = set_up_position(json.dumps(written["18rhl"]).encode())
    events = game.opening.events
    assert set_up_by_hand(game.ruleset, game.names, game.seed, events)
    rich = (*events, Paid("bank", 0, 99_999, "set_up"))
    made = (*events, Paid("nobody", 0, 10, "set_up"))
    assert not set_up_by_hand(game.ruleset, game.names, game.seed, rich)
    assert not set_up_by_hand(game.ruleset, game.names, game.seed, made)
    assert not set_up_by_hand(game.ruleset, game.names, game.seed, tuple(e for e in events if e != BY_HAND))
    assert not set_up_by_hand(game.ruleset, game.names, game.seed, events[:-1])
    plain = fresh()
    assert isinstance(plain, Game)
    assert not set_up_by_hand(plain.ruleset, plain.names, plain.seed, plain.opening.events)


def test_position_is_read_as_typed(written):
    found = read_position(json.dumps(written["18rhl"]).encode())
    assert found.round.kind == "stock"
    assert msgspec.json.decode(msgspec.json.encode(found))["game"] == "18rhl"


def test_position_without_any_action_is_told(written):
    """Nobody has money, shares or companies: rounds would follow each other without end."""
    base = written["18rhl"]
    players = [{"name": player["name"]} for player in base["players"]]
    position = {"position": 1, "game": "18rhl", "options": base["options"], "players": players, "phase": "yellow"}
    assert faults_of(json.dumps(position).encode()) == {("$", "nobody_acts")}


# Any position before a stock round ------------------------------------------------------------------------------------

RULESETS = [
    ("18rhl", {"edition": 2}),
    ("18rhl", {"edition": 1}),
    ("18rhl", {"compat": True, "edition": 1}),
    ("18lra", {}),
    ("18ruhr", {}),
    ("18do", {}),
    ("18do", {"game": "expert"}),
    ("18do", {"game": "railway"}),
]
NO_FACTS = re.compile(rf"{BY_HAND.name}|drawn:minors|drawn:\w+:.*")
"""Marks that are no facts: the last of several minors that were drawn says nothing, who drew what the companies say."""


def standing(state):
    """A position without its history: interchangeable certificates and tokens have no order, closed companies no owner."""
    companies = {
        each.id: replace(
            each,
            revenue=None,
            certificates=tuple(sorted((c.percent, str(c.holder), c.director) for c in each.certificates)),
        )
        for each in state.companies.values()
    }
    board = {
        at: (
            each.tile,
            each.rotation,
            sorted((s.company, s.stop, s.kind, s.asleep) for s in each.stations),
            sorted((r.company, r.stop) for r in each.reservations),
            sorted(each.icons),
        )
        for at, each in state.board.contents_by_hex.items()
        if each != HexContents()
    }
    return {
        "players": (state.names, state.players, state.priority),
        "companies": companies,
        "privates": {
            n: (each.owner if each.open else None, each.open, each.used) for n, each in state.privates.items()
        },
        "market": {space: state.markers.stack(space) for space in state.markers.spaces.values()},
        "board": (board, state.supply),
        "trains": (state.depot.display, sorted(state.depot.pool), sorted(state.depot.sold)),
        "money": (state.bank, {name: amount for name, amount in state.aside.items() if amount}),
        "own": state.extra,
        "facts": {name: value for name, value in state.marks.items() if not NO_FACTS.fullmatch(name)},
        "moment": (state.phase, state.agenda, state.ending),
    }


def moments(name, options, seed, actions=1_200):
    """A random game at the beginning of each round: the game, and the round as a file names it."""
    game, rng = new_game(name, ["Ada", "Bert", "Cleo", "Dora"][:seed], options, seed), random.Random(seed)
    seen = {"SR 0", "SR 1"}
    for _ in range(actions):
        here = round_of(game.state)
        if here.key not in seen and here.kind in ("stock", "operating"):
            seen.add(here.key)
            yield game, here
        if game.finished:
            break
        choice = rng.choice(list(game.choices()))
        game.play(choice.action, choice.seat)


def laid_again(game, **begins):
    file = json.loads(position_json(game)) | {"round": begins}
    return standing(set_up_position(json.dumps(file).encode()).state)


@pytest.mark.parametrize(("name", "options"), RULESETS)
@pytest.mark.parametrize("seed", [3, 4])
def test_any_position_comes_back(name, options, seed):
    """Whatever a random game has come to before a stock round, its file set up by hand is the same position."""
    seen = 0
    for game, here in moments(name, options, seed):
        if here.kind == "stock":
            assert laid_again(game, kind="stock", set=here.set) == standing(game.state), here.key
            seen += 1
    assert seen > 1


def untouched(game):
    """Tell whether no company has acted of itself in the round that has begun, and the bank is not broken."""
    events = game.entries[-1].events
    at = next(
        (n for n, e in enumerate(events) if isinstance(e, FramePushed) and isinstance(e.frame, OperatingRound)), -1
    )
    moved = any(isinstance(event, PriceMoved) for event in events[at:])
    return at >= 0 and not moved and game.state.bank >= 0 and not game.state.ending


@pytest.mark.parametrize(("name", "options"), RULESETS)
def test_incomes_are_not_paid_twice(name, options):
    """Before an operating round the cash told may be that behind the incomes of the private companies."""
    seen = 0
    for game, here in moments(name, options, 4, 700):
        if here.kind == "operating" and untouched(game):
            begins = {"kind": "operating", "set": here.set, "number": here.number, "of": here.of}
            assert laid_again(game, **begins, paid=True) == standing(game.state), here.key
            seen += 1
    assert seen > 1


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_dealt_railways_are_laid(seed):
    """The Introduction Game has no shares and no stock rounds: who drew which railway, and what left the display, is told."""
    seen = 0
    for game, here in moments("18do", {"game": "introduction"}, seed, 300):
        if here.set > 1:
            assert laid_again(game, kind="operating", set=here.set) == standing(game.state), here.key
            seen += 1
    assert seen > 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_short_game_is_laid(players):
    """The short game deals companies with trains and has player rounds of its own; who got which company is told."""
    seen = set()
    for game, here in moments("18lra", {"short_game": True}, players, 400):
        begins = {"kind": here.kind, "set": here.set} | ({"number": 1} if here.kind == "operating" else {})
        assert laid_again(game, **begins) == standing(game.state), here.key
        seen.add(here.key)
    assert {key[:2] for key in seen} == {"SR", "OR"}


def test_investor_is_laid():
    """The Investor is no player, but holds cash and certificates: told last, and who manages it is told behind the turn."""
    seen = set()
    for game, here in moments("18lra", {"investor": True}, 2, 900):
        if here.set < 2:
            continue
        begins = {"kind": here.kind, "set": here.set} | (
            {"number": here.number, "of": here.of, "paid": True} if here.kind == "operating" else {}
        )
        if here.kind == "stock" or untouched(game):
            assert laid_again(game, **begins) == standing(game.state), here.key
            seen.add(here.kind)
    assert "stock" in seen
    file = json.loads(position_json(game)) | {"round": {"kind": "stock", "set": 2}}
    two = json.dumps(file | {"players": file["players"][:2]}).encode()
    assert faults_of(two) == {("$.players", "no_holder")}
    alone = json.dumps(file | {"players": file["players"][:1]}).encode()
    assert faults_of(alone) == {("$.game", "no_game")}


def test_short_game_goes_on():
    game = new_game("18lra", ["Ada", "Bert"], {"short_game": True}, 5)
    while round_of(game.state).key != "SR 3":
        game.play(game.choices()[-1].action)
    file = json.loads(position_json(game)) | {"round": {"kind": "stock", "set": 3}}
    again = set_up_position(json.dumps(file).encode())
    while not again.finished:
        again.play(again.choices()[-1].action)
    assert [round_of(again.state_at(entry.parent)).key for entry in again.line()][-1] == "OR 6.1"
    assert list(replay(from_json(to_json(again)))) == []
    assert set_up_by_hand(again.ruleset, again.names, again.seed, again.opening.events)
    for wrong in ({"kind": "operating", "set": 3, "number": 2}, {"kind": "stock", "set": 7}):
        assert faults_of(json.dumps(file | {"round": wrong}).encode()) == {("$.round", "no_round")}
    three = json.dumps(file | {"companies": file["companies"][:3]}).encode()
    assert ("$.companies", "dealt") in faults_of(three)


def test_introduction_game_goes_on():
    game = new_game("18do", ["Ada", "Bert", "Cleo"], {"game": "introduction"}, 5)
    steady(game, lambda g: round_of(g.state).key == "OR 3.1")
    file = json.loads(position_json(game)) | {"round": {"kind": "operating", "set": 3}}
    again = set_up_position(json.dumps(file).encode())
    steady(again, lambda g: g.finished)
    assert again.finished
    assert round_of(again.state_at(again.line()[-1].parent)).key == "OR 10.1"
    assert list(replay(from_json(to_json(again)))) == []
    assert ("$.round", "no_round") in faults_of(json.dumps(file | {"round": {"kind": "stock", "set": 3}}).encode())
    thief = [each | {"director": 9} for each in file["companies"]]
    assert ("$.companies[0].director", "no_seat") in faults_of(json.dumps(file | {"companies": thief}).encode())


def test_incomes_are_paid_where_not_told(written):
    written = written["18rhl"]
    begins = {"kind": "operating", "set": 2, "number": 1}
    told = set_up_position(json.dumps(written | {"round": begins}).encode()).state
    paid = set_up_position(json.dumps(written | {"round": begins | {"paid": True}}).encode()).state
    assert [each["cash"] for each in written["players"]] == [each.cash for each in paid.players]
    assert sum(each.cash for each in told.players) > sum(each.cash for each in paid.players)
    poor = [each | {"cash": 0} for each in written["players"]]
    assert {
        code
        for _, code in faults_of(
            json.dumps(written | {"players": poor, "bank": None, "round": begins | {"paid": True}}).encode()
        )
    } == {"no_income"}


# What only one game has -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("market", {}),
        ("becs", {"B9": ["2"]}),
        ("becs", {"B1": ["99"]}),
        ("becs", {"B1": ["8"] * 9}),
        ("order", ["B77"]),
        ("loads", {"CME": ["3"]}),
        ("tokens", {"A1": 10}),
        ("again", {"XYZ": 3}),
        ("free_token", ["XYZ"]),
        ("pooled", ["3"]),
        ("events_left", ["Z"]),
        ("stock", -1),
        ("nothing", 1),
    ],
)
def test_strange_beer_is_told(written, place, value):
    written = written["18do"]
    own = written["own"] | {place: value}
    found = faults_of(json.dumps(written | {"own": own}).encode())
    assert found
    assert all(path.startswith("$.own") or path == "$.display" for path, _ in found)


def test_lost_cube_is_told(written):
    written = written["18do"]
    own = written["own"] | {"stock": written["own"]["stock"] + 1}
    assert faults_of(json.dumps(written | {"own": own}).encode()) == {("$", "books")}
