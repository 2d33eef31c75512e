"""Actions and events of one ruleset as JSON, and back. What cannot be read says where."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from operator import is_
from typing import Any, Union, cast

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.events import SHARED, Event, FramePushed, TopReplaced
from trajekt.engine.frame_notes import decoder, encoded
from trajekt.engine.ruleset import Ruleset


class Codec:
    """Reads and writes the actions and events of a ruleset; their unions follow from its duties and its own events."""

    def __init__(self, ruleset: Ruleset) -> None:
        frames: Any = Union[tuple(ruleset.duties)]  # noqa: UP007  built at run time
        events: Any = Union[(*SHARED, FramePushed[frames], TopReplaced[frames], *ruleset.own)]
        self.actions: Any = Union[tuple(ruleset.actions)]  # noqa: UP007  built at run time
        self._action = msgspec.json.Decoder(self.actions)
        self._read_note = decoder(ruleset.notes)
        self._list: Any = tuple.__class_getitem__((events, ...))
        self._events = msgspec.json.Decoder(self._list, dec_hook=self._read_note)

    def action(self, data: bytes | str) -> Action:
        """An action from its JSON; `msgspec.ValidationError` names the place of a fault."""
        decoded: Action = self._action.decode(data)
        return decoded

    def action_of(self, data: object) -> Action:
        """An action from plain values, or a checked copy of one that was built by hand."""
        converted: Action = msgspec.convert(msgspec.to_builtins(data), self.actions)
        return converted

    def event_list(self, data: bytes | str) -> tuple[Event, ...]:
        return cast("tuple[Event, ...]", _share_words(self._events.decode(data)))

    def events_of(self, data: object) -> tuple[Event, ...]:
        converted: tuple[Event, ...] = msgspec.convert(data, self._list, dec_hook=self._read_note, str_keys=True)
        return converted


WORDLESS = frozenset({int, bool, float, type(None)})
"""Types of values that hold no words: most values of an event, passed over without a call, since a whole log is read so."""


def _share_words(value: Any) -> Any:
    """Let all values that were decoded hold the one object of each word; a game names the same hexes and companies often."""
    if type(value) is str:
        return sys.intern(value)
    if isinstance(value, tuple):
        shared = [each if type(each) in WORDLESS else _share_words(each) for each in value]
        return value if all(map(is_, shared, value)) else type(value)(shared)
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            was = getattr(value, name)
            if type(was) in WORDLESS:
                continue
            now = sys.intern(was) if type(was) is str else _share_words(was)
            if now is not was:
                msgspec.structs.force_setattr(value, name, now)  # an equal value that nobody else has seen yet
    return value


def encode(value: Action | Sequence[Event]) -> bytes:
    """An action or events as JSON."""
    return msgspec.json.encode(value, enc_hook=encoded)


def to_plain(value: object, *, text_keys: bool = False) -> Any:
    """Return actions, events, frames or positions as plain values, with `text_keys` as their JSON has them."""
    return msgspec.to_builtins(value, enc_hook=encoded, str_keys=text_keys)
