"""The JSON Schema of records, judged by jsonschema: records of whole games fit it, broken ones do not."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import trajekt
from trajekt.json_schema import record_schema
from trajekt.records import to_json

GAMES = ("18rhl", "18lra", "18ruhr", "18do")


@cache
def played(game):
    """A record of a hundred actions, with undos, as plain values."""
    made, rng = trajekt.new_game(game, ["Ada", "Bert", "Cleo"], seed=5), random.Random(5)
    for number in range(100):
        if made.finished:
            break
        made.play(rng.choice(made.choices()))
        if number % 30 == 29:
            made.undo()
    return json.loads(to_json(made))


@pytest.fixture(scope="module")
def whole():
    return Draft202012Validator(record_schema())


@pytest.mark.parametrize("game", ["", *GAMES])
def test_schema_is_one_with_plain_names(game):
    schema = record_schema(game)
    Draft202012Validator.check_schema(schema)
    assert all(name.isidentifier() and shape["title"] == name for name, shape in schema["$defs"].items())


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_records_fit_the_schema(whole, game):
    record = played(game)
    own = Draft202012Validator(record_schema(game))
    for validator in (own, whole):
        assert not list(validator.iter_errors(record))
    other = Draft202012Validator(record_schema(GAMES[GAMES.index(game) - 1]))
    assert any(error.path and error.path[0] == "game" for error in other.iter_errors(record))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("entries", 0, "action", "kind"), "fly"),
        (("entries", 0, "action", "colour"), "red"),
        (("entries", 0, "events", 0, "event"), "nothing"),
        (("entries", 3, "number"), "three"),
        (("set_up", 0), {"event": "paid"}),
        (("players",), "ABC"),
        (("trajekt",), None),
        (("more",), 1),
    ],
)
def test_broken_record_does_not_fit(whole, path, value):
    record = json.loads(json.dumps(played("18rhl")))
    place = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert list(whole.iter_errors(record))


def test_command_writes_the_schema():
    from trajekt.cli import main

    done = CliRunner().invoke(main, ["schema", "18lra"], catch_exceptions=False)
    assert done.exit_code == 0
    assert json.loads(done.stdout) == json.loads(json.dumps(record_schema("18lra")))
    assert CliRunner().invoke(main, ["schema", "18xy"]).exit_code == 2
