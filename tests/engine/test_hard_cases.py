"""The cases that the kernel must carry, each with made-up components (`toy`): what the four games will ask of it.

Cases 2, 3 and 6 (purchase ladder, exchange of certificates, reach) are proved on the rules themselves in
`tests/rules` and `tests/games/rhl`.
"""

from __future__ import annotations

import pytest

from tests.builders.toy_game import (
    ASK,
    AddCubes,
    Advertise,
    Asked,
    AskFor,
    CallRound,
    Floor,
    InnerRound,
    Link,
    SellOut,
    TooMany,
    Turn,
    Window,
    kinds,
    table,
    toy,
)
from trajekt.engine.actions import Accept, Action, Decline, DiscardTrain, Pass
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import Decision, decide, explain, fold, legal, start
from trajekt.engine.ruleset import Code, Refusal, Ruleset
from trajekt.engine.state import State


def act(ruleset: Ruleset, state: State, seat: int, action: Action) -> Decision:
    answer = decide(ruleset, state, seat, action)
    assert isinstance(answer, Decision), answer
    assert fold(ruleset, state, answer.events) == answer.state, "events are the whole truth"
    return answer


def refused(ruleset: Ruleset, state: State, seat: int, action: Action) -> Refusal:
    answer = decide(ruleset, state, seat, action)
    assert isinstance(answer, Refusal), f"accepted {action}"
    return answer


TOY = toy()


class TestSomebodyElsesChoiceInsideAnEffect:
    """Case 1: a link adds cubes after the discards that its card's phase asks for (DO-LINK-06, DO-PHASE-02)."""

    def position(self) -> State:
        return table(3, Floor(2), Turn("X"), trains={"X": ("2", "2"), "Y": ("2", "2", "2")})

    def test_discards_come_before_rest_of_effect(self) -> None:
        after = act(TOY, self.position(), 0, Link()).state
        assert after.phase == "brown"
        assert "cubes" not in after.marks
        assert [type(f) for f in after.agenda] == [Floor, Turn, AddCubes, TooMany]
        assert awaited(TOY, after) == (0, 1)

    def test_answers_come_in_any_order(self) -> None:
        state = act(TOY, self.position(), 0, Link()).state
        for seat, train, company in ((1, "2", "Y"), (0, "2", "X"), (0, "5", "X"), (1, "2", "Y")):
            assert "cubes" not in state.marks
            state = act(TOY, state, seat, DiscardTrain(company, train)).state
        assert state.marks["cubes"] == "3"
        assert state.companies["X"].trains == ("2",)
        assert isinstance(state.top, Turn)

    def test_nobody_discards_for_another(self) -> None:
        state = act(TOY, self.position(), 0, Link()).state
        assert refused(TOY, state, 0, DiscardTrain("Y", "2")).code == Code.NOT_DIRECTOR
        assert refused(TOY, state, 2, DiscardTrain("Y", "2")).code == Code.NOT_YOUR_TURN
        assert refused(TOY, state, 0, Pass()).code == Code.WRONG_STEP

    def test_reactions_run_in_order_of_ruleset(self) -> None:
        events = act(TOY, self.position(), 0, Link()).events
        assert kinds(events)[:4] == ["FramePushed", "TrainMoved", "PhaseBegan", "FramePushed"]


class TestClosingInTheMiddle:
    """Case 4: a company that is closed takes its frames along, wherever they lie (DO-BANKR-01)."""

    def test_its_own_turn_goes(self) -> None:
        state = table(3, Floor(2), InnerRound(("Y",)), Turn("X"))
        after = act(TOY, state, 0, SellOut("X")).state
        assert isinstance(after.top, Turn)
        assert after.top.company == "Y"

    def test_turn_below_an_interruption_goes_too(self) -> None:
        state = table(3, Floor(2), Turn("Y"), Turn("X"))
        after = act(TOY, state, 0, SellOut("Y")).state
        assert [f.company for f in after.agenda if isinstance(f, Turn)] == ["X"]


class TestRoundsInRounds:
    """Case 5: an operating round interrupts a stock round, which goes on where it stood (RUHR-SR-05)."""

    def test_the_outer_round_goes_on(self) -> None:
        state = table(3, Floor(2, passes=1))
        state = act(TOY, state, 2, CallRound()).state
        assert awaited(TOY, state) == (0,)
        state = act(TOY, state, 0, Pass()).state
        assert awaited(TOY, state) == (1,)
        state = act(TOY, state, 1, Pass()).state
        assert state.agenda == (Floor(2, passes=1),)

    def test_the_end_leaves_nobody_awaited(self) -> None:
        state = table(3, Floor(2, passes=2))
        after = act(TOY, state, 2, Pass()).state
        assert after.outcome == "passed"
        assert awaited(TOY, after) == ()
        assert legal(TOY, after) == []
        assert refused(TOY, after, 0, Pass()).code == Code.GAME_OVER


class TestConsent:
    """Case 7: consent that blocks holds the action and judges it again on yes (DO-BREW-22)."""

    def test_consent_carries_the_action_out(self) -> None:
        state = act(TOY, table(3, Turn("X")), 0, AskFor(30)).state
        assert awaited(TOY, state) == (1,)
        after = act(TOY, state, 1, Accept()).state
        assert (after.companies["X"].treasury, after.companies["Y"].treasury) == (130, 0)

    def test_no_changes_nothing(self) -> None:
        before = table(3, Turn("X"))
        state = act(TOY, before, 0, AskFor(30)).state
        assert act(TOY, state, 1, Decline()).state == before

    def test_it_is_judged_again(self) -> None:
        state = table(3, Turn("X"), Asked(AskFor(31), 0))
        assert refused(TOY, state, 1, Accept()).code == Code.UNAFFORDABLE

    def test_nothing_else_moves_meanwhile(self) -> None:
        state = act(TOY, table(3, Turn("X")), 0, AskFor(30)).state
        assert refused(TOY, state, 0, Pass()).code == Code.NOT_YOUR_TURN
        assert refused(TOY, state, 1, AskFor(1)).code == Code.WRONG_STEP


class TestWindows:
    """Case 9: a window opens only if somebody could use it, and closes by itself (DO-X-20)."""

    def test_it_closes_when_last_marker_used(self) -> None:
        state = table(3, Floor(0), Window((0, 1, 2)), marker_1="20", marker_2="20")
        assert awaited(TOY, state) == (1, 2)
        assert refused(TOY, state, 0, Advertise()).code == Code.NOT_YOUR_TURN
        state = act(TOY, state, 2, Advertise()).state
        state = act(TOY, state, 1, Pass()).state
        assert state.agenda == (Floor(0),)
        assert state.players[2].cash == 5
        assert state.marks == {"marker:1": "20"}


class TestOneSourceOfLegality:
    """What is listed is accepted; what is refused says why, and changes nothing."""

    @pytest.mark.parametrize("frames", [(Floor(1),), (Turn("X"),), (Turn("X"), Asked(AskFor(5), 0))])
    def test_listed_is_accepted(self, frames: tuple[Floor, ...]) -> None:
        state = table(3, *frames)
        choices = legal(TOY, state)
        assert choices
        for choice in choices:
            act(TOY, state, choice.seat, choice.action)

    def test_explain_gives_the_reasons(self) -> None:
        state = table(3, Turn("X"), Asked(AskFor(31), 0))
        reasons = {type(c.action): [r.code for r in why] for c, why in explain(TOY, state, 1)}
        assert reasons == {Accept: [Code.UNAFFORDABLE], Decline: []}

    def test_set_up_is_same_for_ever(self) -> None:
        one, two = start(TOY, ("Ada", "Bert"), 7), start(TOY, ("Ada", "Bert"), 7)
        assert one == two
        assert {start(TOY, ("Ada", "Bert"), seed).events for seed in range(12)} != {one.events}

    def test_the_number_of_players_is_checked(self) -> None:
        with pytest.raises(ValueError, match="2 to 4"):
            start(TOY, ("Ada",), 1)


class TestDerivedRules:
    """A rule is varied by name, one level deep, and never silently."""

    def test_an_unknown_check_cannot_be_replaced(self) -> None:
        with pytest.raises(ValueError, match="no checks"):
            ASK.derive(removed=("nothing_of_the_sort",))

    def test_no_chain_of_overrides(self) -> None:
        derived = ASK.derive(removed=("can_pay",))
        assert derived.needs == ()
        with pytest.raises(ValueError, match="derived already"):
            derived.derive()
