"""The turn of a brewery: disposal, deliveries, export, income, purchases (DO-BREW, DO-BEC)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_breweries import ended, export, kinds, number, small, top, turn
from tests.builders.do_positions import (
    beer,
    choices,
    corporation,
    display,
    do_state,
    equipment,
    minor,
    position,
    rules,
)
from tests.builders.random_positions import act, refused
from trajekt.engine.actions import Accept, Decline, Pass, PayOut, Withhold
from trajekt.engine.agenda import run
from trajekt.engine.ruleset import Draft
from trajekt.games.do.actions import BuyBec, Deliver, DisposeBec, LoadTrain, OwnCertificate
from trajekt.games.do.brewery_equipment import remove_without_demand
from trajekt.games.do.frames import BreweryRound, BreweryTurn
from trajekt.games.do.state import cubes
from trajekt.rules.round_sequence import Rounds

OPEN = {"c1": False, "c3": False, "c4": False, "c5": False, "c6": False}


@pytest.mark.rule("DO-BREW-10", "DO-BREW-12", "DO-BREW-30", "DO-BREW-01")
def test_deliveries_go_downwards_regular_first():
    state = small("3", phase="3", c3=False, s3=(1, 1), s2=(4, 3))
    after = act(rules(), state, 0, Deliver()).state
    assert top(after).income == 30 + 20 + 20
    assert do_state(after).segments[3].supply == (1, 1)
    assert do_state(after).segments[2].demand == (3, 3)
    assert cubes(after) == cubes(state)
    assert refused(rules(), after, 0, Deliver()).rule == "DO-BREW-01"


@pytest.mark.rule("DO-BREW-10")
def test_never_to_a_higher_segment():
    state = small("2", phase="3", c1=True, c3=False, s3=(5, 3), s2=(0, 0), treasury=0)
    after = act(rules(), state, 0, Deliver()).state
    assert do_state(after).segments[3].demand == (5, 3)
    state = small("8", phase="8", c1=True, c6=False, s6=(2, 0), s2=(9, 0))
    after = act(rules(), state, 0, Deliver()).state
    assert do_state(after).segments[6].supply == (2, 0)


@pytest.mark.rule("DO-BREW-11", "DO-BEC-04")
def test_highest_type_delivers_first():
    state = small("2", "3", phase="3", c1=True, c3=False, s2=(3, 0))
    after = act(rules(), state, 0, Deliver()).state
    after = act(rules(), after, 0, Withhold()).state
    after = ended(after)
    assert {bec.kind: bec.idle for bec in do_state(after).charters["B7"].becs} == {"2": True, "3": False}


@pytest.mark.rule("DO-BEC-05", "DO-BEC-04")
def test_idle_twice_leaves_at_turn_end():
    state = small("2", phase="3", c1=True, c3=False, s2=(0, 0), s3=(2, 0))
    extra = do_state(state)
    held = extra.charters["B7"]
    idle = replace(held, becs=tuple(replace(bec, idle=True) for bec in held.becs))
    state = replace(state, extra=replace(extra, charters={**extra.charters, "B7": idle}))
    after = act(rules(), state, 0, Deliver()).state
    after = ended(after)
    assert kinds(after, "B7") == []
    upright = beer(state, s2=(2, 0))
    after = act(rules(), upright, 0, Deliver()).state
    after = act(rules(), after, 0, Withhold()).state
    after = ended(after)
    assert [bec.idle for bec in do_state(after).charters["B7"].becs] == [False]


@pytest.mark.rule("DO-BEC-01")
def test_one_disposal_before_the_deliveries():
    state = small("2", "2", "2")
    after = act(rules(), state, 0, DisposeBec(number(state, "B7"))).state
    assert kinds(after, "B7") == ["2", "2"]
    assert refused(rules(), after, 0, DisposeBec(number(after, "B7"))).rule == "DO-BEC-01"
    later = act(rules(), state, 0, Deliver()).state
    assert refused(rules(), later, 0, DisposeBec(number(later, "B7"))).rule == "DO-BEC-01"


@pytest.mark.rule("DO-BEC-03")
def test_without_demand_all_of_type_leave():
    state = corporation(position(4, "4"), "DUB", 70, floated=False)
    state = beer(equipment(state, "DUB", "3", "1"), c1=True, c3=False, s3=(1, 0))
    draft = Draft(rules(), state)
    remove_without_demand(draft)
    assert kinds(draft.state, "DUB") == ["3"]
    dry = Draft(rules(), equipment(beer(state, s3=(0, 0)), "DUB", "3", "8"))
    remove_without_demand(dry)
    assert kinds(dry.state, "DUB") == ["8"]


@pytest.mark.rule("DO-BREW-31", "DO-BREW-33")
@pytest.mark.case("B74")
@pytest.mark.parametrize(("income", "owner"), [(60, 30), (75, 35), (145, 70), (5, 0)])
def test_minor_pays_half_of_full_tens(income, owner):
    state = turn(small("2"), "B7", "income", income=income)
    paid = act(rules(), state, 0, PayOut()).state
    assert paid.players[0].cash == 1000 + owner
    assert paid.aside["B7"] == income - owner
    kept = act(rules(), state, 0, Withhold()).state
    assert (kept.players[0].cash, kept.aside["B7"]) == (1000, income)


def large(*held, value=80, treasury=0, phase="3", **sizes):
    state = corporation(position(4, phase), "DUB", value, treasury=treasury, sizes=sizes or {"Ada": (10, 10)})
    return turn(equipment(state, "DUB", *held), "DUB")


@pytest.mark.rule("DO-BREW-32", "DO-BREW-33")
@pytest.mark.case("B74")
def test_corporation_pays_shares_in_full_tens():
    state = large("2", Ada=(10, 10), pool=(20,))
    paid = act(rules(), turn(state, "DUB", "income", income=185), 0, PayOut()).state
    assert paid.players[0].cash == 1000 + 90
    assert paid.companies["DUB"].treasury == 54 + 5
    kept = act(rules(), turn(state, "DUB", "income", income=135), 0, Withhold()).state
    assert kept.companies["DUB"].treasury == 135


@pytest.mark.rule("DO-BREW-34")
@pytest.mark.parametrize(("income", "value"), [(79, 80), (85, 90), (240, 100), (70, 80)])
def test_the_value_follows_what_was_paid(income, value):
    state = turn(large("2"), "DUB", "income", income=income)
    assert act(rules(), state, 0, PayOut()).state.price("DUB") == value
    assert act(rules(), state, 0, Withhold()).state.price("DUB") == 75


@pytest.mark.rule("DO-BREW-34")
def test_without_income_the_value_falls():
    state = beer(large("2"), s1=(0, 0), s2=(0, 0))
    after = act(rules(), state, 0, Deliver()).state
    assert after.price("DUB") == 75


@pytest.mark.rule("DO-BREW-02", "DO-BEC-14")
def test_one_own_certificate_in_a_turn():
    state = large("2", treasury=100)
    after = act(rules(), state, 0, OwnCertificate("sell", 10)).state
    assert (after.companies["DUB"].treasury, after.price("DUB")) == (180, 75)
    refused(rules(), after, 0, OwnCertificate("sell", 10))
    refused(rules(), small("2"), 0, OwnCertificate("sell", 10))


def buying(*held, phase="2", treasury=0, cash=1000, **counts):
    state = small(*held, phase=phase, treasury=treasury, cash=cash)
    return turn(display(state, **counts), "B7", "buy")


@pytest.mark.rule("DO-BEC-10", "DO-BEC-02", "DO-BEC-15")
def test_two_of_type_2_within_limit():
    state = buying("1", treasury=300)
    after = act(rules(), state, 0, BuyBec("2")).state
    assert (after.aside["B7"], after.depot.display["2"]) == (220, state.depot.display["2"] - 1)
    assert refused(rules(), state, 0, BuyBec("3")).rule == "DO-BEC-10"
    after = act(rules(), after, 0, BuyBec("2")).state
    assert kinds(after, "B7") == ["1", "2", "2"]
    full = buying("1", "1", "2", treasury=300)
    assert refused(rules(), full, 0, BuyBec("2")).rule == "DO-BEC-10"
    assert all(not company.trains for company in after.companies.values())


@pytest.mark.rule("DO-BEC-11")
def test_owner_helps_up_to_half():
    state = buying("1", treasury=50)
    after = act(rules(), state, 0, BuyBec("2", True)).state
    assert (after.players[0].cash, after.aside["B7"]) == (970, 0)
    assert refused(rules(), buying("1", treasury=30), 0, BuyBec("2", True)).rule == "DO-BEC-11"
    assert refused(rules(), buying("1", treasury=200), 0, BuyBec("2", True)).rule == "DO-BEC-11"
    late = buying("5", phase="6", treasury=900, t2=0, t3=0, t4=0, t5=0)
    assert refused(rules(), late, 0, BuyBec("6")).rule == "DO-BEC-11"


@pytest.mark.rule("DO-BEC-13")
def test_minor_must_buy_what_treasury_pays():
    assert refused(rules(), buying(treasury=80), 0, Pass()).rule == "DO-BEC-13"
    state = buying(treasury=70)
    assert BuyBec("2", True) in choices(rules(), state, 0, BuyBec)
    act(rules(), state, 0, Pass())


@pytest.mark.rule("DO-BREW-20", "DO-BREW-21", "DO-BREW-24", "DO-BREW-30")
def test_loaded_cube_earns_100_from_stock():
    state = export(held=("5", "5"), trains=("5", "5"))
    load = LoadTrain("KWE", "5", 0, number(state, "B7"), 1)
    after = act(rules(), state, 0, load).state
    assert (top(after).income, do_state(after).stock) == (100, 0)
    assert do_state(after).loads["KWE"][0].cubes == 1
    assert cubes(after) == cubes(state)
    assert refused(rules(), state, 0, replace(load, count=2)).rule == "DO-BREW-20"
    second = act(rules(), beer(state, stock=0), 0, load).state
    assert do_state(second).segments[3].demand == (1, 0)
    delivered = act(rules(), state, 0, Deliver()).state
    assert refused(rules(), delivered, 0, load).rule == "DO-BREW-20"
    assert refused(rules(), replace(state, phase="4"), 0, load).rule == "DO-PHASE-06"
    weak = export(held=("4",))
    assert refused(rules(), weak, 0, replace(load, bec=number(weak, "B7"))).rule == "DO-BREW-20"


@pytest.mark.rule("DO-BREW-21")
def test_without_way_to_city_nothing_loaded():
    state = export()
    cut = corporation(state, "RhE", 60, 0, trains=("5",))
    assert refused(rules(), cut, 0, LoadTrain("RhE", "5", 0, number(cut, "B7"), 1)).rule == "DO-BREW-21"


@pytest.mark.rule("DO-BREW-22", "DO-BREW-23")
def test_the_other_director_consents_or_not():
    state = export(director=1, held=("5", "5"), trains=("5", "5"))
    load = LoadTrain("KWE", "5", 0, number(state, "B7"), 1)
    asked = act(rules(), state, 0, load).state
    agreed = act(rules(), asked, 1, Accept()).state
    assert do_state(agreed).loads["KWE"][0].cubes == 1
    assert refused(rules(), agreed, 0, replace(load, cubes=1)).code in ("no_arrow", "no_loading_space")
    declined = act(rules(), asked, 1, Decline()).state
    assert cubes(declined) == cubes(state)
    assert not do_state(declined).loads
    assert refused(rules(), declined, 0, load).rule == "DO-BREW-22"
    act(rules(), declined, 0, Deliver())


@pytest.mark.rule("DO-BREW-25")
def test_price_box_is_not_for_export():
    state = beer(export(), stock=0, price_box=6, s3=(0, 0), s4=(0, 0))
    assert refused(rules(), state, 0, LoadTrain("KWE", "5", 0, number(state, "B7"), 1)).code == "no_cubes"


@pytest.mark.rule("DO-MARKET-10", "DO-BREW-01")
def test_a_first_brewery_round_in_full():
    ruleset = rules(3)
    state = minor(position(3), 0, "B7", 0, ("2", "2"))
    state = minor(state, 1, "B4", 0, ("2", "1"))
    state = minor(state, 2, "B2", 0, ("1", "1", "1"))
    state = replace(state, agenda=(Rounds(2, 2, 1), BreweryRound(2, 1, 2)))
    draft = Draft(ruleset, state)
    run(draft)
    state = draft.state
    for seat, income in ((0, 75), (1, 45), (2, 40)):
        state = act(ruleset, state, seat, Deliver()).state
        assert top(state).income == income
        state = act(ruleset, state, seat, PayOut()).state
        if isinstance(top(state), BreweryTurn) and top(state).step == "buy":
            state = act(ruleset, state, seat, Pass()).state
    assert [p.cash - 1000 for p in state.players] == [35, 20, 20]
    assert [state.aside[b] for b in ("B7", "B4", "B2")] == [40, 25, 20]
    found = do_state(state)
    assert (found.segments[1].demand, found.segments[2].demand, found.stock) == ((4, 3), (6, 3), 4)
