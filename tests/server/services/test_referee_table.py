"""A game that began with the books of a real table is finished online, among friends."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.builders.all_tables import TABLES
from tests.builders.real_tables import filled, played, real_table
from tests.server.friends import Friend
from trajekt.records import from_json, to_json

SHORT = next(table for table in TABLES if table[1].get("short_game"))
SENT = {"content-type": "application/json"}


def finished(client, table, friends, game):
    """Finish a game by the friends' own requests; `game` follows, to find out what they may do."""
    rng = random.Random(1)
    while game.to_act:
        choice = rng.choice(game.choices())
        action = filled(rng, choice)
        if game.why_not(action, choice.seat) is not None:
            continue
        answer = friends[choice.seat].play(game.number, **msgspec.to_builtins(action))
        assert answer.status_code == 200, answer.text
        game.play(action, choice.seat)
    return from_json(client.get(f"/t/{table}/record.json", headers=friends[0].headers).content)


@pytest.mark.parametrize("mode", ["books", "map"])
def test_books_end_among_friends(client, mode):
    game = played(real_table(*SHORT), lambda here: here.number > 100, seed=2)
    assert game.to_act
    if mode == "map":
        game.play({"kind": "set_mirror", "mode": "map"}, 0)
    answer = client.post("/tables/import?friends=0", content=to_json(game), headers=SENT)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    friends = {s["seat"]: Friend(client, made["id"], s["address"].partition("#")[2], s["seat"]) for s in made["seats"]}
    told = finished(client, made["id"], friends, game)
    assert told.finished
    assert told.state == game.state
