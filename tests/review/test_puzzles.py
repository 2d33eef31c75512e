"""Puzzles: those that come with the games, held against the rules again; how new ones are made."""

from __future__ import annotations

import msgspec
import pytest

from trajekt.engine.actions import LayTile
from trajekt.registry import title
from trajekt.review.puzzles import LAY, RUN, PuzzleFile, make_puzzles, position_of, puzzles_of, solution_of, written
from trajekt.rules.operating_round import current_turn

GAMES = ("18rhl", "18lra", "18ruhr", "18do")
SAMPLE = 9  # of a hundred puzzles every ninth is decided again


@pytest.mark.parametrize("name", GAMES)
def test_hundred_different_puzzles_each(name):
    found = puzzles_of(title(name).package)
    assert len(found.puzzles) == 100
    assert len({(each.game, each.at, each.kind) for each in found.puzzles}) == 100
    kinds = [each.kind for each in found.puzzles]
    assert min(kinds.count(RUN), kinds.count(LAY)) >= 20
    for each in found.puzzles:
        if each.kind == LAY:
            assert max(revenue for at, revenue in each.revenues.items() if at != each.hex) < each.answer


@pytest.mark.parametrize("number", range(0, 100, SAMPLE))
@pytest.mark.parametrize("name", GAMES)
def test_answers_hold_by_playing(name, number):
    found = puzzles_of(title(name).package)
    puzzle = found.puzzles[number]
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
