"""My tables: all that run, those that wait for me first, whatever their number."""

from __future__ import annotations

import re
import time

import sqlalchemy as sa

from tests.server.friends import gathered
from trajekt import new_game
from trajekt.server.storage import seats
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.schema import GAMES, HOLDERS


def test_all_tables_are_listed_and_marked(client, store):
    first, _ = gathered(client)
    with store.engine.connect() as connection:
        ada = connection.execute(sa.select(HOLDERS.c.person)).scalar()
    game, cache = new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 2, "fixed_seats": True}, 7), GameCache(store)
    for n in range(120):
        cache.create(f"t{n}", game, f"hash{n}", ada, 0)
        seats.open_seats(store, f"t{n}", (0, 1, 2))
        seats.hold(store, f"t{n}", 0, ada)
    client.get("/me")
    began = time.process_time()
    page = client.get("/me").text
    assert time.process_time() - began < 0.5
    listed = re.findall(r'href="/t/(\w+)"', page)
    assert set(listed) == {first, *(f"t{n}" for n in range(120))}
    assert page.count('class="due"') == 121
    assert listed[0] == first  # it has waited longest


def test_older_rows_are_marked_too(client, store):
    gathered(client)
    with store.begin() as connection:
        connection.execute(GAMES.update().values(awaited=None))
    assert 'class="due"' in client.get("/me").text
