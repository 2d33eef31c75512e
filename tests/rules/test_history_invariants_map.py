"""Invariants that events of certificates and tiles show: limits, track that stays, links that stay, track used once."""

from __future__ import annotations

from msgspec.structs import replace

from tests.builders.random_positions import position, with_holdings, with_tiles
from trajekt.engine.events import CertificateMoved, TileLaid, TrainsRan
from trajekt.engine.state import Private
from trajekt.rules.history_invariants import terms, track_stays, within_limit


def at_the_limit():
    """Ada holds 20 certificates, the limit of three players: 14 of shares and all privates."""
    state = position(2, 3)
    state = with_holdings(state, "RhE", Ada=80)
    state = with_holdings(state, "ADR", Ada=80)
    state = replace(state, privates={n: Private(n, 0) for n in range(1, 7)})
    assert state.certificate_count(0) == 20
    return state


def test_certificate_above_the_limit_is_seen():
    state = at_the_limit()
    assert list(within_limit(state, CertificateMoved("GVE", 1, "io", 0, "share"))) == [
        "INV-07: seat 0 takes a certificate of GVE above the limit of 20"
    ]
    assert list(within_limit(state, CertificateMoved("GVE", 1, "io", 1, "share"))) == []
    assert list(within_limit(state, CertificateMoved("GVE", 1, "io", "pool", "sale"))) == []


def test_exchange_may_go_above_the_limit():
    assert list(within_limit(at_the_limit(), CertificateMoved("GVE", 1, 1, 0, "exchange"))) == []


def test_track_that_disappears_is_seen():
    state = with_tiles(position(2, 3), F11="9 r1")
    assert [found[:6] for found in track_stays(state, TileLaid("F11", "8", 0, "DEE"))] == ["INV-11", "INV-11"]
    assert list(track_stays(state, TileLaid("F11", "23", 1, "DEE"))) == []


def test_private_tile_may_take_track():
    state = with_tiles(position(2, 3), E8="55 r0")
    assert list(track_stays(state, TileLaid("E8", "935", 1, "DEE"))) == []


def test_link_of_area_that_lost_seen():
    state = with_tiles(position(2, 3), E14="8 r1")
    lost = list(track_stays(state, TileLaid("E14", "8", 0, "DEE")))
    assert any(found.startswith("INV-28: eastern_ruhr loses links at E14") for found in lost)


def test_track_used_twice_is_seen():
    run = {"revenue": 0, "stops": [], "bonuses": [], "track": ["K6:4a", "K8:14"]}
    assert list(terms(TrainsRan("RhE", 0, (run,)))) == []
    assert [found[:6] for found in terms(TrainsRan("RhE", 0, (run, run)))] == ["INV-17"]
