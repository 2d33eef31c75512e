"""The timeline of games: the figures of the recorded game are those of its rule sheet, and bots' games add up."""

from __future__ import annotations

from click.testing import CliRunner

from tests.conftest import shared_path
from trajekt.bots import timeline
from trajekt.bots.arena import schedule
from trajekt.cli import main
from trajekt.import_18xx import read_export

RECORDED = "recorded/18rhl-first-edition-2026.json"


def test_recorded_game_told_by_round():
    found = timeline.of_game(read_export(shared_path(RECORDED).read_bytes()))
    assert found.totals == (9939, 8729, 9115)
    assert [each.kind for each in found.rounds[:4]] == ["stock", "operating", "stock", "operating"]
    # before SR 9 (rule sheet, 19.4): cash 2162 + 2051 + 1874, treasuries of eight companies, two 8-trains among 13
    before = next(each for each in found.rounds if each.kind == "operating" and each.number == 14)
    assert before.cash == 6087
    assert before.treasuries == 25 + 0 + 468 + 140 + 51 + 79 + 140 + 90
    assert before.trains == {"5": 3, "6": 5, "8": 2}
    assert found.first_trains() == {"2": 1, "3": 4, "4": 8, "5": 9, "6": 10, "8": 12}


def test_rounds_hold_what_players_have():
    plan = schedule("18rhl", ("random", "random", "random"), 1, 5, edition=2)[0]
    played = timeline.played_by_bots(plan)
    assert len(played.totals) == 3
    assert [each.number for each in played.rounds if each.kind == "operating"] == list(
        range(1, 1 + sum(each.kind == "operating" for each in played.rounds))
    )
    assert all(0 <= each.idle <= 1 for each in played.rounds)


def test_means_count_games_reached():
    end = timeline.RoundEnd("operating", 1, 10, 0, 90, 40, 1, 0, {"2": 2})
    later = timeline.RoundEnd("operating", 2, 10, 0, 90, 60, 1, 0, {"3": 1})
    found = [timeline.Timeline((end, later), (100,)), timeline.Timeline((end,), (300,))]
    assert [(each.number, each.games, each.revenue) for each in timeline.mean_rounds(found)] == [(1, 2, 40), (2, 1, 60)]
    text = timeline.report(found)
    assert "first 3-train: in 1 of 2 games, on average in OR 2.0" in text
    assert "all seats together: 200 M in the mean of 2 games" in text


def test_command_prints_games_beside_record():
    beside = str(shared_path(RECORDED))
    found = CliRunner().invoke(
        main, ["timeline", "18rhl", "random", "random", "random", "--games", "1", "--beside", beside]
    )
    assert found.exit_code == 0, found.output
    assert found.output.count("first 2-train") == 2
    assert "all seats together: 27,783 M" in found.output


def test_unknown_edition_is_named():
    found = CliRunner().invoke(main, ["timeline", "18rhl", "random", "random", "random", "--edition", "7"])
    assert found.exit_code == 2
    assert "no edition 7 for 3 players" in found.output
