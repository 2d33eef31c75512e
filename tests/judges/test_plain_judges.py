"""The judges' own tools, tried on small cases that one can count by hand."""

from __future__ import annotations

from tests.judges.board import Board, arrivals, best_sum, keeps_track, reached, routes, runs_off
from tests.judges.ledger import Ledger

PLAIN = {"colour": "yellow", "stops": [], "track": []}


def face(*track, stops=0):
    pieces = [{"a": a, "b": b, "kind": ""} for a, b in track]
    return {"colour": "yellow", "stops": [{"kind": "city", "revenue": {"": 10}} for _ in range(stops)], "track": pieces}


def board(**faces):
    """A flat map of these printed hexes."""
    hexes = {at: {"face": shown} for at, shown in faces.items()}
    return Board({"layout": "flat", "colours": ["yellow", "green", "brown", "grey"], "hexes": hexes, "tiles": {}}, {})


def everywhere(_stop):
    return True


def test_no_way_back_through_a_junction():
    # a stem from the city C2 south to the fork E2, whose arms 1-4 and so on meet again over a ring of three hexes
    ring = board(
        C2=face((0, 6), stops=1),
        E2=face((3, 5), (3, 4)),  # the stem at the north, arms to the south-east and the north-east
        D3=face((1, 0)),
        F3=face((2, 3)),
    )
    steps = reached(ring, [("C2", 0)], everywhere)
    assert ("E2", 3, 4) in steps
    assert ("E2", 5, 3) not in steps
    assert ("D3", 1) in arrivals(ring, {("E2", 3, 4)})


def test_loop_left_over_own_track():
    ring = board(C2=face((0, 6), stops=1), E2=face((3, 5), (4, 0)), D3=face((1, 0)), F3=face((2, 3)), G2=face((3, 0)))
    assert ("G2", 3, 0) in reached(ring, [("C2", 0)], everywhere)


def test_a_route_counts_every_stop_once():
    line = board(C2=face((0, 6), stops=1), E2=face((3, 6), (0, 6), stops=1), G2=face((3, 6), stops=1))
    found = {stops for stops, _, _ in routes(line, everywhere, lambda stops: len(stops) > 3, [("C2", 0)])}
    assert found == {(("C2", 0), ("E2", 0)), (("C2", 0), ("E2", 0), ("G2", 0))}
    barred = {stops for stops, _, _ in routes(line, lambda stop: stop[0] != "E2", lambda _: False, [("C2", 0)])}
    assert barred == {(("C2", 0), ("E2", 0))}


def test_the_best_sum_shares_no_track():
    one, two = frozenset({"x"}), frozenset({"y"})
    assert best_sum([[(50, one), (30, two)], [(40, one)]]) == 70
    assert best_sum([[(50, one)], [(40, one)]]) == 50


def test_old_track_is_kept_or_lost():
    assert keeps_track(face((0, 3)), face((0, 3), (0, 4))) == [()]
    assert keeps_track(face((0, 3)), face((0, 2), (0, 4))) == []
    assert keeps_track(face((0, 6), (3, 6), stops=1), face((0, 6), (1, 6), (3, 6), stops=1)) == [(0,)]


def test_misplaced_track_is_found():
    small = board(C2=PLAIN, E2={**PLAIN, "colour": "red"})
    assert runs_off(small, "C2", face((0, 3))) == [0, 3]


def test_ledger_books_and_tells_faults():
    position = {
        "players": [{"cash": 10}],
        "companies": {"X": {"treasury": 0, "certificates": [{"holder": "io", "percent": 10}], "trains": []}},
        "aside": {},
        "bank": 100,
        "depot": {"display": {"2": 1}, "pool": [], "gone": []},
    }
    books = Ledger(position)
    books.book({"event": "paid", "source": 0, "target": "X", "amount": 15, "cause": "share"})
    books.book({"event": "certificate", "company": "X", "number": 0, "source": "pool", "target": 0})
    books.book({"event": "train", "train": "2", "source": "display", "target": "X"})
    assert len(books.faults) == 2
    assert books.total == 110
    assert [line.split(":")[0] for line in books.differences(position)] == [
        "money 0", "money X", "certificate ('X', 0)", "train ('X', '2')", "train ('display', '2')",
    ]  # fmt: skip
