"""A player over HTTP: takes the seat of a link and plays it, with nothing but the table's address and the seat's token.

    python examples/over_http.py 'https://host/t/TABLE/sit#TOKEN' steady

The record is fetched once, afterwards only what was done since. The library keeps the game, says what is legal and finds the
move; the move is sent for the number at which the table stood. A client that keeps no game itself reads `state.json`, which
lists what it may do.
"""

from __future__ import annotations

import json
import random
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable

from trajekt.bots.bot import make_bot, view_of
from trajekt.engine.codec import encode
from trajekt.records import EntryFile, from_json, take

Send = Callable[[str, bytes | None], tuple[int, bytes]]
"""Sends a request to an address below the table, a body by POST; answers status and body."""

STALE = 409


def sender(table: str, token: str) -> Send:
    """Requests to a table that carry the token of a seat."""

    def send(path: str, body: bytes | None = None) -> tuple[int, bytes]:
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json", "accept": "application/json"}
        try:
            with urllib.request.urlopen(urllib.request.Request(table + path, body, headers)) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as fault:
            return fault.code, fault.read()

    return send


def play(send: Send, token: str, kind: str, pause: float = 1.0, most: int = 10_000) -> int:
    """Play a seat until the game is over, or for so many looks at the table; answers how many moves were made."""
    status, body = send("/sit", json.dumps({"token": token}).encode())
    if status != 200:
        raise SystemExit(body.decode())
    seat = json.loads(body)["seat"]
    mover, made = make_bot(kind, random.Random(seat)), 0
    game = from_json(send("/record.json", None)[1])
    for _ in range(most):
        for entry in json.loads(send(f"/entries.json?after={game.number}", None)[1])["entries"]:
            take(game, EntryFile(**entry))
        if game.finished:
            break
        view = view_of(game.ruleset, game.state, seat)
        move = mover.choose(view) if seat in game.to_act and view is not None else None
        if move is None:
            time.sleep(pause)
            continue
        action = {"number": game.number, "seat": seat, "action": json.loads(encode(move.action))}
        status, body = send("/actions", json.dumps(action).encode())
        if status not in (200, STALE):  # stale: somebody was quicker, and the table is looked at again
            raise SystemExit(body.decode())
        made += status == 200
    return made


if __name__ == "__main__":
    address, _, secret = sys.argv[1].partition("/sit#")
    print(play(sender(address, secret), secret, sys.argv[2] if len(sys.argv) > 2 else "steady"), "moves")
