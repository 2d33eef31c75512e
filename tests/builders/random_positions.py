"""Builders of positions for tests: a state made directly, an action that must be accepted, one that must be refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec.structs import replace

from trajekt.engine.actions import Action
from trajekt.engine.board.board import Board, HexContents
from trajekt.engine.components.loader import load
from trajekt.engine.components.schema import Sheet, Space
from trajekt.engine.decisions import Decision, decide, refusal
from trajekt.engine.ruleset import Refusal, Ruleset
from trajekt.engine.state import POOL, Certificate, Company, Frame, Holder, Markers, State, blank_state

RHL = Path(__file__).parents[2] / "src" / "trajekt" / "games" / "rhl" / "sheet.toml"


@cache
def sheet(edition: int = 2, variants: tuple[str, ...] = ()) -> Sheet:
    """The component sheet of 18Rhl."""
    return load(RHL, str(edition), variants)


def position(
    edition: int = 2, players: int = 3, *, variants: tuple[str, ...] = (), cash: int = 0, phase: str = "yellow"
) -> State:
    """An empty table: nothing founded, nothing laid, each player with `cash` Mark out of the bank."""
    names = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz")[:players]
    state = blank_state(sheet(edition, variants), names)
    seats = tuple(replace(p, cash=cash) for p in state.players)
    return replace(state, players=seats, bank=state.bank - cash * players, phase=phase)


def on_top(state: State, *frames: Frame) -> State:
    """The state with these frames on the agenda, the last on top."""
    return replace(state, agenda=(*state.agenda, *frames))


def with_cash(state: State, **by_name: int) -> State:
    """Cash by the players' names, money coming from or going to the bank."""
    players = list(state.players)
    bank = state.bank
    for name, amount in by_name.items():
        seat = state.names.index(name)
        bank += players[seat].cash - amount
        players[seat] = replace(players[seat], cash=amount)
    return replace(state, players=tuple(players), bank=bank)


def with_tiles(state: State, **tiles: str) -> State:
    """Tiles laid as `K4="4 r1"`; supply is counted down."""
    contents_by_hex = dict(state.board.contents_by_hex)
    supply = dict(state.supply)
    for at, text in tiles.items():
        number, turn = text.lstrip("#").split(" r") if " r" in text else (text.lstrip("#"), "0")
        contents_by_hex[at] = replace(contents_by_hex.get(at, HexContents()), tile=number, rotation=int(turn))
        supply[number] -= 1
    return replace(state, board=Board(state.sheet, contents_by_hex), supply=supply)


def with_company(state: State, company: str, **values: object) -> State:
    """Other values of one company."""
    changed = replace(state.companies[company], **values)
    return replace(state, companies={**state.companies, company: changed})


def with_market(state: State, **spaces: Space) -> State:
    """Markers on spaces, arriving in the order given (the earlier lies above)."""
    placed = {**state.markers.spaces, **spaces}
    arrivals = (*(c for c in state.markers.arrivals if c not in spaces), *spaces)
    return replace(state, markers=Markers(placed, arrivals))


def with_holdings(state: State, company: str, *, director: int | None = None, **percent: int) -> State:
    """Who holds what per cent of a company: players by name, or `pool`, `charter`, `io`; the rest stays in the offering.

    The director's certificate goes to `director` (a seat) and counts towards his per cent.
    """
    held = list(state.companies[company].certificates)
    free = list(range(len(held)))
    wanted: dict[Holder, int] = {}
    for name, amount in percent.items():
        wanted[state.names.index(name) if name in state.names else name] = amount
    if director is not None:
        held[0] = replace(held[0], holder=director)
        free.remove(0)
        wanted[director] = wanted.get(director, held[0].percent) - held[0].percent
    for place, amount in wanted.items():
        left = amount
        for n in list(free):
            if 0 < held[n].percent <= left and (n != 0 or director is None):
                held[n] = replace(held[n], holder=place)
                free.remove(n)
                left -= held[n].percent
        assert left == 0, (company, place, amount)
    return with_company(state, company, certificates=tuple(held), director=director)


def dealt(state: State, company: str, **numbers) -> State:
    """Certificates of a company by number: `Ada=(0, 3)`, `pool=(1,)`; the rest stays where it is."""
    held = list(state.companies[company].certificates)
    for name, given in numbers.items():
        place = state.names.index(name) if name in state.names else name
        for number in given:
            held[number] = replace(held[number], holder=place)
    return with_company(state, company, certificates=tuple(held))


def act(ruleset: Ruleset, state: State, seat: int, action: Action) -> Decision:
    """An action that must be accepted, and what follows from it."""
    answer = decide(ruleset, state, seat, action)
    assert isinstance(answer, Decision), answer
    return answer


def refused(ruleset: Ruleset, state: State, seat: int, action: Action) -> Refusal:
    """An action that must be refused, and why."""
    before = state
    answer = refusal(ruleset, state, seat, action)
    assert answer is not None, f"accepted: {action}"
    assert state is before
    return answer


__all__ = [
    "POOL", "Certificate", "Company", "act", "on_top", "position", "refused", "sheet", "with_cash", "with_company",
    "with_holdings", "with_market", "with_tiles",
]  # fmt: skip
