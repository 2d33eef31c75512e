"""Routes drawn by hand: taps become track, the rules judge it, nothing is stored before it is confirmed."""

from __future__ import annotations

import pytest

from trajekt.engine.events import Ran
from trajekt.game import new_game
from trajekt.table.live import Live
from trajekt.table.service import Table
from trajekt.table.sketch import Sketch, joined, runs_of

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
    ran = next(event for event in decided.events if isinstance(event, Ran))
    return choice, [stop["stop"] for stop in ran.runs[0]["stops"]], ran


def test_the_stops_of_the_best_run_drawn_again_give_the_same_revenue(running):
    choice, stops, ran = offered(running)
    train = choice.action.runs[0].train
    drawn = joined(running.state, [Sketch(train, tuple(stops))])
    assert drawn[0].missing is None
    twin = running.at(running.number)
    again = twin.play({"kind": "run_trains", "runs": runs_of(drawn)}, choice.seat)
    assert next(e for e in again.events if isinstance(e, Ran)).runs[0]["revenue"] == ran.runs[0]["revenue"]


def test_track_that_came_from_the_offer_stays_as_it_was(running):
    choice, stops, _ = offered(running)
    run = choice.action.runs[0]
    drawn = joined(running.state, [Sketch(run.train, tuple(stops), run.track)])
    assert runs_of(drawn) == [run]


def test_stops_that_no_track_joins_are_named(running):
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


@pytest.mark.rule("COMMON-RTE-01")
def test_the_page_is_told_sums_or_the_rule_that_is_broken(client, running):
    table: Table = client.app.state.server.table
    assert isinstance(table.live, Live)
    table.live.create("drawn", running)
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
