"""Builders of positions for the tests of 18Ruhr: a table set up, then changed by small functions of plain values."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from tests.builders.random_positions import (
    act,
    on_top,
    refused,
    with_cash,
    with_company,
    with_holdings,
    with_market,
    with_tiles,
)
from trajekt.engine.board.board import Station
from trajekt.engine.decisions import Decision, legal, start
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.games.ruhr.components import row_of, ruhr_components, stages_of
from trajekt.games.ruhr.events import LocationSet
from trajekt.games.ruhr.montan_turn import ACTIVITY, MontanTurn
from trajekt.games.ruhr.state import MontanAssets, MontanCorporation, ruhr_state
from trajekt.games.ruhr.title import TITLE
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_market import par_space
from trajekt.rules.stock_round import StockRound

NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz")
ADA, BERT, CLEO, DORA, EMIL, FRITZ = range(6)


@cache
def rules(**options: Any) -> Ruleset:
    """The ruleset of a table with these options."""
    chosen = TITLE.options({"fixed_seats": True, "scenario": "hellweg", **options})
    return TITLE.build(TITLE.sheet(chosen, None), chosen)


@cache
def opened(players: int = 4, **options: Any) -> State:
    """A game just begun: the package lies on display and the first player is to act."""
    return start(rules(**options), NAMES[:players], 1, shuffle=False).state


def at_table(players: int = 4, **options: Any) -> State:
    """A table without anything under way, so that what a test puts on the agenda is not followed by anything."""
    return replace(opened(players, **options), agenda=())


def in_phase(state: State, phase: str) -> State:
    """The state in a phase: one card of its type sold, all lower types gone, those of obsolete types and the rest out."""
    display = dict(state.depot.display)
    gone: list[str] = []
    for kind in state.sheet.trains:
        if kind == phase:
            display[kind] -= 1
            gone.append(kind)
            break
        left = 1 if (kind, phase) == ("6", "8") else 0
        gone += [kind] * (display[kind] - left)
        display[kind] = left
    sold = tuple(state.sheet.trains)[: list(state.sheet.trains).index(phase) + 1]
    return replace(state, phase=phase, depot=replace(state.depot, display=display, gone=tuple(gone), sold=sold))


def owning(
    state: State, *, markers: str = "", money: int | None = None, engines: tuple[str, ...] = (), **mines: int
) -> State:
    """pMCs sold, as `pmc7=ADA`, with their START markers and money, or those given."""
    for name, seat in mines.items():
        mine = int(name.removeprefix("pmc"))
        printed = ruhr_components(state.sheet).charters[str(mine)]
        held = row_of(markers) if markers else printed.start
        assert held is not None
        extra = ruhr_state(state)
        works = {**extra.works, str(mine): MontanAssets(held, engines)}
        value = state.sheet.privates[mine].price
        extra = replace(extra, works=works, mines={**extra.mines, mine: "active"}, worth={**extra.worth, mine: value})
        privates = {**state.privates, mine: replace(state.privates[mine], owner=seat, open=True)}
        purse = printed.start_money if money is None else money
        aside = {**state.aside, str(mine): purse}
        state = replace(state, extra=extra, privates=privates, aside=aside, bank=state.bank - purse)
    return state


def purse(state: State, mine: int) -> int:
    """The treasury of a pMC."""
    return state.aside.get(str(mine), 0)


def located(state: State, **values: int) -> State:
    """Location markers at values, as `pmc7=10`."""
    ruleset = rules()
    for name, value in values.items():
        event = LocationSet(int(name.removeprefix("pmc")), value, "test")
        state = ruleset.own[LocationSet](state, event)
    return state


def started(
    state: State,
    company: str,
    director: int,
    value: int,
    *,
    treasury: int = 0,
    trains: tuple[str, ...] = (),
    operated: bool = True,
    floated: bool = True,
    par: int | None = None,
    stock: int | None = None,
    **held: int,
) -> State:
    """A started corporation with its director and value; `held` as in `with_holdings`, the rest in the IPO."""
    state = with_holdings(state, company, director=director, **held)
    space = par_space(state.sheet.market, value) or box(state, value)
    state = with_market(state, **{company: box(state, stock) if stock else space})
    state = with_company(
        state,
        company,
        founded=True,
        floated=floated,
        operated=operated,
        par=par or value,
        treasury=treasury,
        trains=trains,
    )
    return replace(state, bank=state.bank - treasury)


def box(state: State, value: int) -> tuple[int, int]:
    """The space of a value on the one row of the market."""
    row = state.sheet.market.rows[0]
    return 1, next(n for n, cell in enumerate(row, 1) if cell is not None and cell.price == value)


def montan(
    state: State,
    company: str,
    director: int,
    value: int,
    *mines: int,
    markers: str = "",
    engines: tuple[str, ...] = (),
    phase: str = "4",
    settled: bool = True,
    **rest: Any,
) -> State:
    """A MONTAN corporation with its locations, the founding one at 20."""
    state = started(state, company, director, value, **rest)
    extra = ruhr_state(state)
    held = row_of(markers)
    assert held is not None
    status = {mine: "founded" if n == 0 else "merged" for n, mine in enumerate(mines)}
    extra = replace(
        extra,
        montan={**extra.montan, company: MontanCorporation(mines, phase, settled)},
        works={**extra.works, company: MontanAssets(held, engines)},
        mines={**extra.mines, **status},
    )
    privates = {**state.privates, **{mine: replace(state.privates[mine], open=False) for mine in mines}}
    late = any(held[4:])
    return located(replace(state, extra=extra, privates=privates), **{f"pmc{mines[0]}": 30 if late else 20})


def holding(state: State, works: str) -> str:
    """The markers on a charter as letters."""
    return stages_of(ruhr_state(state).works.get(works, MontanAssets()).markers)


def engines(state: State, works: str) -> tuple[str, ...]:
    """The engines on a charter."""
    return ruhr_state(state).works.get(works, MontanAssets()).engines


def stations(state: State, company: str, *hexes: str, stop: int = 0) -> State:
    """Stations of a company on the map, taken from its unused ones."""
    for at in hexes:
        contents = state.board.contents(at)
        kept = tuple(k for k in contents.reservations if k.company != company)
        placed = replace(contents, stations=(*contents.stations, Station(company, stop)), reservations=kept)
        state = replace(state, board=state.board.with_contents(at, placed))
        state = with_company(state, company, stations=state.companies[company].stations[1:])
    return state


def acted(state: State) -> OperatingRound:
    """An operating round in which everybody else has acted."""
    return OperatingRound(2, 1, 2, (*state.companies, *(str(n) for n in range(1, 19))), opened=True)


def works_turn(
    state: State, works: str, *, step: str = ACTIVITY, revenue: int = 0, used: tuple[str, ...] = ()
) -> State:
    """The turn of a Montan company on top, at its activity unless said otherwise."""
    return on_top(state, acted(state), MontanTurn(works, step, revenue, used))


def railway_turn(state: State, company: str, step: str = "track", **values: Any) -> State:
    """The turn of a railway on top."""
    return on_top(state, acted(state), CompanyTurn(company, step, **values))


def stock_turn(state: State, seat: int = ADA, number: int = 2, **values: Any) -> State:
    """A stock round on top with this player to act."""
    return on_top(replace(state, agenda=(Rounds(number),)), StockRound(number, seat, **values))


def kinds(ruleset: Ruleset, state: State, seat: int) -> set[str]:
    """The names of the actions that a seat has."""
    return {type(choice.action).__name__ for choice in legal(ruleset, state, (seat,))}


def offered(ruleset: Ruleset, state: State, seat: int) -> list[Any]:
    """The actions that a seat has."""
    return [choice.action for choice in legal(ruleset, state, (seat,))]


def after(ruleset: Ruleset, state: State, *moves: tuple[int, Any]) -> State:
    """The state after actions that must all be accepted."""
    for seat, action in moves:
        state = act(ruleset, state, seat, action).state
    return state


def refuses(ruleset: Ruleset, state: State, seat: int, action: Any, code: str, rule: str) -> None:
    """An action that must be refused for this reason by this rule, and is not offered."""
    answer = refused(ruleset, state, seat, action)
    assert (str(answer.code), answer.rule) == (str(code), rule), answer
    assert action not in offered(ruleset, state, seat)


__all__ = [
    "ADA", "BERT", "CLEO", "DORA", "EMIL", "FRITZ", "Decision", "act", "after", "at_table", "box", "engines",
    "holding", "in_phase", "kinds", "located", "montan", "offered", "on_top", "opened", "owning", "purse", "railway_turn",
    "refused", "refuses", "rules", "started", "stations", "stock_turn", "with_cash", "with_company", "with_holdings",
    "with_tiles", "works_turn",
]  # fmt: skip
