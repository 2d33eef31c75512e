"""Preview of an action: what it would change, with the ghosts on the market and the hex as it would lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import msgspec

from trajekt.engine.board.track_graph import PieceRef
from trajekt.engine.components.schema import HexId
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.ruleset import Choice, Refusal
from trajekt.game import Game, Refused
from trajekt.i18n.sentences import Catalogue, Speaker, tag_of
from trajekt.rendering.hex_geometry import centre
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.choice_groups import hex_of, plain
from trajekt.server.presenters.decision import Outcome, card_ghosts, ghosts, now, told, tracks
from trajekt.server.presenters.map_and_market import hex_svg
from trajekt.server.presenters.offers import deed_label
from trajekt.server.presenters.outcome_notes import bid_effect
from trajekt.server.presenters.outcome_preview import Effects, effects_of
from trajekt.server.presenters.page_model import Fill, PageModel
from trajekt.server.presenters.position_view import choices_at, position, speaker_of
from trajekt.server.presenters.run_effect import run_effect
from trajekt.server.presenters.table_drawings import both_markets
from trajekt.server.services.table_service import Submission, TableService
from trajekt.server.storage.cached_game import CachedGame


@dataclass(frozen=True, slots=True)
class OutcomePart(PageModel):
    """Effects of an action in words and figures."""

    template: ClassVar[str] = "action_preview.html"
    effects: Outcome
    say: Catalogue


class HexDrawing(msgspec.Struct, frozen=True):
    """A hex as it would lie, and its place on the map."""

    hex: HexId
    x: float
    y: float
    svg: str


class ActionPreview(msgspec.Struct, frozen=True):
    """Effects of an action before it is confirmed: as a part of the page, and as drawings for the map and the market.

    `market` is empty where no marker would move; `lines` are the routes of an action that runs trains.
    """

    outcome: str
    label: str
    player: str
    market: str
    over: HexDrawing | None
    lines: Sequence[Sequence[PieceRef]] | None


def outcome_told(game: Game, choice: Choice, decision: Decision, effects: Effects, speaker: Speaker) -> Outcome:
    """Effects of a choice in words, first what it is good for: runs that it makes possible, the income that it buys."""
    outcome = told(effects, choice.seat, speaker)
    good = run_effect(game, choice.action, decision.state, speaker) or bid_effect(game.state, choice.action, speaker)
    return replace(outcome, notes=[good, *outcome.notes]) if good else outcome


def action_preview(
    table: TableService, cached: CachedGame, viewer: Viewer, sent: Submission, fill: Fill
) -> ActionPreview:
    """Return what an action would change. Raises `Refused` where the rules refuse it."""
    game = position(cached)
    state = game.state
    action = table.action(cached, sent)
    seat = table.actor(cached, viewer, sent, action)
    answer = decide(game.ruleset, state, seat, action)
    if isinstance(answer, Refusal):
        raise Refused(answer)
    speaker = speaker_of(cached, viewer)
    say = speaker.catalogue
    effects = effects_of(game, state, answer)
    outcome = outcome_told(game, Choice(seat, action), answer, effects, speaker)
    cards = now(game, choices_at(cached, game), speaker, table.seats(cached, viewer)).cards
    sent_as = plain(action)
    stands = any(card.chip.action == sent_as for card in cards)
    shown = card_ghosts(state, cards, sent_as) if stands else ghosts(effects)
    over = None
    at = hex_of(action)
    if at is not None:
        over = HexDrawing(at, *centre(state.sheet.layout, at), hex_svg(answer.state, game.title, at))
    return ActionPreview(
        outcome=fill(OutcomePart(outcome, say)),
        label=deed_label(game.ruleset, Choice(seat, action), answer.state, speaker),
        player=speaker.seat(seat),
        market="".join(both_markets(state, game.title, shown, say)) if shown else "",
        over=over,
        lines=tracks(effects.ran) if tag_of(action) == "run_trains" else None,
    )
