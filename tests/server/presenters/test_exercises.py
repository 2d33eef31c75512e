"""Exercises: each plays by today's rules, asks its kind of decision, tells good moves from bad, and leads to the next."""

from __future__ import annotations

import pytest

from trajekt.bots.bot import view_of
from trajekt.bots.candidate_moves import ideas
from trajekt.registry import names, title
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.guided_turn import advice, exercises_of, played
from trajekt.server.presenters.move_feedback import same_move, verdict_of
from trajekt.server.storage.cached_game import CachedGame

EXERCISES = [(name, each) for name in names() for each in exercises_of(title(name).package)]
IDS = [f"{name}-{each.name}" for name, each in EXERCISES]


def said(game, language="en"):
    return advice(game, Viewer(language).speaker(game.title, game.state))


def verdict(game, exercise, language="en"):
    speaker = Viewer(language).speaker(game.title, game.state)
    return verdict_of(CachedGame("x", game), game, exercise.seat, len(exercise.actions), speaker)


def test_second_edition_has_six_exercises():
    assert [each.name for each in exercises_of(title("18rhl").package)] == [
        "bid",
        "found",
        "tile",
        "run",
        "train",
        "sell",
    ]


@pytest.mark.parametrize("game", names())
def test_each_game_has_exercises(game):
    assert len(exercises_of(title(game).package)) >= 4


@pytest.mark.parametrize(("name", "exercise"), EXERCISES, ids=IDS)
def test_exercise_begins_with_its_task(name, exercise):
    game = played(exercise)
    assert list(game.to_act) == [exercise.seat]
    for language in ("de", "en"):
        task = said(game, language)
        assert task.first
        assert not task.done
        assert len(task.text.split()) > 7
        assert "{" not in task.text
        assert verdict(game, exercise, language) is None


@pytest.mark.parametrize(("name", "exercise"), EXERCISES, ids=IDS)
def test_best_move_is_called_good(name, exercise):
    game = played(exercise)
    while not said(game).done:
        best = ideas(view_of(game.ruleset, game.state, exercise.seat))[0]
        game.play(best.action, exercise.seat)
    found = verdict(game, exercise)
    assert found.mark == "good"
    assert len(found.text.split()) > 5
    assert "‹" not in found.text
    assert said(game).next in {each.name for each in exercises_of(game.title.package)} - {exercise.name}


@pytest.mark.parametrize(("name", "exercise"), [e for e in EXERCISES if e[1].name != "run"])
def test_passing_is_told_what_was_better(name, exercise):
    game = played(exercise)
    better = ideas(view_of(game.ruleset, game.state, exercise.seat))[0]
    game.play({"kind": "pass"}, exercise.seat)
    found = verdict(game, exercise)
    assert found.mark in {"fair", "poor"}
    assert said(game).done
    assert not same_move(better.action, game.line()[-1].action)


def test_open_numbers_make_no_other_move():
    game = played(exercises_of(title("18rhl").package)[0])
    bid, more, other = (
        game.codec.action(f'{{"kind": "bid", "private": {private}, "amount": {amount}}}')
        for private, amount in ((3, 55), (3, 60), (4, 85))
    )
    assert same_move(bid, more)
    assert not same_move(bid, other)
