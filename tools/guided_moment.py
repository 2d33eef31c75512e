"""Finds a moment for a guided table: `python tools/guided_moment.py 18lra > src/trajekt/games/lra/guided.json`.

Steady players play; wanted is a turn in which a newcomer can do all that a turn has (lay, run, pay or keep, a train) and soon
after buys a share, with few moves of others between. Run it again where a corrected rule refuses an action of the file.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

import msgspec

from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.actions import BuyTrain, LayTile, PayOut, PlaceStation, RunTrains, Withhold
from trajekt.game import Entry, Game, new_game
from trajekt.rules.operating_round import CompanyTurn, current_turn
from trajekt.server.presenters.guided_turn import Guided, buys

NAMES = ("Ada", "Bert", "Cleo")
MOST_OTHERS, MOST_OWN = 8, 11  # moves between the first tile and the share
TILES = (12, 40)  # laid on the map: enough to see a railway, not so much that nobody sees through


def steady_game(title: str, seed: int, most: int) -> Game:
    """A game of steady players, as far as so many actions."""
    game = new_game(title, NAMES, {"fixed_seats": True}, seed)
    rng = random.Random(seed)
    players = [make_bot("steady", rng) for _ in NAMES]
    while not game.finished and game.number < most:
        found = next_move(game.ruleset, game.state, players, rng)
        assert found is not None
        seat, move = found
        game.play(move.action, seat)
    return game


def lessons(game: Game) -> Iterator[tuple[float, int, list[Entry]]]:
    """Moments that teach, each with its merit, its number, and what the newcomer did from there to the share."""
    line = game.line()
    for at, first in enumerate(line):
        state = game.state_at(at)
        turn = current_turn(state)
        if turn is None or not isinstance(state.top, CompanyTurn) or not isinstance(first.action, LayTile):
            continue
        if turn.lays or turn.step != "track" or not state.companies[turn.company].trains:
            continue
        own: list[Entry] = []
        others = 0
        for entry in line[at:]:
            if entry.seat != first.seat:
                others += 1
                continue
            own.append(entry)
            if buys(game, entry):
                break
        else:
            continue
        kinds = {type(entry.action) for entry in own}
        tiles = sum(isinstance(entry.action, LayTile) for entry in line[:at])
        if (
            RunTrains in kinds
            and kinds & {PayOut, Withhold}
            and others <= MOST_OTHERS
            and len(own) <= MOST_OWN
            and TILES[0] <= tiles <= TILES[1]
        ):
            merit = 3.0 * (BuyTrain in kinds) + (PlaceStation in kinds) + (PayOut in kinds) + (first.seat == 0)
            gained = total(game, own[-1].number, first.seat) - total(game, at, first.seat)
            yield merit + min(gained, 150) / 50 - 0.3 * others - 0.2 * len(own), at, own


def total(game: Game, number: int, seat: int) -> int:
    """What a seat owned after an entry, in Mark."""
    return next(each.total for each in game.title.standings(game.state_at(number)) if each.seat == seat)


def main() -> None:
    """Write the moment that teaches most to standard output."""
    parser = argparse.ArgumentParser(description="Finds a moment for a guided table.")
    parser.add_argument("game")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--most", type=int, default=300, help="actions before the moment")
    given = parser.parse_args()
    best: tuple[float, Game, int, list[Entry]] | None = None
    for seed in range(1, given.seeds + 1):
        game = steady_game(given.game, seed, given.most)
        for merit, at, own in lessons(game):
            if best is None or merit > best[0]:
                best = merit, game, at, own
    if best is None:
        sys.exit("no moment found")
    merit, game, at, own = best
    kinds = ", ".join(type(entry.action).__name__ for entry in own)
    sys.stderr.write(f"seed {game.seed}, entry {at}, seat {own[0].seat}, merit {merit:.1f}: {kinds}\n")
    actions = tuple((entry.seat, msgspec.to_builtins(entry.action)) for entry in game.line()[:at])
    options = game.title.plain(game.options)
    guided = Guided(game.title.id, options, NAMES, game.seed, own[0].seat, actions)
    head, _, tail = msgspec.json.encode(guided).decode().partition('"actions":')
    sys.stdout.write(head + '"actions":' + tail.replace("[[", "[\n[", 1).replace("],[", "],\n[") + "\n")


if __name__ == "__main__":
    main()
