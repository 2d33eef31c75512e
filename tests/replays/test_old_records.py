"""Records written by an earlier version: names in the code may change, what is stored keeps its words and loads again.

Each file is a whole game played by bots in November 2026, before the engine's types and fields were renamed.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from trajekt.games.do.options import SETTLED
from trajekt.records import from_json, replay, to_file

FILES = sorted((Path(__file__).parent / "old_records").glob("*.json.gz"))
SAME_RULES = sorted((Path(__file__).parent / "records_of_this_version").glob("*.json.gz"))
"""Whole games between `steady` bots, written by an earlier commit under rules of the versions that hold now."""
UNFINISHED = sorted((Path(__file__).parent / "old_records" / "unfinished").glob("*.json.gz"))


def lost(old, new, place=""):
    """Where the new value does not say what the old one says; it may say more."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            yield from lost(value, new[key], f"{place}.{key}") if key in new else [f"{place}.{key}".lstrip(".")]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for n, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from lost(one, other, f"{place}[{n}]")
    elif old != new:
        yield place


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_old_record_keeps_its_words(path):
    stored = gzip.decompress(path.read_bytes())
    game = from_json(stored)  # compares the digest of the last position
    assert game.finished
    written = msgspec.json.decode(msgspec.json.encode(to_file(game)))
    written["version"] = 1  # the rules may be newer
    gone = {name.removeprefix("options.") for name in lost(msgspec.json.decode(stored), written)}
    assert gone <= SETTLED  # rulings that are options no more


@pytest.mark.parametrize("path", UNFINISHED, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_unfinished_old_record_goes_on(path):
    game = from_json(gzip.decompress(path.read_bytes()))  # in the auction, a stock round, an operating round
    choice = game.choices()[0]
    number = game.number
    game.play(choice.action, choice.seat)
    assert game.number == number + 1


@pytest.mark.parametrize(
    ("name", "entry", "rule"),
    [
        ("18rhl-1", 42, "COMMON-AUC-02"),  # the price of no. 6 goes to the bank now
        ("18ruhr", 18, "RUHR-OR-04"),  # the EH starts late only in the round of the first type 5
        ("18do-expert", 27, "COMMON-OR-04"),  # the step of the first train is entered
    ],
)
def test_replay_names_entry_and_rule(name, entry, rule):
    path = Path(__file__).parent / "old_records" / f"{name}.json.gz"
    first = next(replay(from_json(gzip.decompress(path.read_bytes()))))
    assert (first.entry, first.refusal, first.rule) == (entry, None, rule)


def test_every_game_has_an_old_record():
    games = {msgspec.json.decode(gzip.decompress(path.read_bytes()))["game"] for path in FILES}
    assert games == {"18rhl", "18lra", "18ruhr", "18do"}


@pytest.mark.parametrize("path", SAME_RULES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_same_rules_decide_the_same(path):
    """An event with one field more would refuse every record at the door, so it is another version of the rules."""
    game = from_json(gzip.decompress(path.read_bytes()))
    version = msgspec.json.decode(gzip.decompress(path.read_bytes()))["version"]
    assert version == game.ruleset.version, "a new version has come: write these records anew under it"
    assert game.finished
    assert list(replay(game)) == []
