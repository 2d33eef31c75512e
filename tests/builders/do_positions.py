"""Builders of positions of 18DO for its tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tests.builders.random_positions import with_cash, with_company, with_market
from trajekt.engine.board.board import HexContents, Station
from trajekt.engine.components.loader import load
from trajekt.engine.decisions import legal, start
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import CHARTER, POOL, Frame, State
from trajekt.games.do.options import DoOptions
from trajekt.games.do.ruleset import build
from trajekt.games.do.setup import home_hexes
from trajekt.games.do.state import Advertised, Bec, BreweryCharter, DoState, Load, MarketSegment, Slot, do_state
from trajekt.games.do.stock_market import space_of
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_market import par_space
from trajekt.rules.stock_round import StockRound

SHEET = Path(__file__).parents[2] / "src" / "trajekt" / "games" / "do" / "sheet.toml"
NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil")


@cache
def rules(players: int = 4, **options: Any) -> Ruleset:
    """The ruleset of a table of so many players."""
    chosen = DoOptions(players=players, fixed_seats=True, **options)
    return build(load(SHEET, "1", chosen.variants), chosen)


def opening(players: int = 4, seed: int = 1, **options: Any) -> State:
    """A game set up, the Starting Round on top."""
    return start(rules(players, **options), NAMES[:players], seed, shuffle=False).state


def position(players: int = 4, phase: str = "2", cash: int = 1000, **options: Any) -> State:
    """Set up, nobody owns a minor, each with `cash`, no frame on the agenda but the rounds."""
    state = opening(players, **options)
    extra = replace(do_state(state), charters={}, order=())
    state = replace(state, agenda=(Rounds(2),), bids=(), phase=phase, extra=extra)
    return with_cash(state, **dict.fromkeys(NAMES[:players], cash))


def stock(state: State, seat: int = 0, number: int = 2, **values: Any) -> State:
    """A stock round on top."""
    return replace(state, agenda=(Rounds(number), StockRound(number, seat, **values)))


def turn(state: State, company: str, step: str = "track", **values: Any) -> State:
    """A railway's turn on top."""
    frames: tuple[Frame, ...] = (
        Rounds(2, 2, 1),
        OperatingRound(2, 1, 2, (company,), opened=True, order=(company,)),
        CompanyTurn(company, step, **values),
    )
    return replace(state, agenda=frames)


def corporation(
    state: State,
    company: str,
    value: int = 60,
    director: int | None = 0,
    *,
    sizes: dict[str, tuple[int, ...]] | None = None,
    treasury: int = 0,
    trains: tuple[str, ...] = (),
    floated: bool = True,
    operated: bool = True,
) -> State:
    """A founded corporation; `sizes` beside the director's certificate by name of player, or `pool`; the rest is its own."""
    held = [replace(c, holder=CHARTER) for c in state.companies[company].certificates]
    if director is not None:
        held[0] = replace(held[0], holder=director)
    for name, wanted in (sizes or {}).items():
        place = POOL if name == "pool" else NAMES.index(name)
        for size in wanted:
            at = next(n for n, c in enumerate(held) if c.holder == CHARTER and c.percent == size and not c.director)
            held[at] = replace(held[at], holder=place)
    state = with_company(
        state,
        company,
        certificates=tuple(held),
        director=director,
        founded=True,
        floated=floated,
        operated=operated,
        par=value,
        treasury=treasury,
        trains=tuple(sorted(trains)),
    )
    state = replace(state, bank=state.bank - treasury)
    field = "railway_game" in state.sheet.variants
    space = par_space(state.sheet.market, value) if field else space_of(state.sheet, company, value)
    assert space is not None
    state = with_market(state, **{company: space})
    return awake(state, company) if floated else state


def awake(state: State, company: str) -> State:
    """The home of a railway turned up."""
    for at in home_hexes(state.sheet, company) if state.sheet.companies[company].homes else ():
        contents = state.board.contents(at)
        turned = tuple(replace(s, asleep=False) if s.company == company else s for s in contents.stations)
        state = replace(state, board=state.board.with_contents(at, replace(contents, stations=turned)))
    return state


def station(state: State, **hexes: str) -> State:
    """Stations beside those that lie there: `D16="BME"`."""
    for at, names in hexes.items():
        for name in names.split():
            contents = state.board.contents(at)
            stations = (*contents.stations, Station(name, 0))
            state = replace(state, board=state.board.with_contents(at, replace(contents, stations=stations)))
            state = with_company(state, name, stations=state.companies[name].stations[1:])
    return state


def tiles(state: State, **laid: str) -> State:
    """Tiles as `E19="4K 1"`; stations and tokens stay."""
    supply = dict(state.supply)
    board = state.board
    for at, text in laid.items():
        number, _, by = text.partition(" ")
        old = board.contents(at)
        board = board.with_contents(at, HexContents(number, int(by or 0), old.stations, old.reservations, old.icons))
        supply[number] -= 1
    return replace(state, board=board, supply=supply)


def tokens(state: State, **laid: str) -> State:
    """Location tokens as `E19="K20"`."""
    for at, icon in laid.items():
        contents = state.board.contents(at)
        state = replace(state, board=state.board.with_contents(at, replace(contents, icons=(*contents.icons, icon))))
    return state


def beer(state: State, stock: int | None = None, price_box: int | None = None, **segments: Any) -> State:
    """The beer market: `s2=(3, 3)` demand; `c1=True` closes; other values stay."""
    extra = do_state(state)
    found = dict(extra.segments)
    for name, wanted in segments.items():
        number = int(name[1:])
        if name[0] == "s":
            found[number] = MarketSegment(demand=wanted)
        elif name[0] == "d":
            found[number] = replace(found[number], supply=wanted)
        else:
            found[number] = MarketSegment(closed=bool(wanted))
    extra = replace(extra, segments=found)
    extra = replace(extra, stock=extra.stock if stock is None else stock)
    extra = replace(extra, price_box=extra.price_box if price_box is None else price_box)
    return replace(state, extra=extra)


def minor(state: State, seat: int, name: str, treasury: int = 0, becs: tuple[str, ...] | None = None) -> State:
    """A player owns a minor, with its printed equipment or another."""
    number = int(name[1:])
    privates = dict(state.privates)
    privates[number] = replace(privates[number], owner=seat, open=True)
    aside = {**state.aside, name: treasury}
    state = replace(state, privates=privates, aside=aside, bank=state.bank - treasury)
    return equipment(state, name, *(becs or ()))


def equipment(state: State, brewery: str, *kinds: str) -> State:
    """Equipment of a brewery, the only one it has; a place in the order, the last, unless it has one."""
    extra: DoState = do_state(state)
    first = extra.handed_out + 1
    becs = tuple(Bec(first + n, kind) for n, kind in enumerate(kinds))
    charters = {**extra.charters, brewery: BreweryCharter(becs)}
    order = extra.order if any(s.brewery == brewery for s in extra.order) else (*extra.order, Slot(brewery))
    return replace(state, extra=replace(extra, charters=charters, handed_out=first + len(kinds), order=order))


def loaded(state: State, company: str, *loads: tuple[str, int]) -> State:
    """Cubes on trains, out of Stock."""
    extra = do_state(state)
    found = tuple(Load(train, cubes) for train, cubes in loads)
    total = sum(cubes for _, cubes in loads)
    return replace(state, extra=replace(extra, loads={**extra.loads, company: found}, stock=extra.stock - total))


def with_advertised(state: State, cube: Advertised) -> State:
    """A cube set aside by Advertising, out of Stock."""
    extra = do_state(state)
    return replace(state, extra=replace(extra, advertised=cube, stock=extra.stock - 1))


def display(state: State, **counts: int) -> State:
    """Cards left in the display by type: `t2=0`; the others go out of the game."""
    left = dict(state.depot.display)
    gone = list(state.depot.gone)
    sold = list(state.depot.sold)
    for name, count in counts.items():
        kind = name[1:]
        gone += [kind] * (left[kind] - count)
        if left[kind] > count and kind not in sold:
            sold.append(kind)
        left[kind] = count
    return replace(state, depot=replace(state.depot, display=left, gone=tuple(gone), sold=tuple(sold)))


def late_display(state: State) -> State:
    """Nothing but types 6 and 8 on display, both of them on sale."""
    return display(state, t2=0, t3=0, t4=0, t5=0, t6=state.sheet.trains["6"].count - 2)


def choices(ruleset: Ruleset, state: State, seat: int, kind: type) -> list[Any]:
    """The legal actions of a kind."""
    return [choice.action for choice in legal(ruleset, state, (seat,)) if isinstance(choice.action, kind)]


def total(state: State) -> int:
    """All money."""
    held = sum(p.cash for p in state.players) + sum(c.treasury for c in state.companies.values())
    return state.bank + held + sum(state.aside.values())


def kwe_net(state: State) -> State:
    """The standard net of the rule sheet: E21, E19, D16, E13, E11 in a row."""
    return tiles(state, E19="4K 1", E17="8 2", D14="8 4")
