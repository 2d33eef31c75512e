"""Proposals: what another player must agree to is called an offer, on the button and in the log, and says who is asked."""

from __future__ import annotations

import pytest

from trajekt.engine.actions import BuyTrain, Decline
from trajekt.engine.decisions import decide
from trajekt.game import Game, new_game
from trajekt.registry import title
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.choice_groups import menu
from trajekt.server.presenters.game_log import entry_text
from trajekt.server.presenters.guided_turn import guided_of, played
from trajekt.server.presenters.offers import asked_of, deed_label


@pytest.fixture(scope="module")
def at_trains() -> Game:
    """The guided turn of 18Rhl at its step of trains, with trains of others within reach."""
    game = played(guided_of(title("18rhl").package))
    while not any(isinstance(choice.action, BuyTrain) and choice.spans for choice in game.choices()):
        kinds = {choice.action.__struct_config__.tag: choice for choice in game.choices() if not choice.spans}
        best = next(kinds[kind] for kind in ("run_trains", "pay_out", "pass") if kind in kinds)
        game.play(best.action, best.seat)
    return game


def offers(game):
    return [choice for choice in game.choices() if isinstance(choice.action, BuyTrain) and choice.spans]


@pytest.mark.parametrize(("language", "words"), [("en", "Offer Bert 1"), ("de", "Bert 1")])
def test_button_says_who_is_asked(at_trains, language, words):
    game = at_trains
    speaker = Viewer(language).speaker(game.title, game.state)
    choice = next(each for each in offers(game) if game.state.companies[each.action.source].director == 1)
    after = decide(game.ruleset, game.state, choice.seat, choice.action).state
    assert asked_of(game.ruleset, after, choice.seat) == 1
    assert deed_label(game.ruleset, choice, after, speaker).startswith(words)


def test_own_deed_is_no_proposal(at_trains):
    game = at_trains
    speaker = Viewer("en").speaker(game.title, game.state)
    passing = next(choice for choice in game.choices() if choice.action.__struct_config__.tag == "pass")
    after = decide(game.ruleset, game.state, passing.seat, passing.action).state
    assert deed_label(game.ruleset, passing, after, speaker) == "Pass"


def test_row_says_who_decides(at_trains):
    game = at_trains
    speaker = Viewer("en").speaker(game.title, game.state)
    shown = menu(game, game.state, game.choices(), speaker, game.to_act)
    notes = {row.key: row.note for group in shown.groups for row in group.rows if row.company}
    for company, note in notes.items():
        director = game.state.companies[company].director
        assert note == (
            "yours too: any price" if director in game.to_act else f"{game.state.names[director]} must agree"
        )


def test_log_tells_declined_offer(at_trains):
    game = at_trains.at(at_trains.number)
    speaker = Viewer("en").speaker(game.title, game.state)
    choice = next(each for each in offers(game) if game.state.companies[each.action.source].director == 1)
    asked = game.play(choice.action, choice.seat)
    declined = game.play(Decline(), 1)
    heads = [entry_text(game, entry, speaker)[0] for entry in (asked, declined)]
    assert " offers Bert 1" in heads[0]
    assert " buys " not in heads[0]
    assert heads[1] == "Bert declines the offer"


def test_lot_tells_price_and_bids():
    """In the Starting Round of 18DO a bid comes on top of a price: each row tells it, and who has bid."""
    game = new_game("18do", ("Ada", "Bert", "Cleo"), {"fixed_seats": True}, 1)
    bid = game.choices()[2].action
    game.play(bid)
    speaker = Viewer("en").speaker(game.title, game.state)
    shown = menu(game, game.state, game.choices(), speaker, [1])
    notes = {row.card: row.note for group in shown.groups for row in group.rows}
    sheet = game.state.sheet
    for lot in {choice.action.private for choice in game.choices()}:
        assert f"printed price {sheet.privates[lot].price} M" in notes[f"private/{lot}"].replace("\xa0", " ")
    assert "Ada" in notes[f"private/{bid.private}"]
    assert sum("Ada" in note for note in notes.values()) == 1


def test_package_has_one_row_each():
    """In 18Ruhr each item of the Starting Package is one row with its prices, however many values the BME may begin at."""
    game = new_game("18ruhr", ("Ada", "Bert", "Cleo"), {"fixed_seats": True}, 1)
    speaker = Viewer("en").speaker(game.title, game.state)
    shown = menu(game, game.state, game.choices(), speaker, game.to_act)
    rows = next(group.rows for group in shown.groups if group.kind == "buy_item")
    titles = [row.title for row in rows]
    assert len(titles) == len(set(titles)) > 3
    labels = {row.title: [chip.label.replace("\xa0", " ") for chip in row.chips] for row in rows}
    assert labels["Private BME"][0] == "BME at 50 M · 150 M"
    assert all(label[0].isdigit() for title, chips in labels.items() if len(chips) == 1 for label in chips), labels
