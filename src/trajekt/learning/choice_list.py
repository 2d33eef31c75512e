"""The list of legal choices of a seat: what a number means that a learning machine answers."""

from __future__ import annotations

from trajekt.bots.bot import legal_of, numbered, open_to
from trajekt.engine.actions import Action
from trajekt.engine.ruleset import Option, Span, View

MOST = 1024
"""The places of the list. Where more is legal, every so many are left out, evenly."""

VALUES = 5
"""The values of an open number that are listed, at most."""


def values_of(span: Span) -> list[int]:
    """Some values of a span: the ends and what lies evenly between."""
    count = (span.high - span.low) // span.step + 1
    places = range(count) if count <= VALUES else [n * (count - 1) // (VALUES - 1) for n in range(VALUES)]
    return [span.low + place * span.step for place in places]


def listed(view: View) -> list[Action]:
    """The legal actions of a seat in the order of the list, `MOST` at most."""
    found: list[Action] = []
    for rule in open_to(view):
        for option in legal_of(rule, view):
            if not isinstance(option, Option) or not option.spans:
                found.append(numbered(option, lambda span: span.low))
                continue
            most = max(len(values_of(span)) for span in option.spans.values())
            for n in range(most):
                action = numbered(option, lambda span, n=n: values_of(span)[min(n, len(values_of(span)) - 1)])
                if rule.first_refusal(view, action) is None:
                    found.append(action)
    if len(found) <= MOST:
        return found
    return [found[n * len(found) // MOST] for n in range(MOST)]
