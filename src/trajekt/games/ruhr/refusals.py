"""Reasons for a refusal that only 18Ruhr knows; each has a sentence in the catalogues of its folder."""

from __future__ import annotations

from enum import StrEnum

from trajekt.engine.ruleset import Refusal


class Why(StrEnum):
    """Why an action is refused, beside the shared codes."""

    MUST_DEVELOP = "must_develop"
    NO_SUCH_MARKERS = "no_such_markers"
    NOT_ON_CARD = "not_on_card"
    NO_MARKER_LEFT = "no_marker_left"
    TOO_MANY_MARKERS = "too_many_markers"
    TOO_MANY_OF_FIRST = "too_many_of_first"
    WRONG_ORDER = "wrong_order"
    NO_BOX = "no_box"
    MARKER_WAITS = "marker_waits"
    FULL_NUMBER = "full_number"
    NEEDS_ACTIVE = "needs_active"
    NOT_LINKED = "not_linked"
    ALREADY_LINKED = "already_linked"
    NO_ENGINE = "no_engine"
    NO_ENGINE_ROOM = "no_engine_room"
    NEED_NOT_SCRAP = "need_not_scrap"
    PRICE_RANGE = "price_range"
    WRONG_INDUSTRY = "wrong_industry"
    TOO_FEW_MARKERS = "too_few_markers"
    NO_CIRCLE = "no_circle"
    CANNOT_RAISE = "cannot_raise"
    LOAN_FIRST = "loan_first"
    DEAL_FIRST = "deal_first"
    BANK_RUN = "bank_run"
    NOT_BEST = "not_best"


def because(why: Why, rule: str = "", **args: str | int) -> Refusal:
    """A refusal for a reason of this game; without `rule` the check that answers it fills in its own id."""
    return Refusal(why, rule, args)
