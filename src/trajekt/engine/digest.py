"""The fingerprint of a position, by which a record proves itself."""

from __future__ import annotations

import hashlib

import msgspec

from trajekt.engine.state import State

OUTSIDE = ("board",)


def plain(state: State) -> dict[str, object]:
    """The position as plain values; the sheet is left out, it has a digest of its own."""
    out: dict[str, object] = {
        name: msgspec.to_builtins(value, str_keys=True)
        for name, value in msgspec.structs.asdict(state).items()
        if name not in OUTSIDE
    }
    out["grounds"] = msgspec.to_builtins(state.board.contents_by_hex)
    return out


def digest(state: State) -> str:
    """SHA-256 over the position in canonical JSON, in hexadecimal digits."""
    return hashlib.sha256(msgspec.json.encode(plain(state), order="sorted")).hexdigest()
