"""The coach: every kind of decision has a card in both languages, and a bot's advice is legal and explained."""

from __future__ import annotations

import random
import re

import pytest

from tests.builders.played_moments import played
from trajekt.bots.bot import make_bot, next_move
from trajekt.game import new_game
from trajekt.registry import names, title
from trajekt.rules.operating_round import current_turn, steps_of
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.coach import lesson

LONGEST = 260  # characters: three lines on a wide screen
PLACES = ("turn", "company_turn")  # frames whose steps are the kinds of decision


def games():
    return [(name, edition) for name in names() for edition in title(name).editions]


def opened(name, edition, seed=1):
    return new_game(name, ["Ada", "Bert", "Cleo"], {"edition": edition}, seed=seed)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("name", "edition"), games())
def test_every_duty_has_a_card(name, edition, language):
    game = opened(name, edition)
    say = Viewer(language).catalogue(game.title)
    frames = [str(kind.__struct_config__.tag) for kind, duty in game.ruleset.duties.items() if duty.menu]
    steps = [step.name for step in steps_of(game.ruleset) if step.waits is not None]
    kinds = [kind for kind in frames if kind not in PLACES] + steps
    assert len(kinds) > 6
    missing = [kind for kind in kinds if not any(key.startswith(f"page.coach.{kind}") for key in say.entries)]
    assert missing == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", names())
def test_cards_are_short_whole_sentences(name, language):
    say = Viewer(language).catalogue(title(name))
    shown = {key: say.text(key) for key in say.entries if key.startswith("page.coach.")}
    cards = {key: text for key, text in shown.items() if re.search(r"[.]$", text)}
    assert len(cards) > 10
    assert [key for key, text in cards.items() if len(text) > LONGEST or "{" in text] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_card_after_last_tile_differs(language):
    """In 18DO a railway may still sell its shares after its tile: no card then speaks of one more."""
    say, seen = Viewer(language).catalogue(title("18do")), set()
    whole = played("18do")
    for number in range(20, 200):
        state = whole.state_at(number)
        turn = current_turn(state)
        if turn is not None and turn.step == "track" and turn.lays:
            seen |= {lesson(state, say, on_map=on_map).kind for on_map in (True, False)}
    assert seen == {"track.again", "track.done"}


@pytest.mark.parametrize("name", names())
def test_random_game_never_lacks_a_card(name):
    rng = random.Random(5)
    game = opened(name, max(title(name).editions), seed=5)
    bots, say = [make_bot("random", rng) for _ in range(3)], Viewer("en").catalogue(game.title)
    seen = set()
    for _ in range(250):
        if game.finished:
            break
        found = lesson(game.state, say)
        assert found is not None, game.state.top
        seen.add(found.kind)
        move = next_move(game.ruleset, game.state, bots, rng)
        game.play(move[1].action, move[0])
    assert len(seen) > 3
