"""Both editions and compat with operating rounds that pay incomes and nothing else, and tables in stock rounds."""

from __future__ import annotations

import dataclasses
from functools import cache

from msgspec.structs import replace

from tests.builders.random_positions import (
    act,
    on_top,
    position,
    refused,
    sheet,
    with_company,
    with_holdings,
    with_market,
)
from trajekt.engine.decisions import Decision, start
from trajekt.engine.ruleset import Code, Ruleset
from trajekt.engine.state import CHARTER, IPO, State
from trajekt.games.rhl.options import RhlOptions
from trajekt.games.rhl.ruleset import build
from trajekt.rules.operating_round import CompanyTurn, TurnPolicy, company_turn
from trajekt.rules.stock_round import StockRound

NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz")
ADA, BERT, CLEO, DORA = range(4)
EDITIONS = ("1", "2", "compat")


@cache
def ruleset(edition: str = "2", location: int = 0, variants: tuple[str, ...] = ()) -> Ruleset:
    """`"1"`, `"2"` or `"compat"` as composed, without offers to end; a company's turn has no steps and passes by itself."""
    number = 2 if edition == "2" else 1
    options = RhlOptions(edition=number, compat=edition == "compat", location=location, **dict.fromkeys(variants, True))
    whole = build(sheet(number, options.variants), options)
    policies = tuple(TurnPolicy(()) if isinstance(policy, TurnPolicy) else policy for policy in whole.policies)
    duties = {**whole.duties, CompanyTurn: company_turn()}
    return dataclasses.replace(whole, duties=duties, policies=policies, anytime=())


def begun(edition: str = "2", players: int = 3, seed: int = 1, **options: int) -> Decision:
    """POS-0: set-up in the order of `NAMES`, so that Ada has the priority deal."""
    return start(ruleset(edition, **options), NAMES[:players], seed, shuffle=False)


def trading(edition: str = "2", players: int = 3, *, number: int = 2, seat: int = 0, cash: int = 500, **more) -> State:
    """An empty table in a stock round, `seat` to act, the package sold to nobody's profit."""
    state = position(2 if edition == "2" else 1, players, cash=cash, **more)
    privates = {n: replace(p, owner=0, open=False) for n, p in state.privates.items()}
    return on_top(replace(state, privates=privates), StockRound(number, seat))


def current(state: State) -> StockRound:
    """The stock round on the agenda."""
    return next(frame for frame in state.agenda if isinstance(frame, StockRound))


def money(state: State) -> int:
    """All Mark on the table (INV-01)."""
    companies = sum(c.treasury for c in state.companies.values())
    return state.bank + sum(p.cash for p in state.players) + companies + sum(state.aside.values())


def firm(
    state: State, company: str, space, *, director: int | None = None, floated=True, operated=True, **held
) -> State:
    """A founded corporation with its marker on `space`: who holds what per cent, the rest on the charter (R1: unsold)."""
    state = with_holdings(with_market(state, **{company: space}), company, director=director, **held)
    if floated and state.sheet.edition == "2":
        moved = tuple(
            replace(c, holder=CHARTER) if c.holder == IPO else c for c in state.companies[company].certificates
        )
        state = with_company(state, company, certificates=moved)
    par = state.sheet.market.price(space)
    return with_company(state, company, founded=True, floated=floated, operated=operated, par=par)


def percents(state: State, company: str) -> dict:
    """Per cent of a company by place."""
    held: dict = {}
    for certificate in state.companies[company].certificates:
        held[certificate.holder] = held.get(certificate.holder, 0) + certificate.percent
    return held


def play(edition: str, state: State, *moves) -> State:
    """Moves in turn, each a seat and an action that must be accepted."""
    for seat, action in moves:
        state = act(ruleset(edition), state, seat, action).state
    return state


def refuses(edition: str, state: State, seat: int, action, code: Code, rule: str) -> None:
    answer = refused(ruleset(edition), state, seat, action)
    assert (answer.code, answer.rule) == (code, rule), answer
