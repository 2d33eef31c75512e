"""Puzzles: those that come with the games, held against the rules again; how new ones are made."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.builders.played_moments import played
from trajekt.bots.bot import make_bot, next_move
from trajekt.engine.actions import LayTile
from trajekt.engine.codec import to_plain
from trajekt.registry import title
from trajekt.review import puzzles
from trajekt.review.puzzles import (
    LAST,
    LAY,
    MARGIN,
    RUN,
    SALE,
    SAVE,
    PuzzleFile,
    make_puzzles,
    position_of,
    puzzles_of,
    solution_of,
    written,
)
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import current_turn
from trajekt.rules.trains import needs_train

GAMES = ("18rhl", "18lra", "18ruhr", "18do")
SAMPLE = 9  # of all runs and lays every ninth is decided again


@pytest.mark.parametrize("name", GAMES)
def test_hundred_different_puzzles_each(name):
    found = puzzles_of(title(name).package)
    assert len(found.puzzles) == 100
    assert len({(each.game, each.at, each.kind) for each in found.puzzles}) == 100
    kinds = [each.kind for each in found.puzzles]
    assert min(kinds.count(RUN), kinds.count(LAY)) >= 20
    assert set(kinds) <= {RUN, LAY, SAVE, SALE, LAST}
    for each in found.puzzles:
        if each.ways:
            assert each.kind in (SAVE, SALE, LAST)
            assert len(each.ways) >= 3
            assert each.ways[0].worth == each.answer >= each.ways[1].worth + MARGIN
        if each.kind == LAY:
            assert max(revenue for at, revenue in each.revenues.items() if at != each.hex) < each.answer


def asked_of(kind):
    """The puzzles of a kind in all games."""
    shelf = [(name, puzzles_of(title(name).package)) for name in GAMES]
    return [
        pytest.param(found, each, id=f"{name}-{n}")
        for name, found in shelf
        for n, each in enumerate(found.puzzles)
        if each.kind == kind
    ]


@pytest.mark.parametrize(("found", "puzzle"), asked_of(SALE))
def test_sales_hold_by_playing_each(found, puzzle):
    ends = {}
    for way in puzzle.ways:
        game = position_of(found, puzzle)
        seat = game.to_act[0]
        for action in way.actions:
            assert isinstance(game.state.top, ForcedPurchase)
            game.play(action, seat)
        assert not isinstance(game.state.top, ForcedPurchase)
        ends[way.worth] = next(each.total for each in game.standings() if each.seat == seat)
    assert all(worth == end for worth, end in ends.items())
    open_now = {msgspec.json.encode(choice.action, order="sorted") for choice in position_of(found, puzzle).choices()}
    # every choice that is open begins one of the ways, in some order
    begun = {msgspec.json.encode(action, order="sorted") for way in puzzle.ways for action in way.actions}
    assert open_now <= begun


@pytest.mark.parametrize(("found", "puzzle"), asked_of(SAVE))
def test_trains_hold_by_playing_each(found, puzzle):
    for way in puzzle.ways:
        game = position_of(found, puzzle)
        seat, company = game.to_act[0], current_turn(game.state).company
        assert (game.state.companies[company].director, company) == (seat, puzzle.company)
        assert needs_train(game.ruleset, game.state, company)
        for action in way.actions:
            game.play(action, seat)
        turn = current_turn(game.state)
        assert turn is None or turn.company != company or not needs_train(game.ruleset, game.state, company)
        assert next(each.total for each in game.standings() if each.seat == seat) == way.worth
    # what is open and none of the ways begins with it needs the consent of another director, at any price
    begun = {
        (action["kind"], action.get("source"), action.get("train")) for way in puzzle.ways for action in way.actions
    }
    at = position_of(found, puzzle)
    for choice in at.choices():
        plain = to_plain(choice.action)
        if (plain["kind"], plain.get("source"), plain.get("train")) not in begun:
            assert at.state.companies[plain["source"]].director != at.to_act[0]


@pytest.mark.parametrize(("found", "puzzle"), asked_of(LAST))
def test_last_deeds_hold_by_playing_on(found, puzzle):
    """However a game goes on by chance from a deed, it never ends better than the deed is said to allow."""
    for way in puzzle.ways:
        reached = []
        for seed in range(12):
            game = position_of(found, puzzle)
            seat, rng = game.to_act[0], random.Random(seed)
            game.play(way.actions[0], seat)
            bots = [make_bot("random", rng) for _ in game.names]
            while not game.finished:
                by, move = next_move(game.ruleset, game.state, bots, rng)
                game.play(move.action, by)
            reached.append(next(each.total for each in game.standings() if each.seat == seat))
        assert max(reached) <= way.worth


@pytest.mark.parametrize(("found", "puzzle"), (asked_of(RUN) + asked_of(LAY))[::SAMPLE])
def test_answers_hold_by_playing(found, puzzle):
    game = position_of(found, puzzle)
    turn = current_turn(game.state)
    assert turn is not None
    assert turn.company == puzzle.company
    solution = solution_of(game, puzzle)
    assert solution.ran.revenue == puzzle.answer
    if puzzle.kind == RUN:
        assert turn.step == "run"
        assert game.best_runs(puzzle.company).revenue == puzzle.answer
        assert game.best_runs(puzzle.company).proved
        return
    best = {}
    for choice in game.choices():
        if isinstance(choice.action, LayTile):
            other = game.at(game.head)
            other.play(choice)
            revenue = other.best_runs(puzzle.company).revenue
            best[choice.action.hex] = max(best.get(choice.action.hex, 0), revenue)
    assert best == dict(puzzle.revenues)


def test_kinds_are_mixed():
    kinds = {each.kind for name in GAMES for each in puzzles_of(title(name).package).puzzles}
    assert kinds == {RUN, LAY, SAVE, SALE, LAST}


def test_wrong_answer_is_noticed():
    found = puzzles_of(title("18rhl").package)
    puzzle = next(each for each in found.puzzles if each.kind == RUN)
    wrong = msgspec.structs.replace(puzzle, answer=puzzle.answer - 10)
    with pytest.raises(ValueError, match=f"the answer is {puzzle.answer}"):
        solution_of(position_of(found, puzzle), wrong)


def test_equal_seeds_make_equal_puzzles():
    made = [make_puzzles(title("18do"), 4, 7) for _ in range(2)]
    assert written(made[0]) == written(made[1])
    again = msgspec.json.decode(written(made[0]), type=PuzzleFile)
    assert again.puzzles == made[0].puzzles
    assert [msgspec.json.decode(each.actions) for each in again.games] == [
        msgspec.json.decode(each.actions) for each in made[0].games
    ]


def test_unproved_answer_is_no_puzzle(monkeypatch):
    known = puzzles.best_in

    def cut_off(*args):
        found = known(*args)
        return type(found)(found.runs, found.revenue, False, found.seconds)

    game = played("18rhl", most=120)
    assert {each.kind for each in puzzles._taken(game, 0, 10, 1)} == {RUN, LAY}
    monkeypatch.setattr(puzzles, "best_in", cut_off)
    assert puzzles._taken(game, 0, 10, 1) == []
