"""Types that are read are met in one thread, and codecs are made one after the other."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from trajekt import new_game
from trajekt.game import MEETING, codec_of
from trajekt.server.services.preload import warm

CROWD = """
import threading
from trajekt.server.storage.game_cache import game_of_row, game_row
from trajekt import new_game
from trajekt.server.services.preload import warm
rows = {rows}
warm()
gate = threading.Barrier(24)
def work(n):
    gate.wait()
    for k in range(3):
        game_of_row(rows[(n + k) % len(rows)])
threads = [threading.Thread(target=work, args=(n,)) for n in range(24)]
[t.start() for t in threads]
[t.join() for t in threads]
print("alive")
"""


def test_every_games_types_are_met():
    assert warm() > 150
    assert warm() == warm()


def test_codec_waits_for_another():
    game = new_game("18rhl", ["Ada", "Bert", "Cleo"], seed=1)
    made = []
    with MEETING:
        maker = threading.Thread(target=lambda: made.append(codec_of(game.ruleset)))
        maker.start()
        maker.join(0.2)
        assert not made
    maker.join(10)
    assert made


@pytest.mark.slow
def test_many_threads_open_tables_at_once():
    """In a process of its own, since what once went wrong here ended the process."""
    text = "[game_row('t', new_game(g, ['Ada', 'Bert', 'Cleo'], seed=1)) for g in ('18rhl', '18lra', '18ruhr', '18do')]"
    done = subprocess.run(
        [sys.executable, "-c", CROWD.replace("{rows}", text)], capture_output=True, text=True, timeout=200, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "alive"), done.stderr
