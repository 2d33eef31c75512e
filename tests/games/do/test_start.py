"""Set-up and Starting Round."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.do_positions import SHEET, choices, opening, position, rules, total
from tests.builders.random_positions import act, refused
from trajekt.engine.actions import FoundCompany, PlaceBid
from trajekt.engine.components.loader import load
from trajekt.engine.decisions import start
from trajekt.games.do.components import do_components
from trajekt.games.do.frames import StartingRound
from trajekt.games.do.options import DoOptions
from trajekt.games.do.state import breweries, charter, cubes, do_state
from trajekt.games.do.title import seated
from trajekt.rules.stock_round import StockRound


@pytest.mark.rule("DO-SETUP-01")
@pytest.mark.parametrize("players", [2, 6])
def test_other_numbers_of_players_are_refused(players):
    with pytest.raises(ValueError, match="players"):
        seated(DoOptions(), players)


@pytest.mark.rule("DO-SETUP-02")
def test_capital_and_bank():
    state = opening(4)
    assert [p.cash for p in state.players] == [465] * 4
    assert state.bank == 11140
    assert total(state) == 13000


@pytest.mark.rule("DO-SETUP-03", "DO-TRAIN-01")
def test_stacks_by_players():
    assert list(opening(3).depot.display.values()) == [14, 8, 4, 5, 12, 12]
    assert list(opening(5).depot.display.values()) == [22, 13, 10, 7, 15, 12]


@pytest.mark.rule("DO-SETUP-04")
def test_green_cards_equip_the_minors_only():
    known = do_components(rules(3).sheet)
    assert known.green_count == {"1": 10, "2": 8}
    every = [kind for minor in known.minors.values() for kind in minor.equipment]
    assert (every.count("1"), every.count("2")) == (10, 8)
    four = [kind for name in ("B2", "B4", "B7", "B8") for kind in known.minors[name].equipment]
    assert (four.count("1"), four.count("2")) == (5, 5)
    assert opening(3).depot.display["2"] == 14


@pytest.mark.rule("DO-SETUP-05")
def test_hansa_companies_need_five_players():
    state = position(4)
    assert not {"HBB", "HAN"} & state.companies.keys()
    assert {"HBB", "HAN"} <= position(5).companies.keys()
    assert state.sheet.hexes["H20"].face.stops[0].slots == 0
    assert rules(5).sheet.hexes["H20"].face.stops[0].slots == 1
    state = replace(state, agenda=(*state.agenda, StockRound(2, 0)))
    refusal = refused(rules(4), state, 0, FoundCompany("HBB", 60))
    assert (refusal.code, refusal.rule) == ("not_in_ruleset", "DO-SETUP-05")


@pytest.mark.rule("DO-SETUP-06")
def test_stack_of_the_dab():
    assert rules(3).sheet.companies["DAB"].certificates == (20, 20, 20, 10, 10, 10, 10)


@pytest.mark.rule("DO-SETUP-07", "DO-SETUP-08")
@pytest.mark.parametrize(
    ("players", "first", "second", "box", "stock", "total"),
    [(3, (3, 3), (3, 3), 6, 8, 26), (4, (4, 4), (3, 3), 6, 8, 28), (5, (4, 4), (4, 4), 8, 10, 34)],
)
def test_cubes_start_by_player_count(players, first, second, box, stock, total):
    state = opening(players)
    extra = do_state(state)
    assert (extra.segments[1].demand, extra.segments[2].demand) == (first, second)
    assert (extra.price_box, extra.stock, cubes(state)) == (box, stock, total)
    assert [extra.segments[n].closed for n in range(1, 7)] == [False, False, True, True, True, True]
    assert all(extra.segments[n].demand == (0, 0) for n in (3, 4, 5, 6))


@pytest.mark.rule("DO-SETUP-09")
def test_minors_laid_out_drawn_from_seed():
    for players in (3, 5):
        state = opening(players, seed=7)
        there = [p.number for p in state.privates.values() if p.open]
        assert len(there) == players + 1
        assert 2 in there
        assert there == [p.number for p in opening(players, seed=7).privates.values() if p.open]
    drawn = {tuple(p.number for p in opening(3, seed=n).privates.values() if p.open) for n in range(12)}
    assert len(drawn) > 3


@pytest.mark.rule("DO-SETUP-10")
def test_equipment_of_minors():
    minors = do_components(rules(3).sheet).minors
    printed = {name: tuple(sorted(m.equipment, reverse=True)) for name, m in minors.items()}
    assert printed == {
        "B1": ("1", "1"), "B2": ("1", "1", "1"), "B3": ("2",), "B4": ("2", "1"), "B5": ("2", "1"),
        "B6": ("2", "1", "1"), "B7": ("2", "2"), "B8": ("2", "2", "1"),
    }  # fmt: skip
    state = opening(5, seed=3)
    for minor in minors.values():
        becs = [bec.kind for bec in charter(state, minor.id).becs]
        assert becs == (list(printed[minor.id]) if state.privates[minor.number].open else [])


@pytest.mark.rule("DO-SETUP-11")
def test_homes_lie_face_down():
    state = opening(4)
    for at in ("A3", "B4"):
        assert [(s.company, s.asleep) for s in state.board.contents(at).stations] == [("CME", True)]
    assert state.companies["CME"].stations == (60, 80, 100, 100, 100)


@pytest.mark.rule("DO-SETUP-12")
def test_order_cards_are_the_seating():
    ruleset = rules(4)
    first = start(ruleset, ("P", "Q", "R", "S"), 5)
    again = start(ruleset, ("P", "Q", "R", "S"), 5)
    assert first.state.names == again.state.names
    assert len({start(ruleset, ("P", "Q", "R", "S"), n).state.names for n in range(9)}) > 2
    assert first.state.clockwise(3)[0] == 0
    assert first.state.agenda[-1] == StartingRound(0)


# Bids


def laid_out(*minors: str, players: int = 3):
    """The Starting Round with these minors."""
    state = opening(players)
    known = do_components(state.sheet).minors
    privates = {n: replace(p, open=any(known[m].number == n for m in minors)) for n, p in state.privates.items()}
    return replace(state, privates=privates)


def bid(state, seat, minor, box):
    return act(rules(len(state.players)), state, seat, PlaceBid(int(minor[1]), box)).state


@pytest.mark.rule("DO-START-01")
def test_tokens_are_placed_in_order():
    state = bid(laid_out("B2", "B4", "B5", "B7"), 0, "B4", 0)
    assert state.bids[0].private == 4
    assert state.agenda[-1] == StartingRound(1)
    assert refused(rules(3), state, 0, PlaceBid(5, 0)).code == "not_your_turn"


@pytest.mark.rule("DO-START-02")
def test_unknown_boxes_are_refused():
    state = bid(laid_out("B2", "B4", "B5", "B7"), 0, "B4", 5)
    for box in (0, 5):
        assert refused(rules(3), state, 1, PlaceBid(4, box)).rule == "DO-START-02"
    assert refused(rules(3), state, 1, PlaceBid(4, 12)).code == "no_such_box"
    assert refused(rules(3), state, 1, PlaceBid(8, 0)).rule == "DO-START-01"
    assert bid(state, 1, "B4", 10).agenda[-1] == StartingRound(2)


@pytest.mark.rule("DO-START-03", "DO-START-04")
def test_outbid_player_must_move():
    state = laid_out("B2", "B4", "B5", "B7")
    for seat, minor, box in ((0, "B4", 0), (1, "B4", 5), (2, "B2", 0)):
        state = bid(state, seat, minor, box)
    assert state.agenda[-1] == StartingRound(0)
    offered = {(a.private, a.amount) for a in choices(rules(3), state, 0, PlaceBid)}
    assert {(4, 10), (5, 0), (2, 5)} <= offered
    assert not {(4, 0), (4, 5), (2, 0)} & offered
    state = bid(state, 0, "B5", 0)
    assert isinstance(state.agenda[-1], StockRound)


@pytest.mark.rule("DO-START-04")
def test_three_first_tokens_on_three_minors():
    state = laid_out("B2", "B4", "B5", "B7")
    state = bid(state, 0, "B4", 0)
    assert isinstance(state.agenda[-1], StartingRound)
    state = bid(bid(state, 1, "B2", 0), 2, "B7", 5)
    assert isinstance(state.agenda[-1], StockRound)


@pytest.mark.rule("DO-START-05")
def test_the_last_box_cannot_be_outbid():
    state = bid(laid_out("B2", "B4", "B5", "B7"), 0, "B7", 30)
    assert all(a.private != 7 for a in choices(rules(3), state, 1, PlaceBid))
    assert refused(rules(3), state, 1, PlaceBid(7, 30)).code == "bid_too_low"
    assert choices(rules(3), state, 1, PlaceBid)


@pytest.mark.rule("DO-START-06", "DO-START-07", "DO-START-08", "DO-START-09")
def test_the_end_of_the_bids():
    state = laid_out("B2", "B4", "B5", "B7")
    for seat, minor, box in ((0, "B5", 5), (1, "B4", 5), (2, "B2", 0)):
        state = bid(state, seat, minor, box)
    assert not state.privates[7].open
    assert not charter(state, "B7").becs
    assert [p.cash for p in state.players] == [465 - 140, 340, 375]
    assert state.aside["B4"] == 40
    assert breweries(state) == ("B5", "B4", "B2")
    assert state.agenda[-1].order == (2, 1, 0)
    assert total(state) == 13000


@pytest.mark.rule("DO-START-09")
def test_equal_cash_goes_by_the_cards():
    state = laid_out("B2", "B4", "B5", "B7")
    for seat, minor, box in ((0, "B4", 0), (1, "B7", 0), (2, "B4", 5), (0, "B4", 10)):
        state = bid(state, seat, minor, box)
    state = bid(state, 2, "B5", 0)
    cash = [p.cash for p in state.players]
    assert cash == [335, 300, 330]
    equal = laid_out("B2", "B4", "B5", "B7")
    equal = replace(
        equal, players=tuple(replace(p, cash=c) for p, c in zip(equal.players, (460, 465, 475), strict=True))
    )
    for seat, minor, box in ((0, "B4", 0), (1, "B7", 0), (2, "B5", 0)):
        equal = bid(equal, seat, minor, box)
    assert [p.cash for p in equal.players] == [340, 300, 340]
    assert equal.agenda[-1].order == (0, 2, 1)


@pytest.mark.rule("DO-START-10")
def test_beginners_are_dealt_a_minor_each():
    state = opening(3, seed=4, beginners=True)
    owned = [p for p in state.privates.values() if p.owner is not None]
    assert sorted(p.owner for p in owned) == [0, 1, 2]
    for private in owned:
        assert state.players[private.owner].cash == 465 - state.sheet.privates[private.number].price
    assert isinstance(state.agenda[-1], StockRound)
    dealt = [opening(3, seed=n, beginners=True).privates[2].open for n in range(8)]
    assert set(dealt) == {False, True}


def test_sheets_have_counts_of_box():
    assert load(SHEET, "1", ("three_players",)).totals.trains == 55
