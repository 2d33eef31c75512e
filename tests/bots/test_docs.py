"""The player of docs/guide/write-a-bot.md is a whole player, and does what the page says of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trajekt.bots import arena, simulation
from trajekt.bots.bot import make_bot

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "write-a-bot.md"


@pytest.mark.slow
def test_the_player_of_page_beats_random(monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict = {}
    exec(compile(next(block for block in blocks if "class MyBot" in block), str(PAGE), "exec"), names)
    monkeypatch.setattr(
        simulation, "make_bot", lambda kind, rng: names["MyBot"](rng) if kind == "mine" else make_bot(kind, rng)
    )
    plans = arena.schedule("18rhl", ["mine", "random", "random"], 3, 40)
    results = [arena.result_of(simulation.play_out(plan)) for plan in plans]
    assert sum(result.wins[result.kinds.index("mine")] for result in results) == 3
