"""A first game, decision by decision: for how many of them the page says what the choice is good for."""

from __future__ import annotations

import pytest

from tests.builders.first_game import OWN, first_game, next_move
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.ruleset import Choice
from trajekt.i18n.sentences import tag_of
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters import coach
from trajekt.server.presenters.action_preview import outcome_told
from trajekt.server.presenters.choice_groups import plain
from trajekt.server.presenters.decision import now
from trajekt.server.presenters.outcome_preview import effects_of
from trajekt.server.storage.cached_game import CachedGame

DECISIONS, AIM = 28, 22


def row_notes(shown, action):
    """The notes of the rows in which an action stands."""
    rows = (row for group in shown.menu.groups for row in group.rows)
    return [row.note for row in rows if any(chip.action == plain(action) for chip in row.chips)]


def told_at(game, action, speaker):
    """What the page says of a choice beside its name: the coach's card, and what is said of this choice alone."""
    choice = Choice(OWN, action)
    decision = decide(game.ruleset, game.state, OWN, action)
    assert isinstance(decision, Decision)
    effects = effects_of(game, game.state, decision)
    outcome = outcome_told(game, choice, decision, effects, speaker)
    shown = now(game, [c for c in game.choices() if c.seat == OWN], speaker, (OWN,))
    own = [*outcome.notes, *(line for line in (outcome.worth, *outcome.prices) if line)]
    own += [note for note in row_notes(shown, action) if "·" in note or "," in note]
    own += [term.revenue for term in outcome.terms]
    return coach.lesson(game.state, speaker.catalogue), own, coach.hint(CachedGame("first", game), game, OWN, speaker)


@pytest.mark.parametrize("language", ["en", "de"])
def test_most_decisions_say_their_good(language):
    game = first_game()
    clear, seen = 0, 0
    while seen < DECISIONS:
        seat = game.to_act[0]
        action = next_move(game, seat)
        if seat == OWN:
            lesson, own, hint = told_at(game, action, Viewer(language).speaker(game.title, game.state))
            assert lesson is not None, action
            if tag_of(action) in ("pass", "end_turn"):  # a pass is told by the bot's reason, one tap away
                clear += hint is not None and bool(hint.why)
            else:
                clear += bool(own)
            seen += 1
        game.play(action, seat)
    assert clear >= AIM
