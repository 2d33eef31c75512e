"""Bankruptcy and receivership in the first edition, and as recorded (section 13.4 of the rule sheet, CMP-33 to CMP-36)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, on_top, refused, with_cash, with_company, with_holdings
from tests.builders.rhl_turns import company, in_turn, ruleset, runs, unsold, with_depot
from trajekt.engine.actions import (
    BuyShare,
    BuyTrain,
    ChooseForcedTrain,
    DeclareBankruptcy,
    OfferEnd,
    Pass,
    PayOut,
    RunTrains,
    SellShares,
    Withhold,
)
from trajekt.engine.agenda import run
from trajekt.engine.decisions import awaited, legal
from trajekt.engine.events import Bankrupted, DebtSet, DirectorChanged, Paid, PriceMoved
from trajekt.engine.ruleset import Code, Draft
from trajekt.engine.state import BANK, POOL, Private, State
from trajekt.games.rhl.title import TITLE
from trajekt.i18n.sentences import Speaker, catalogue, refusal_line
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.scoring import standings
from trajekt.rules.stock_round import StockRound


def broke(*, cash=418, treasury=1, at=(4, 2), **percent) -> State:
    """CCE must own a train at 600; Ada, who directs it, cannot pay."""
    state = with_depot(unsold(1), {"6": 6, "8": 4}, (), ("2", "3", "4", "5", "6"))
    state = company(replace(state, phase="brown6"), "CCE", at, director=0, treasury=treasury)
    state = with_holdings(state, "CCE", director=0, **({"Ada": 20} | percent))
    return with_cash(in_turn(state, "CCE", "trains"), Ada=cash)


def also(state: State, name: str, at, director, **percent) -> State:
    frames, state = state.agenda, replace(state, agenda=())
    state = company(state, name, at, director=director, trains=("6",))
    return on_top(with_holdings(state, name, director=director, **percent), *frames)


def choices(rules, state, seat=0):
    return [c.action for c in legal(rules, state, (seat,)) if not isinstance(c.action, OfferEnd)]


def forced(rules, state):
    return act(rules, state, 0, ChooseForcedTrain("display", "6")).state


@pytest.mark.rule("RHL-BKR-01", "RHL-BKR-03")
@pytest.mark.case("B71")
def test_bankrupt_leaves_and_bank_completes():
    """Figures of a recorded game: train 600, director 418, treasury 1: missing 181, debt 281."""
    rules = ruleset(1)
    state = replace(broke(Bert=10), privates={1: Private(1, owner=0), 2: Private(2, owner=1)})
    state = also(state, "GVE", (1, 4), 1, Bert=30, pool=50, Ada=10)
    state = forced(rules, state)
    assert state.top == ForcedPurchase("CCE", "display", "6", "own")
    assert choices(rules, state) == [DeclareBankruptcy()]
    decision = act(rules, state, 0, DeclareBankruptcy())
    after = decision.state
    assert Bankrupted(0) in decision.events
    assert Paid(0, BANK, 418, "bankrupt") in decision.events
    assert not [e for e in decision.events if isinstance(e, PriceMoved) and e.cause != "no_revenue"]
    assert after.players[0].bankrupt
    assert after.players[0].cash == 0
    assert after.companies["CCE"].percent(POOL) == 20
    assert after.companies["CCE"].certificates[0].holder == POOL
    assert after.companies["GVE"].percent(POOL) == 60  # beyond the limit
    assert not after.privates[1].open
    assert after.privates[2].open
    cce = after.companies["CCE"]
    assert (cce.director, cce.receivership, cce.trains, cce.treasury, cce.debt) == (None, True, ("6",), 0, 281)
    assert after.bank == state.bank + 418 + 1


@pytest.mark.rule("RHL-BKR-01")
def test_whoever_may_still_sell_not_bankrupt():
    rules = ruleset(1)
    state = forced(rules, broke(cash=580, Ada=30))
    found = refused(rules, state, 0, DeclareBankruptcy())
    assert (found.code, found.rule) == (Code.CAN_STILL_SELL, "RHL-BKR-01")
    # also while what he can sell does not cover the price: he sells all that he may first
    state = forced(rules, broke(cash=0, Ada=30))
    assert refused(rules, state, 0, DeclareBankruptcy()).code == Code.CAN_STILL_SELL
    state = act(rules, state, 0, SellShares("CCE", 10)).state
    assert choices(rules, state) == [DeclareBankruptcy()]


@pytest.mark.rule("RHL-BKR-02")
@pytest.mark.parametrize(
    ("bert", "cleo", "pool", "heir"), [(20, 10, 50, 1), (20, 20, 40, 1), (10, 30, 30, 2), (10, 20, 50, 2)]
)
def test_largest_shareholder_takes_over_and_pays(bert, cleo, pool, heir):
    rules = ruleset(1)
    own = max(bert, cleo)  # as much as the largest other, so that he can sell nothing
    state = with_cash(broke(Ada=own, Bert=bert, Cleo=cleo, pool=pool), Bert=300, Cleo=300)
    state = forced(rules, state)
    decision = act(rules, state, 0, DeclareBankruptcy())
    after = decision.state
    cce = after.companies["CCE"]
    assert DirectorChanged("CCE", heir, "bankrupt") in decision.events
    assert (cce.director, cce.receivership, cce.certificates[0].holder) == (heir, False, heir)
    assert cce.percent(heir) == (bert if heir == 1 else cleo)
    assert cce.trains == ("6",)
    assert after.players[heir].cash == 300 - 181  # the remaining difference
    assert (cce.treasury, cce.debt) == (0, 0)
    # everything that the bankrupt had, and what was exchanged, lies in the pool
    assert cce.percent(POOL) == state.companies["CCE"].percent(POOL) + own


@pytest.mark.rule("RHL-BKR-02", "RHL-FOR-01")
def test_new_director_must_buy_same_train():
    rules = ruleset(1)
    state = also(with_cash(broke(Ada=20, Bert=20, pool=50), Bert=0, Cleo=500), "GVE", (1, 4), 1, Bert=30, Cleo=20)
    state = forced(rules, state)
    state = act(rules, state, 0, DeclareBankruptcy()).state
    assert state.top == ForcedPurchase("CCE", "display", "6", "own", 418)
    assert tuple(awaited(rules, state)) == (1,)
    assert refused(rules, state, 1, ChooseForcedTrain("display", "8")).code == Code.WRONG_STEP
    assert choices(rules, state, 1) == [SellShares("GVE", 10), SellShares("GVE", 20)]
    after = act(rules, state, 1, SellShares("GVE", 20)).state  # 181 missing at 100 a share
    assert after.companies["CCE"].trains == ("6",)
    assert after.players[1].cash == 200 - 181
    assert after.companies["GVE"].director == 2  # of another corporation the director may change


@pytest.mark.rule("RHL-BKR-02")
def test_receivership_without_twenty_per_cent():
    rules = ruleset(1)
    state = also(broke(Bert=10, pool=50), "GVE", (1, 4), 0, Ada=20, pool=50, Bert=10)
    after = act(rules, forced(rules, state), 0, DeclareBankruptcy()).state
    for name in ("CCE", "GVE"):
        assert after.companies[name].receivership
        assert after.companies[name].director is None
    assert after.companies["GVE"].debt == 0  # no purchase under way, no debt
    assert after.companies["GVE"].percent(POOL) == 70


def run_by_bank(*, debt=281, treasury=0, trains=("6",), step="run", best=330) -> State:
    """CCE in receivership, its turn; Ada is bankrupt, its director's certificate in the pool."""
    state = with_depot(unsold(1), {"6": 4, "8": 4}, (), ("2", "3", "4", "5", "6"))
    state = company(
        replace(state, phase="brown6"), "CCE", (4, 2), director=None, receivership=True,
        trains=trains, debt=debt, treasury=treasury,
    )  # fmt: skip
    held = state.companies["CCE"].certificates
    moved = tuple(replace(c, holder=POOL if n < 3 else 1 if n == 3 else c.holder) for n, c in enumerate(held))
    state = with_company(state, "CCE", certificates=moved)
    players = (replace(state.players[0], bankrupt=True), *state.players[1:])
    return with_cash(in_turn(replace(state, players=players), "CCE", step), Bert=500, Cleo=500)


@pytest.mark.rule("RHL-BKR-03")
@pytest.mark.case("B71")
def test_receivership_confirms_best_run():
    """Income 330: debt 0, treasury 49."""
    rules = ruleset(1, best=330)
    state = run_by_bank()
    assert tuple(awaited(rules, state)) == (1, 2)
    found = refused(rules, state, 1, RunTrains(runs(320)))
    assert (found.code, found.rule, found.args["revenue"]) == (Code.MUST_RUN, "RHL-BKR-03", 330)
    assert refused(rules, state, 0, RunTrains(runs(330))).code == Code.NOT_DIRECTOR
    decision = act(rules, state, 2, RunTrains(runs(330)))
    cce = decision.state.companies["CCE"]
    assert (cce.debt, cce.treasury) == (0, 49)
    assert PriceMoved("CCE", (4, 1), "withhold") in decision.events
    assert Paid("CCE", BANK, 281, "debt") in decision.events
    assert not [e for e in decision.events if isinstance(e, Paid) and e.cause == "dividend"]


@pytest.mark.rule("RHL-BKR-03")
def test_as_much_debt_as_possible_repaid():
    decision = act(ruleset(1, best=100), run_by_bank(treasury=20), 1, RunTrains(runs(100)))
    cce = decision.state.companies["CCE"]
    assert (cce.debt, cce.treasury) == (161, 0)


@pytest.mark.rule("RHL-BKR-03")
def test_debt_outlasts_receivership_and_director_repays():
    state = company(unsold(1), "CCE", (4, 2), director=1, trains=("3",), debt=50, treasury=0)
    state = in_turn(with_holdings(state, "CCE", director=1, Bert=40, pool=30), "CCE", "pay", revenue=100)
    rules = ruleset(1)
    paid = act(rules, state, 1, PayOut()).state.companies["CCE"]  # 30 % in the offering pay the treasury 30
    assert (paid.debt, paid.treasury) == (20, 0)
    kept = act(rules, state, 1, Withhold()).state.companies["CCE"]
    assert (kept.debt, kept.treasury) == (0, 50)


@pytest.mark.rule("RHL-BKR-03")
def test_receivership_trades_no_trains():
    rules = ruleset(1)
    after = act(rules, run_by_bank(debt=0), 1, RunTrains(runs(330)))
    assert not (isinstance(after.state.top, CompanyTurn) and after.state.top.company == "CCE")
    assert after.state.companies["CCE"].treasury == 330  # and the train step asked nobody
    state = replace(run_by_bank(), agenda=())
    state = in_turn(company(state, "GVE", (1, 4), director=1, treasury=300), "GVE", "trains")
    found = refused(rules, state, 1, BuyTrain("CCE", "6", 1))
    assert (found.code, found.rule) == (Code.NOBODY_SELLS, "RHL-BKR-03")


@pytest.mark.rule("RHL-BKR-03")
def test_debt_goes_before_new_trains():
    """Book of 2006, 13.3: after the income step; what is repaid buys no train."""
    state = company(unsold(1), "CCE", (4, 2), director=1, trains=("3",), debt=250, treasury=0)
    state = with_depot(state, {"3": 2}, (), ("2", "3"))
    state = in_turn(with_holdings(state, "CCE", director=1, Bert=40), "CCE", "pay", revenue=300)
    after = act(ruleset(1), state, 1, Withhold()).state
    assert (after.companies["CCE"].debt, after.companies["CCE"].treasury) == (0, 50)
    assert not isinstance(after.top, CompanyTurn)
    free = act(ruleset(1), with_company(state, "CCE", debt=0), 1, Withhold()).state
    assert BuyTrain("display", "3", 200) in choices(ruleset(1), free, 1)


@pytest.mark.rule("RHL-BKR-03")
def test_corporation_in_debt_sells_no_train():
    """Book of 2006, 13.3: who still owes the bank keeps its train, also under a director."""
    rules = ruleset(1)
    state = company(unsold(1), "CCE", (4, 2), director=1, trains=("3",), debt=50, treasury=0)
    state = with_depot(state, {"4": 2}, (), ("2", "3"))
    state = with_holdings(state, "CCE", director=1, Bert=40)
    state = in_turn(company(state, "GVE", (1, 4), director=0, treasury=120), "GVE", "trains")
    found = refused(rules, state, 0, BuyTrain("CCE", "3", 100))
    assert (found.code, found.rule, dict(found.args)) == (
        Code.SELLER_OWES,
        "RHL-BKR-03",
        {"company": "CCE", "debt": 50},
    )
    assert BuyTrain not in {type(choice) for choice in choices(rules, state)}
    for tongue, text in (
        ("de", "CCE schuldet der Bank noch 50 M und darf vorher keinen Zug verkaufen."),
        ("en", "CCE still owes the bank 50 M and may sell no train before."),
    ):
        spoken = refusal_line(Speaker(catalogue(tongue, TITLE.package), state.sheet, state.names), found)
        assert text in spoken.replace("\u00a0", " ")
    free = with_company(state, "CCE", debt=0)
    assert BuyTrain in {type(choice) for choice in choices(rules, free)}
    assert BuyTrain in {type(choice) for choice in choices(ruleset(1, recorded=True), state)}  # not so at the site


@pytest.mark.rule("RHL-BKR-03")
@pytest.mark.parametrize(("treasury", "debt", "left", "owed"), [(700, 0, 100, 0), (400, 0, 0, 300), (0, 0, 0, 700)])
def test_without_train_cheapest_bought_without_decision(treasury, debt, left, owed):
    state = run_by_bank(treasury=treasury, debt=debt, trains=(), step="")
    draft = Draft(ruleset(1), state)
    run(draft)
    cce = draft.state.companies["CCE"]
    assert (cce.trains, cce.treasury, cce.debt) == (("6",), left, owed)
    assert [e.amount for e in draft.events if isinstance(e, DebtSet)] == ([owed] if owed else [])


@pytest.mark.rule("RHL-BKR-03")
def test_bank_takes_pool_at_equal_price():
    state = run_by_bank(treasury=700, debt=0, trains=(), step="")
    draft = Draft(ruleset(1), replace(state, depot=replace(state.depot, pool=("6", "8"))))
    run(draft)
    assert draft.state.depot.pool == ("8",)
    assert draft.state.depot.display["6"] == state.depot.display["6"]


@pytest.mark.rule("RHL-BKR-03")
def test_without_route_bank_buys_no_train():
    draft = Draft(ruleset(1, could=False), run_by_bank(treasury=700, debt=0, trains=(), step=""))
    run(draft)
    assert draft.state.companies["CCE"].trains == ()


@pytest.mark.rule("RHL-BKR-03")
def test_receivership_ends_with_twenty_per_cent():
    """Bert has 10 %; with a second tenth from the pool he exchanges for the director's certificate there."""
    rules = ruleset(1)
    state = replace(run_by_bank(), agenda=(Rounds(3), StockRound(3, 1)))
    assert not [a for a in choices(rules, state, 1) if a == BuyShare("CCE", "pool", 20)]
    after = act(rules, state, 1, BuyShare("CCE", "pool", 10)).state
    cce = after.companies["CCE"]
    assert (cce.director, cce.receivership) == (1, False)
    assert cce.certificates[0].holder == 1
    assert cce.percent(1) == 20
    assert cce.percent(POOL) == state.companies["CCE"].percent(POOL) - 10
    assert cce.debt == 281  # what is left of the debt outlasts it


@pytest.mark.rule("RHL-BKR-04")
def test_the_last_player_wins_at_once():
    rules = ruleset(1)
    state = forced(rules, broke(pool=50))
    players = (state.players[0], replace(state.players[1], bankrupt=True), replace(state.players[2], cash=0))
    after = act(rules, replace(state, players=players), 0, DeclareBankruptcy()).state
    assert after.outcome == "bankrupt"
    assert not after.agenda
    assert [(s.seat, s.rank) for s in standings(after)] == [(2, 1), (0, 2), (1, 2)]


@pytest.mark.rule("RHL-BKR-01")
def test_a_bankrupts_seat_is_passed_over():
    rules = ruleset(1)
    state = also(with_cash(broke(Bert=10, pool=50), Bert=300, Cleo=300), "GVE", (1, 4), 1, Bert=30)
    after = act(rules, forced(rules, state), 0, DeclareBankruptcy()).state
    assert after.priority == 1  # the priority deal of the bankrupt goes to his left
    assert after.clockwise(2) == (1, 2)


# As recorded at the public site --------------------------------------------------------------------------------------


@pytest.mark.rule("RHL-TRN-03")
def test_recorded_games_trade_trains_from_start():
    """CMP-33."""
    state = with_depot(unsold(1), {"2": 3, "3": 5}, (), ("2",))
    state = company(replace(state, phase="yellow"), "ADR", director=0, treasury=90)
    state = in_turn(company(state, "BME", (1, 4), director=0, trains=("2",)), "ADR", "trains")
    after = act(ruleset(1, recorded=True), state, 0, BuyTrain("BME", "2", 90)).state
    assert after.companies["ADR"].trains == ("2",)


@pytest.mark.rule("RHL-FOR-01")
def test_recorded_force_cheapest_train():
    """CMP-34."""
    rules = ruleset(1, recorded=True)
    state = broke()
    state = replace(state, depot=replace(state.depot, pool=("5",)))
    assert choices(rules, state) == [ChooseForcedTrain("pool", "5")]
    assert refused(rules, state, 0, ChooseForcedTrain("display", "6")).code == Code.ONLY_THESE_TRAINS


@pytest.mark.rule("RHL-BKR-01", "RHL-BKR-03")
def test_recorded_bankruptcy_sells_first():
    """CMP-35: the legal sales are made by the declaration itself, each moving its price."""
    rules = ruleset(1, recorded=True)
    state = also(broke(cash=358, Ada=20, pool=50), "GVE", (1, 1), 1, Bert=30, Ada=10)
    assert state.price("GVE") == 75
    state = forced(rules, with_cash(state, Ada=343))
    decision = act(rules, state, 0, DeclareBankruptcy())
    cce = decision.state.companies["CCE"]
    assert PriceMoved("GVE", (2, 1), "sale") in decision.events
    assert (cce.receivership, cce.trains, cce.debt) == (True, ("6",), 281)


@pytest.mark.rule("RHL-BKR-01")
def test_recorded_bankruptcy_waits_for_sales():
    rules = ruleset(1, recorded=True)
    state = also(broke(cash=540, Ada=20, pool=50), "GVE", (1, 1), 1, Bert=30, Ada=10)
    state = forced(rules, state)
    assert refused(rules, state, 0, DeclareBankruptcy()).code == Code.CAN_STILL_PAY


@pytest.mark.rule("RHL-BKR-02")
def test_recorded_successors_face_the_full_price():
    """CMP-35: the duty passes on as a normal forced purchase, in which the new director chooses anew."""
    rules = ruleset(1, recorded=True)
    state = with_cash(broke(Ada=20, Bert=20, pool=50), Bert=700)
    after = act(rules, forced(rules, state), 0, DeclareBankruptcy()).state
    assert (after.companies["CCE"].director, after.players[1].cash) == (1, 700)
    assert isinstance(after.top, CompanyTurn)
    assert refused(rules, after, 1, Pass()).code == Code.MUST_BUY_TRAIN
    bought = act(rules, after, 1, ChooseForcedTrain("display", "6")).state
    assert bought.players[1].cash == 700 - 599


@pytest.mark.rule("RHL-BKR-03")
def test_recorded_receivership_buys_with_money_only():
    """CMP-36: a player decides, where the company's own money pays for a train."""
    rules = ruleset(1, recorded=True)
    for treasury, asked in ((599, False), (600, True)):
        state = run_by_bank(treasury=treasury, debt=0, trains=(), step="")
        draft = Draft(rules, state)
        run(draft)
        assert draft.state.companies["CCE"].trains == ()
        assert isinstance(draft.state.top, CompanyTurn) == asked
    after = act(rules, draft.state, 2, BuyTrain("display", "6", 600)).state.companies["CCE"]
    assert (after.trains, after.treasury, after.debt) == (("6",), 0, 0)


def test_positions_stand_in_operating_round():
    assert isinstance(broke().agenda[1], OperatingRound)
