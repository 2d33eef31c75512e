"""The judges of 18Rhl and 18LRA against the engine, and that they see what is wrong (the long run: `make judge`)."""

from __future__ import annotations

import pytest

from tests.judges.plain import action_of, event_of, position_of, sheet_of
from tests.judges.rhine_books import RhineBooks
from tests.judges.rhine_games import game_of, match, ruleset_of
from tests.judges.rhine_routes import RhineRoutes
from tests.judges.tally import Tally

LOOKED_AT = {
    "lay", "offered lay", "station normal", "income", "best runs", "power 1", "ledger", "all money", "markers", "dividend",
    "corporation in turn", "price of a certificate", "price of a train", "floating", "certificate limit", "train limit",
    "directed by the most", "income of private companies", "marker after a dividend",
    "bid", "buy a private company", "found", "buy a share", "sell", "leave a stock turn", "train", "forced train",
    "leave the train step", "offered", "offers stay", "papers and director", "asked in the package", "cash in the package",
    "next in the stock round", "priority deal", "markers at the end of the round", "operating rounds of the set",
}  # fmt: skip


@pytest.mark.rule("COMMON-TRK-01", "COMMON-TRK-02", "COMMON-TRK-03", "COMMON-TRK-05", "COMMON-TRK-07", "COMMON-TRK-08")
@pytest.mark.rule("COMMON-TRK-10", "COMMON-TRK-11", "COMMON-TRK-14", "COMMON-TRK-15", "RHL-TRK-12", "RHL-TRK-17")
@pytest.mark.rule("COMMON-TOK-01", "COMMON-TOK-02", "COMMON-TOK-03", "COMMON-TOK-05", "RHL-TOK-06", "LRA-TOK-10")
@pytest.mark.rule("COMMON-RTE-01", "COMMON-RTE-04", "COMMON-RTE-06", "COMMON-RTE-07", "COMMON-RTE-11", "RHL-RTE-16")
@pytest.mark.rule("COMMON-REV-01", "COMMON-REV-04", "RHL-REV-02", "RHL-REV-05", "RHL-PRV-08", "RHL-PRV-09")
@pytest.mark.rule("COMMON-OR-01", "COMMON-OR-02", "COMMON-DIV-01", "COMMON-DIV-02", "COMMON-MKT-02", "COMMON-MKT-03")
@pytest.mark.rule("COMMON-SR-06", "COMMON-SR-08", "COMMON-SR-13", "COMMON-SR-15", "COMMON-FLT-01", "COMMON-FLT-02")
@pytest.mark.rule("COMMON-TRN-01", "COMMON-TRN-06", "COMMON-TRN-08", "COMMON-DIR-02", "COMMON-DIR-05")
@pytest.mark.rule("COMMON-AUC-02", "COMMON-AUC-05", "COMMON-AUC-06", "COMMON-AUC-07", "COMMON-AUC-08", "COMMON-AUC-11")
@pytest.mark.rule(
    "COMMON-SR-01", "COMMON-SR-09", "COMMON-SR-10", "COMMON-SR-14", "COMMON-SR-16", "COMMON-SR-19", "RHL-SR-20"
)
@pytest.mark.rule("COMMON-DIR-03", "COMMON-DIR-04", "COMMON-DIR-06", "COMMON-SR-21", "COMMON-SR-22", "RHL-FLT-03")
@pytest.mark.rule("COMMON-TRN-02", "COMMON-TRN-05", "COMMON-TRN-11", "COMMON-TRN-12", "COMMON-FOR-03", "COMMON-FOR-04")
@pytest.mark.rule("COMMON-FOR-06", "COMMON-FOR-07", "RHL-FOR-01", "RHL-BKR-01", "RHL-BKR-02", "RHL-BKR-03")
@pytest.mark.parametrize("book", ("first", "second", "lra"))
def test_judges_and_engine_agree(book):
    whole = Tally()
    for seed in (0, 2):
        found = match(book, seed, 0.15)
        assert found.faults == [], seed
        whole.add(found)
    assert set(whole.asked) >= LOOKED_AT
    assert {"lay", "station normal", "best runs"} <= set(+whole.legal)


def running(book):
    """The first runs of a game: the judge of the position before them, the corporation, its runs."""
    ruleset = ruleset_of(book, 0)
    for move in game_of(book, 2, ruleset):
        if type(move.action).__name__ == "RunTrains" and move.action.runs:
            company = move.before.agenda[-1].company
            runs = [{"train": run.train, "track": list(run.track)} for run in move.action.runs]
            return RhineRoutes(sheet_of(ruleset.sheet), position_of(move.before), book), company, runs
    raise AssertionError(book)


@pytest.mark.parametrize("book", ("first", "second", "lra"))
def test_judge_of_routes_sees_faults(book):
    judge, company, runs = running(book)
    assert judge.run(company, runs) == judge.best(company) > 0
    assert judge.run(company, [*runs, *runs]) in ("train", "track twice")
    cut = [{**runs[0], "track": runs[0]["track"][:-1]}]
    assert isinstance(judge.run(company, cut), str)
    stranger = next(name for name in judge.position["companies"] if not judge.board.stations(name))
    judge.position["companies"][stranger]["trains"] = [run["train"] for run in runs]
    assert judge.run(stranger, runs) == "own station"


@pytest.mark.parametrize("book", ("first", "second", "lra"))
def test_track_judge_refuses_faulty_track(book):
    ruleset = ruleset_of(book, 0)
    for move in game_of(book, 2, ruleset):
        if type(move.action).__name__ == "LayTile" and move.action.allowance == "normal":
            break
    judge = RhineRoutes(sheet_of(ruleset.sheet), position_of(move.before), book)
    turn, laid = judge.position["agenda"][-1], move.action
    lay = (laid.hex, laid.tile, laid.rotation)
    assert judge.lay(turn, *lay) == ""
    assert judge.lay({**turn, "step": "run"}, *lay) == "step"
    assert judge.lay({**turn, "lays": ("normal",)}, *lay) == "laid already"
    assert judge.lay(turn, laid.hex, "933", 0) in ("phase", "colour")
    judge.position["supply"][laid.tile] = 0
    assert judge.lay(turn, *lay) == "none left"
    assert judge.station({**turn, "step": "station"}, laid.hex, "c") == "no stop"


def told(book, wanted, changed):
    """What the books say of the first decision of a kind when its events are changed."""
    ruleset, books = ruleset_of(book, 0), None
    for move in game_of(book, 2, ruleset):
        books = books or RhineBooks(sheet_of(ruleset.sheet), position_of(move.before), book)
        events, action = [event_of(event) for event in move.decision.events], action_of(move.action)
        here = action["kind"] == wanted
        books.see(move.seat, action, changed(events) if here else events, position_of(move.decision.state))
        if here:
            return books.faults
        assert books.faults == []
    raise AssertionError(wanted)


def cheaper(events):
    """The same events, in which every payment is 10 Mark less."""
    return [{**e, "amount": e["amount"] - 10} if e["event"] == "paid" else e for e in events]


@pytest.mark.parametrize("book", ("first", "second", "lra"))
@pytest.mark.parametrize("kind", ("buy_share", "found", "pay_out", "buy_train"))
def test_the_books_see_a_wrong_payment(book, kind):
    assert told(book, kind, lambda events: events) == []
    assert any(not fault.startswith("ledger") for fault in told(book, kind, cheaper))
