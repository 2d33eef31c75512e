"""Routes drawn by hand: taps become track, the rules judge it, nothing is stored before it is confirmed."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest
from msgspec.structs import replace

from tests.builders.route_boards import POS_R, board
from trajekt.engine.events import TrainsRan
from trajekt.engine.routing.solver import BestRuns
from trajekt.game import new_game
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.server.presenters.run_step import LIMITS, _named, may_skip
from trajekt.server.services.hand_drawn_routes import Sketch, joined, runs_of
from trajekt.server.services.table_service import TableService
from trajekt.server.storage.game_cache import GameCache

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def running():
    """A game played by the first choices until a company with a train is to run on more than one stop."""
    game = new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 2, "fixed_seats": True}, 7)
    wanted = ("buy_private", "set_par", "buy_share", "found", "run_trains", "pay_out", "buy_train", "lay_tile", "pass")
    for _ in range(400):
        choices = game.choices()
        runs = [choice for choice in choices if choice.action.__struct_config__.tag == "run_trains"]
        if runs and runs[0].action.runs:
            return game
        choice = min(
            (c for c in choices if c.action.__struct_config__.tag in wanted and not c.spans),
            key=lambda c: wanted.index(c.action.__struct_config__.tag),
        )
        game.play(choice.action, choice.seat)
    raise AssertionError("no train ever ran")


def offered(game):
    """The best run of the position and the stops that it pays, in order."""
    choice = next(c for c in game.choices() if c.action.__struct_config__.tag == "run_trains")
    decided = game.at(game.number).play(choice.action, choice.seat)
    ran = next(event for event in decided.events if isinstance(event, TrainsRan))
    return choice, [stop["stop"] for stop in ran.runs[0]["stops"]], ran


def test_redrawn_best_run_pays_the_same(running):
    choice, stops, ran = offered(running)
    train = choice.action.runs[0].train
    drawn = joined(running.state, [Sketch(train, tuple(stops))])
    assert drawn[0].missing is None
    twin = running.at(running.number)
    again = twin.play({"kind": "run_trains", "runs": runs_of(drawn)}, choice.seat)
    assert next(e for e in again.events if isinstance(e, TrainsRan)).runs[0]["revenue"] == ran.runs[0]["revenue"]


def test_offered_track_stays_unchanged(running):
    choice, stops, _ = offered(running)
    run = choice.action.runs[0]
    drawn = joined(running.state, [Sketch(run.train, tuple(stops), run.track)])
    assert runs_of(drawn) == [run]


def test_stops_without_track_are_named(running):
    _, stops, _ = offered(running)
    drawn = joined(running.state, [Sketch("2", (stops[0], "A14:a"))])
    assert drawn[0].missing == (stops[0], "A14:a")
    assert runs_of(drawn) == []


@pytest.mark.parametrize("stops", [("Z99:a", "K6:a"), ("K6:a", "K6"), ("", ""), ("K6:a", "K6:z")])
def test_what_is_no_stop_joins_nothing(running, stops):
    drawn = joined(running.state, [Sketch("2", stops)])
    assert drawn[0].missing is not None


def test_one_stop_alone_is_a_beginning(running):
    assert joined(running.state, [Sketch("2", ("K6:a",)), Sketch("2")]) == joined(
        running.state, [Sketch("2", ("K6:a",)), Sketch("2")]
    )
    assert runs_of(joined(running.state, [Sketch("2", ("K6:a",))])) == []


def test_track_is_not_used_twice(running):
    choice, stops, _ = offered(running)
    run = choice.action.runs[0]
    drawn = joined(running.state, [Sketch(run.train, tuple(stops), run.track), Sketch(run.train, tuple(stops))])
    assert not set(drawn[1].track) & set(run.track)


@pytest.mark.parametrize(("drawn", "added"), [(("C4:a", "E2:a"), "A4:a"), (("A4:a", "C4:a"), "E2:a")])
def test_route_grows_at_nearer_end(running, drawn, added):
    """A4, C4 and E2 lie in a row: whichever end is tapped last comes to its place, and the track between stays."""
    state = replace(running.state, board=board("R2", POS_R))
    before = joined(state, [Sketch("3", drawn)])[0]
    after = joined(state, [Sketch("3", drawn, before.track, added=added)])[0]
    assert after.stops == ("A4:a", "C4:a", "E2:a")
    assert "-".join(before.track) in "-".join(after.track)
    assert len(after.track) > len(before.track)


def test_unreachable_stop_leaves_the_route(running):
    choice, stops, _ = offered(running)
    run = choice.action.runs[0]
    drawn = joined(running.state, [Sketch(run.train, tuple(stops), run.track, added="A14:a")])[0]
    assert drawn.missing == (stops[-1], "A14:a")
    assert (drawn.stops, drawn.track) == (tuple(stops), run.track)


@pytest.mark.rule("RHL-RTE-20")
def test_omitted_stops_stand_in_brackets():
    game = new_game("18rhl", ("Ada", "Bert", "Cleo"), {"edition": 1, "fixed_seats": True}, 7)
    assert may_skip(game, "GVE", "8")
    assert not may_skip(game, "GVE", "6")
    state = replace(game.state, board=board("R1", POS_R))
    sketch = Sketch("8", ("A4:a", "C4:a", "E2:a"), pays=("A4:a", "E2:a"))
    one, middle, last = _named(joined(state, [sketch])[0], state).split(", ")
    assert middle.startswith("(")
    assert "(" not in one + last


# Better runs than those offered ----------------------------------------------------------------------------------------


def search_that_finds(running, monkeypatch, *found: BestRuns) -> list[float]:
    """From now on searches for runs find these, one after another; answers the limits that they were given."""
    limits: list[float] = []
    answers = iter(found)
    policy = running.ruleset.policy(RunningPolicy)

    def search(_state, _company, limit, _fixed):
        limits.append(limit)
        return next(answers)

    monkeypatch.setitem(running.ruleset.by_type, RunningPolicy, dataclasses.replace(policy, search=search))
    return limits


def test_runs_are_sought_until_proved(client, running, monkeypatch):
    choice, _, ran = offered(running)
    best = BestRuns(choice.action.runs, ran.revenue, proved=True, seconds=0.1)
    table: TableService = client.app.state.server.table
    table.cache.create("better", running)
    cached = table.cache.get("better")
    limits = search_that_finds(cached.game, monkeypatch, BestRuns((), 0, proved=False, seconds=2.0), best)

    def ask() -> dict:
        answer = client.post("/t/better/better", json={"number": running.number})
        assert answer.status_code == 200, answer.text
        return answer.json()

    first = ask()  # nothing better was found, and nothing is proved: the offer stays
    assert (first["more"], first["proved"]) == (True, False)
    assert str(ran.revenue) in first["revenue"]
    second = ask()
    assert (second["more"], second["proved"]) == (False, True)
    assert second["action"]["runs"] == msgspec.json.decode(msgspec.json.encode(choice.action))["runs"]
    assert "<path" in second["lines"]
    assert ask()["proved"]  # and is known from now on
    assert limits == list(LIMITS[:2])


def test_past_position_starts_no_search(client, running):
    table: TableService = client.app.state.server.table
    table.cache.create("past", running)
    answer = client.post("/t/past/better", json={"number": running.number - 1}).json()
    assert answer == {"number": running.number, "more": False}


@pytest.mark.rule("COMMON-RTE-01")
def test_page_gets_sums_or_broken_rule(client, running):
    table: TableService = client.app.state.server.table
    assert isinstance(table.cache, GameCache)
    table.cache.create("drawn", running)
    choice, stops, ran = offered(running)
    train = choice.action.runs[0].train

    def draw(runs: list[dict]) -> dict:
        body = {"number": running.number, "runs": runs}
        answer = client.post("/t/drawn/routes", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    good = draw([{"train": train, "stops": stops}])
    assert good["refusal"] == ""
    assert good["action"]["kind"] == "run_trains"
    assert f"<strong>{good['revenue']}</strong>" in good["html"]
    assert str(ran.runs[0]["revenue"]) in good["revenue"]
    assert "<path" in good["lines"]
    nothing = draw([{"train": train, "stops": []}])
    assert (nothing["action"], nothing["rule"]) == (None, "COMMON-RTE-12")
    track = choice.action.runs[0].track
    twice = draw([{"train": train, "stops": stops, "track": track}, {"train": "8", "stops": stops[:1], "track": track}])
    assert twice["action"] is None
    assert twice["rule"].startswith(("COMMON-RTE", "RHL-RTE"))
    assert client.post("/t/drawn/routes", content=b'{"number": 1, "runs": [{}]}', headers=JSON).status_code == 400
    assert table.store.game("drawn").number == running.number


@pytest.mark.rule("COMMON-RTE-11")
def test_idle_trains_take_best_rest(client, running):
    """A train without a route takes the best one; a route drawn stays, and a train that the company lacks gets none."""
    table: TableService = client.app.state.server.table
    table.cache.create("rest", running)
    choice, stops, ran = offered(running)
    train, track = choice.action.runs[0].train, choice.action.runs[0].track

    def draw(runs: list[dict], **more) -> dict:
        answer = client.post("/t/rest/routes", json={"number": running.number, "runs": runs, **more})
        assert answer.status_code == 200, answer.text
        return answer.json()

    filled = draw([{"train": train}], rest=True)
    assert str(ran.revenue) in filled["revenue"]
    assert filled["stops"] == [stops]
    kept = draw([{"train": train, "stops": stops, "track": track}, {"train": "8"}], rest=True)
    assert kept["tracks"] == [list(track), []]
    assert 'data-action="fill-routes"' in kept["html"]
    assert 'data-action="fill-routes"' not in filled["html"]
