"""A refusal that names a step names the one to which the action belongs: never that in which it was refused."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from trajekt import new_game
from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.ruleset import Code, Refusal
from trajekt.game import Game
from trajekt.i18n.sentences import LANGUAGES, catalogue

GAMES = (
    ("18rhl", {"edition": 1}),
    ("18rhl", {"edition": 2}),
    ("18lra", {}),
    ("18ruhr", {}),
    ("18do", {"game": "expert"}),
)


def refusals(game: Game, moves: int) -> Iterator[tuple[object, Refusal]]:
    """What is refused for its step on the way of random players, each with the frame on top."""
    rng = random.Random(game.seed)
    players = [make_bot("random", random.Random(seat)) for seat in range(len(game.names))]
    for number in range(moves):
        found = next_move(game.ruleset, game.state, players, rng)
        if found is None:
            return
        if number % 4 == 0:
            for seat in game.to_act:
                for _choice, refused in game.explain(seat):
                    yield from ((game.state.agenda[-1], each) for each in refused if each.code == Code.WRONG_STEP)
        game.play(found[1].action, found[0])


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_step_is_that_of_action(name: str, options: dict[str, object]) -> None:
    game = new_game(name, ("Ada", "Bert", "Cleo"), options, seed=4)
    books = [catalogue(language, game.title.package) for language in LANGUAGES]
    seen = set()
    for frame, refusal in refusals(game, 400):
        step = refusal.args.get("step")
        assert step != getattr(frame, "step", None) or step is None
        seen.add(step)
    assert seen
    assert {step for step in seen - {None} if any(f"step.{step}" not in book for book in books)} == set()
