"""The operating turns of a game: which entries a company's turn took, and where its trains ran."""

from __future__ import annotations

from dataclasses import dataclass

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import Event, TrainsRan
from trajekt.engine.state import Seat
from trajekt.game import Entry, Game
from trajekt.round_label import round_key
from trajekt.rules.operating_round import current_turn


@dataclass(frozen=True, slots=True)
class OperatingTurn:
    """The turn of a company: its round (`OR 7.2`), who decided at its beginning, and its entries in order.

    `run` is the place among `entries` of the one in which its trains ran, None where it has not come so far; `revenue` what
    they earned, in Mark. A company that could decide nothing before it ran has its run in an entry of the turn before.
    """

    round: str
    company: CompanyId
    director: Seat | None
    entries: tuple[Entry, ...]
    run: int | None
    revenue: int

    @property
    def before_run(self) -> tuple[Entry, ...]:
        """The entries up to the one in which the trains ran, without it; empty where they have not run."""
        return self.entries[: self.run] if self.run is not None else ()

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened in the turn."""
        return tuple(event for entry in self.entries for event in entry.events)


def operating_turns(game: Game) -> list[OperatingTurn]:
    """Return the turns of companies on the line that stands, in order; a turn of which no entry was made is not among them.

    >>> import trajekt
    >>> operating_turns(trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"fixed_seats": True}, seed=7))
    []
    """
    turns: list[OperatingTurn] = []
    open_turn: tuple[str, CompanyId] | None = None
    entries: list[Entry] = []
    for entry in game.line():
        before = game.state_at(entry.parent)
        turn = current_turn(before)
        key = None if turn is None else (round_key(before), turn.company)
        if key != open_turn:
            if open_turn is not None:
                turns.append(_turn(game, *open_turn, entries))
            open_turn, entries = key, []
        entries.append(entry)
    if open_turn is not None:
        turns.append(_turn(game, *open_turn, entries))
    return turns


def _turn(game: Game, round_: str, company: CompanyId, entries: list[Entry]) -> OperatingTurn:
    director = game.state_at(entries[0].parent).companies[company].director
    run, revenue = None, 0
    for place, entry in enumerate(entries):
        for event in entry.events:
            if isinstance(event, TrainsRan) and event.company == company:
                run, revenue = place, event.revenue
    return OperatingTurn(round_, company, director, tuple(entries), run, revenue)
