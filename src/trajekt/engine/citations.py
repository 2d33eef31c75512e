"""Find the rule by which each event of a decision came: the action's duty, a reaction, or a frame that ran by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from trajekt.engine.actions import Action
from trajekt.engine.agenda import duty_of, run, settle
from trajekt.engine.decisions import judge
from trajekt.engine.events import Event
from trajekt.engine.ruleset import Draft, Refusal, Ruleset
from trajekt.engine.state import Seat, State


class CitingDraft(Draft):
    """A draft that notes beside each event the rule id under which it was emitted."""

    __slots__ = ("cited", "under")

    def __init__(self, ruleset: Ruleset, state: State, seat: Seat, under: str) -> None:
        super().__init__(ruleset, state, seat)
        self.under = under
        self.cited: list[str] = []

    def emit(self, event: Event) -> None:
        self.cited.append(self.under)
        super().emit(event)


def _noted(work: Callable[..., None], id_: str) -> Callable[..., None]:
    """A function of a draft that works under a rule id; what it came from has its own again afterwards."""

    def do(draft: Any, subject: Any) -> None:
        before, draft.under = draft.under, id_
        work(draft, subject)
        draft.under = before

    return do


def cited(ruleset: Ruleset, state: State, seat: Seat, action: Action) -> Sequence[str]:
    """The rule id of each event that a legal action causes, and last that of the decision which follows it."""
    rule, duty = judge(ruleset, state, seat, action), duty_of(ruleset, state)
    assert not isinstance(rule, Refusal), rule
    assert duty is not None
    noting = replace(
        ruleset,
        duties={
            frame: each if each.run is None else replace(each, run=_noted(each.run, each.rule))
            for frame, each in ruleset.duties.items()
        },
        reactions=tuple(replace(each, run=_noted(each.run, each.rules[0])) for each in ruleset.reactions),
    )
    draft = CitingDraft(noting, state, seat, duty.rule)
    rule.effect(draft, action)
    settle(draft, 0)
    run(draft)
    after = duty_of(ruleset, draft.state)
    return (*draft.cited, duty.rule if after is None else after.rule)
