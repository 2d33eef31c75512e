"""The review of a game against a slow second way: each claim is played through the game itself."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.builders.played_moments import played
from trajekt.bots.bot import next_move
from trajekt.engine.actions import LayTile, RunTrains
from trajekt.engine.events import TrainsRan
from trajekt.game import Refused
from trajekt.i18n.sentences import LANGUAGES
from trajekt.import_18xx import read_export
from trajekt.review import lay_review, run_review
from trajekt.review.findings import ESTIMATED, HAPPENED, PROVED, GameFinding, findings, sentence, speaker
from trajekt.review.game_review import review_of
from trajekt.review.investments import investments
from trajekt.review.operating_turns import operating_turns
from trajekt.review.playing_on import even_bots

GAMES = ("18rhl", "18lra", "18ruhr", "18do")
RECORDED = "recorded/18rhl-first-edition-2026.json"


def earned(entry):
    return sum(event.revenue for event in entry.events if isinstance(event, TrainsRan))


@pytest.fixture(scope="module")
def recorded():
    from tests.conftest import shared_path

    return read_export(shared_path(RECORDED).read_bytes())


@pytest.mark.parametrize("name", GAMES)
def test_every_run_lies_in_one_turn(name):
    game = played(name, most=250)
    ran = [(entry.number, event) for entry in game.line() for event in entry.events if isinstance(event, TrainsRan)]
    turns = [turn for turn in operating_turns(game) if turn.run is not None]
    found = {turn.entries[turn.run].number: (turn.company, turn.revenue) for turn in turns}
    for number, event in ran:
        # a company that can decide nothing before its run has run, without a train, when the turn before it ends
        assert found.get(number) == (event.company, event.revenue) or event.revenue == 0
    assert sum(turn.revenue for turn in turns) == sum(event.revenue for _, event in ran)
    numbers = [entry.number for turn in operating_turns(game) for entry in turn.entries]
    assert len(numbers) == len(set(numbers))


def test_lost_runs_are_really_possible(recorded):
    found = review_of(recorded, lays=False, deeds=False)
    assert (len(found.runs), sum(run.taken for run in found.runs)) == (84, 26_720)
    below = [run for run in found.runs if run.lost]
    assert (len(below), sum(run.lost for run in below)) == (51, 2280)
    for run in below:
        assert earned(recorded.at(run.entry - 1).play(RunTrains(run.runs))) == run.best > run.taken


def test_run_made_worse_is_noticed():
    game = played("18rhl", most=250)
    ran = [
        (turn, turn.entries[turn.run]) for turn in operating_turns(game) if turn.run is not None and turn.revenue > 0
    ]
    turn, entry = next((turn, entry) for turn, entry in reversed(ran) if len(entry.action.runs) > 1)
    assert run_review.review_run(game, turn).lost == 0
    worse = game.at(entry.parent)
    worse.play(RunTrains(entry.action.runs[:1]), entry.seat)
    run = run_review.review_run(worse, operating_turns(worse)[-1])
    assert (run.best, run.proved, run.lost > 0) == (turn.revenue, True, True)


def played_on(game, entries):
    """Carry out the actions of entries; None where one is refused."""
    try:
        for entry in entries:
            game.play(entry.action, entry.seat)
    except Refused:
        return None
    return game


@pytest.mark.parametrize("name", GAMES)
def test_other_lays_by_playing_each(name):
    game = played(name, most=250)
    turns = [t for t in operating_turns(game) if any(isinstance(e.action, LayTile) for e in t.before_run) and t.revenue]
    for turn in turns[-2:]:
        for found in lay_review.review_lays(game, turn):
            place = [entry.number for entry in turn.entries].index(found.entry)
            entry = turn.entries[place]
            revenues = {}
            for choice in game.at(entry.parent).choices(entry.seat):
                if isinstance(choice.action, LayTile):
                    other = game.at(entry.parent)
                    other.play(choice)
                    after = played_on(other, turn.entries[place + 1 : turn.run])
                    if after is not None and isinstance(after.choices()[0].action, RunTrains):
                        revenues[choice.action] = after.best_runs(turn.company).revenue
                    elif after is not None:
                        revenues[choice.action] = 0
            assert revenues.pop(entry.action) == found.with_lay
            assert found.tried == len(revenues)
            assert found.best == max([found.with_lay, *revenues.values()])
            assert (found.other is None) == (found.best == found.with_lay)
            assert found.other is None or revenues[found.other] == found.best


@pytest.fixture(scope="module")
def late_lay(recorded):
    """The last lay of the recorded game in whose place another would have earned more, with its turn."""
    for turn in reversed(operating_turns(recorded)):
        for lay in lay_review.review_lays(recorded, turn):
            if lay.other is not None:
                return turn, lay
    raise AssertionError


def test_end_of_lay_by_playing(recorded, late_lay):
    turn, lay = late_lay
    found = lay_review.with_outlook(recorded, turn, lay)
    place = [entry.number for entry in turn.entries].index(lay.entry)
    draws = range(2, 8) if found.draws == 6 else range(2)  # the first two only tell whether more are worth while
    ends = []
    for each in (lay.lay, lay.other):
        game = recorded.at(turn.entries[place].parent)
        game.play(each)
        game = played_on(game, turn.entries[place + 1 : turn.run])
        ends.append(0)
        for draw in draws:
            later = game.at(game.head)
            bots = even_bots("steady", later.state, str(draw))
            while not later.finished:
                seat, move = next_move(later.ruleset, later.state, bots, random.Random(draw))
                later.play(move.action, seat)
            ends[-1] += next(each.total for each in later.standings() if each.seat == lay.director)
    assert (found.draws, found.more) == (len(draws), round((ends[1] - ends[0]) / len(draws)))
    assert found == msgspec.structs.replace(lay, more=found.more, error=found.error, draws=found.draws)


def test_cost_of_other_lay_by_playing(recorded, late_lay):
    turn, lay = late_lay
    left = []
    for each in (lay.lay, lay.other):
        game = recorded.at(lay.entry - 1)
        game.play(each)
        left.append(game.state.companies[turn.company].treasury)
    assert lay.dearer == left[0] - left[1]


def told_of(recorded, lay):
    review = review_of(recorded, lays=False, deeds=False)
    review = msgspec.structs.replace(review, lays=(lay,))
    by = speaker(recorded.title, recorded.ruleset.sheet, review.names, "en")
    return {each.key: (each.kind, sentence(by, each)) for each in findings(review, lay.director)}


@pytest.mark.parametrize(("more", "key"), [(90, "review.lay_lasts"), (-90, "review.lay_lasts_not"), (20, None)])
def test_lay_is_proved_its_end_estimated(recorded, late_lay, more, key):
    _, lay = late_lay
    found = told_of(recorded, msgspec.structs.replace(lay, more=more, error=15, draws=6, dearer=40))
    assert found["review.lays_better"][0] == PROVED
    assert "cost 40\u00a0M more" in found["review.lays_better"][1]
    told = {name for name in found if name.startswith("review.lay_")}
    assert told == ({key} if key else set())
    if key:
        assert found[key][0] == ESTIMATED
        assert "90\u00a0M" in found[key][1]
        assert "± 15" in found[key][1]


def test_lay_as_dear_costs_nothing_more(recorded, late_lay):
    _, lay = late_lay
    assert "cost" not in told_of(recorded, msgspec.structs.replace(lay, dearer=0))["review.lays_better"][1]


def test_rounds_read_in_the_language(recorded):
    finding = GameFinding("review.fell", HAPPENED, 0, {"round": "SR 3", "amount": 60})
    trainless = GameFinding("review.trainless", HAPPENED, 0, {"company": "GVE", "rounds": ["OR 7.1", "OR 7.2"]})
    by = speaker(recorded.title, recorded.ruleset.sheet, recorded.state.names, "de")
    assert "AR 3" in sentence(by, finding)
    assert "OR 7.1, OR 7.2" in sentence(by, trainless)
    brewing = played("18do", most=1)
    by = speaker(brewing.title, brewing.ruleset.sheet, brewing.state.names, "de")
    finding = GameFinding("review.gained", HAPPENED, 0, {"round": "BR 3.1", "amount": 60})
    assert "Brauereirunde 3.1" in sentence(by, finding)


@pytest.mark.parametrize("name", GAMES)
def test_accounts_add_up_to_the_score(name):
    game = played(name, most=250)
    accounts = investments(game)
    for standing in game.standings():
        began = game.state_at(0).players[standing.seat].cash
        gained = sum(each.gain for each in accounts if each.seat == standing.seat)
        assert began + gained == standing.total + standing.deducted
    if not game.finished:
        return
    assert sum(each.value for each in accounts) > 0


def test_estimate_is_never_called_proved(recorded, monkeypatch):
    known = run_review.best_in

    def cut_off(*args):
        found = known(*args)
        return type(found)(found.runs, found.revenue, False, found.seconds)

    def kinds(review):
        told = [each for seat in range(3) for each in findings(review, seat)]
        return {each.kind for each in told if each.key == "review.runs_below_best"}

    assert kinds(review_of(recorded, lays=False, deeds=False)) == {PROVED}
    monkeypatch.setattr(run_review, "best_in", cut_off)
    assert kinds(review_of(recorded, lays=False, deeds=False)) == {ESTIMATED}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_findings_are_few_and_whole(name, language):
    game = played(name, most=250)
    found = review_of(game, lays=False, deeds=False)
    by = speaker(game.title, game.ruleset.sheet, found.names, language)
    for seat in range(len(found.names)):
        told = findings(found, seat)
        assert 1 <= len(told) <= 10
        for each in told:
            text = sentence(by, each)
            assert text.endswith(".")
            assert not set(text) & set("{}‹›[]")
            assert "  " not in text
            assert 0 <= each.entry <= game.number


@pytest.mark.parametrize("language", LANGUAGES)
def test_payments_are_no_part_of_gain(recorded, language):
    """Where a price has fallen a company has paid more than it gained."""
    finding = GameFinding(
        "review.best_company", HAPPENED, 0, {"company": "GVE", "cost": 400, "income": 500, "amount": 300}
    )
    told = sentence(speaker(recorded.title, recorded.ruleset.sheet, recorded.state.names, language), finding)
    assert "500" in told
    assert "of it" not in told
    assert "davon" not in told


def test_a_train_gone_is_told(recorded):
    found = review_of(recorded, lays=False, deeds=False)
    told = {seat: {each.key: each.values for each in findings(found, seat)} for seat in range(3)}
    assert told[0]["review.trainless"] == {"company": "CCE", "count": 1, "rounds": ["OR 7.2"]}
    assert told[0]["review.won"] == {"worth": 9939, "amount": 824}
