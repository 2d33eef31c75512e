"""Hints under a question that is answered on the map: what it costs, and which powers of private companies light hexes."""

from __future__ import annotations

from collections.abc import Sequence

from trajekt.engine.actions import UsePrivate
from trajekt.engine.ruleset import Choice
from trajekt.engine.state import State
from trajekt.i18n.charters import station_prices
from trajekt.i18n.sentences import Speaker, tag_of
from trajekt.server.presenters.choice_groups import hex_of


def powers_in_use(choices: Sequence[Choice], speaker: Speaker) -> str:
    """The private companies whose powers may be used on the map now, by name."""
    numbers = {c.action.private for c in choices if isinstance(c.action, UsePrivate) and hex_of(c.action)}
    return ", ".join(speaker.private(number) for number in sorted(numbers))


def only_powers(choices: Sequence[Choice]) -> bool:
    """Tell whether all that can be done on the map is by powers."""
    here = [choice.action for choice in choices if hex_of(choice.action)]
    return bool(here) and all(isinstance(action, UsePrivate) for action in here)


def map_hint(state: State, choices: Sequence[Choice], company: str, speaker: Speaker) -> str:
    """Say what to choose on the map, with the prices of stations or the powers that widen the choice."""
    say = speaker.catalogue
    if {tag_of(choice.action) for choice in choices if hex_of(choice.action)} == {"place_station"}:
        prices = station_prices(state.companies[company].stations, speaker) if company else ""
        return say.text("page.hint.station", prices=prices)
    powers = powers_in_use(choices, speaker)
    if only_powers(choices):
        return say.text("page.hint.power", powers=powers)
    return say.text("page.hint.tile", powers=powers)
