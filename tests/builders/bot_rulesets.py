"""Rulesets that bots are tried with."""

from __future__ import annotations

from trajekt.registry import title


def ruleset_of(edition=2):
    found = title("18rhl")
    chosen = found.options({"edition": edition})
    return found.build(found.sheet(chosen, None), chosen)
