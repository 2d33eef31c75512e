"""The examples do what they say: a player by entry point, and one over HTTP with the token of a seat."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest

from tests.server.processes import ServerProcess

EXAMPLES = Path(__file__).parents[1] / "examples"
DOCS = Path(__file__).parents[1] / "docs"


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def code_of(text):
    return next(block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "class MyBot" in block)


def test_page_shows_player_of_example():
    shown = code_of((DOCS / "guide" / "write-a-bot.md").read_text(encoding="utf-8"))
    assert (EXAMPLES / "my_bot" / "my_package.py").read_text(encoding="utf-8").endswith(shown)


@pytest.mark.slow
def test_player_by_entry_point_beats_random(tmp_path):
    project = tomllib.loads((EXAMPLES / "my_bot" / "pyproject.toml").read_text(encoding="utf-8"))
    points = project["project"]["entry-points"]["trajekt.bots"]
    info = tmp_path / "my_bot-1.dist-info"  # as pip leaves it behind
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-bot\nVersion: 1\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[trajekt.bots]", *lines]) + "\n")
    paths = os.pathsep.join([str(tmp_path), str(EXAMPLES / "my_bot"), str(EXAMPLES.parent / "src")])
    arena = [sys.executable, "-m", "trajekt.bots.arena", "18rhl", "mine", "random", "random", "--games", "3"]
    done = subprocess.run(
        [*arena, "--seed", "40"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    games = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(games) == 3
    for game in games:
        assert game["totals"][game["kinds"].index("mine")] == max(game["totals"])


@pytest.mark.slow
def test_http_players_hold_seats_by_token(tmp_path):
    over_http = loaded(EXAMPLES / "over_http.py")
    server = ServerProcess(tmp_path / "tables.db")
    server.start()
    try:
        wanted = {
            "game": "18rhl",
            "players": ["Ada", "Bert", "Cleo"],
            "options": {"edition": 2, "fixed_seats": True},
            "seed": 7,
            "bots": {"Cleo": "steady"},
            "pause": 0.0,
            "friends": True,
        }
        open_table = over_http.sender(server.address, "")
        status, body = open_table("/tables", json.dumps(wanted).encode())
        assert status == 201, body
        made = json.loads(body)
        counts = {}
        errors = []

        def sit(link, kind):
            address, _, token = link.partition("/sit#")
            send = over_http.sender(server.address + address, token)
            try:
                counts[kind] = over_http.play(send, token, kind, pause=0.05, most=25)
            except SystemExit as fault:
                errors.append(fault)

        seats = [
            threading.Thread(target=sit, args=(seat["address"], kind))
            for seat, kind in zip(made["seats"], ("steady", "random"), strict=True)
        ]
        for seat in seats:
            seat.start()
        for seat in seats:
            seat.join(60)
        assert not errors
        assert counts["steady"] > 2
        assert counts["random"] > 2
        stranger = over_http.sender(server.address + made["address"], "no-such-token")
        assert stranger("/record.json", None)[0] == 401
    finally:
        server.kill()
