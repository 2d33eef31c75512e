"""The rule sheet of 18Ruhr names the rules: refusals of shared checks cite its ids instead of those of the sister games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as with_values

from trajekt.engine.ruleset import Check, Duty, Refusal, Rule, View

CITES: Mapping[str, str] = {
    "COMMON-DIR-01": "RUHR-DIR-07",
    "COMMON-DIR-04": "RUHR-DIR-04",
    "COMMON-DIR-05": "RUHR-DIR-04",
    "COMMON-DIR-06": "RUHR-DIR-04",
    "COMMON-FOR-08": "RUHR-TRAIN-07",
    "COMMON-OR-04": "RUHR-OR-06",
    "COMMON-RTE-01": "RUHR-ROUTE-01",
    "COMMON-RTE-02": "RUHR-ROUTE-05",
    "COMMON-RTE-03": "RUHR-ROUTE-05",
    "COMMON-RTE-04": "RUHR-ROUTE-04",
    "COMMON-RTE-07": "RUHR-ROUTE-02",
    "COMMON-RTE-08": "RUHR-ROUTE-03",
    "COMMON-RTE-11": "RUHR-ROUTE-06",
    "COMMON-RTE-12": "RUHR-ROUTE-11",
    "COMMON-SR-01": "RUHR-SR-09",
    "COMMON-SR-02": "RUHR-SR-10",
    "COMMON-SR-06": "RUHR-SR-12",
    "COMMON-SR-08": "RUHR-SR-14",
    "COMMON-SR-09": "RUHR-SR-18",
    "COMMON-SR-10": "RUHR-SR-21",
    "COMMON-SR-13": "RUHR-SR-22",
    "COMMON-SR-15": "RUHR-SR-19",
    "COMMON-SR-16": "RUHR-SR-20",
    "COMMON-SR-18": "RUHR-SR-12",
    "COMMON-TOK-01": "RUHR-TOK-02",
    "COMMON-TOK-02": "RUHR-TOK-03",
    "COMMON-TOK-03": "RUHR-TOK-02",
    "COMMON-TOK-05": "RUHR-TOK-03",
    "COMMON-TRK-01": "RUHR-TRK-01",
    "COMMON-TRK-02": "RUHR-TRK-02",
    "COMMON-TRK-03": "RUHR-TRK-11",
    "COMMON-TRK-04": "RUHR-TRK-03",
    "COMMON-TRK-05": "RUHR-TRK-05",
    "COMMON-TRK-07": "RUHR-TRK-07",
    "COMMON-TRK-08": "RUHR-TRK-04",
    "COMMON-TRK-10": "RUHR-TRK-09",
    "COMMON-TRK-13": "RUHR-TRK-09",
    "COMMON-TRK-14": "RUHR-TRK-06",
    "COMMON-TRK-15": "RUHR-TRK-14",
    "COMMON-TRN-01": "RUHR-TRAIN-01",
    "COMMON-TRN-02": "RUHR-TRAIN-02",
    "COMMON-TRN-04": "RUHR-TRAIN-01",
    "COMMON-TRN-05": "RUHR-TRAIN-01",
    "COMMON-TRN-06": "RUHR-TRAIN-03",
    "COMMON-TRN-07": "RUHR-TRAIN-03",
    "COMMON-TRN-09": "RUHR-TRAIN-04",
    "COMMON-TRN-10": "RUHR-TRAIN-06",
    "COMMON-TRN-11": "RUHR-TRAIN-07",
    "RHL-BKR-03": "RUHR-BANKR-08",
    "RHL-RTE-19": "RUHR-ROUTE-01",
}


def own_id(rule: str) -> str:
    """The id of this game's sheet for a shared one; its own stay."""
    return CITES.get(rule, rule)


def _check(shared: Check[Any]) -> Check[Any]:
    rules = tuple(dict.fromkeys(own_id(rule) for rule in shared.rules))

    def test(view: View, action: Any) -> Refusal | None:
        refusal = shared(view, action)
        if refusal is None or refusal.rule not in CITES:
            return refusal
        return with_values(refusal, rule=CITES[refusal.rule])

    return Check(shared.name, rules, test)


def _rule(shared: Rule[Any]) -> Rule[Any]:
    checks = tuple(_check(c) for c in shared.checks)
    return replace(shared, needs=tuple(_check(c) for c in shared.needs), checks=checks)


def cited(duty: Duty) -> Duty:
    """The duty with the ids of this game's sheet in all that it may refuse."""
    stranger = duty.not_your_turn and (duty.not_your_turn[0], own_id(duty.not_your_turn[1]))
    return replace(duty, rule=own_id(duty.rule), menu=tuple(_rule(rule) for rule in duty.menu), not_your_turn=stranger)
