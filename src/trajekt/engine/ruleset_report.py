"""A ruleset as text: every frame's rules with their checks, every reaction and policy, in the order in which they hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from trajekt.engine.ruleset import Check, Duty, Rule, Ruleset


def tag(kind: type[Any]) -> str:
    """The tag of an action, event or frame, as in its JSON."""
    return str(kind.__struct_config__.tag)


def effective(ruleset: Ruleset) -> Iterator[str]:
    """The lines that describe a ruleset; two rulesets with equal lines are composed alike."""
    yield f"{ruleset.name} version {ruleset.version}"
    yield "options: " + (", ".join(f"{k}={v}" for k, v in sorted(ruleset.options.items())) or "none")
    for frame, duty in ruleset.duties.items():
        yield ""
        yield from _duty(frame, duty)
    yield ""
    yield "at any time"
    for rule in ruleset.anytime:
        yield from _rule(rule)
    yield ""
    yield "reactions"
    for reaction in ruleset.reactions:
        yield f"  {tag(reaction.event)}: {name_of(reaction.run)} ({', '.join(reaction.rules)})"
    yield ""
    yield "policies"
    for policy in ruleset.policies:
        yield from _policy(policy)
    yield ""
    yield "invariants"
    for invariant in ruleset.invariants:
        yield f"  {name_of(invariant)}"


def _duty(frame: type[Any], duty: Duty) -> Iterator[str]:
    yield f"{tag(frame)} ({duty.rule})" + (f", by itself: {name_of(duty.run)}" if duty.run is not None else "")
    for rule in duty.menu:
        yield from _rule(rule)


def _rule(rule: Rule[Any]) -> Iterator[str]:
    yield f"  {tag(rule.action)}: {name_of(rule.effect)}"
    for kind, checks in (("needs", rule.needs), ("check", rule.checks)):
        for each in checks:
            yield f"    {kind} {each.name} ({', '.join(each.rules)})"


def _policy(policy: object) -> Iterator[str]:
    yield f"  {type(policy).__name__}"
    if dataclasses.is_dataclass(policy):
        for part in dataclasses.fields(policy):
            yield f"    {part.name} = {shown(getattr(policy, part.name))}"
    elif isinstance(policy, msgspec.Struct):
        for name in policy.__struct_fields__:
            yield f"    {name} = {shown(getattr(policy, name))}"


def name_of(value: Any) -> str:
    """The name of a function as it stands in the code, a partial one by what it is a part of."""
    inner = getattr(value, "func", value)
    return str(getattr(inner, "__qualname__", type(inner).__name__)).replace(".<locals>", "").replace("<lambda>", "…")


def shown(value: Any) -> str:
    """A value of a policy in one line, functions by their names and without addresses."""
    if isinstance(value, Check):
        return f"{value.name} ({', '.join(value.rules)})"
    if isinstance(value, tuple):
        return "(" + ", ".join(shown(each) for each in value) + ")"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{shown(key)}: {shown(each)}" for key, each in value.items()) + "}"
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(shown, value))) + "}"
    if isinstance(value, msgspec.Struct):
        fields = value.__struct_fields__
        return f"{type(value).__name__}({', '.join(f'{name}={shown(getattr(value, name))}' for name in fields)})"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        inner = ", ".join(f"{f.name}={shown(getattr(value, f.name))}" for f in dataclasses.fields(value))
        return f"{type(value).__name__}({inner})"
    return name_of(value) if callable(value) else repr(value)
