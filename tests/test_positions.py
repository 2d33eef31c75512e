"""Positions as a small JSON for other programs, judged by jsonschema and by the sums that a position must have."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import trajekt
from trajekt.cli import main
from trajekt.import_18xx import read_export
from trajekt.positions import position_json, position_schema

EXPORT = Path(__file__).parent / "replays" / "site_exports" / "10-mkb-sale-with-change.json"


@pytest.fixture(scope="module")
def validator():
    Draft202012Validator.check_schema(position_schema())
    return Draft202012Validator(position_schema())


@pytest.mark.parametrize("game", ("18rhl", "18lra", "18ruhr", "18do"))
def test_positions_of_all_games_fit_schema(validator, game):
    made, rng = trajekt.new_game(game, ["Ada", "Bert", "Cleo"], seed=3), random.Random(3)
    for _ in range(80):
        made.play(rng.choice(made.choices()))
    position = json.loads(position_json(made))
    assert not list(validator.iter_errors(position))
    assert (position["number"], len(position["players"])) == (80, 3)
    assert list(validator.iter_errors({**position, "bank": "much"}))


def test_position_says_what_site_holds():
    holds = json.loads(EXPORT.read_text(encoding="utf-8"))["holds"]
    position = json.loads(position_json(read_export(EXPORT.read_bytes())))
    assert {p["name"]: p["cash"] for p in position["players"]} == {n: p["cash"] for n, p in holds["players"].items()}
    (mkb,) = (each for each in position["companies"] if each["id"] == "MKB")
    there = holds["corporations"]["KEG"]
    assert (mkb["treasury"], mkb["price"], mkb["shares"]["pool"]) == (there["cash"], there["price"], there["pool"])


def test_command_writes_position_and_schema(validator):
    done = CliRunner().invoke(main, ["position", str(EXPORT), "--at", "100"])
    assert done.exit_code == 0
    assert not list(validator.iter_errors(json.loads(done.output)))
    assert json.loads(CliRunner().invoke(main, ["schema", "--position"]).output) == position_schema()
