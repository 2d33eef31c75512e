"""Games of a table with real cardboard: what happened there is told, by chance, until a moment or the end."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import msgspec

from trajekt import new_game
from trajekt.engine.actions import Action
from trajekt.engine.ruleset import Choice
from trajekt.game import Game
from trajekt.i18n.sentences import tag_of
from trajekt.rules.invariants import Watch

SELDOM = frozenset({"declare_track", "declare_station", "declare_fact", "declare_bankruptcy", "buy_train"})


def real_table(game: str, options: Mapping[str, object] | None = None, players: int = 3, mode: str = "books") -> Game:
    """A table with real cardboard as it begins."""
    names = [f"P{n}" for n in range(players)]
    return new_game(game, names, {**(options or {}), "referee": mode, "fixed_seats": True}, seed=7)


def filled(rng: random.Random, choice: Choice) -> Action:
    """An action with its open sums filled in by chance, small ones mostly."""
    action = choice.action
    for name, span in choice.spans.items():
        high = min(span.high, span.low + 200)
        action = msgspec.structs.replace(action, **{name: rng.randrange(span.low, high + 1, span.step)})
    return action


def played(game: Game, until: Callable[[Game], bool], seed: int = 1, most: int = 1_500) -> Game:
    """Play on by chance until a moment, with all books checked after every action."""
    rng, watch = random.Random(seed), Watch(game.ruleset.invariants)
    for _ in range(most):
        if not game.to_act or until(game):
            break
        choices = game.choices()
        usual = [choice for choice in choices if tag_of(choice.action) not in SELDOM]
        choice = rng.choice(usual if usual and rng.random() < 0.8 else choices)
        action = filled(rng, choice)
        if game.why_not(action, choice.seat) is None:
            game.play(action, choice.seat)
            faults = list(watch.faults(game.state))
            assert not faults, (action, faults)
    return game


def at_run(game: Game, *, trains: bool = True, treasury: int = 0) -> Game:
    """Play on until a company, with trains or without, tells its income; it has so many Mark at least."""
    from trajekt.rules.operating_round import current_turn

    def there(here: Game) -> bool:
        turn = current_turn(here.state)
        if turn is None or here.state.top is not turn or turn.step != "run":
            return False
        company = here.state.companies[turn.company]
        if company.treasury < treasury:
            return False
        return company.director is not None and (bool(company.trains) or not trains)

    played(game, there)
    assert there(game), game
    return game
