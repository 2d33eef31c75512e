"""The invariants themselves: each finds the position that breaks it, and nothing in one that does not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import position, with_company, with_holdings, with_tiles
from tests.builders.rhl_turns import company, unsold
from trajekt.engine.board.board import Board, Station
from trajekt.engine.state import POOL, Company, Markers, Private, State
from trajekt.rules import invariants
from trajekt.rules.trains import TooManyTrains


def sound(edition=2) -> State:
    """ADR directed by Ada, floated; all that is printed is there."""
    state = position(edition, cash=100)
    state = company(state, "ADR", director=0, par=70)
    state = with_holdings(state, "ADR", director=0, Ada=30, Bert=20, charter=50)
    closed = {n: replace(p, open=True) for n, p in state.privates.items()}
    return replace(state, privates=closed)


def found(state, *, also=()):
    return {message[:6] for invariant in (*invariants.SHARED, *also) for message in invariant(state)}


@pytest.mark.parametrize("edition", [1, 2])
def test_a_sound_position_breaks_nothing(edition):
    state = sound(edition)
    assert found(state, also=(invariants.offering_empty_once_floated,)) == set()
    assert found(position(edition)) == set()


def in_debt(state: State) -> State:
    return replace(state, players=(replace(state.players[0], cash=-1), *state.players[1:]), bank=state.bank + 101)


def broke(state: State) -> State:
    return replace(state, players=(replace(state.players[0], bankrupt=True), *state.players[1:]))


def contents(state: State, at: str, **values: object) -> State:
    contents_by_hex = {**state.board.contents_by_hex, at: replace(state.board.contents(at), **values)}
    return replace(state, board=Board(state.sheet, contents_by_hex))


def adr(state: State) -> Company:
    return state.companies["ADR"]


def papers(state: State, change) -> State:
    """ADR's certificates changed."""
    return with_company(state, "ADR", certificates=tuple(change(list(adr(state).certificates))))


def bert_holds_more(state: State) -> State:
    return with_holdings(papers(state, lambda _: position(2).companies["ADR"].certificates), "ADR", director=0, Bert=30)


def two_on_one_hex(state: State) -> State:
    return with_company(contents(state, "I10", stations=(Station("ADR", 0), Station("ADR", 1))), "ADR", stations=(0,))


def all_but_adas_in_the_pool(state: State) -> State:
    return papers(state, lambda held: [c if c.holder == 0 else replace(c, holder=POOL) for c in held])


BROKEN = {
    "money from nowhere": ("INV-01", lambda s: with_company(s, "ADR", treasury=10)),
    "a debtor": ("INV-02", in_debt),
    "an empty treasury": ("INV-02", lambda s: replace(with_company(s, "ADR", treasury=-5), bank=s.bank + 5)),
    "an empty bank": ("INV-02", lambda s: replace(with_company(s, "ADR", treasury=9000), bank=s.bank - 9000)),
    "a certificate too many": ("INV-03", lambda s: papers(s, lambda held: [*held, held[-1]])),
    "a certificate nowhere": ("INV-03", lambda s: papers(s, lambda held: [*held[:-1], replace(held[-1], holder="moon")])),
    "a bankrupt owner": ("INV-03", broke),
    "nobody directs": ("INV-04", lambda s: with_company(s, "ADR", director=None)),
    "another directs": ("INV-04", lambda s: with_company(s, "ADR", director=1)),
    "another holds more": ("INV-04", bert_holds_more),
    "a director in receivership": ("INV-04", lambda s: with_company(s, "ADR", receivership=True)),
    "a full pool": ("INV-05", all_but_adas_in_the_pool),
    "a charter before floating": ("INV-06", lambda s: with_company(s, "ADR", floated=False)),
    "no marker": ("INV-08", lambda s: replace(s, markers=Markers())),
    "a marker off the market": ("INV-08", lambda s: replace(s, markers=Markers({"ADR": (9, 9)}, ("ADR",)))),
    "a stack of others": ("INV-08", lambda s: replace(s, markers=replace(s.markers, arrivals=("ADR", "BME")))),
    "a lost tile": ("INV-10", lambda s: replace(s, supply={**s.supply, "8": s.supply["8"] - 1})),
    "track to a closed side": ("INV-10", lambda s: with_tiles(s, C6="9 r0")),
    "two stations on a hex": ("INV-12", two_on_one_hex),
    "too many on a stop": ("INV-12", lambda s: contents(s, "B9", stations=(Station("ADR", 0), Station("BME", 0)))),
    "a lost token": ("INV-12", lambda s: with_company(s, "ADR", stations=(60,))),
    "a train too many": ("INV-14", lambda s: with_company(s, "ADR", trains=("2",))),
    "an obsolete train": ("INV-14", lambda s: replace(with_company(s, "ADR", trains=("2",)), phase="green4")),
    "above the limit": ("INV-14", lambda s: with_company(s, "ADR", trains=("2",) * 5)),
    "a phase too far": ("INV-15", lambda s: replace(s, phase="green")),
    "a private left open": ("INV-26", lambda s: replace(s, phase="brown", privates={1: Private(1, owner=0)})),
}  # fmt: skip


@pytest.mark.parametrize("name", list(BROKEN))
def test_each_broken_position_is_found(name):
    id_, change = BROKEN[name]
    assert id_ in found(change(sound()))


def test_floated_offering_is_empty_r2():
    state = with_holdings(company(position(2), "BME", (1, 4), director=0, par=100), "BME", director=0, Ada=50)
    assert found(state) == set()
    assert found(state, also=(invariants.offering_empty_once_floated,)) == {"INV-06"}


def test_exceptions_are_exceptions():
    """A bank below zero once the end is due, a pool beyond half after a bankruptcy, trains while a discard is asked for."""
    over = replace(with_company(sound(), "ADR", treasury=9000), bank=sound().bank - 9000, ending="or")
    assert "INV-02" not in found(over)
    full = papers(sound(), lambda held: [replace(c, holder=POOL) for c in held])
    full = broke(with_company(full, "ADR", director=None, receivership=True))
    assert not {"INV-04", "INV-05"} & found(full)
    asked = with_company(unsold(2), "ADR", trains=("3",) * 5)
    waiting = replace(asked, agenda=(TooManyTrains(("ADR",)),))
    assert len(list(invariants.trains(waiting))) == len(list(invariants.trains(asked))) - 1
