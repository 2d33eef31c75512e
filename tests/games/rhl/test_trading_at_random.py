"""Auctions and stock rounds played at random: what holds after every action (INV-01 to INV-09, INV-22, INV-23)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.builders.rhl_trading import begun, current, money, percents, ruleset
from trajekt.engine.actions import Action, EndTurn, Pass
from trajekt.engine.agenda import awaited
from trajekt.engine.components.schema import Space, StockMarket
from trajekt.engine.decisions import Decision, decide, fold, legal
from trajekt.engine.events import CertificateMoved, PriceMoved
from trajekt.engine.ruleset import Choice, Refusal
from trajekt.engine.state import BANK, CHARTER, IPO, POOL, State
from trajekt.rules import stock_market
from trajekt.rules.stock_round import free_cash

STEPS = 120
MOVES = (stock_market.above, stock_market.below, stock_market.left_of, stock_market.right_of)


def faults(state: State) -> Iterator[str]:
    """What must hold of every position."""
    if money(state) != 9000:
        yield f"INV-01: {money(state)} Mark"
    for seat, player in enumerate(state.players):
        if player.cash < 0 or free_cash(state, seat) < 0:
            yield f"INV-02: seat {seat} owns {player.cash}, free {free_cash(state, seat)}"
    if state.bank < 0 and not state.ending:
        yield "INV-02: the bank is broken and nobody knows"
    for company in state.companies.values():
        printed = state.sheet.companies[company.id].certificates
        if tuple(c.percent for c in company.certificates) != printed or sum(printed) != 100:
            yield f"INV-03: {company.id}"
        if company.treasury < 0:
            yield f"INV-02: {company.id}"
        held = company.shareholders
        if company.founded:
            if company.certificates[0].holder != company.director:
                yield f"INV-04: {company.id} is directed by {company.director}"
            if max(held.values()) > held[company.director]:
                yield f"INV-04: {company.id}: {held}"
            if company.id not in state.markers.spaces:
                yield f"INV-08: {company.id} has no marker"
        places = percents(state, company.id)
        if places.get(POOL, 0) > 50:
            yield f"INV-05: {company.id}"
        if state.sheet.edition == "2" and places.get(IPO if company.floated else CHARTER, 0):
            yield f"INV-06: {company.id}: {places}"
    if set(state.markers.arrivals) != set(state.markers.spaces) or len(set(state.operating_order)) != len(
        state.markers.spaces
    ):
        yield "INV-08: markers"


def neighbours(cells: StockMarket, space: Space) -> set[Space]:
    return {move(cells, space) for move in MOVES}


def moved_by_steps(before: State, decision: Decision) -> bool:
    """Each marker moved one space at a time, for a cause that moves markers (INV-09)."""
    spaces = dict(before.markers.spaces)
    for event in decision.events:
        if isinstance(event, PriceMoved):
            old = spaces.get(event.company)
            if old is not None and event.space not in neighbours(before.sheet.market, old):
                return False
            if event.cause not in {"par", "floated", "sale", "sold_out"}:
                return False
            spaces[event.company] = event.space
    return spaces == decision.state.markers.spaces


def drawn(rng: random.Random, choices: list[Choice]) -> tuple[int, Action]:
    """A choice, with passes rarer than all else and numbers within their spans."""
    weights = [1 if isinstance(c.action, Pass | EndTurn) else 3 for c in choices]
    choice = rng.choices(choices, weights)[0]
    action = choice.action
    for name, span in choice.spans.items():
        most = min(span.high, span.low + 6 * span.step)
        action = msgspec.structs.replace(action, **{name: rng.randrange(span.low, most + 1, span.step)})
    return choice.seat, action


def listed(choices: list[Choice], seat: int, action: Action) -> bool:
    """Whether a list of choices covers an action."""
    for choice in choices:
        if choice.seat == seat and type(choice.action) is type(action):
            fields = msgspec.structs.asdict(choice.action)
            mine = msgspec.structs.asdict(action)
            if all(mine[n] in choice.spans[n] if n in choice.spans else mine[n] == fields[n] for n in fields):
                return True
    return False


def changed(rng: random.Random, state: State, action: Action) -> Action | None:
    """The action with one field changed."""
    fields = msgspec.structs.asdict(action)
    if not fields:
        return None
    name = rng.choice(sorted(fields))
    values = {
        "company": [*state.companies, "XYZ"],
        "source": [IPO, CHARTER, POOL, BANK, "ADR"],
        "percent": [-10, 0, 5, 10, 20, 30, 40, 50, 60, 110],
        "sizes": [(), (10,), (20,), (10, 10), (20, 10), (10, 20), (10, 10, 10)],
        "par": [0, 60, 65, 70, 75, 80, 85, 90, 100, 110],
        "private": [0, 1, 2, 3, 4, 5, 6, 7],
        "amount": [0, 20, 25, 33, 37, 60, 85, 86, 145, 150, 600, 605],
    }[name]
    return msgspec.structs.replace(action, **{name: rng.choice(values)})


def play(edition: str, players: int, phase: str, seed: int) -> None:
    """A random game of a hundred-odd actions, everything looked at after each; `phase` holds from the second round on."""
    rng = random.Random(seed)
    rules = ruleset(edition)
    state = begun(edition, players, seed).state
    for _ in range(STEPS):
        if state.outcome:
            return
        if current(state).number > 1:
            state = replace(state, phase=phase)
        choices = legal(rules, state)
        assert {c.seat for c in choices} == set(awaited(rules, state)), "INV-23"
        seat, action = drawn(rng, choices)
        other = changed(rng, state, action)
        if other is not None:
            accepted = not isinstance(decide(rules, state, seat, other), Refusal)
            assert accepted == listed(choices, seat, other), other
        decision = decide(rules, state, seat, action)
        assert isinstance(decision, Decision), (action, decision)
        assert fold(rules, state, decision.events) == decision.state
        assert not list(faults(decision.state)), (action, list(faults(decision.state)))
        assert moved_by_steps(state, decision), "INV-09"
        limit = state.sheet.limits.certificates[players]
        for other_seat in range(players):
            now = decision.state.certificate_count(other_seat)
            exchanged = any(isinstance(e, CertificateMoved) and e.cause == "exchange" for e in decision.events)
            assert now <= max(limit, state.certificate_count(other_seat)) or exchanged, "INV-07"
        state = decision.state


@pytest.mark.rule("COMMON-SET-12", "COMMON-DIR-02", "COMMON-DIR-05", "COMMON-SR-10", "COMMON-SR-15", "COMMON-AUC-05")
@given(
    edition=st.sampled_from(["1", "2", "compat"]),
    players=st.integers(3, 5),
    phase=st.sampled_from(["yellow", "green", "brown"]),
    seed=st.integers(0, 2**32),
)
def test_everything_holds_at_random(edition, players, phase, seed):
    play(edition, players, phase, seed)
