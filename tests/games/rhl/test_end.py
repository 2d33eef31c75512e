"""End of the game and scoring (section 16 of the rule sheet)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import (
    act,
    dealt,
    on_top,
    position,
    refused,
    with_cash,
    with_company,
    with_holdings,
)
from tests.builders.rhl_turns import company, in_turn, ruleset, runs, unsold, with_depot
from trajekt.engine.actions import (
    BuyTrain,
    ChooseForcedTrain,
    DeclareBankruptcy,
    DeclineEnd,
    EndTurn,
    OfferEnd,
    Pass,
    PayOut,
    RunTrains,
    SellShares,
    Withhold,
)
from trajekt.engine.decisions import legal
from trajekt.engine.events import EndTriggered, GameEnded
from trajekt.engine.ruleset import Code
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.scoring import standings
from trajekt.rules.stock_round import StockRound

EDITIONS = pytest.mark.parametrize("edition", [1, 2])


def dividend(edition, bank, revenue=660, rounds=(9, 3, 1)):
    """ADR about to pay its whole revenue to Ada, in round 9.1 of 3."""
    set_number, planned, done = rounds
    state = company(unsold(edition, cash=100), "ADR", (1, 17), director=0, trains=("5",), treasury=600)
    state = with_holdings(replace(state, phase="brown"), "ADR", director=0, Ada=100)
    state = with_depot(state, {"5": 3, "6": 6}, (), ("2", "3", "4", "5"))
    return on_top(
        replace(state, bank=bank),
        Rounds(set_number, planned, done),
        OperatingRound(set_number, done, planned, ("ADR",), opened=True),
        CompanyTurn("ADR", "pay", revenue=revenue),
    )


def play_on(rules, state, stop):
    """Let ADR run 10, withhold and pass until `stop` holds."""
    moves = {"run": RunTrains(runs(10, train="5")), "pay": Withhold(), "trains": Pass()}
    while state.agenda and not stop(state):
        assert isinstance(state.top, CompanyTurn), state.top
        state = act(rules, state, 0, moves[state.top.step]).state
    return state


@EDITIONS
@pytest.mark.rule("COMMON-END-01", "COMMON-END-03")
@pytest.mark.case("B75")
def test_break_in_operating_round_ends_set(edition):
    """As recorded: round 9.1 of 3, bank 302, 660 due: the end comes after 9.3, even if the bank recovers."""
    rules = ruleset(edition)
    decision = act(rules, dividend(edition, 302), 0, PayOut())
    assert EndTriggered("or") in decision.events
    assert decision.state.bank == 302 - 660
    assert decision.state.players[0].cash == 100 + 660  # paid in full all the same
    state = act(rules, decision.state, 0, BuyTrain("display", "5", 500)).state
    assert state.bank > 0
    assert state.ending == "or"
    seen = set()

    def watch(now):
        seen.add(now.agenda[0])
        return False

    state = play_on(rules, state, watch)
    assert max(r.done for r in seen) == 3
    assert (state.outcome, state.agenda) == ("bank", ())


@EDITIONS
@pytest.mark.rule("COMMON-END-01")
@pytest.mark.parametrize(("bank", "ending"), [(660, ""), (659, "or"), (5000, "")])
def test_bank_that_can_pay_not_broken(edition, bank, ending):
    assert act(ruleset(edition), dividend(edition, bank), 0, PayOut()).state.ending == ending


@EDITIONS
@pytest.mark.rule("COMMON-END-01")
def test_unbroken_set_leads_to_stock_round(edition):
    rules = ruleset(edition)
    state = act(rules, dividend(edition, 5000, rounds=(9, 1, 1)), 0, PayOut()).state
    state = play_on(rules, state, lambda now: isinstance(now.top, StockRound))
    assert state.agenda[0] == Rounds(10)


@EDITIONS
@pytest.mark.rule("COMMON-END-02")
def test_break_in_stock_round_adds_set(edition):
    """Brown: a sale of 400 with 300 in the bank; the round goes on, then three operating rounds, then the end."""
    rules = ruleset(edition)
    state = company(unsold(edition, cash=500), "ADR", (1, 5), director=0, trains=("5",))
    state = company(state, "GVE", (1, 4), director=1, trains=())
    state = with_holdings(replace(state, phase="brown", bank=300), "GVE", director=1, Bert=50, Ada=40)
    state = on_top(state, Rounds(8), StockRound(8, 0))
    decision = act(rules, state, 0, SellShares("GVE", 40))
    assert EndTriggered("sr") in decision.events
    state = decision.state
    assert isinstance(state.top, StockRound)  # the round is completed
    state = act(rules, state, 0, EndTurn()).state
    for seat in (1, 2, 0):
        state = act(rules, state, seat, Pass()).state
    assert state.agenda[0] == Rounds(8, 3, 1)
    seen = []
    moves = {"run": RunTrains(runs(10, train="5")), "pay": Withhold(), "trains": Pass()}
    while state.agenda:
        seen.append(state.agenda[0].done)
        assert isinstance(state.top, CompanyTurn)
        director = state.companies[state.top.company].director
        if state.top.step == "trains" and state.top.company == "GVE":
            state = with_company(state, "GVE", trains=("5",))
        state = act(rules, state, director, moves[state.top.step]).state
    assert max(seen) == 3
    assert state.outcome == "bank"


@EDITIONS
@pytest.mark.rule("COMMON-END-03")
def test_broken_bank_pays_without_limit(edition):
    state = replace(dividend(edition, -8016), ending="sr")
    decision = act(ruleset(edition), state, 0, PayOut())
    assert not [e for e in decision.events if isinstance(e, EndTriggered)]
    assert decision.state.bank == -8676
    assert decision.state.ending == "sr"


def shareholder(edition=1):
    """The winner of a recorded game."""
    state = position(edition)
    held = {
        "GVE": ((1, 13), 80), "RhE": ((2, 12), 10), "DEE": ((3, 11), 10), "CME": ((1, 8), 50), "CCE": ((1, 10), 80),
    }  # fmt: skip
    for name, (at, percent) in held.items():
        state = company(state, name, at, director=0)
        director = 0 if percent >= 20 else 1
        state = with_holdings(state, name, director=director, Ada=percent)
        state = with_company(state, name, director=director, treasury=900, trains=("6",))
    return with_cash(state, Ada=5464, Bert=100)


@pytest.mark.rule("COMMON-END-04")
def test_score_cash_and_shares_at_price():
    """As recorded: 5,464 + 1,920 + 200 + 165 + 750 + 1,440 = 9,939; treasuries and trains count nothing."""
    state = shareholder()
    prices = {name: state.price(name) for name in ("GVE", "RhE", "DEE", "CME", "CCE")}
    assert prices == {"GVE": 240, "RhE": 200, "DEE": 165, "CME": 150, "CCE": 180}
    first = standings(state)[0]
    assert (first.seat, first.total, first.rank, first.cash, first.shares) == (0, 9939, 1, 5464, 4475)


@pytest.mark.rule("COMMON-END-04", "COMMON-FOR-07")
def test_each_loan_is_deducted_twice():
    state = company(position(2), "GVE", (1, 4), director=1)
    state = with_cash(with_holdings(state, "GVE", director=1, Ada=90 - 10, Bert=20), Ada=1000)
    state = with_company(state, "GVE", treasury=5000)
    shares = standings(state)[0].shares
    assert shares == 800
    players = (replace(state.players[0], loans=350), *state.players[1:])
    scored = {s.seat: s for s in standings(replace(state, players=players))}
    assert (scored[0].total, scored[0].deducted) == (1000 + 800 - 700, 700)


@pytest.mark.rule("COMMON-END-04")
def test_equal_scores_share_the_place():
    state = with_cash(position(2), Ada=100, Bert=300, Cleo=300)
    assert [(s.seat, s.rank) for s in standings(state)] == [(1, 1), (2, 1), (0, 3)]


@EDITIONS
@pytest.mark.rule("COMMON-END-05")
def test_top_of_market_ends_nothing(edition):
    state = dividend(edition, 5000, revenue=900)
    state = replace(state, depot=replace(state.depot, display=dict.fromkeys(state.depot.display, 0)))
    decision = act(ruleset(edition), state, 0, PayOut())
    assert decision.state.price("ADR") == 350
    assert (decision.state.ending, decision.state.outcome) == ("", "")
    assert decision.state.agenda


@EDITIONS
@pytest.mark.rule("COMMON-END-06")
def test_game_ends_by_agreement_of_all(edition):
    rules = ruleset(edition)
    state = in_turn(company(unsold(edition, cash=10), "ADR", director=0, trains=("3",)), "ADR")
    found = refused(rules, state, 1, DeclineEnd())
    assert (found.code, found.rule) == (Code.NO_OFFER_STANDS, "COMMON-END-06")
    offered = act(rules, state, 2, OfferEnd()).state  # at any time, also out of turn
    assert offered.peace == (2,)
    assert refused(rules, offered, 2, OfferEnd()).code == Code.AGREED_ALREADY
    both = act(rules, offered, 0, OfferEnd()).state
    assert both.top == state.top
    declined = act(rules, both, 1, DeclineEnd()).state
    assert (declined.peace, declined.outcome, declined.top) == ((), "", state.top)
    decision = act(rules, both, 1, OfferEnd())
    assert GameEnded("agreed") in decision.events
    assert decision.state.outcome == "agreed"
    assert not legal(rules, decision.state)
    assert refused(rules, decision.state, 0, OfferEnd()).code == Code.GAME_OVER
    assert standings(decision.state)[0].total == standings(state)[0].total


@EDITIONS
@pytest.mark.rule("COMMON-END-06")
def test_a_bankrupt_player_is_not_asked(edition):
    rules = ruleset(edition)
    state = in_turn(company(unsold(edition), "ADR", director=0, trains=("3",)), "ADR")
    state = replace(state, players=(*state.players[:2], replace(state.players[2], bankrupt=True)))
    assert refused(rules, state, 2, OfferEnd()).code == Code.NOT_DIRECTOR
    state = act(rules, state, 0, OfferEnd()).state
    assert act(rules, state, 1, OfferEnd()).state.outcome == "agreed"


def ruined(*words: int):
    """Ada cannot pay the train that she must buy; the seats of `words` have agreed to end the game before."""
    rules = ruleset(1)
    state = with_depot(unsold(1), {"5": 3, "6": 6, "8": 4}, sold=("2", "3", "4"))
    state = dealt(company(state, "ADR", (4, 2), director=0, treasury=0), "ADR", Bert=(1, 2), Cleo=(3,))
    state = in_turn(with_cash(state, Ada=100, Bert=2000, Cleo=500), "ADR", "trains")
    for seat in words:
        state = act(rules, state, seat, OfferEnd()).state
    for action in (ChooseForcedTrain("display", "5"), DeclareBankruptcy()):
        state = act(rules, state, 0, action).state
    return rules, state


@pytest.mark.rule("COMMON-END-06", "RHL-BKR-01")
def test_the_word_of_a_bankrupt_lapses():
    rules, state = ruined(0)
    assert (state.peace, state.outcome) == ((), "")
    bert = act(rules, state, 1, OfferEnd()).state
    assert (bert.peace, bert.outcome) == ((1,), "")
    assert act(rules, bert, 2, OfferEnd()).state.outcome == "agreed"


@pytest.mark.rule("COMMON-END-06", "RHL-BKR-01")
def test_bankruptcy_ends_agreed_game():
    _, state = ruined(1, 2)
    assert (state.outcome, state.agenda) == ("agreed", ())
