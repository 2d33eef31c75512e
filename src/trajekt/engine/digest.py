"""The fingerprint of a position, by which a record proves itself."""

from __future__ import annotations

import hashlib

import msgspec

from trajekt.engine.codec import to_plain
from trajekt.engine.state import State

OUTSIDE = ("board",)

ADDED: dict[str, dict[str, object]] = {
    "operating_round": {"barred": (), "lowest": None},
    "stock_round": {"prices": ()},
    "auction": {"falling": False},
}
"""Fields that frames got after records had been made, with their defaults: at these they are left out, so that the position of
an older record has the digest that it had."""


def plain(state: State) -> dict[str, object]:
    """The position as plain values; the sheet is left out, it has a digest of its own."""
    out: dict[str, object] = {
        name: to_plain(value, text_keys=True)
        for name, value in msgspec.structs.asdict(state).items()
        if name not in OUTSIDE
    }
    out["agenda"] = [_as_first_stored(frame) for frame in to_plain(state.agenda, text_keys=True)]
    out["grounds"] = to_plain(state.board.contents_by_hex)
    return out


def _as_first_stored(frame: dict[str, object]) -> dict[str, object]:
    """Return a frame without the fields that were added later and hold their default."""
    added = ADDED.get(str(frame.get("type")), {})
    return {name: value for name, value in frame.items() if name not in added or value != added[name]}


def digest(state: State) -> str:
    """SHA-256 over the position in canonical JSON, in hexadecimal digits."""
    return hashlib.sha256(msgspec.json.encode(plain(state), order="sorted")).hexdigest()
