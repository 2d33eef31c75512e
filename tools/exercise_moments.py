"""Finds the moments of the exercises: `python tools/exercise_moments.py 18rhl > src/trajekt/games/rhl/exercises.json`.

Steady players play; wanted is for each exercise a decision in which one move is clearly better than the others, for a seat
that has more than one way. Run it again where a corrected rule refuses an action of the file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import msgspec
from tools.guided_moment import NAMES, steady_game

from trajekt.bots.bot import view_of
from trajekt.bots.candidate_moves import Idea, ideas
from trajekt.engine.actions import Action, BuyTrain, FoundCompany, LayTile, Pass, PlaceBid, RunTrains, SellShares
from trajekt.engine.state import State
from trajekt.game import Game
from trajekt.rules.operating_round import current_turn
from trajekt.server.presenters.guided_turn import Exercise

MARGIN = 12.0  # Mark by which the best move must be better than to pass
SEEDS = range(100, 160)


def first_lay(state: State) -> bool:
    """Tell whether the company in turn has laid nothing yet and owns a train."""
    turn = current_turn(state)
    return turn is not None and not turn.lays and bool(state.companies[turn.company].trains)


def two_trains(state: State) -> bool:
    """Tell whether the company in turn has more than one train to run."""
    turn = current_turn(state)
    return turn is not None and len(state.companies[turn.company].trains) > 1


WANTED: dict[str, tuple[type[Action], Callable[[State], bool], str]] = {
    "bid": (PlaceBid, lambda _state: True, "bot.bid"),
    "found": (FoundCompany, lambda _state: True, "bot.found"),
    "tile": (LayTile, first_lay, "bot.lay_now"),
    "run": (RunTrains, two_trains, ""),
    "train": (BuyTrain, lambda _state: True, "bot.train"),
    "sell": (SellShares, lambda _state: True, "bot.sell"),
}
"""By exercise: the kind of action, what the position must have, and how the reason of the best move begins; empty: any."""


def clear(found: list[Idea]) -> bool:
    """Tell whether the best move is better than to pass by some Mark."""
    idle = next((idea.gain for idea in found if isinstance(idea.action, Pass)), 0.0)
    return len(found) > 1 and found[0].gain - idle >= MARGIN


def moment(game: Game, kind: type[Action], fits: Callable[[State], bool], reason: str) -> int | None:
    """The entry after which a decision of a kind teaches something; None where a game has none."""
    for entry in game.line():
        state = game.state_at(entry.parent)
        if not isinstance(entry.action, kind) or not fits(state):
            continue
        view = view_of(game.ruleset, state, entry.seat)
        found = [] if view is None else ideas(view)
        if not reason or (
            clear(found) and isinstance(found[0].action, kind) and found[0].reason.key.startswith(reason)
        ):
            return entry.parent
    return None


def main() -> None:
    """Write the exercises of a game, each of another game between steady players, to standard output."""
    parser = argparse.ArgumentParser(description="Finds the moments of the exercises.")
    parser.add_argument("game")
    parser.add_argument("--most", type=int, default=160, help="actions before the moment")
    parser.add_argument("--games", type=int, default=len(SEEDS), help="games that are looked at for each exercise")
    given = parser.parse_args()
    used: set[int] = set()
    made = []
    for name, (kind, fits, reason) in WANTED.items():
        found = None
        for seed in (each for each in SEEDS[: given.games] if each not in used):
            game = steady_game(given.game, seed, given.most)
            at = moment(game, kind, fits, reason)
            if at is not None:
                line = game.line()
                actions = tuple((entry.seat, msgspec.to_builtins(entry.action)) for entry in line[:at])
                options = game.title.plain(game.options)
                found = Exercise(game.title.id, options, NAMES, seed, line[at].seat, actions, name)
                break
        if found is None:
            sys.stderr.write(f"{name}: no moment\n")
            continue
        used.add(found.seed)
        made.append(found)
        sys.stderr.write(f"{name}: seed {found.seed}, entry {len(found.actions)}, seat {found.seat}\n")
    sys.stdout.write("[" + ",\n".join(msgspec.json.encode(each).decode() for each in made) + "]\n")


if __name__ == "__main__":
    main()
