"""Notes on an outcome: what else a choice brings besides money and prices."""

from __future__ import annotations

from collections.abc import Iterator

from trajekt.engine.actions import Action, PlaceBid
from trajekt.engine.events import PhaseBegan
from trajekt.engine.state import State
from trajekt.i18n.sentences import Speaker, event_line
from trajekt.server.presenters.info_panels import coming, phase_changes
from trajekt.server.presenters.outcome_preview import Effects


def notes_of(effects: Effects, speaker: Speaker) -> Iterator[str]:
    """Tell what else a choice brings: events, what a new phase changes and what the one after it will, what a private pays."""
    for private in effects.privates:
        paid = sum(-change.delta for change in effects.cash if change.delta < 0)
        yield from paid_back(effects.state, private, paid, "page.pays_back", speaker)
    for event in effects.events:
        line = event_line(speaker, event)
        if line and isinstance(event, PhaseBegan):
            line = f"{line}: {'; '.join(phase_changes(effects.state, event.phase, speaker))}".removesuffix(": ")
        if line:
            yield line
    if any(isinstance(event, PhaseBegan) for event in effects.events):
        for line in coming(effects.state, speaker)[:1]:
            yield speaker.catalogue.text("page.next_phase", line=line)


def paid_back(state: State, private: int, price: int, key: str, speaker: Speaker) -> Iterator[str]:
    """Tell after how many operating rounds the income of a private company has paid its price; nothing where it has none."""
    say, revenue = speaker.catalogue, state.sheet.privates[private].revenue
    if revenue and price > 0:
        yield say.text(key, amount=say.money(price), revenue=say.money(revenue), rounds=str(-(-price // revenue)))


def bid_effect(state: State, action: Action, speaker: Speaker) -> str:
    """Tell what a bid comes to if it wins; empty for other actions."""
    if not isinstance(action, PlaceBid):
        return ""
    say = speaker.catalogue
    told = paid_back(state, action.private, action.amount, "page.bid_effect", speaker)
    return next(told, say.text("page.bid_effect", amount=say.money(action.amount), revenue="", rounds=""))
