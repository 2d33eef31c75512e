"""Reasons of breweries and the Expert Game for a refusal; each has a sentence in the catalogues of this folder."""

from __future__ import annotations

from enum import StrEnum

from trajekt.engine.ruleset import Refusal


class WhyNot(StrEnum):
    """Why an action of a brewery is refused, beside the shared codes."""

    NO_EQUIPMENT = "no_equipment"
    EQUIPMENT_LIMIT = "equipment_limit"
    NOT_FOR_MINORS = "not_for_minors"
    PURCHASES_DONE = "purchases_done"
    MUST_GET_EQUIPMENT = "must_get_equipment"
    TREASURY_FIRST = "treasury_first"
    HELP_TOO_MUCH = "help_too_much"
    NO_CAPACITY = "no_capacity"
    NO_ARROW = "no_arrow"
    NO_LOADING_SPACE = "no_loading_space"
    NO_BEER_ROUTE = "no_beer_route"
    NO_CUBES = "no_cubes"
    DIRECTOR_REFUSED = "director_refused"
    OFFER_DECLINED = "offer_declined"
    NO_MARKER = "no_marker"
    DEAL_FIRST = "deal_first"
    WAGON_BOUGHT = "wagon_bought"
    NEW_TRAINS_BOUGHT = "new_trains_bought"
    WAGON_LOADED = "wagon_loaded"
    MARKER_PLACES = "marker_places"
    PRICE_BETWEEN = "price_between"
    NO_EVENT = "no_event"
    EVENT_MISUSED = "event_misused"
    NO_SUCH_BOX = "no_such_box"
    SHARE_LIMIT = "share_limit"
    NO_LOCATION_TOKEN = "no_location_token"
    NO_MINE_OR_MILL = "no_mine_or_mill"
    FLOAT_SALE_LIMIT = "float_sale_limit"
    HELP_FOR_MINORS = "help_for_minors"
    NOT_FOUNDED = "not_founded"
    NEXT_CERTIFICATE = "next_certificate"
    NONE_LEFT = "none_left"
    LOWER_TYPE_FIRST = "lower_type_first"


def because(why: WhyNot, rule: str = "", **args: str | int) -> Refusal:
    """A refusal for a reason of breweries; without `rule` the check that answers it fills in its own id."""
    return Refusal(why, rule, args)
