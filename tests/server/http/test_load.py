"""The load tool in small: a crowd at the real server, killed once on the way. Losses are asserted, never times."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
SMALL = ["--tables", "4", "--pages", "8", "--rate", "12", "--seconds", "8", "--json"]


def load(project, *words):
    done = subprocess.run(
        [sys.executable, str(project / "tools" / "load_test.py"), *SMALL, *words],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_crowd_loses_and_doubles_nothing(project):
    said = load(project)
    assert said["complaints"] == []
    assert said["actions"] > 30
    assert said["told"] > 0
    assert said["double clicks"] > 0


def test_lobby_is_visited_beside_play(project):
    said = load(project, "--lobby")
    assert said["complaints"] == []
    assert {"lobby", "games", "list of an open page", "sat down"} <= set(said["visits"])


def test_acknowledged_action_survives_hard_kill(project):
    said = load(project, "--kill", "1")
    assert said["complaints"] == []
    assert said["kills"] == len(said["back after"]) == 1
    assert said["actions"] > 20
