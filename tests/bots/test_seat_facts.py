"""What a position is worth as learned from games: facts of a seat, their weights by game, and how they are learned."""

from __future__ import annotations

import random
from functools import cache
from types import SimpleNamespace

import msgspec
import pytest
from tools import learn_value

from tests.builders.bot_rulesets import ruleset_of
from trajekt.bots import seat_facts
from trajekt.bots.arena import schedule
from trajekt.bots.bot import make_bot, next_move
from trajekt.bots.evaluation import prospects
from trajekt.bots.seat_facts import facts, lead, total, value_of
from trajekt.engine.decisions import decide, start
from trajekt.registry import names, title
from trajekt.round_label import round_of


@cache
def position(key="SR 3", seed=9):
    """The first position of a round in a game between `steady` players, with its ruleset."""
    ruleset, rng = ruleset_of(2), random.Random(seed)
    players = [make_bot("steady", rng) for _ in range(3)]
    state = start(ruleset, ("Ada", "Bert", "Cleo"), seed).state
    while round_of(state).key != key:
        seat, move = next_move(ruleset, state, players, rng)
        state = decide(ruleset, state, seat, move.action).state
    return ruleset, state


def test_leads_are_about_the_mean():
    ruleset, state = position()
    leads = [lead(ruleset, state, seat) for seat in range(3)]
    assert sum(leads) == pytest.approx(0)
    assert max(leads) - min(leads) > 10


def test_totals_are_level_and_lead():
    ruleset, state = position()
    totals = [total(ruleset, state, seat) for seat in range(3)]
    assert totals[0] - totals[1] == pytest.approx(lead(ruleset, state, 0) - lead(ruleset, state, 1))
    # three steady players have some 18,000 M at the end
    assert 4_000 < sum(totals) / 3 < 9_000


def test_ended_game_is_its_totals():
    ruleset, state = position()
    ended = msgspec.structs.replace(state, outcome="bank")
    totals = {each.seat: each.total for each in title("18rhl").standings(ended)}
    assert [total(ruleset, ended, seat) for seat in range(3)] == pytest.approx([totals[seat] for seat in range(3)])
    assert lead(ruleset, ended, 0) == pytest.approx(totals[0] - sum(totals.values()) / 3)


def test_facts_add_up():
    ruleset, state = position()
    for seat in range(3):
        known = facts(ruleset, state, seat)
        shares = sum(
            c.percent(seat) // state.sheet.companies[c.id].share * state.price(c.id) for c in state.companies.values()
        )
        assert known["cash"] == state.players[seat].cash
        assert known["at_price"] == pytest.approx(shares)
        assert known["prospects"] == prospects(state, seat)
        assert known["treasury"] == sum(state.companies[name].treasury for name in state.directed_companies(seat))


@pytest.mark.parametrize("game", names())
def test_weights_name_known_facts(game):
    ruleset, state = position()
    learned = value_of(game)
    if learned is not None:
        assert {*learned.level, *learned.lead} <= set(facts(ruleset, state, 0))
    assert (learned is None) == (game != "18rhl")


def test_unknown_game_has_no_weights():
    assert seat_facts.value_of("chess") is None


def test_value_is_learned_from_games(tmp_path, capsys, monkeypatch):
    kept, out = tmp_path / "facts.jsonl", tmp_path / "value.json"
    asked = ["18lra", "random", "random", "random", "--games", "5", "--facts", str(kept), "-o", str(out)]
    monkeypatch.setattr("sys.argv", ["learn_value.py", *asked])
    learn_value.main()
    first = kept.read_bytes()
    told = capsys.readouterr().out
    assert told.startswith("5 games")
    assert "learned" in told
    assert len(learn_value.games_of(kept)) == 5
    # games that are there are not played again
    monkeypatch.setattr(learn_value, "play_out", None)
    learn_value.main()
    assert kept.read_bytes() == first
    assert set(learn_value.msgspec.json.decode(out.read_bytes())["lead"]) == set(
        learn_value.games_of(kept)[0].rows[0].seats[0]
    )


def test_regression_finds_what_decides(monkeypatch):
    """Where leads are twice the cash above the mean, cash is worth two Mark and the rest nothing."""
    monkeypatch.setattr(learn_value, "STIFF", 0.01)
    rng, games = random.Random(3), []
    for plan in schedule("18rhl", ["steady"] * 3, 40, 1):
        cash = [rng.randrange(0, 900) for _ in range(3)]
        seats = [
            {"prospects": 100.0 * rng.random(), "one": 1.0, "cash": float(amount), "noise": rng.random()}
            for amount in cash
        ]
        games.append(
            SimpleNamespace(plan=plan, totals=tuple(2 * c for c in cash), rows=[learn_value.FactsRow(5, 5, seats)])
        )
    found = learn_value.learned(learn_value.Table(games))
    now, later = found.lead["cash"]
    assert now + 0.5 * later == pytest.approx(2, abs=0.05)
    assert abs(found.lead["noise"][0] + 0.5 * found.lead["noise"][1]) < 20


def test_nothing_owed_weighs_above_nothing(monkeypatch):
    """Where those who lack most happen to win, what is lacking weighs nothing, and what goes with it bears all."""
    monkeypatch.setattr(learn_value, "STIFF", 0.01)
    rng, games = random.Random(3), []
    for plan in schedule("18rhl", ["steady"] * 3, 40, 1):
        cash = [rng.randrange(0, 900) for _ in range(3)]
        seats = [
            {"prospects": 100.0 * rng.random(), "one": 1.0, "cash": float(c), "lacking": c + 300 * rng.random()}
            for c in cash
        ]
        totals = tuple(round(c + seat["lacking"]) for c, seat in zip(cash, seats, strict=True))
        games.append(SimpleNamespace(plan=plan, totals=totals, rows=[learn_value.FactsRow(5, 5, seats)]))
    table = learn_value.Table(games)
    found = learn_value.learned(table).lead
    assert found["lacking"] == (0, 0)
    assert found["cash"][0] + 0.5 * found["cash"][1] > 1.5
    monkeypatch.setattr(learn_value, "OWING", ())
    free = learn_value.learned(table).lead["lacking"]
    assert free[0] + 0.5 * free[1] > 0.5
