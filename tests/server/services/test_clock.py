"""The clock: time of whoever is awaited, budgets that grow with rounds and turns, pauses by agreement, penalties at the end."""

from __future__ import annotations

import pytest

from tests.server.steady import fresh, steady
from trajekt.engine.title import Standing
from trajekt.game import new_game
from trajekt.round_label import round_of
from trajekt.server.services import clock
from trajekt.server.services.clock import (
    ClockVote,
    Pause,
    fine,
    granted,
    overlap,
    pauses,
    readings,
    used,
    with_fines,
)
from trajekt.server.storage import clock_settings
from trajekt.server.storage.clock_settings import ClockSettings

HOUR = ClockSettings(3600, 300, 120)
ALL = frozenset({0, 1, 2})


def three(game):
    """Three passes in the auction by whoever is awaited."""
    for _ in range(3):
        game.play({"kind": "pass"})
    return game


def new():
    return new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 2, "fixed_seats": True}, 7)


def test_time_runs_from_first_action():
    game = three(new())
    assert used(game, [100.0, 110.0, 140.0], 0.0, [], 200.0) == {0: 60.0, 1: 10.0, 2: 30.0}
    assert used(new(), [], 0.0, [], 999.0) == {0: 0.0, 1: 0.0, 2: 0.0}


def test_clock_set_later_counts_from_then():
    assert used(three(new()), [100.0, 110.0, 140.0], 150.0, [], 200.0) == {0: 50.0, 1: 0.0, 2: 0.0}


def test_time_before_an_undo_counts():
    game = new()
    game.play({"kind": "pass"})
    game.play({"kind": "pass"})
    game.undo()
    assert used(game, [100.0, 110.0, 150.0], 0.0, [], 155.0) == {0: 0.0, 1: 15.0, 2: 40.0}


def test_pauses_are_left_out():
    assert overlap(0, 100, [Pause(10, 20), Pause(90)]) == 80
    assert overlap(30, 30, []) == overlap(40, 30, []) == 0
    assert used(three(new()), [100.0, 110.0, 140.0], 0.0, [Pause(150.0)], 200.0)[0] == 10.0


def test_pause_needs_all_to_agree():
    words = [ClockVote(0, "pause", 1), ClockVote(1, "pause", 2)]
    assert pauses(words, ALL) == ([], frozenset({0, 1}))
    assert pauses([*words, ClockVote(1, "on", 3), ClockVote(2, "pause", 4)], ALL) == ([], frozenset({0, 2}))
    whole = [*words, ClockVote(2, "pause", 5)]
    assert pauses(whole, ALL)[0] == [Pause(5)]
    assert pauses([*whole, ClockVote(1, "on", 9)], ALL) == ([Pause(5, 9)], frozenset())
    assert pauses([*whole, ClockVote(1, "on", 9), ClockVote(0, "pause", 10)], ALL) == ([Pause(5, 9)], frozenset({0}))


def test_rounds_and_companies_grant_time():
    game = steady(fresh(), lambda g: round_of(g.state).kind == "operating")
    start = granted(new(), HOUR)
    assert start == dict.fromkeys(range(3), 3900)
    state = game.state
    first = state.companies[state.top.company]
    assert granted(game, HOUR) == {seat: 3900 + 120 * (seat == first.director) for seat in range(3)}
    before = granted(game, HOUR)
    steady(game, lambda g: round_of(g.state).key == "SR 2")
    after = granted(game, HOUR)
    turns = len({c.id for c in game.state.companies.values() if c.operated})
    assert sum(after.values()) - sum(before.values()) == 3 * 300 + 120 * (turns - 1)


def test_what_was_undone_grants_nothing_twice():
    game = steady(fresh(), lambda g: round_of(g.state).kind == "operating")
    before = granted(game, HOUR)
    entry = game.undo()
    assert round_of(game.state).kind != "operating"
    assert sum(granted(game, HOUR).values()) == sum(before.values()) - 120
    game.redo()
    assert granted(game, HOUR) == before
    assert entry.number < game.number


@pytest.mark.parametrize(("over", "owed"), [(-1, 0), (0, 0), (0.5, 10), (60, 10), (61, 20), (600, 100)])
def test_each_begun_minute_over_costs(over, owed):
    assert fine(over, ClockSettings(0, penalty="cash", rate=10)) == owed
    assert fine(over, ClockSettings(0, rate=10)) == 0


def test_only_awaited_clocks_run():
    game, times = three(new()), [100.0, 110.0, 140.0]
    found = readings(game, times, ClockSettings(30, penalty="score", rate=7), 0.0, [], 200.0)
    assert [(r.running, r.left, r.fine) for r in found] == [(True, -30.0, 7), (False, 20.0, 0), (False, 0.0, 0)]
    assert not any(r.running for r in readings(game, times, HOUR, 0.0, [Pause(150.0)], 200.0))
    assert not any(r.running for r in readings(new(), [], HOUR, 0.0, [], 200.0))


def test_penalties_change_the_shown_result():
    result = [Standing(0, "Ada", 50, 950, 0, 1000, 1), Standing(1, "Bert", 300, 660, 20, 940, 2)]
    by_score = with_fines(result, [80, 0], ClockSettings(0, penalty="score", rate=10))
    assert [(s.name, s.total, s.rank, s.deducted) for s in by_score] == [("Bert", 940, 1, 20), ("Ada", 920, 2, 80)]
    by_cash = with_fines(result, [80, 0], ClockSettings(0, penalty="cash", rate=10))
    assert [(s.name, s.total, s.rank) for s in by_cash] == [("Ada", 950, 1), ("Bert", 940, 2)]
    assert with_fines(result, [60, 0], ClockSettings(0, penalty="score", rate=10))[1].rank == 1


def test_two_processes_agree_on_times(store, table, game_id):
    for number in range(3):
        table.act(game_id, b'{"number": %d, "action": {"kind": "pass"}}' % number)
    cached = table.cache.get(game_id)
    clock_settings.set_clock(store, game_id, ClockSettings(60, penalty="cash", rate=5))
    table.cache.invalidate(game_id)
    times = cached.entry_times[:3]
    assert times == [entry.time for entry in store.entries(game_id)]
    face = clock.clock_view(store, cached, ALL, times[-1] + 200)
    assert face.readings[0].running
    assert face.readings[0].fine == 5 * 3
    still = clock.clock_view(store, cached, ALL)
    assert still.read >= times[-1]
    assert face.readings[0].used - still.readings[0].used == pytest.approx(times[-1] + 200 - still.read)
    from trajekt.server.storage.game_cache import GameCache

    other = GameCache(store)
    again = clock.clock_view(store, other.get(game_id), ALL, times[-1] + 200)
    assert again == face
