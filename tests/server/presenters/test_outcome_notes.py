"""Notes for who decides: what a private pays back, what a phase changes, which trains found no run, what the bank keeps."""

from __future__ import annotations

import msgspec
import pytest

from tests.builders.first_game import first_game, next_move
from tests.builders.played_moments import one_of_each_step
from trajekt.engine.actions import BuyPrivate, BuyTrain, FoundCompany, PayOut, PlaceBid
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.events import TrainsRan
from trajekt.engine.ruleset import Choice
from trajekt.game import new_game
from trajekt.i18n.sentences import tag_of
from trajekt.rules.operating_round import current_turn
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters import info_panels
from trajekt.server.presenters.action_preview import outcome_told
from trajekt.server.presenters.decision import now, terms
from trajekt.server.presenters.map_hint import map_hint
from trajekt.server.presenters.outcome_preview import effects_of


def fresh():
    return new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 2, "fixed_seats": True}, 7)


def positions(most=200):
    """The positions of a newcomer's first game, one after another; it is the same game that goes on."""
    game = first_game()
    for _ in range(most):
        yield game
        seat = game.to_act[0]
        game.play(next_move(game, seat), seat)


@pytest.fixture(scope="module")
def steps():
    return one_of_each_step("18rhl")


def speaker(game, language="en"):
    return Viewer(language).speaker(game.title, game.state)


def told(game, action, seat, language="en"):
    decision = decide(game.ruleset, game.state, seat, action)
    assert isinstance(decision, Decision), decision
    effects = effects_of(game, game.state, decision)
    return outcome_told(game, Choice(seat, action), decision, effects, speaker(game, language))


def test_private_says_its_payback():
    outcome = told(fresh(), BuyPrivate(1), 0)
    assert outcome.worth == ""  # it counts nothing at the end, and is no loss all the same
    assert (
        outcome.notes[0]
        == "Pays 5\u00a0M each operating round: paid back after 4 rounds, all gain from then until it closes"
    )


def test_first_price_does_not_rise():
    for game in positions():
        found = next((c for c in game.choices() if isinstance(c.action, FoundCompany)), None)
        if found is not None:
            assert [line.way for line in told(game, found.action, found.seat).prices] == ["begins"]
            return
    pytest.fail("nothing was ever founded")


def test_bid_says_what_winning_costs():
    outcome = told(fresh(), PlaceBid(5, 150), 0)
    wanted = "If nobody bids more, you pay 150\u00a0M and get 25\u00a0M each operating round: paid back after 6 rounds"
    assert outcome.notes == [wanted]
    assert told(fresh(), PlaceBid(6, 150), 0).notes == ["If nobody bids more, you pay 150\u00a0M"]


def first_of_its_kind(game):
    """A choice that buys a train which begins a phase, where there is one."""
    starts = {phase.started_by for phase in game.state.sheet.phases} - set(game.state.depot.sold)
    buys = (c for c in game.choices() if isinstance(c.action, BuyTrain) and c.action.source == "display")
    return next((c for c in buys if c.action.train in starts - {"2"}), None)


def test_new_phase_tells_what_it_changes():
    for game in positions():
        choice = first_of_its_kind(game)
        if choice is not None:
            notes = told(game, choice.action, choice.seat).notes
            assert any("phase begins: green tiles" in note for note in notes)
            assert any(note.startswith("Next: First 4-train: 2-trains become obsolete") for note in notes)
            return
    pytest.fail("no new kind of train was ever for sale")


def test_phase_changes_follow_the_sheet():
    lines = info_panels.phase_changes(fresh().state, "green4", speaker(fresh()))
    assert "2-trains become obsolete" in lines
    assert info_panels.phase_changes(fresh().state, "yellow", speaker(fresh())) == ()


@pytest.mark.parametrize(("language", "words"), [("en", "no run left for it"), ("de", "keine Fahrt mehr für ihn")])
def test_idle_train_is_told(language, words):
    game = fresh()
    ran = TrainsRan("RhE", 0, ({"train": "3", "revenue": 0, "stops": [], "bonuses": []},))
    found = terms(ran, speaker(game, language), game.state.board, ("2", "3"))
    assert [term.train[0] for term in found] == ["3", "2"]
    assert found[1].n == 0
    assert found[1].terms == [(words, "")]


def test_told_income_shows_no_idle_train():
    """At a real table the trains ran on a board that is not seen here."""
    game = fresh()
    assert terms(TrainsRan("RhE", 80), speaker(game, "en"), game.state.board, ("2", "3")) == []


def test_payout_adds_up_with_the_bank(steps):
    game = steps["CompanyTurn.pay"]
    seat = game.to_act[0]
    shown = now(game, game.choices(), speaker(game), (seat,))
    card = next(card for card in shown.cards if card.chip.kind == "pay_out")
    decision = decide(game.ruleset, game.state, seat, PayOut())
    revenue = next(e.revenue for e in reversed(game.line()[-1].events) if isinstance(e, TrainsRan))
    parts = [
        int(line.change.replace("+", "").replace(",", "")) for line in card.outcome.money if "−" not in line.change
    ]
    assert isinstance(decision, Decision)
    assert sum(parts) == revenue


def test_marker_that_falls_says_why(steps):
    said = {}
    for game in steps.values():
        for choice in game.choices()[:8]:
            if choice.spans:
                continue
            outcome = told(game, choice.action, choice.seat)
            said |= {note: None for note in outcome.notes if "no revenue" in note}
    texts = Viewer("en").catalogue(fresh().title)
    assert texts.text("event.price.no_revenue", company="RhE", space="65\u00a0M").startswith("RhE has no revenue")
    assert all(" moves left to " in note for note in said)


def test_station_hint_names_its_prices(steps):
    game = steps["CompanyTurn.station"]
    company = current_turn(game.state).company
    text = map_hint(game.state, game.choices(), company, speaker(game))
    costs = game.state.companies[company].stations
    assert all(str(cost) in text for cost in costs if cost)


@pytest.mark.parametrize(("language", "word"), [("en", "power"), ("de", "Sonderfunktion")])
def test_extra_tile_names_its_power(language, word):
    for game in positions():
        shown = now(game, game.choices(), speaker(game, language), game.to_act)
        if {kind for kinds in shown.menu.hexes.values() for kind in kinds} == {"use_private"}:
            numbers = {c.action.private for c in game.choices() if tag_of(c.action) == "use_private"}
            assert all(speaker(game, language).private(n) in shown.hint for n in numbers)
            assert word in shown.question
            return
    pytest.fail("no power alone was ever left")


def test_private_has_five_states():
    game = new_game("18ruhr", ("Ada", "Bert", "Cleo"), seed=1)
    rows = {row.number: row.state for row in info_panels.privates(game.state, speaker(game))}
    assert rows[1] == "absent"
    assert rows[3] == "unsold"
    held = msgspec.structs.replace(fresh().state.privates[6], owner=0, open=False)
    state = msgspec.structs.replace(fresh().state, privates=fresh().state.privates | {6: held})
    assert info_panels.private_status(state, 6) == "exchanged"
    used = msgspec.structs.replace(state.privates[1], owner=0, open=False)
    state = msgspec.structs.replace(state, privates=state.privates | {1: used})
    assert info_panels.private_status(state, 1) == "closed"


@pytest.mark.parametrize(("phase", "words"), [("green", "low values"), ("brown", "high values")])
def test_values_are_low_or_high(phase, words):
    state = msgspec.structs.replace(fresh().state, phase=phase)
    assert info_panels.values_line(state, Viewer("en").catalogue(fresh().title)) == words
