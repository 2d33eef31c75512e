"""Map and market of a table in fragments, with what is offered marked on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trajekt.engine.components.schema import HexId
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.events import TrainsRan
from trajekt.engine.state import State
from trajekt.engine.title import Title
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.stock_market import Ghost
from trajekt.server.presenters import info_panels
from trajekt.server.presenters.choice_groups import hex_of
from trajekt.server.presenters.decision import Now, card_ghosts, tracks
from trajekt.server.presenters.fragments import FragmentCache, Plate, plate
from trajekt.server.presenters.map_and_market import map_drawn, market_drawn
from trajekt.server.presenters.run_step import sketches


@dataclass(frozen=True, slots=True)
class DrawingsPart:
    """Map and stock market in fragments, and the routes that are offered. Templates: `regions.html`, `print.html`."""

    map: Plate
    market: Plate
    sketches: str


def drawings(press: FragmentCache, view: Game, decision: Now, ran: TrainsRan | None, speaker: Speaker) -> DrawingsPart:
    """Map and market of a position with what is offered marked on them."""
    state, title, say = view.state, view.title, speaker.catalogue
    lit, lines, last = tuple(decision.menu.hexes), tracks(ran), last_hex(view)
    shown = card_ghosts(state, decision.cards)

    def draw_map() -> Iterable[str]:
        return map_drawn(state, title, lit=lit, routes=lines, marked=last, say=say)

    def draw_market() -> Iterable[str]:
        return both_markets(state, title, shown, say)

    return DrawingsPart(
        map=plate(press, "map", say.language, (view.board_since(view.head), state.phase, lit, lines, last), draw_map),
        market=plate(press, "market", say.language, (state.markers, info_panels.operated(state), shown), draw_market),
        sketches=sketches(view, decision.company, ran) if decision.runs else "",
    )


def both_markets(state: State, title: Title, shown: Sequence[Ghost], say: Catalogue) -> list[str]:
    """The market for a wide page and, with taller spaces, for a phone, in pieces; the page shows one of them."""
    done = info_panels.operated(state)
    return [
        '<div class="mk-wide">',
        *market_drawn(state, title, done, shown, say),
        '</div><div class="mk-tall">',
        *market_drawn(state, title, done, shown, say, tall=True),
        "</div>",
    ]


def run_offered(game: Game, action: str) -> TrainsRan | None:
    """Return what an action that runs trains would record."""
    decision = decide(game.ruleset, game.state, game.to_act[0], game.codec.action(action))
    events = decision.events if isinstance(decision, Decision) else ()
    return next((e for e in events if isinstance(e, TrainsRan)), None)


def last_hex(game: Game) -> tuple[HexId, ...]:
    """The hex of the newest action, to find it again."""
    last = next(game.line_back(), None)
    at = None if last is None or last.action is None else hex_of(last.action)
    return () if at is None else (at,)
