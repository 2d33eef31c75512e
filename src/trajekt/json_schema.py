"""JSON Schemas of what is stored and sent, made from the types themselves: actions and events of a game, records.

A kind of action or event is the same type wherever two games share it; where each has a type of its own under one name, both
stand in the schema, told apart by the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from trajekt.engine.actions import Action
from trajekt.engine.events import SHARED, Event, FramePushed, TopReplaced
from trajekt.engine.frame_notes import Note
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Frame
from trajekt.engine.title import choices
from trajekt.records import RecordFile
from trajekt.registry import names, title
from trajekt.rules.referee_marks import BOOKS

DRAFT = "https://json-schema.org/draft/2020-12/schema"
PLAIN = re.compile(r"\w+")


def rulesets_of(game: str = "") -> list[Ruleset]:
    """Every ruleset that a game has, by edition and variant; without a game those of all. `UnknownGameError`."""
    found = []
    for each in map(title, [game] if game else names()):
        for edition in each.editions:
            tables = choices(each, edition)
            if each.referee:
                tables.append(({"edition": edition, "referee": BOOKS}, each.editions[edition]))
            for chosen, (low, _) in tables:
                options = each.seated(each.options(chosen), low)
                found.append(each.ruleset(each.sheet(options, None), options))
    return found


def actions_of(game: str = "") -> tuple[type[Action], ...]:
    """The actions that a game knows in any edition or variant, by their tags; without a game those of all.

    >>> "RunTrains" in [kind.__name__ for kind in actions_of("18lra")]
    True
    """
    return in_order({kind for rules in rulesets_of(game) for kind in rules.actions})


def in_order(kinds: Iterable[type[Any]]) -> tuple[type[Any], ...]:
    """Types in an order that does not change: by tag, then by module."""
    return tuple(sorted(kinds, key=lambda kind: (str(kind.__struct_config__.tag), kind.__module__, kind.__name__)))


def schemas(types: Sequence[Any], template: str) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The schema of each type, and those to which they refer, each under a plain name that is also its title.

    `template` is the place of a schema, as `#/$defs/{name}`.
    """
    shapes, components = msgspec.json.schema_components(types, schema_hook=_anything, ref_template=template)
    known = {name: name for name in components if PLAIN.fullmatch(name)}
    for name in sorted(components.keys() - known):
        known[name] = _plain_name(name, set(known.values()))
    places = {template.format(name=name): template.format(name=plain) for name, plain in known.items()}
    out = {known[name]: {**_moved(shape, places), "title": known[name]} for name, shape in components.items()}
    return dict(zip(types, (_moved(shape, places) for shape in shapes), strict=True)), out


def _anything(kind: type) -> dict[str, Any]:
    """The schema of a field that holds a note, which is told as one text, or that may hold any value."""
    if issubclass(kind, Note):
        return {"type": "string", "description": (kind.__doc__ or "").partition("\n")[0]}
    return {"description": "any value"}


def _plain_name(name: str, taken: set[str]) -> str:
    """A name for one of several types that are called alike: with as much of its module in front as tells it apart."""
    *modules, own = name.split(".")
    found = own
    while found in taken and modules:
        found = "".join(word.capitalize() for word in modules.pop().split("_")) + found
    return found


def _moved(value: Any, places: Mapping[str, str]) -> Any:
    """A schema whose references lead to other places."""
    if isinstance(value, dict):
        return {key: places.get(each, each) if key == "$ref" else _moved(each, places) for key, each in value.items()}
    if isinstance(value, list):
        return [_moved(each, places) for each in value]
    return places.get(value, value) if isinstance(value, str) else value


def one_of(kinds: Sequence[type[Any]], shapes: Mapping[Any, Any], field: str) -> dict[str, Any]:
    """A value of one of these kinds, told apart by its tag where no two have the same."""
    tags = [str(kind.__struct_config__.tag) for kind in kinds]
    out: dict[str, Any] = {"anyOf": [shapes[kind] for kind in kinds]}
    if len(set(tags)) == len(tags):
        mapping = {tag: shapes[kind]["$ref"] for tag, kind in zip(tags, kinds, strict=True)}
        out["discriminator"] = {"propertyName": field, "mapping": mapping}
    return out


def record_schema(game: str = "") -> dict[str, Any]:
    """The schema of a record of a game, or of any.

    >>> sorted(record_schema("18lra")["properties"])[:4]
    ['comments', 'component_set', 'components', 'digest']
    """
    rules = rulesets_of(game)
    actions = actions_of(game)
    frames: tuple[type[Frame], ...] = in_order({frame for each in rules for frame in each.duties})
    own: set[type[Event]] = {event for each in rules for event in each.own}
    events = in_order({*SHARED, FramePushed, TopReplaced, *own})
    shapes, defs = schemas([*actions, *frames, *events, RecordFile], "#/$defs/{name}")
    defs["Action"] = {"title": "Action", "anyOf": [shapes[kind] for kind in actions]}
    defs["Frame"] = {"title": "Frame", "anyOf": [shapes[kind] for kind in frames]}
    defs["Event"] = {"title": "Event", "anyOf": [shapes[kind] for kind in events]}
    for kind in (FramePushed, TopReplaced):
        defs[kind.__name__]["properties"]["frame"] = {"$ref": "#/$defs/Frame"}
    several = {"type": "array", "items": {"$ref": "#/$defs/Event"}}
    record = defs.pop(RecordFile.__name__)
    record["properties"]["set_up"] = several
    defs["EntryFile"]["properties"]["action"] = {"anyOf": [{"$ref": "#/$defs/Action"}, {"type": "null"}]}
    defs["EntryFile"]["properties"]["events"] = several
    if game:
        record["properties"]["game"] = {"const": title(game).id}
    return {
        "$schema": DRAFT,
        **record,
        "title": f"A record of {title(game).name if game else 'trajekt'}",
        "$defs": defs,
    }
