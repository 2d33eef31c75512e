"""Exports of games that the site's engine played at random, each with the position that the site holds at its end.

The files hold one key that no export has, `holds`: made by another engine, so that reader and rules are judged from outside.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trajekt.engine.board.track_graph import ENDS
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.engine.digest import digest
from trajekt.engine.state import IPO, POOL
from trajekt.game import Game
from trajekt.games.rhl.site_names import CITIES, COMPANIES
from trajekt.import_18xx import ImportRefusedError, import_export, note_line
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.stock_round import StockRound

FILES = {path.stem: path for path in sorted((Path(__file__).parent / "site_exports").glob("*.json"))}
STOPS = {  # what the site lets through against the rulebook, or cannot be followed: entry, rule, sentence
    "15-stale-graph-k4": (276, "COMMON-TRK-08", "blocked"),
}
NUMBERS = {1: "PWB", 2: "KEO", 3: "Szl", 4: "Tjt", 5: "NLK"}
SITE = {ours: theirs for theirs, ours in COMPANIES.items() if theirs == "KEG"}


def holds_of(name: str) -> dict:
    return json.loads(FILES[name].read_text(encoding="utf-8"))["holds"]


def tokens(game: Game, company: str) -> list[str]:
    """The stations of a company as the site names them: hex and number of the city."""
    out = []
    for at, contents in game.state.board.contents_by_hex.items():
        for station in contents.stations:
            if station.company == company and not station.asleep:
                stops = CITIES.get(contents.tile, ENDS[FIRST_STOP:])
                out.append(f"{at}/{stops.index(ENDS[FIRST_STOP + station.stop])}")
    return sorted(out)


def position(game: Game) -> dict:
    """The position in the words of the site."""
    state = game.state
    players, corporations = {}, {}
    for seat, name in enumerate(state.names):
        held = {SITE.get(c.id, c.id): c.percent(seat) for c in state.companies.values() if c.percent(seat)}
        privates = {
            NUMBERS[p.number] for p in state.privates.values() if p.owner == seat and p.open and p.number in NUMBERS
        }
        players[name] = {"cash": state.players[seat].cash, "shares": held, "privates": sorted(privates)}
    for company in state.companies.values():
        if company.id in state.markers.spaces:
            corporations[SITE.get(company.id, company.id)] = {
                "cash": company.treasury - company.debt,
                "price": state.price(company.id),
                "trains": sorted(company.trains),
                "owner": None if company.director is None else state.names[company.director],
                "floated": company.floated,
                "ipo": company.percent(IPO),
                "pool": company.percent(POOL),
                "tokens": tokens(game, company.id),
            }
    return {"players": players, "corporations": corporations, "pool_trains": sorted(state.depot.pool)}


def site_position(holds: dict) -> dict:
    """What the site holds, as far as `position` tells it."""
    players = {
        name: {**row, "privates": sorted({"ATB": "PWB"}.get(p, p) for p in row["privates"] if p != "RhE")}
        for name, row in holds["players"].items()
    }
    corporations = {
        name: {k: sorted(v) if k in ("trains", "tokens") else v for k, v in row.items() if k != "at"}
        for name, row in holds["corporations"].items()
        if row["price"]
    }
    return {"players": players, "corporations": corporations, "pool_trains": sorted(holds["pool_trains"])}


@pytest.mark.rule("CMP-03", "CMP-04", "CMP-05", "CMP-06", "CMP-07")
@pytest.mark.parametrize("name", [name for name in FILES if name not in STOPS])
def test_export_comes_over_equal(name):
    holds = holds_of(name)
    game = import_export(FILES[name].read_bytes()).game
    assert position(game) == site_position(holds)
    state = game.state
    assert state.bank + sum(state.aside.values()) + sum(c.debt for c in state.companies.values()) == holds["bank"]
    assert game.options.location == holds["draw"]
    top = state.top
    if isinstance(top, StockRound):
        assert holds["round"] == f"Stock {top.number}.1"
        assert [state.names[seat] for seat in game.to_act] == holds["acting"]
    elif isinstance(top, CompanyTurn) and holds["round"].startswith("Operating"):
        frame = next(frame for frame in state.agenda if isinstance(frame, OperatingRound))
        assert holds["round"] == f"Operating {frame.set}.{frame.number}"
        assert SITE.get(top.company, top.company) == holds["entity"]


@pytest.mark.parametrize("name", STOPS)
def test_export_stops_where_rules_part(name):
    entry, rule, words = STOPS[name]
    with pytest.raises(ImportRefusedError, match=words) as caught:
        import_export(FILES[name].read_bytes())
    assert caught.value.entry == entry
    if rule:
        assert caught.value.refusal.rule == rule
    assert caught.value.game.number > 0  # the position so far, to look at and play on


def test_keys_without_meaning_are_ignored():
    """What other games of the site, or other versions of it, write beside: halts, nodes, abilities, who pressed the button."""
    plain = json.loads(FILES["04-certificate-from-wrong-place"].read_text(encoding="utf-8"))
    before = digest(import_export(json.dumps(plain).encode()).game.state)
    beside = {
        "user": 99,
        "created_at": 1.5,
        "swap": None,
        "share_price": None,
        "purchase_for": None,
        "borrow_from": None,
    }
    plain["actions"] = [beside | entry for entry in plain["actions"]]
    for entry in plain["actions"]:
        for route in entry.get("routes", ()):
            route |= {"halts": None, "abilities": [], "nodes": ["X9-0"], "subsidy": 0, "optional_hexes": None}
    plain["actions"].insert(3, {"type": "message", "entity": 99, "entity_type": "player", "message": "hello", "id": 4})
    plain |= {"loaded": True, "user_settings": {}, "mode": "multi", "game_end_reason": None}
    assert digest(import_export(json.dumps(plain).encode()).game.state) == before


@pytest.mark.rule("CMP-43")
def test_order_of_operation_follows_floating():
    game = import_export(FILES["06-order-of-floating"].read_bytes()).game
    done = next(frame.operated for frame in game.state.agenda if isinstance(frame, OperatingRound))
    order = [*done, *(company for company in game.state.operating_order if company not in done)]
    assert [SITE.get(company, company) for company in order] == holds_of("06-order-of-floating")["order"]


def test_record_without_link_pays_by_rules():
    plain = json.loads(FILES["17-link-dueren-dead-end"].read_text(encoding="utf-8"))
    for entry in plain["actions"]:
        entry.pop("auto_actions", None)
    game = import_export(json.dumps(plain).encode()).game
    assert (game.options.link, game.state.companies["RhE"].treasury) == ("rules", 83)


def test_notes_name_difference_and_entry():
    game, notes = import_export(FILES["02-run-routes-empty"].read_bytes())
    assert [(note.entry, note.rule) for note in notes] == [(50, "CMP-06")]
    assert "entry 50: ADR's run without a route" in note_line(notes[0], game, "en")
    assert "Eintrag 50: Die Fahrt der ADR ohne Route" in note_line(notes[0], game, "de")
