"""The tools behind the balance pages play a game and sum it up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest


def called(project, tool, *arguments):
    """What a tool prints; it must end well."""
    env = {**os.environ, "PYTHONPATH": str(project / "src")}
    command = [sys.executable, str(project / "tools" / tool), *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "variant"),
    [
        ("do_balance.py", ()),
        ("do_balance.py", ("--variant", "railway")),
        ("do_balance.py", ("--variant", "introduction")),
        ("ruhr_balance.py", ()),
    ],
)
def test_balance_tool_plays_and_sums_up(project, tmp_path, tool, variant):
    lines = called(project, tool, "play", "--games", "1", "--seed", "5", *variant)
    game = json.loads(lines)
    assert game["reason"]
    assert game["violations"] == []
    kept = tmp_path / "games.jsonl"
    kept.write_text(lines, encoding="utf-8")
    table = called(project, tool, "table", str(kept))
    assert table.startswith("1 games, 1 ended, 0 with a violation")
    assert f"{game['actions']:,} actions" in table
