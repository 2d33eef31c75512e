"""Decisions beside their alternatives: what is played on is held against the game itself, and never called proved."""

from __future__ import annotations

import msgspec
import pytest

from tests.builders.played_moments import played
from trajekt.bots.bot import view_of
from trajekt.bots.search import moment
from trajekt.engine.actions import BuyShare, Pass, PayOut, Withhold
from trajekt.engine.codec import encode
from trajekt.engine.events import TrainsRan
from trajekt.import_18xx import read_export
from trajekt.review import game_review
from trajekt.review.deed_review import brought, deeds_of, review_deed
from trajekt.review.findings import ESTIMATED, findings
from trajekt.review.game_review import ReviewPart, read_review, review_of
from trajekt.review.playing_on import EvenBot, difference, opinions, promise
from trajekt.rules.operating_round import company_in_turn

GAMES = ("18rhl", "18lra", "18ruhr", "18do")
RECORDED = "recorded/18rhl-first-edition-2026.json"


@pytest.fixture(scope="module")
def recorded():
    from tests.conftest import shared_path

    return read_export(shared_path(RECORDED).read_bytes())


def scores(game):
    return {each.seat: each.total for each in game.standings()}


def test_last_payout_by_playing_both(recorded):
    entry = [each for each in recorded.line() if isinstance(each.action, PayOut)][-1]
    ends = []
    for action in (entry.action, Withhold()):
        game = recorded.at(entry.parent)
        game.play(action, entry.seat)
        while not game.finished:  # nothing is left to decide but to buy no train
            game.play(Pass())
        ends.append(scores(game)[entry.seat])
    found = review_deed(recorded, entry)
    assert (found.deed, found.other, found.more) == (PayOut(), Withhold(), ends[1] - ends[0])
    assert found.lead == ends[0] - ends[1] > 0
    assert not found.better


def test_share_brought_dividends_and_price(recorded):
    entry = next(each for each in recorded.line() if isinstance(each.action, BuyShare))
    company = entry.action.company
    paid = 0
    revenue = 0
    for each in recorded.line():
        revenue = next((e.revenue for e in each.events if isinstance(e, TrainsRan) and e.company == company), revenue)
        if isinstance(each.action, PayOut) and recorded.state_at(each.parent).top.company == company:
            paid += revenue // 10
    price = recorded.state_at(entry.parent).price(company)
    assert brought(recorded, entry) == paid + recorded.state.price(company) - price


@pytest.mark.parametrize("name", GAMES)
def test_every_alternative_is_legal(name):
    game = played(name, most=80)
    seen = 0
    for entry in deeds_of(game)[::12]:
        found = review_deed(game, entry)
        if found is not None:
            seen += 1
            other = game.at(entry.parent)
            other.play(found.other, entry.seat)
            assert other.head != entry.parent
            assert found.other != entry.action == found.deed
    assert seen


def test_equal_draws_play_on_equally():
    game = played("18rhl", most=150)
    state = game.state_at(100)
    seat = game.at(100).to_act[0]
    worth = [[promise(game.ruleset, state, state, seat, draw) for draw in range(6)] for _ in range(2)]
    assert worth[0] == worth[1]
    assert difference(*worth, 0).mean == 0
    assert len({opinions(draw)(seat, "x") for draw in range(6)}) == 6


def test_even_bots_forget_what_was():
    """A bot chooses alike at a moment whatever it has drawn before; by another draw it chooses otherwise somewhere."""
    game = played("18rhl", most=150)
    views = [view_of(game.ruleset, game.state_at(entry.parent), entry.seat) for entry in game.line()[60:150:6]]
    views = list({(moment(view.state), company_in_turn(view.state)): view for view in views}.values())
    chosen = {draw: [EvenBot("random", draw).choose(view).action for view in views] for draw in ("1", "2")}
    walking = EvenBot("random", "1")
    assert [walking.choose(view).action for view in views] == chosen["1"] != chosen["2"]


def test_difference_within_error_is_none():
    assert difference([0, 0, 0], [90, 90, 90], 40).surely_more
    assert not difference([0, 0, 0], [70, 70, 70], 40).surely_more
    assert not difference([0, 0, 0], [0, 90, 300], 40).surely_more
    # of two games that say nearly the same no more is known than that they do
    assert not difference([0, 0], [100, 120], 0).surely_more
    assert difference([0] * 8, [100, 120] * 4, 0).surely_more


@pytest.fixture(scope="module")
def short():
    """A game of few entries with its whole review."""
    game = played("18rhl", most=40)
    return game, review_of(game)


def test_playing_on_is_an_estimate(short):
    _, found = short
    kinds = {each.kind for seat in range(4) for each in findings(found, seat) if each.key.startswith("review.decision")}
    assert kinds == {ESTIMATED}
    assert found.deeds


def test_quick_bots_claim_nothing(recorded):
    """Of the purchase of a train in OR 8.3 quick bots say 1,839 Mark more; in whole games 540 fewer came of it."""
    entry = next(each for each in recorded.line() if each.number == 393)
    found = review_deed(recorded, entry)
    assert found.more > 1_000
    assert not found.better


def test_review_goes_on_where_it_stopped(short):
    game, whole = short
    parts = []
    review_of(game, progress=lambda part, _of: parts.append(part))
    for part in (parts[len(parts) // 2], parts[-1]):
        begun = msgspec.json.decode(encode(part), type=ReviewPart)
        later = []
        again = review_of(game, begun=begun, progress=lambda part, _of, later=later: later.append(part))
        assert read_review(encode(again), game) == whole
        assert len(later) == len(parts) - part.done


def test_made_part_is_not_made_again(short, monkeypatch):
    game, whole = short
    parts = []
    review_of(game, deeds=False, progress=lambda part, _of: parts.append(part))
    monkeypatch.setattr(game_review, "review_run", None)
    monkeypatch.setattr(game_review, "review_lays", None)
    assert review_of(game, begun=parts[-1]) == whole
