"""Every lay and every station of the recorded game under the rules of recorded games, and its link (F-A, section 19)."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from tests.builders.random_positions import act
from tests.builders.rhl_positions import choices, ruleset, settle, table, turn, with_stations
from tests.builders.rhl_recorded_runs import standing
from tests.conftest import shared_path
from trajekt.engine.actions import LayTile, Pass, PlaceStation, UsePrivate
from trajekt.engine.events import Paid
from trajekt.rules.operating_round import CompanyTurn

OWN = {"KEG": "MKB"}
POWERS = {"PWB": 1, "KEO": 2, "Szl": 3, "Tjt": 4}
PHASES = {"3": "green", "4": "green4", "5": "brown", "6": "brown6", "8": "grey"}
HOMES = (
    "RhE I10:a kept; CCE I10:b kept; CME I10:c kept; CCE E6:a kept; ADR K2:a kept; BME F13:b kept; DEE F9:b kept;"
    "GVE G6:b kept; MKB D7:a kept"
)


def opened(state, company, *, powers):
    """The track step of a company with money enough, its director the owner of the open powers."""
    turned = {n: replace(c, director=0 if n == company else 1, treasury=9000) for n, c in state.companies.items()}
    privates = {n: replace(p, owner=0 if powers else 1) for n, p in state.privates.items()}
    state = replace(state, companies=turned, privates=privates, agenda=(CompanyTurn(company),))
    return settle("compat", state)


@pytest.mark.rule("COMMON-TRK-08", "COMMON-TOK-02", "RHL-PRV-10", "RHL-PRV-12", "RHL-FLT-07")
def test_recorded_lays_and_stations_are_legal():
    actions = standing([
        a for a in json.loads(shared_path("recorded/18rhl-first-edition-2026.json").read_text())["actions"]
        if a["type"] != "message"
    ])  # fmt: skip
    state = with_stations(table("compat", "RhE", treasury=0), HOMES)
    state = replace(
        state, companies={n: replace(c, operated=False, par=80) for n, c in state.companies.items()}, agenda=()
    )
    lays = stations = 0
    active, lying = "", {}
    for n, action in enumerate(actions):
        if action["type"] == "buy_train":
            started = PHASES.get(action.get("variant") or action["train"].split("-")[0])
            order = [phase.name for phase in state.sheet.phases]
            if started and order.index(started) > order.index(state.phase):
                closed = {k: replace(p, open=p.open and "brown" not in started) for k, p in state.privates.items()}
                state = replace(state, phase=started, privates=closed)
        if action["entity_type"] == "corporation":
            active = OWN.get(action["entity"], action["entity"])
        if action["type"] == "lay_tile":
            tile, power = action["tile"].split("-")[0].lstrip("X"), POWERS.get(action["entity"])
            if power:  # the company is that of the next action
                active = next(
                    OWN.get(a["entity"], a["entity"]) for a in actions[n:] if a["entity_type"] == "corporation"
                )
            state = _turn(state, active, power is not None)
            place = action["hex"], tile, action["rotation"]
            wanted = UsePrivate(power, *place) if power else LayTile(*place)
            if not power and action["hex"] == "E14":
                state = _turn(state, active, True)
            assert wanted in choices("compat", state, type(wanted)), (action, state.phase)
            decision = act(ruleset("compat"), state, 0, wanted)
            paid = [e for e in decision.events if isinstance(e, Paid) and e.cause == "link"]
            assert bool(paid) == (action["id"] == 83)
            state = decision.state
            lays += 1
            lying[action["tile"]] = action["hex"]
        if action["type"] == "place_token":
            state = _turn(state, active, False)
            if turn(state).step == "track":
                state = act(ruleset("compat"), state, 0, Pass()).state
            at, index = action["city"].split("-")[0], action["city"].split("-")[-1]
            at = lying[action["city"].rpartition("-")[0]] if at not in state.sheet.hexes else at
            offered = [a for a in choices("compat", state, PlaceStation) if a.hex == at]
            assert offered, action
            state = act(ruleset("compat"), state, 0, offered[min(int(index), len(offered) - 1)]).state
            stations += 1
        if action["type"] in ("run_routes", "dividend", "buy_train"):
            state = _ended(state)
    assert (lays, stations) == (69, 11)


def _turn(state, company, powers):
    if state.agenda and turn(state).company == company:
        privates = {n: replace(p, owner=0 if powers else 1) for n, p in state.privates.items()}
        return replace(state, privates=privates)
    return opened(_ended(state), company, powers=powers)


def _ended(state):
    """The turn is over; its company has operated."""
    if not state.agenda:
        return state
    company = turn(state).company
    companies = {**state.companies, company: replace(state.companies[company], operated=True)}
    return replace(state, companies=companies, agenda=())
