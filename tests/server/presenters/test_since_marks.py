"""Marks of what others did: judged by comparing the position of the player's own move with the present one."""

from __future__ import annotations

import pytest

from tests.builders.played_moments import GAMES, played
from trajekt.engine.events import IconPlaced, StationPlaced, TileLaid, TrainMoved
from trajekt.game import Entry
from trajekt.server.presenters.since_marks import since_marks, space_name


def moment(game, number):
    return game.at(number).state


def moments(title):
    """Numbers of entries from the first rounds of a played game to its end, every twentieth."""
    return range(60, played(title).number, 20)


def since_own_move(title, number, seat):
    """The game, the number of the seat's newest move, and the marks of what came after it."""
    game = played(title).at(number)
    own = max(entry.number for entry in game.entries if entry.seat == seat)
    return game, own, since_marks(game.entries[own:], game.state)


@pytest.mark.parametrize("title", GAMES)
def test_every_changed_hex_is_marked(title):
    for number in moments(title):
        game, own, marks = since_own_move(title, number, 0)
        before, after = moment(game, own).board, game.state.board
        changed = {name for name in game.state.sheet.hexes if before.contents(name).tile != after.contents(name).tile}
        assert changed <= set(marks.hexes)


@pytest.mark.parametrize("title", GAMES)
def test_every_moved_price_is_marked(title):
    for number in moments(title):
        game, own, marks = since_own_move(title, number, 1)
        before, after = moment(game, own).markers.spaces, game.state.markers.spaces
        moved = {company for company, space in after.items() if before.get(company) != space}
        assert {space_name(after[company]) for company in moved} <= set(marks.spaces)
        assert moved <= set(marks.companies)


@pytest.mark.parametrize("title", GAMES)
def test_every_changed_holding_is_marked(title):
    for number in moments(title):
        game, own, marks = since_own_move(title, number, 2)
        before, after = moment(game, own).companies, game.state.companies
        changed = {
            company
            for company, held in after.items()
            if held.trains != before[company].trains
            or any(held.percent(seat) != before[company].percent(seat) for seat in range(4))
        }
        assert changed <= set(marks.companies)


def test_nothing_done_marks_nothing():
    game = played("18rhl").at(200)
    marks = since_marks((), game.state)
    assert not marks.hexes
    assert not marks.spaces
    assert not marks.companies


def test_marks_bear_newest_entry():
    game = played("18rhl").at(300)
    marks = since_marks(game.entries[100:], game.state)
    for name, number in marks.hexes.items():
        touching = [
            entry.number
            for entry in game.entries[100:]
            if any(
                event.hex == name for event in entry.events if isinstance(event, TileLaid | StationPlaced | IconPlaced)
            )
        ]
        assert number == touching[-1]


def test_train_between_companies_marks_in_order():
    """Pages compare what they have with what another process draws, so the order of a set must not show."""
    state = played("18rhl").at(300).state
    first, second = sorted(state.companies)[:2]
    for source, target in ((first, second), (second, first)):
        sold = Entry(301, 300, 0, "action", None, (TrainMoved("4", source, target, "sale"),))
        assert list(since_marks([sold], state).companies) == [first, second]
