"""Section 5: floating, capital and the link (COMMON-FLT, RHL-FLT), and how compat differs (CMP-13, -14, -16, -42)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act, dealt, refused, sheet, with_company, with_market, with_tiles
from tests.builders.rhl_trading import ADA, BERT, CLEO, begun, current, firm, money, percents, play, ruleset, trading
from trajekt.engine.actions import BuyShare, FoundCompany, Pass
from trajekt.engine.agenda import run, settle
from trajekt.engine.board.board import Reservation, Station
from trajekt.engine.events import Paid, StationsSet, TileLaid
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import CHARTER, IPO, POOL, State, set_aside_account
from trajekt.games.rhl.aachen_link import ClaimLink, linked
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.ruleset import build
from trajekt.rules.stock_round import StockRound


def short_of_one(edition: str, company: str, space, *, phase: str = "yellow", **held) -> State:
    """A corporation one certificate short of floating; Bert, whose turn it is, buys it."""
    state = trading(edition, seat=BERT, phase=phase)
    held = held or {"Ada": 40}
    return firm(state, company, space, director=ADA, floated=False, operated=False, **held)


def closed(edition: str, state: State) -> State:
    """After the end of the stock round; the agenda is empty then."""
    frame = replace(current(state), passes=len(state.players))
    draft = Draft(ruleset(edition), replace(state, agenda=(frame,)))
    run(draft)
    return draft.state


# When ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMMON-FLT-01")
@pytest.mark.case("B34")
@pytest.mark.parametrize("edition", ["1", "2", "compat"])
def test_gve_floats_with_no_5(edition):
    state = dealt(trading(edition), "GVE", Cleo=(1,))
    assert not state.companies["GVE"].floated
    state = play(edition, state, (ADA, FoundCompany("GVE", 80)), (BERT, BuyShare("GVE", IPO, 10)))
    assert not state.companies["GVE"].floated
    state = play(edition, state, (CLEO, BuyShare("GVE", IPO, 10)))
    gve = state.companies["GVE"]
    assert gve.floated, "20 + 10 + 10 bought, 10 with no. 5"
    assert percents(state, "GVE")[CLEO] == 20
    assert gve.treasury == (0 if edition == "1" else 400)


@pytest.mark.rule("COMMON-FLT-01", "COMMON-FLT-02")
@pytest.mark.case("B33")
def test_corporation_of_moers_needs_60_percent():
    state = play("2", trading("2"), (ADA, FoundCompany("MKB", 100)), (BERT, BuyShare("MKB", IPO, 20)))
    assert not state.companies["MKB"].floated
    state = play("2", state, (CLEO, BuyShare("MKB", IPO, 20)))
    mkb = state.companies["MKB"]
    assert (mkb.floated, mkb.treasury) == (True, 600)
    assert state.markers.spaces["MKB"] == (1, 4), "in the top row it stays"
    assert percents(state, "MKB")[CHARTER] == 40
    assert sum(len(mkb.held(seat)) for seat in (ADA, BERT, CLEO)) == 3


# The second edition --------------------------------------------------------------------------------------------------


@pytest.mark.rule("COMMON-FLT-02")
def test_capital_is_paid_at_once_r2():
    state = short_of_one("2", "ADR", (3, 2))
    after = play("2", state, (BERT, BuyShare("ADR", IPO, 10)))
    adr = after.companies["ADR"]
    assert (adr.treasury, adr.floated, adr.due) == (350, True, False)
    assert percents(after, "ADR") == {ADA: 40, BERT: 10, CHARTER: 50}
    assert (after.markers.spaces["ADR"], after.price("ADR")) == ((2, 2), 75)
    assert after.bank == state.bank + 70 - 350
    later = play("2", after, (CLEO, BuyShare("ADR", CHARTER, 10)))
    assert later.companies["ADR"].treasury == 350 + 75
    assert later.players[CLEO].cash == 500 - 75
    assert closed("2", later).companies["ADR"].treasury == 425


@pytest.mark.rule("COMMON-FLT-02", "RHL-PRV-13")
@pytest.mark.case("B34")
def test_free_share_of_gve_capital_too():
    state = dealt(short_of_one("2", "GVE", (2, 3), Ada=20), "GVE", Cleo=(1,), Ada=(0, 2))
    after = play("2", state, (BERT, BuyShare("GVE", IPO, 10)))
    assert after.companies["GVE"].treasury == 400


@pytest.mark.rule("COMMON-OR-06")
def test_home_turned_up_when_corporation_floats():
    state = begun("2").state
    state = replace(trading("2", seat=BERT), board=state.board)
    state = firm(state, "CCE", (3, 2), director=ADA, floated=False, operated=False, Ada=40)
    decision = act(ruleset("2"), state, BERT, BuyShare("CCE", IPO, 10))
    for at, stop in (("I10", 1), ("E6", 0)):
        stations = decision.state.board.contents(at).stations
        assert Station("CCE", stop) in stations
        assert all(s.asleep for s in stations if s.company != "CCE")
    assert sum(isinstance(e, StationsSet) for e in decision.events) == 2
    assert decision.state.companies["CCE"].stations == state.companies["CCE"].stations


@pytest.mark.rule("COMMON-FLT-04")
@pytest.mark.case("B50")
@pytest.mark.parametrize("phase", ["brown", "brown6", "grey"])
def test_late_floats_get_ten_prices_r2(phase):
    state = short_of_one("2", "CME", (2, 4), phase=phase)
    after = play("2", state, (BERT, BuyShare("CME", IPO, 10)))
    assert after.companies["CME"].treasury == 900
    assert percents(after, "CME") == {ADA: 40, BERT: 10, POOL: 50}
    assert (after.markers.spaces["CME"], after.price("CME")) == ((1, 4), 100)
    assert money(after) == money(state)
    for early in ("yellow", "green", "green4"):
        state = short_of_one("2", "CME", (2, 4), phase=early)
        assert play("2", state, (BERT, BuyShare("CME", IPO, 10))).companies["CME"].treasury == 450


# The first edition ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("RHL-FLT-03", "COMMON-SR-06")
def test_capital_is_paid_later_r1():
    state = short_of_one("1", "GVE", (2, 3))
    after = play("1", state, (BERT, BuyShare("GVE", IPO, 10)))
    gve = after.companies["GVE"]
    assert (gve.floated, gve.due, gve.treasury, after.price("GVE")) == (True, True, 0, 80)
    assert percents(after, "GVE")[IPO] == 50, "unsold certificates stay where they are"
    after = play("1", after, (CLEO, BuyShare("GVE", IPO, 10)))
    assert after.players[CLEO].cash == 500 - 80
    assert after.companies["GVE"].treasury == 80
    end = closed("1", after)
    gve = end.companies["GVE"]
    assert (gve.treasury, gve.due, end.price("GVE"), end.markers.spaces["GVE"]) == (480, False, 90, (1, 3))
    assert percents(end, "GVE")[IPO] == 40
    assert money(end) == money(state)


@pytest.mark.rule("RHL-FLT-03")
def test_floats_are_settled_in_order():
    state = trading("1")
    for company, space in (("BME", (3, 2)), ("ADR", (3, 2)), ("CME", (3, 3))):
        state = firm(state, company, space, director=ADA, operated=False, Ada=50)
        state = with_company(state, company, due=True)
    state = firm(state, "DEE", (3, 2), director=BERT, Bert=100)
    end = closed("1", state)
    assert end.markers.stack((2, 2)) == ("BME", "ADR", "DEE")
    assert end.markers.spaces["CME"] == (2, 3)
    assert [end.companies[c].treasury for c in ("BME", "ADR", "CME")] == [350, 350, 375]


@pytest.mark.rule("RHL-FLT-03", "COMMON-SR-21")
def test_float_and_sell_out_together():
    state = firm(trading("1"), "ADR", (3, 2), director=ADA, operated=False, Ada=60, Bert=40)
    state = with_company(state, "ADR", due=True, treasury=350)
    end = closed("1", state)
    assert end.markers.spaces["ADR"] == (1, 2)
    assert end.companies["ADR"].treasury == 700


@pytest.mark.rule("RHL-FLT-05")
@pytest.mark.case("B50")
def test_late_floats_in_the_first_edition():
    """Recorded: KEG/MKB floated at 100 in brown: treasury 1,000, 40 % to the pool, price stays 100."""
    state = dealt(short_of_one("1", "MKB", (1, 4), phase="brown", Ada=20), "MKB", Ada=(0, 1))
    after = play("1", state, (BERT, BuyShare("MKB", IPO, 20)))
    assert after.companies["MKB"].treasury == 0
    end = closed("1", after)
    assert (end.companies["MKB"].treasury, end.price("MKB"), percents(end, "MKB")[POOL]) == (1000, 100, 40)
    assert IPO not in percents(end, "MKB")


@pytest.mark.rule("RHL-FLT-05")
@pytest.mark.case("B50")
def test_later_purchases_count_towards_ten_prices():
    state = short_of_one("1", "BME", (1, 4), phase="brown")
    after = play("1", state, (BERT, BuyShare("BME", IPO, 10)), (CLEO, BuyShare("BME", IPO, 10)))
    assert after.companies["BME"].treasury == 100
    end = closed("1", after)
    assert (end.companies["BME"].treasury, end.price("BME"), percents(end, "BME")[POOL]) == (1000, 100, 40)
    assert end.bank == after.bank - 900


@pytest.mark.rule("RHL-FLT-05")
def test_late_floats_leave_the_marker():
    """v1 16.4: neither floating nor the certificates that go to the pool move it, though there is a space above."""
    end = closed("1", play("1", short_of_one("1", "BME", (3, 2), phase="brown"), (BERT, BuyShare("BME", IPO, 10))))
    assert (end.markers.spaces["BME"], end.companies["BME"].treasury) == ((3, 2), 10 * end.price("BME"))


@pytest.mark.rule("RHL-SET-11", "RHL-FLT-03")
def test_floating_places_no_home_r1():
    state = replace(short_of_one("1", "CCE", (3, 2)), board=begun("1").state.board)
    after = play("1", state, (BERT, BuyShare("CCE", IPO, 10)))
    assert after.board is state.board
    assert Reservation("CCE", 1) in after.board.contents("I10").reservations


# The public site -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("RHL-FLT-03")
def test_compat_pays_and_lifts_later():
    """CMP-16: totals are those of the first edition."""
    state = short_of_one("compat", "GVE", (2, 3))
    after = play("compat", state, (BERT, BuyShare("GVE", IPO, 10)))
    assert (after.companies["GVE"].treasury, after.price("GVE"), after.companies["GVE"].due) == (400, 80, True)
    after = play("compat", after, (CLEO, BuyShare("GVE", IPO, 10)))
    end = closed("compat", after)
    assert (end.companies["GVE"].treasury, end.price("GVE"), end.companies["GVE"].due) == (480, 90, False)


@pytest.mark.rule("RHL-FLT-05")
def test_compat_floats_late_at_once():
    """CMP-42: later buyers pay the bank, since the certificates lie in the pool."""
    state = short_of_one("compat", "BME", (1, 4), phase="brown")
    after = play("compat", state, (BERT, BuyShare("BME", IPO, 10)))
    assert (after.companies["BME"].treasury, percents(after, "BME")[POOL]) == (1000, 50)
    bank = after.bank
    after = play("compat", after, (CLEO, BuyShare("BME", POOL, 10)))
    assert after.bank == bank + 100
    end = closed("compat", after)
    assert (end.companies["BME"].treasury, end.price("BME")) == (1000, 100)


# The RhE and its link ------------------------------------------------------------------------------------------------

LINK = {"J9": "9 r0", "K8": "8 r1", "K4": "4 r1"}


def rhe(edition: str, tiles: dict[str, str]) -> State:
    """The RhE of the recorded game, par 80, without some tiles of the link."""
    state = firm(trading(edition), "RhE", (2, 3), director=CLEO, Cleo=20, pool=30)
    state = with_tiles(state, **tiles)
    if edition != "compat":
        state = replace(state, aside={"RhE": 240}, bank=state.bank - 240)
    return state


def lay(edition: str, state: State, at: str, tile: str, turn: int) -> Draft:
    """A tile laid by the ADR, and what follows."""
    draft = Draft(ruleset(edition), state)
    draft.emit(TileLaid(at, tile, turn, "ADR"))
    settle(draft, 0)
    return draft


@pytest.mark.rule("RHL-FLT-07")
@pytest.mark.parametrize("edition", ["1", "2", "compat"])
@pytest.mark.parametrize("last", LINK)
def test_the_link_pays_rhe_at_once(edition, last):
    state = with_market(rhe(edition, {at: tile for at, tile in LINK.items() if at != last}), RhE=(2, 5))
    assert state.price("RhE") != state.companies["RhE"].par  # what was laid aside is of the par
    tile, turn = LINK[last].split(" r")
    draft = lay(edition, state, last, tile, int(turn))
    assert draft.state.companies["RhE"].treasury == 240
    assert draft.state.aside.get("RhE", 0) == 0
    assert money(draft.state) == money(state)
    source = "bank" if edition == "compat" else set_aside_account("RhE")
    assert Paid(source, "RhE", 240, "link") in draft.events
    again = lay(edition, draft.state, "J5", "8", 0)
    assert again.state.companies["RhE"].treasury == 240, "once only"


@pytest.mark.rule("CMP-03")
def test_link_is_claimed_once():
    rules = build(sheet(1), RhlOptions(edition=1, compat=True, link="record"))
    state = rhe("compat", LINK)
    paid = act(rules, state, CLEO, ClaimLink()).state
    assert paid.companies["RhE"].treasury == 240
    found = refused(rules, paid, CLEO, ClaimLink())
    assert (found.code, found.rule) == ("paid_already", "CMP-03")


@pytest.mark.rule("RHL-FLT-07")
def test_no_link_no_money():
    state = rhe("1", {"K4": "4 r1"})
    draft = lay("1", state, "G8", "8", 1)
    assert draft.state.companies["RhE"].treasury == 0
    assert draft.state.aside == {"RhE": 240}


@pytest.mark.rule("RHL-FLT-07")
def test_stations_play_no_part_in_link():
    state = rhe("1", LINK)
    board = state.board
    for at in ("K6", "K2", "I10"):
        stations = tuple(Station("BME", n) for n, _ in enumerate(board.face(at).stops))
        board = board.with_contents(at, replace(board.contents(at), stations=stations))
    assert linked(board)


@pytest.mark.rule("RHL-FLT-07")
def test_link_passes_dueren_and_reverses_nowhere():
    # J9 turned away from Cologne: track of K8 and K6, but no way in from I10
    assert not linked(rhe("1", {**LINK, "J9": "9 r1"}).board)
    # K8 and J9 join Cologne with Düren; Aachen lies open
    assert not linked(rhe("1", {"J9": "9 r0", "K8": "8 r1"}).board)
    assert linked(rhe("1", LINK).board)


@pytest.mark.rule("RHL-FLT-06", "RHL-FLT-07")
def test_the_second_edition_lays_210_aside():
    state = begun("2").state
    assert state.aside == {"RhE": 210}
    state = with_tiles(state, J9="9 r0", K8="8 r1")
    draft = lay("2", state, "K4", "4", 1)
    assert draft.state.aside == {"RhE": 210}, "nobody directs the RhE yet"


@pytest.mark.rule("COMMON-OR-08", "COMMON-FLT-01")
def test_round_without_floated_corporations_pays_incomes():
    state = begun("2").state
    state = replace(state, privates={n: replace(p, owner=ADA, open=n < 6) for n, p in state.privates.items()})
    state = replace(state, agenda=(state.agenda[0], StockRound(1, ADA)))
    after = play("2", state, (ADA, Pass()), (BERT, Pass()), (CLEO, Pass()))
    assert isinstance(after.top, StockRound)
    assert after.top.number == 2
    assert after.players[ADA].cash == 600 + 65


# After a bankruptcy --------------------------------------------------------------------------------------------------------


def left_by_a_bankrupt(**held: tuple[int, ...]) -> State:
    """The founder of the BME went bankrupt before it floated: his 20 % lie in the pool, nobody directs it."""
    state = firm(trading("1", phase="brown", seat=BERT), "BME", (3, 3), floated=False, operated=False)
    state = with_company(dealt(state, "BME", pool=(0,), **held), "BME", director=None)
    return replace(state, players=(replace(state.players[ADA], bankrupt=True), *state.players[1:]))


@pytest.mark.rule("COMMON-FLT-01", "RHL-BKR-02")
def test_offering_sold_floats_whoever_holds():
    """20 % in the pool, 20 % with players: one certificate more and half has been bought (v1 16.2, 16.4)."""
    state = left_by_a_bankrupt(Bert=(1,), Cleo=(2,))
    assert not state.companies["BME"].receivership
    bme = act(ruleset("1"), state, BERT, BuyShare("BME", IPO, 10)).state.companies["BME"]
    assert (bme.percent(IPO), bme.floated, bme.receivership) == (50, True, False)
    assert bme.director == BERT, "with 20 % he exchanges for the director's certificate in the pool"


@pytest.mark.rule("RHL-BKR-02")
def test_undirected_float_goes_to_bank():
    state = left_by_a_bankrupt(Bert=(1,), Cleo=(2,))
    state = replace(state, players=(*state.players, state.players[CLEO]), names=(*state.names, "Dora"))
    state = replace(state, agenda=(replace(current(state), seat=3),))
    bme = act(ruleset("1"), state, 3, BuyShare("BME", IPO, 10)).state.companies["BME"]
    assert (bme.percent(IPO), bme.floated, bme.director, bme.receivership) == (50, True, None, True)


@pytest.mark.rule("RHL-BKR-03")
def test_unfloated_company_waits_for_director():
    state = left_by_a_bankrupt(Bert=(1,))
    bme = act(ruleset("1"), state, BERT, BuyShare("BME", IPO, 10)).state.companies["BME"]
    assert (bme.director, bme.floated, bme.receivership) == (BERT, False, False)
