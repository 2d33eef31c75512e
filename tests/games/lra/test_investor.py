"""Two players and the Investor: the reconstruction of section 18.2."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.lra_positions import ADA, BERT, firm, in_turn, money, opened, ruleset, sound, with_tiles
from tests.builders.random_positions import act, refused, with_cash, with_company, with_market
from trajekt.engine.actions import (
    AcceptOffer,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ChooseForcedTrain,
    DeclineOffer,
    DiscardTrain,
    OfferEnd,
    Pass,
    PayOut,
    PlaceBid,
    RunTrains,
    SellCharterShares,
    SellShares,
    Withhold,
)
from trajekt.engine.decisions import awaited, blank_of, fold, judge, legal, start
from trajekt.engine.events import PriceMoved
from trajekt.engine.routing.runs import Run
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import CHARTER, IPO, POOL
from trajekt.games.lra.emigrant_camp import MarkerChoice
from trajekt.games.lra.investor import INVESTOR, manager, purchase
from trajekt.games.lra.title import TITLE
from trajekt.rules.auction import Offer
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound
from trajekt.rules.trains import TooManyTrains

RULES = ruleset(investor=True, scenario=1)
NAMES = ("Ada", "Bert")


def begun():
    return start(RULES, NAMES, 1, shuffle=False)


def two(phase: str = "green", cash: int = 400):
    """After the package, nobody to act; Ada owns no. 1 to 3, Bert the others; Bert has the Investor card."""
    state = begun().state
    pattern = opened(3, phase=phase, scenario=1)
    privates = pattern.privates
    adr = pattern.companies["ADR"]
    state = with_company(state, "ADR", certificates=adr.certificates)
    bank = state.bank + sum(p.cash for p in state.players) - 3 * cash
    seats = tuple(replace(p, cash=cash) for p in state.players)
    return replace(
        state, privates=privates, players=seats, bank=bank, phase=phase, depot=pattern.depot, agenda=(Rounds(2, 1, 1),)
    )


def held(state, company: str, **numbers):
    certificates = list(state.companies[company].certificates)
    for name, given in numbers.items():
        for number in given:
            place = {"investor": INVESTOR, "pool": POOL, "io": IPO}.get(name)
            place = state.names.index(name) if place is None else place
            certificates[number] = replace(certificates[number], holder=place)
    return with_company(state, company, certificates=tuple(certificates))


def stock_round(state, seat: int, **values):
    return replace(state, agenda=(Rounds(2), StockRound(2, seat, **values)))


@pytest.mark.rule("LRA-TWO-01")
def test_set_up_with_a_third_holder():
    decision = begun()
    state = decision.state
    assert state.names == ("Ada", "Bert", "Investor")
    assert ([p.cash for p in state.players], state.bank) == ([600, 600, 600], 4200)
    assert [p.outside for p in state.players] == [False, False, True]
    assert state.marks["scenario"] == "1"
    assert money(state) == 6000
    assert fold(RULES, blank_of(RULES, NAMES), decision.events) == state
    assert sound(RULES, state) == []


@pytest.mark.rule("LRA-TWO-01", "COMMON-SET-01")
def test_only_for_two():
    with pytest.raises(ValueError, match="for two players"):
        start(RULES, ("A", "B", "C"), 1)


@pytest.mark.rule("LRA-TWO-02")
def test_the_package_is_sold_among_players():
    state = begun().state
    assert refused(RULES, state, INVESTOR, PlaceBid(3, 55)).code == "not_your_turn"
    for number in range(1, 7):
        (seat,) = awaited(RULES, state)
        assert seat != INVESTOR
        state = act(RULES, state, seat, BuyPrivate(number)).state
    assert {p.owner for p in state.privates.values()} == {ADA, BERT}
    last = state.privates[6].owner
    assert (state.priority, awaited(RULES, state)) == (1 - last, (1 - last,))


@pytest.mark.rule("LRA-TWO-02", "COMMON-AUC-11")
def test_falling_offer_passes_the_investor_by():
    state = begun().state
    for _ in range(2):
        (seat,) = awaited(RULES, state)
        state = act(RULES, state, seat, Pass()).state
    assert (state.top.price, state.top.seat) == (15, ADA)
    asked = []
    while state.top.price or isinstance(state.top, Offer):
        (seat,) = awaited(RULES, state)
        asked.append(seat)
        if state.top.price == 0:
            break
        state = act(RULES, state, seat, DeclineOffer()).state
    assert INVESTOR not in asked
    assert set(asked) == {ADA, BERT}
    assert refused(RULES, state, state.top.seat, DeclineOffer()).code == "must_take"
    taken = act(RULES, state, state.top.seat, AcceptOffer()).state
    assert taken.privates[1].owner == state.top.seat


@pytest.mark.rule("LRA-TWO-03")
def test_card_goes_round_with_stock_rounds():
    state = begun().state
    assert (state.priority, manager(state)) == (ADA, BERT)
    for number in range(1, 7):
        (seat,) = awaited(RULES, state)
        state = act(RULES, state, seat, BuyPrivate(number)).state
    managers = []
    while len(managers) < 3:
        top = state.top
        if isinstance(top, StockRound) and (not managers or managers[-1][0] != top.number):
            managers.append((top.number, manager(state)))
        (seat,) = awaited(RULES, state)
        state = act(RULES, state, seat, Pass()).state
    assert managers == [(1, BERT), (2, ADA), (3, BERT)]


# Buying --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LRA-TWO-04")
def test_investor_buys_dearest_affordable():
    state = firm(firm(two(), "GVE", ADA, (1, 3)), "ADR", BERT, (3, 3))
    assert (state.price("GVE"), state.price("ADR")) == (90, 75)
    poor = with_cash(state, Investor=80)
    after = act(RULES, stock_round(poor, BERT), BERT, Pass()).state
    assert (after.companies["ADR"].percent(INVESTOR), after.players[INVESTOR].cash) == (10, 5)
    assert awaited(RULES, after) == (ADA,)
    rich = act(RULES, stock_round(state, BERT), BERT, Pass()).state
    assert (rich.companies["GVE"].percent(INVESTOR), rich.companies["GVE"].treasury) == (10, 590)
    assert sound(RULES, rich) == []


@pytest.mark.rule("LRA-TWO-04")
def test_investor_without_money_passes():
    state = with_cash(firm(two(), "GVE", ADA, (4, 2)), Investor=60)
    assert state.price("GVE") == 65
    after = act(RULES, stock_round(state, BERT), BERT, Pass()).state
    assert (after.top.seat, after.top.passes) == (ADA, 2)


@pytest.mark.rule("LRA-TWO-04")
def test_investor_stops_at_half():
    state = held(firm(two(), "GVE", ADA, (1, 3)), "GVE", investor=(1, 2, 3, 4, 5), pool=(6,))
    assert purchase(state) is None
    fewer = held(state, "GVE", Ada=(5,))
    assert purchase(fewer) == ("GVE", CHARTER, 7)
    none_left = held(fewer, "GVE", Ada=(7, 8))
    assert purchase(none_left) == ("GVE", POOL, 6)
    unfloated = held(fewer, "GVE", io=(7, 8))
    assert purchase(with_company(unfloated, "GVE", floated=False)) == ("GVE", IPO, 7)


@pytest.mark.rule("LRA-TWO-04")
def test_it_never_founds():
    state = stock_round(two(), BERT)
    after = act(RULES, state, BERT, Pass()).state
    assert not any(company.founded for company in after.companies.values())
    assert purchase(two()) is None


# Directing -----------------------------------------------------------------------------------------------------------


def directed(step: str, phase: str = "green", **values):
    """GVE in the Investor's hands, Bert with the card: 40 % against Ada's 30 %."""
    state = firm(two(phase), "GVE", INVESTOR, (3, 2), **values)
    state = held(state, "GVE", investor=(1, 2), Ada=(3, 4, 5))
    return in_turn(with_tiles(state, G7="57 r1", G5="9 r1", G3="58 r2"), "GVE", step)


@pytest.mark.rule("LRA-TWO-05")
def test_the_investor_becomes_director():
    state = firm(two(), "GVE", ADA, (1, 3), percent=10)
    state = held(state, "GVE", investor=(2, 3, 4))
    after = act(RULES, stock_round(state, BERT), BERT, Pass()).state
    assert after.companies["GVE"].director == INVESTOR
    assert sound(RULES, after) == []


@pytest.mark.rule("LRA-TWO-05")
def test_its_manager_decides():
    state = directed("track")
    assert awaited(RULES, state) == (BERT,)
    refusal = judge(RULES, state, ADA, Pass())
    assert isinstance(refusal, Refusal)
    assert refusal.code == "not_director"
    assert act(RULES, state, BERT, Pass()).state


@pytest.mark.rule("LRA-TWO-05", "COMMON-PRV-02")
def test_manager_s_private_does_nothing():
    state = directed("track")
    actions = {type(choice.action).__name__ for choice in legal(RULES, state, (BERT,))}
    assert "UsePrivate" not in actions
    assert "LayTile" in actions


@pytest.mark.rule("LRA-TWO-05", "COMMON-RTE-12")
def test_its_trains_run_at_their_best():
    state = with_tiles(directed("run", trains=("2",)), G9="4 r1", F2="4 r2")
    best = next(c.action for c in legal(RULES, state, (BERT,)) if isinstance(c.action, RunTrains))
    assert act(RULES, state, BERT, best).state.top.revenue == 20 + 10 + 10 + 20  # to Venlo
    refusal = refused(RULES, state, BERT, RunTrains((Run("2", ("G7:4a", "G9:1a")),)))
    assert (refusal.code, refusal.rule, refusal.args["revenue"]) == ("must_run", "LRA-TWO-05", 60)
    ada = with_company(held(state, "GVE", Ada=(0, 1)), "GVE", director=ADA)
    assert act(RULES, ada, ADA, RunTrains((Run("2", ("G7:4a", "G9:1a")),))).state.top.revenue == 30


@pytest.mark.rule("LRA-TWO-05")
def test_investor_pays_out_unless_train_lacks():
    state = replace(directed("pay", trains=("2",)), agenda=in_turn(two(), "GVE", "pay", revenue=50).agenda)
    state = with_company(state, "GVE", treasury=400)
    assert sorted(state.depot.display[k] for k in ("3", "4")) == [0, 2]  # the cheapest costs 300
    refusal = refused(RULES, state, BERT, Withhold())
    assert (refusal.code, refusal.rule) == ("must_pay_out", "LRA-TWO-05")
    assert act(RULES, state, BERT, PayOut()).state.players[INVESTOR].cash == 400 + 20
    poor = with_company(state, "GVE", treasury=200)
    assert act(RULES, poor, BERT, Withhold()).state.companies["GVE"].treasury == 250
    none = with_company(state, "GVE", trains=())
    assert act(RULES, none, BERT, Withhold()).state.companies["GVE"].treasury == 450


@pytest.mark.rule("LRA-TWO-05", "COMMON-OR-04")
@pytest.mark.parametrize(("treasury", "step"), [(400, "trains"), (200, "pay")])
def test_dividend_owed_is_not_asked(treasury, step):
    state = with_company(directed("run", trains=("2",)), "GVE", treasury=treasury)
    chosen = next(c.action for c in legal(RULES, state, (BERT,)) if isinstance(c.action, RunTrains))
    after = act(RULES, state, BERT, chosen).state
    assert after.top.step == step
    assert (after.players[INVESTOR].cash > 400) == (step == "trains")


@pytest.mark.rule("LRA-TWO-05", "COMMON-FOR-03")
def test_bank_pays_forced_train_of_investor():
    state = directed("trains", "brown", treasury=100)
    state = with_company(state, "GVE", trains=())
    state = with_tiles(state, G9="4 r1")
    before = money(state)
    state = act(RULES, state, BERT, ChooseForcedTrain("display", "5")).state
    assert awaited(RULES, state) == (BERT,)
    cash = [p.cash for p in state.players]
    count = next(c.action.count for c in legal(RULES, state, (BERT,)) if isinstance(c.action, SellCharterShares))
    after = act(RULES, state, BERT, SellCharterShares(count)).state
    assert after.companies["GVE"].trains == ("5",)
    assert after.companies["GVE"].treasury == 0
    assert [p.cash for p in after.players] == cash
    assert not any(p.loans for p in after.players)
    assert money(after) == before
    poor = act(
        RULES, replace(state, bank=20), BERT, SellCharterShares(count)
    ).state  # all that it pays comes back at once
    assert (poor.bank, poor.ending) == (20 + 100, "")


@pytest.mark.rule("LRA-TWO-05", "COMMON-TRN-09")
def test_its_manager_gives_trains_up():
    state = directed("trains", "green4")
    state = with_company(firm(state, "RhE", ADA, treasury=600), "GVE", trains=("3", "4", "4"))
    turn = replace(state, agenda=in_turn(two(), "RhE", "trains").agenda)
    after = act(RULES, turn, ADA, BuyTrain("display", "5", 500)).state
    while isinstance(after.top, MarkerChoice):
        (seat,) = awaited(RULES, after)
        after = act(RULES, after, seat, legal(RULES, after, (seat,))[0].action).state
    assert isinstance(after.top, TooManyTrains)
    assert awaited(RULES, after) == (BERT,)
    assert act(RULES, after, BERT, DiscardTrain("GVE", "4")).state.companies["GVE"].trains == ("3", "4")


# Its place in the game -----------------------------------------------------------------------------------------------


@pytest.mark.rule("LRA-TWO-06", "COMMON-SR-19")
def test_it_never_holds_the_priority_deal():
    state = with_cash(two(), Ada=140, Bert=130, Investor=400)
    state = stock_round(state, ADA)
    after = act(RULES, act(RULES, state, ADA, Pass()).state, BERT, Pass()).state
    assert after.priority == ADA


@pytest.mark.rule("LRA-TWO-06", "COMMON-END-04")
def test_it_is_not_ranked():
    state = with_cash(two(), Ada=100, Bert=200, Investor=900)
    assert [(row.name, row.total, row.rank) for row in TITLE.standings(state)] == [("Bert", 200, 1), ("Ada", 100, 2)]


@pytest.mark.rule("LRA-TWO-06", "COMMON-SR-21")
def test_its_shares_are_with_a_player():
    state = held(firm(two(), "GVE", ADA, (3, 2)), "GVE", investor=(1, 2, 3, 4), Ada=(5, 6, 7, 8))
    state = with_market(with_cash(state, Ada=10, Bert=10, Investor=10), GVE=(3, 2))
    decision = act(RULES, stock_round(state, BERT, passes=1), BERT, Pass())
    assert PriceMoved("GVE", (2, 2), "sold_out") in decision.events


@pytest.mark.rule("COMMON-END-06")
def test_the_two_players_agree_to_end():
    state = stock_round(two(), ADA)
    after = act(RULES, act(RULES, state, BERT, OfferEnd()).state, ADA, OfferEnd()).state
    assert after.outcome == "agreed"
    assert refused(RULES, state, INVESTOR, OfferEnd()).code == "not_your_turn"


@pytest.mark.rule("LRA-TWO-04", "COMMON-DIR-04")
def test_player_may_leave_corporation_to_it():
    state = held(firm(two(), "GVE", ADA, (1, 3)), "GVE", investor=(1, 2))
    after = act(RULES, stock_round(state, ADA), ADA, SellShares("GVE", 20)).state
    assert after.companies["GVE"].director == INVESTOR
    assert refused(RULES, stock_round(state, ADA), ADA, BuyShare("GVE", POOL, 10)).code == "none_lies_there"


@pytest.mark.rule("LRA-TWO-05", "COMMON-TRN-05")
def test_manager_does_not_consent_to_offer():
    state = directed("trains", treasury=300)
    seat = manager(state)
    state = firm(state, "ADR", seat, trains=("2", "2"))
    after = act(RULES, state, seat, BuyTrain("ADR", "2", 50)).state
    assert after.companies["GVE"].trains == ("2",)
    other = firm(directed("trains", treasury=300), "ADR", 1 - seat, trains=("2", "2"))
    asked = act(RULES, other, seat, BuyTrain("ADR", "2", 50)).state
    assert awaited(RULES, asked) == (1 - seat,)
