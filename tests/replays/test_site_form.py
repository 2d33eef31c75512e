"""Games written in the form of 18xx.games: what is written says what was read, and reads back equal."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

import trajekt
from trajekt.bots.bot import make_bot, next_action
from trajekt.engine.digest import plain
from trajekt.export_18xx import ExportError, has_form, write_export
from trajekt.game import Game
from trajekt.import_18xx import ImportRefusedError, import_export, items, read_export, standing
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.trains import TrainOffer

RECORDED = "recorded/18rhl-first-edition-2026.json"
FILES = sorted((Path(__file__).parent / "site_exports").glob("*.json"))
OF_THE_SITE = ("id", "created_at", "user", "subsidy", "nodes", "extra_revenue", "auto_actions", "slot")
"""Keys of an entry that say nothing of the game. A station's `slot` is the circle clicked, of several that are equal."""
VARIANTS = ("optional_2_train", "lower_capital", "promotion_tiles", "ratingen")


def position(game: Game) -> dict[str, Any]:
    """The position as plain values, but for what was declined in a turn: the site has no entry for it."""
    values = plain(game.state)
    for frame in values["agenda"]:
        if "used" in frame:
            frame["used"] = [each for each in frame["used"] if not str(each).startswith("declined")]
    return values


def read_so_far(data: bytes) -> Game:
    try:
        return read_export(data)
    except ImportRefusedError as parted:
        return parted.game or pytest.fail("no position up to the entry at fault")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_imported_game_reads_back_equal(path):
    game = read_so_far(path.read_bytes())
    again = import_export(write_export(game))
    assert position(again.game) == position(game)
    assert not [note for note in again.notes if note.rule not in ("CMP-03", "CMP-06")]


def random_game(seed: int, most: int) -> Game:
    """A game under `compat` by chance alone, left somewhere on its way."""
    rng = random.Random(seed)
    options = {"edition": 1, "compat": True, "fixed_seats": True} | {v: True for v in VARIANTS if rng.random() < 0.25}
    game = trajekt.new_game("18rhl", [f"P{n}" for n in range(rng.choice((3, 3, 4, 5, 6)))], options, seed=seed)
    cut = rng.randrange(20, most)
    # the site has no entry for a train that is offered or chosen, before it is bought
    while game.to_act and (game.number < cut or isinstance(game.state.top, TrainOffer | ForcedPurchase)):
        choice = rng.choice(game.choices(game.to_act[0]))
        numbers = {
            name: rng.choice((span.low, min(span.high, span.low + 4 * span.step)))
            for name, span in choice.spans.items()
        }
        action = msgspec.structs.replace(choice.action, **numbers)
        game.play(action if game.why_not(action, choice.seat) is None else choice.action, choice.seat)
    return game


@pytest.mark.parametrize("seed", range(8))
def test_random_game_reads_back_equal(seed):
    game = random_game(seed, 300)
    assert position(read_export(write_export(game))) == position(game)


@pytest.mark.slow
@pytest.mark.parametrize("seed", (*range(1000, 1203), 5022))
def test_long_random_game_reads_back_equal(seed):
    game = random_game(seed, 700)
    assert position(read_export(write_export(game))) == position(game)


@pytest.mark.rule("CMP-35")
def test_other_train_of_bankrupt_named():
    """The file's bankrupt got the train of the pool, as a run under its name shows; by the rules it is a new one."""
    export = json.loads(write_export(random_game(1060, 700)))
    entries = export["actions"]
    at = next(n for n, entry in enumerate(entries) if entry["type"] == "bankrupt")
    company = entries[at]["entity"]
    pool = [e["train"] for e in entries[:at] if e["type"] == "discard_train"]
    run = next(e for e in entries[at:] if e["type"] == "run_routes" and e["entity"] == company)
    run["routes"][0]["train"] = pool[0]
    with pytest.raises(ImportRefusedError, match=rf"gave {company} train {pool[0]} of the pool"):
        read_export(json.dumps(export).encode())


def test_other_round_at_end_is_noted():
    export = json.loads(write_export(random_game(2, 120)))
    assert export["status"] == "active"
    export["turn"] += 1
    assert [note.entry for note in import_export(json.dumps(export).encode()).notes if "round" in note.code] == [0]


def steady_game(seed: int, most: int) -> Game:
    """A game under `compat` by steady bots, left somewhere on its way."""
    rng = random.Random(seed)
    options = {"edition": 1, "compat": True, "fixed_seats": True} | {v: True for v in VARIANTS if rng.random() < 0.25}
    game = trajekt.new_game("18rhl", [f"P{n}" for n in range(rng.choice((3, 4, 5)))], options, seed=seed)
    bots = [make_bot("steady", rng) for _ in game.names]
    while game.number < most or isinstance(game.state.top, TrainOffer | ForcedPurchase):
        chosen = next_action(game.ruleset, game.state, bots, rng)
        if chosen is None:
            break
        game.play(chosen[1], chosen[0])
    return game


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_steady_game_reads_back_equal(seed):
    game = steady_game(seed, 250)
    assert position(read_export(write_export(game))) == position(game)


def said(raw: dict[str, Any], seats: dict[Any, int]) -> dict[str, Any]:
    """What an entry says of the game: players by seat, routes as sets of chains, whichever end they begin at."""
    entry = {key: value for key, value in raw.items() if key not in OF_THE_SITE}
    if entry["entity_type"] == "player":
        entry["entity"] = seats[entry["entity"]]
    if "routes" in entry:
        entry["routes"] = sorted(
            (route["train"].partition("-")[0], route["revenue"], sorted(min(c, c[::-1]) for c in route["connections"]))
            for route in entry["routes"]
        )
    return entry


def all_said(data: bytes) -> list[dict[str, Any]]:
    export = json.loads(data)
    seats = {player["id"]: seat for seat, player in enumerate(export["players"])}
    found = (item.raw for item in items(standing(export["actions"])))
    return [said(dict(raw), seats) for raw in found if raw["type"] != "destination_connection"]


def test_recorded_entries_say_the_same(shared):
    data = shared(RECORDED).read_bytes()
    assert all_said(write_export(read_export(data))) == all_said(data)


def test_file_end_tells_result_and_acting(shared):
    data = shared(RECORDED).read_bytes()
    plain_ours, plain_theirs = json.loads(write_export(read_export(data))), json.loads(data)
    for key in ("title", "status", "turn", "round", "min_players", "max_players"):
        assert plain_ours[key] == plain_theirs[key], key
    assert list(plain_ours["result"].values()) == [
        plain_theirs["result"][str(p["id"])] for p in plain_theirs["players"]
    ]


def test_drawn_locations_come_back_from_seed():
    options = {"edition": 1, "compat": True, "location": 4}
    game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], options, seed=7)
    assert read_export(write_export(game)).options.location == 4


def test_game_of_other_rules_not_written():
    game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2}, seed=1)
    assert not has_form(game)
    with pytest.raises(ExportError, match="only 18Rhl under compat"):
        write_export(game)


def test_agreed_end_is_written():
    game = random_game(3, 40)
    for seat in range(len(game.names)):
        game.play(next(choice.action for choice in game.anytime_choices(seat)), seat)
    assert game.finished
    assert json.loads(write_export(game))["actions"][-1]["type"] == "end_game"
    assert read_export(write_export(game)).finished
