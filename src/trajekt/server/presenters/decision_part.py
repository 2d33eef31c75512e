"""The region of the decision: what a viewer is asked, or for whom the table waits, with guide and coach beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trajekt.engine.actions import Decline
from trajekt.engine.state import Seat
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.rules.referee_marks import mirrored
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters import game_log
from trajekt.server.presenters.coach import Hint, Lesson, hint, lesson
from trajekt.server.presenters.decision import Now
from trajekt.server.presenters.exercises import Practice, practice_of
from trajekt.server.presenters.guided_turn import Advice, advice
from trajekt.server.presenters.referee_panel import RefereePanel, referee_panel
from trajekt.server.presenters.since_marks import SinceMarks, since_marks
from trajekt.server.services.bot_runner import set_aside
from trajekt.server.services.table_service import TableService, bots_of
from trajekt.server.services.undo_policy import Undo
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.seats import assignments_of


@dataclass(frozen=True, slots=True)
class GuidePart:
    """The guided turn and what stands beside it; `pointed`: the hex and tile to look at. Template: `guided_turn.html`."""

    advice: Advice
    practice: Practice
    pointed: Hint | None


@dataclass(frozen=True, slots=True)
class DecisionPart:
    """The decision, and for whom the table waits. Template: `decision.html`."""

    now: Now
    awaited: Sequence[str]
    mine: Seat | None
    acted: str  # who made the entry that is looked at; empty at the newest position
    since: Sequence[game_log.LogLine]
    marks: SinceMarks | None  # of what others did since; None where that is nothing
    declined: bool  # whether a proposal of the reader was declined since
    waits: bool
    turn: bool
    undo: Undo | None
    undo_asks: Sequence[str]
    redo: bool
    guide: GuidePart | None
    lesson: Lesson | None  # template: `coach.html`
    set_aside: Mapping[Seat, str]
    ended: bool  # by the host of the server
    mirror: str  # the part of a table with real cardboard that is mirrored, empty where there is none
    referee: RefereePanel | None  # of a table with real cardboard; template: `referee.html`


def decision_part(
    table: TableService,
    cached: CachedGame,
    viewer: Viewer,
    view: Game,
    decision: Now,
    log: Sequence[game_log.LogLine],
    speaker: Speaker,
    *,
    live: bool,
) -> DecisionPart:
    """The decision as this viewer is asked, or waits for others."""
    seats, seating = table.seats(cached, viewer), bots_of(table.store, cached)
    people = assignments_of(table.store, cached)
    together, open_ = people.friends, live and not people.ended
    mine = reader(decision, seats, together=together)
    back = table.undo_to(cached, viewer) if open_ else None
    awaited_here = not set(view.to_act).isdisjoint(seats)
    guide = advice(view, speaker) if seating.guided and live else None
    since = game_log.since_own(view, log, mine) if live else ()
    theirs = [view.entries[line.number - 1] for line in since]
    return DecisionPart(
        now=decision,
        awaited=named_seats(view.to_act, speaker) if open_ else (),
        mine=mine,
        acted="" if live else actor(view, speaker),
        since=since,
        marks=since_marks(theirs, view.state) if theirs else None,
        declined=any(isinstance(entry.action, Decline) for entry in theirs),
        waits=open_ and not awaited_here and others_decide(view, decision),
        turn=open_ and (together or bool(seating.playing)) and awaited_here,
        undo=back,
        undo_asks=named_seats(back.asks, speaker) if back else (),
        redo=open_ and table.may_redo(cached, viewer),
        guide=guide_part(cached, view, decision, guide, seats, speaker) if guide else None,
        lesson=lesson(view.state, speaker.catalogue, on_map=bool(decision.menu.hexes))
        if awaited_here and live and not under_way(guide)
        else None,
        set_aside=set_aside(cached) if open_ else {},
        ended=live and people.ended,
        mirror=mirrored(view.state),
        referee=referee_panel(view.state, speaker, seats, open_=open_),
    )


def reader(decision: Now, seats: Sequence[Seat], *, together: bool) -> Seat | None:
    """The seat whose page it is: the viewer's own; where several play at one screen, the one that is asked."""
    return next(iter(seats), None) if together or len(seats) == 1 else decision.seat


def guide_part(
    cached: CachedGame, view: Game, decision: Now, guide: Advice, seats: Sequence[Seat], speaker: Speaker
) -> GuidePart:
    """The guided turn with what stands beside it."""
    practice = practice_of(cached, view, guide, speaker)
    return GuidePart(guide, practice, pointed(cached, view, decision, guide, seats, speaker))


def others_decide(view: Game, decision: Now) -> bool:
    """Tell whether the table waits for a decision that is not offered here."""
    return not view.finished and not offered(decision)


def actor(view: Game, speaker: Speaker) -> str:
    """The player who made the entry that is looked at; empty at the set-up."""
    return speaker.seat(view.entries[view.number - 1].seat) if view.number else ""


def named_seats(seats: Iterable[Seat], speaker: Speaker) -> list[str]:
    """The players of seats by name."""
    return [speaker.seat(seat) for seat in seats]


def under_way(guide: Advice | None) -> bool:
    """Tell whether a guided turn has steps to go."""
    return guide is not None and not guide.done


def pointed(
    cached: CachedGame, view: Game, decision: Now, guide: Advice, seats: Sequence[Seat], speaker: Speaker
) -> Hint | None:
    """The hex and tile that a guided turn points at; an exercise points at nothing."""
    if guide.done or guide.exercise or not seats or not decision.menu.hexes:
        return None
    return hint(cached, view, seats[0], speaker)


def offered(decision: Now) -> bool:
    """Tell whether anything may be chosen, even if nobody waits for it."""
    found = decision.menu
    return bool(found.cards or found.groups or found.quick or found.hexes or found.runs)
