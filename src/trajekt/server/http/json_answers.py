"""Answers in JSON by which a client lives, as they are sent and as `openapi.json` describes them."""

from __future__ import annotations

from typing import Any

import msgspec

from trajekt.engine.state import Seat


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fault: `code` for clients, `message` in the viewer's language; the rest by kind."""

    code: str
    message: str
    path: str = ""
    detail: str = ""
    rule: str = ""
    args: dict[str, Any] = {}
    number: int = 0
    since: list[str] = []
    seat: Seat = -1
    seats: list[Seat] = []
    to: int = 0
    outcome: str = ""
    retry_after: int = 0


class Failed(msgspec.Struct, frozen=True):
    """Every answer of 400 and more."""

    error: Fault


class SeatLink(msgspec.Struct, frozen=True):
    """A person's seat at a table of friends and the address that opens it; `yours` is the host's."""

    seat: Seat
    name: str
    address: str
    yours: bool


class Opened(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table that was made, and where it is; among friends the links to the seats and the one to watch."""

    id: str
    address: str
    seats: tuple[SeatLink, ...] = ()
    watch: str = ""


class Sat(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seat that one has now; `name` and `also`, the others of this device, where it has several. No seat: to watch."""

    seat: Seat | None
    address: str
    name: str = ""
    also: tuple[str, ...] = ()


class Joined(msgspec.Struct, frozen=True):
    """The address at which somebody who has sat down goes on: the open table, or the game where that was the last seat."""

    address: str
    started: bool


class Done(msgspec.Struct, frozen=True):
    """An action that is stored: the number of its entry, the seat, and `action`, `undo` or `redo`."""

    number: int
    seat: Seat
    kind: str
