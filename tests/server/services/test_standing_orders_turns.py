"""Instructions for what only some games have: turns of mines and breweries, the two phases of a Montan round."""

from __future__ import annotations

import pytest

from tests.server.steady import fresh, seating, steady
from trajekt.bots.bot import next_action
from trajekt.engine.actions import Pass
from trajekt.games.do.frames import BreweryTurn
from trajekt.games.ruhr.montan_round import Foundation, Merging
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.i18n.sentences import Speaker
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.sidebar import order_sentence, steps_to_pass
from trajekt.server.refusals import DeniedError
from trajekt.server.services.standing_orders import (
    Ended,
    Fire,
    PassSteps,
    PassUntil,
    Sight,
    Wait,
    give,
    in_turns,
    judge,
)

TURNS = [("18ruhr", MontanTurn, "activity", "Activity"), ("18do", BreweryTurn, "buy", "Equipment")]


def whose(frame):
    return frame.works if isinstance(frame, MontanTurn) else frame.brewery


def at_step(name, frame, step):
    """The first such turn in a step where a pass is legal."""
    return steady(
        fresh(name),
        lambda g: (
            isinstance(g.state.top, frame) and g.state.top.step == step and g.why_not(Pass(), g.to_act[0]) is None
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "frame", "step", "words"), TURNS, ids=["mine", "brewery"])
def test_mine_or_brewery_step_is_passed(name, frame, step, words):
    game = at_step(name, frame, step)
    works, seat = whose(game.state.top), game.to_act[0]
    assert works in in_turns(game, seat)
    given = give(game, seat, PassSteps(works, (step,)))
    assert judge(Sight(game), given) == Fire(Pass())
    entry = game.play(Pass(), seat)
    assert judge(Sight(game, frozenset({entry.number})), given) == Ended("turn_over")
    for wrong in (PassSteps(works, ("track",)), PassSteps("???", (step,))):
        with pytest.raises(DeniedError):
            give(game, seat, wrong)
    with pytest.raises(DeniedError) as other:
        give(game, (seat + 1) % 3, PassSteps(works, (step,)))
    assert other.value.code == "order_not_director"
    # the form offers it under its name, and the sentence says what will be done
    again = give(game, seat, PassSteps(works, (step,)))
    assert judge(Sight(game), again) == Wait()
    speaker: Speaker = Viewer("en").speaker(game.title, game.state)
    offered = {
        company: dict(turn.steps) for turn in steps_to_pass(game, seat, speaker) for company, _ in turn.companies
    }
    assert offered[works][step] == words
    assert f"turn of {speaker.company(works)}: {words}." in order_sentence(again, game, speaker)


@pytest.mark.slow
def test_duty_to_develop_is_not_passed():
    game = steady(
        fresh("18ruhr"),
        lambda g: (
            isinstance(g.state.top, MontanTurn)
            and g.state.top.step == "activity"
            and g.why_not(Pass(), g.to_act[0]) is not None
        ),
    )
    given = give(game, game.to_act[0], PassSteps(game.state.top.works, ("activity",)))
    assert judge(Sight(game), given) == Ended("duty")


@pytest.mark.slow
@pytest.mark.parametrize("phase", [Foundation, Merging])
def test_montan_phase_is_passed_in_advance(phase):
    """Given before one's turn, it passes then and ends with the phase."""
    game = steady(fresh("18ruhr"), lambda g: isinstance(g.state.top, phase))
    seat = game.to_act[0]
    given = give(game, seat, PassUntil("end"))
    assert given.frame == phase.__struct_config__.tag
    assert judge(Sight(game), given) == Fire(Pass())
    made = {game.play(Pass(), seat).number}
    players = seating(game)
    while any(isinstance(frame, phase) for frame in game.state.agenda):
        verdict = judge(Sight(game, frozenset(made)), given)
        if isinstance(verdict, Fire):
            made.add(game.play(verdict.action, seat).number)
            continue
        assert verdict == Wait()
        who, action = next_action(game.ruleset, game.state, players, players[0].rng)
        game.play(action, who)
    assert judge(Sight(game, frozenset(made)), given) == Ended("round")
