"""Figures of a game by round: they are those of the positions, and the recorded game's book agrees Mark by Mark."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

import trajekt
from tests.builders.recorded_game import CHECKPOINTS, RECORDED
from tests.conftest import shared_path
from trajekt.cli import main
from trajekt.engine.events import TrainsRan
from trajekt.game_statistics import (
    COLUMNS,
    GameStatistics,
    PlayerFigures,
    RoundFigures,
    played_rounds,
    rows,
    statistics_csv,
    statistics_of,
)
from trajekt.import_18xx import read_export
from trajekt.records import to_json

OUR_NAME = {"KEG": "MKB"}
"""Companies that the site calls otherwise (CMP-07)."""


@pytest.fixture(scope="module")
def recorded():
    return read_export(shared_path(RECORDED).read_bytes())


@pytest.fixture(scope="module")
def figures(recorded):
    return statistics_of(recorded)


def test_last_round_has_standings(recorded, figures):
    assert [player.worth for player in figures.rounds[-1].players] == [
        next(row.total for row in recorded.standings() if row.seat == seat) for seat in range(3)
    ]
    assert sum(player.worth for player in figures.rounds[-1].players) == 27_783


def test_each_round_stands_once(figures):
    names = [each.round for each in figures.rounds]
    assert len(set(names)) == len(names)
    assert "OR 7.2" in names


def test_events_add_up_to_cash(recorded, figures):
    """A book kept from the payments of the log agrees with each round's cash and treasuries."""
    book: dict[object, int] = {}
    payments = iter(
        (entry.number, event) for entry in recorded.line() for event in entry.events if type(event).__name__ == "Paid"
    )
    start = {seat: player.cash for seat, player in enumerate(recorded.state_at(0).players)}
    book.update(start)
    ahead = next(payments, None)
    for each in figures.rounds:
        told = {
            **dict(enumerate(player.cash for player in each.players)),
            **{c: o.treasury for c, o in each.companies.items()},
        }
        while (
            ahead is not None
            and ahead[0] <= each.entry
            and any(book.get(who, 0) != money for who, money in told.items())
        ):
            paid = ahead[1]
            book[paid.source] = book.get(paid.source, 0) - paid.amount
            book[paid.target] = book.get(paid.target, 0) + paid.amount
            ahead = next(payments, None)
        assert {who: book.get(who, 0) for who in told} == told, each.round
    assert {seat: book[seat] for seat in start} == {
        seat: player.cash for seat, player in enumerate(recorded.state.players)
    }


def test_operating_rounds_change_cash_by_income(recorded, figures):
    """Where a player pays nothing and sells nothing in an operating round, his cash grows by just the incomes told."""
    compared = 0
    rounds = {each.round.key: each for each in played_rounds(recorded)}
    for before, after in zip(figures.rounds, figures.rounds[1:], strict=False):
        if not after.round.startswith("OR"):
            continue
        other = {
            seat
            for event in rounds[after.round].events
            if type(event).__name__ == "Paid" and event.cause not in ("dividend", "private")
            for seat in (event.source, event.target)
        }
        for seat in range(3):
            if seat not in other:
                told = after.players[seat].dividends + after.players[seat].privates
                assert after.players[seat].cash - before.players[seat].cash == told, (after.round, seat)
                compared += told > 0
    assert compared >= 30


def test_revenue_stands_in_its_round(recorded, figures):
    found = {each.round: each.companies for each in figures.rounds}
    assert found["OR 7.2"]["GVE"].revenue == 340
    assert found["OR 7.2"]["RhE"].revenue == 320
    total = sum(event.revenue for entry in recorded.line() for event in entry.events if isinstance(event, TrainsRan))
    assert total == sum(one.revenue or 0 for each in figures.rounds for one in each.companies.values())


def standing_actions(data: bytes) -> list[dict[str, Any]]:
    """The actions of an export that nobody took back, read without any of our code (CMP-01)."""
    standing: list[dict[str, Any]] = []
    for action in json.loads(data)["actions"]:
        if action["type"] != "undo":
            standing.extend([action, *({"id": action["id"], **each} for each in action.get("auto_actions", ()))])
        elif action.get("action_id") is not None:
            standing = [each for each in standing if each["id"] <= action["action_id"]]
        else:
            last = standing[-1]["id"]
            standing = [each for each in standing if each["id"] != last]
    return standing


def recorded_runs(data: bytes) -> dict[str, list[tuple[int, bool]]]:
    """By company what the file says of each run, in order: the sum of its routes, and whether it was withheld."""
    runs: dict[str, list[tuple[int, bool]]] = {}
    for action in standing_actions(data):
        company = OUR_NAME.get(str(action["entity"]), str(action["entity"]))
        if action["type"] == "run_routes":
            earned = sum(route["revenue"] for route in action["routes"])
            runs.setdefault(company, []).append((earned, False))
        elif action["type"] == "dividend" and action["kind"] == "withhold":
            runs[company][-1] = (runs[company][-1][0], True)
    return runs


def test_runs_are_those_of_file(figures):
    """Every revenue and every withheld income is the one that the site wrote down, company by company, none too many."""
    told: dict[str, list[tuple[int, bool]]] = {}
    for each in figures.rounds:
        for company, one in each.companies.items():
            if one.revenue:
                told.setdefault(company, []).append((one.revenue, bool(one.withheld)))
    said = recorded_runs(shared_path(RECORDED).read_bytes())
    assert told == {company: [run for run in runs if run[0]] for company, runs in said.items()}
    assert sum(map(len, told.values())) > 70


@pytest.mark.parametrize("line", CHECKPOINTS.strip().splitlines()[1:])
def test_figures_are_those_of_site(recorded, figures, line):
    """Cash, prices, treasuries, trains and bank before each stock round and at the end, as the site's engine has them."""
    name, _, _, cash, companies, bank = (part.strip() for part in line.split("|"))
    names = [each.round for each in figures.rounds]
    before = figures.rounds[names.index(name) - 1 if name in names else -1]
    # money set aside for the RhE still counts as the bank's in the site's books (CMP-13)
    assert before.bank + sum(recorded.state_at(before.entry).aside.values()) == int(bank)
    assert ", ".join(f"{each.name.replace('layer ', '')} {each.cash}" for each in sorted_players(before)) == cash
    assert {
        company: f"{one.price}/{one.treasury}/{'+'.join(sorted(one.trains))}"
        for company, one in before.companies.items()
    } == {OUR_NAME.get(part[:3], part[:3]): part[4:] for part in companies.split("; ")}


def sorted_players(figures: RoundFigures) -> list[PlayerFigures]:
    return sorted(figures.players, key=lambda each: each.name)


def player_names(data: bytes) -> dict[int, str]:
    return {player["id"]: player["name"] for player in json.loads(data)["players"]}


def test_holdings_change_as_file_says(figures):
    """Between two stock rounds each holding changes by what the file says was founded, bought and sold in between."""
    data = shared_path(RECORDED).read_bytes()
    names, begins = player_names(data), {}
    for line in CHECKPOINTS.strip().splitlines():
        name, at, *_ = (part.strip() for part in line.split("|"))
        begins[name] = int(at)
    rounds = [each.round for each in figures.rounds]
    compared = 0
    for n in range(2, 10):
        until = begins.get(f"SR {n + 1}", begins["End"])
        said: Counter[tuple[str, str]] = Counter()
        for action in standing_actions(data):
            kind = action["type"]
            if begins[f"SR {n}"] < action["id"] <= until and kind in ("par", "buy_shares", "sell_shares"):
                company = str(action.get("corporation") or action["shares"][0].partition("_")[0])
                percent = -action["percent"] if kind == "sell_shares" else action.get("percent", 20)
                said[names[action["entity"]], OUR_NAME.get(company, company)] += percent
        at = rounds.index(f"SR {n}")
        told: Counter[tuple[str, str]] = Counter()
        behind = rounds.index(f"SR {n + 1}") if f"SR {n + 1}" in rounds else len(rounds)
        for sign, each in ((-1, figures.rounds[at - 1]), (1, figures.rounds[behind - 1])):
            for player in each.players:
                for company, percent in player.shares.items():
                    told[player.name, company] += sign * percent
        assert {who: change for who, change in told.items() if change} == {w: c for w, c in said.items() if c}, n
        compared += len(said)
    assert compared >= 20


def test_final_worth_is_result_of_file(figures):
    data = json.loads(shared_path(RECORDED).read_bytes())
    names = player_names(shared_path(RECORDED).read_bytes())
    said = {names[int(id_)]: worth for id_, worth in data["result"].items()}
    assert {player.name: player.worth for player in figures.rounds[-1].players} == said


def test_withheld_revenue_is_no_dividend(figures):
    """The companies of this game withheld eight times; what runs and is not withheld is paid, to the last Mark."""
    withheld = [one for each in figures.rounds for one in each.companies.values() if one.withheld]
    assert len(withheld) == 8
    assert all(one.withheld == one.revenue for one in withheld)


def test_undone_entries_are_left_out():
    game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 2, "fixed_seats": True}, seed=7)
    before = statistics_of(game)
    game.play(game.choices()[0])
    game.undo()
    again = statistics_of(game)
    assert again.rounds == before.rounds


def test_csv_has_each_figure_once(figures):
    table = list(csv.reader(io.StringIO(statistics_csv(figures).decode())))
    assert tuple(table[0]) == COLUMNS
    assert len(table) - 1 == len(rows(figures))
    assert len({tuple(row[:6]) for row in table}) == len(table)


def test_name_is_no_formula():
    game = trajekt.new_game("18rhl", ["=1+1", "Bert", "Cleo"], {"edition": 2, "fixed_seats": True}, seed=7)
    names = {row[4] for row in csv.reader(io.StringIO(statistics_csv(statistics_of(game)).decode()))}
    assert "'=1+1" in names
    assert "=1+1" not in names


def test_command_prints_json_and_csv(tmp_path, recorded, figures):
    file = tmp_path / "game.json"
    file.write_bytes(to_json(recorded))
    said = CliRunner().invoke(main, ["stats", str(file), "--json"])
    assert msgspec.convert(json.loads(said.stdout), GameStatistics) == figures
    assert CliRunner().invoke(main, ["stats", str(file), "--csv"]).stdout_bytes == statistics_csv(figures)
    assert CliRunner().invoke(main, ["stats", str(file), "--csv", "--json"]).exit_code == 2
    assert "OR 7.2" in CliRunner().invoke(main, ["stats", str(file)]).stdout


@pytest.mark.parametrize("title", ["18rhl", "18lra", "18ruhr", "18do"])
def test_every_game_has_figures(title):
    game = trajekt.new_game(title, ["Ada", "Bert", "Cleo"], seed=11)
    for _ in range(60):
        game.play(game.choices()[0])
    found = statistics_of(game)
    worth = {row.seat: row.total for row in game.standings()}
    assert [player.worth for player in found.rounds[-1].players] == [worth[seat] for seat in range(3)]
