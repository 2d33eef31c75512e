"""Models for the templates: one model for the start page, one for all regions of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

import msgspec

from trajekt.engine.actions import Decline
from trajekt.engine.components.component_sets import set_of
from trajekt.engine.components.schema import HexId, Sheet, StockMarket
from trajekt.engine.decisions import Decision, decide
from trajekt.engine.events import TrainsRan
from trajekt.engine.ruleset import Span
from trajekt.engine.state import Seat, State
from trajekt.engine.title import Standing, Title
from trajekt.export_18xx import has_form
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.map import bounds
from trajekt.rendering.stock_market import Ghost
from trajekt.rendering.token_symbols import draw_token, page_symbols
from trajekt.round_label import Round, round_of
from trajekt.rules.floating import in_game
from trajekt.rules.operating_round import current_turn
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters import game_log, info_panels
from trajekt.server.presenters.choice_groups import hex_of
from trajekt.server.presenters.clock import ClockPanel, clock_panel, result_of
from trajekt.server.presenters.coach import Hint, Lesson, hint, lesson
from trajekt.server.presenters.comments import MomentComment, comments_of
from trajekt.server.presenters.decision import Now, card_ghosts, now, tracks
from trajekt.server.presenters.exercises import Practice, practice_of
from trajekt.server.presenters.fragments import FragmentCache, Plate, fragments_of, plate
from trajekt.server.presenters.game_end import EndPage, again, game_end
from trajekt.server.presenters.guided_turn import Advice, advice
from trajekt.server.presenters.map_and_market import look_of, map_drawn, market_drawn
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.position_view import choices_at, position
from trajekt.server.presenters.referee_panel import RefereePanel, referee_panel
from trajekt.server.presenters.run_step import sketches
from trajekt.server.presenters.seats_panel import SeatsPanel, seats_panel
from trajekt.server.presenters.since_marks import SinceMarks, marks_json, since_marks
from trajekt.server.services.bot_runner import set_aside
from trajekt.server.services.table_service import PAUSES, TRIAL, TableService, bots_of
from trajekt.server.services.undo_policy import Undo
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.seats import assignments_of

BROAD = 1.2
STEP_ROWS, STEP_PART = 3, 0.48  # how many rows of the market must end before what part of its width


@dataclass(frozen=True, slots=True)
class Facts:
    """The header: game, round, phase; amounts are written out. Template: `regions.html`."""

    game: str
    edition: str
    round: str
    of: str
    phase: str
    colour: str
    values: str
    limit: int
    bank: str
    certificates: int


@dataclass(frozen=True, slots=True)
class PositionPart:
    """The position as everybody at the table is shown it, in one language. Templates: `regions.html`, `print.html`."""

    number: int
    at: int
    facts: Facts
    stepped: bool
    broad: bool
    trains: Sequence[info_panels.TrainCard]
    coming: Sequence[str]
    companies: Sequence[info_panels.CompanyRow]
    players: Sequence[info_panels.PlayerColumn]
    privates: Sequence[info_panels.PrivateRow]
    log: Sequence[game_log.LogLine]
    log_batches: Sequence[game_log.LogBatch]
    stretches: Sequence[game_log.Stretch]
    end: EndPage | None
    boards: Sequence[object]
    pool: Sequence[str]
    ran: TrainsRan | None
    last: tuple[HexId, ...]
    symbols: str


@dataclass(frozen=True, slots=True)
class DrawingsPart:
    """Map and stock market in fragments, and the routes that are offered. Templates: `regions.html`, `print.html`."""

    map: Plate
    market: Plate
    sketches: str


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
    guide: Advice | None
    practice: Practice | None
    lesson: Lesson | None
    pointed: Hint | None  # the hex and tile that the guide points at
    set_aside: Mapping[Seat, str]
    ended: bool  # by the host of the server
    referee: RefereePanel | None  # of a table with real cardboard


@dataclass(frozen=True, slots=True)
class TablePart:
    """The table around the board: its name, who plays how, what may be done with it. Templates: `menu.html`, `seats.html`."""

    id: str
    title: Title
    say: Catalogue
    live: bool
    trial: bool
    together: bool
    watching: bool
    bots: Mapping[Seat, str]
    pause: float
    paces: Sequence[float]
    circle: SeatsPanel | None
    clock: ClockPanel | None
    undo_here: Undo | None
    again: str  # the table with the same people, as JSON; empty before the end
    has_site_form: bool
    comments: Sequence[MomentComment]
    token: Callable[..., str] = draw_token
    marks_json: Callable[[SinceMarks], str] = marks_json


@dataclass(frozen=True, slots=True)
class TablePage:
    """The page of a table, of parts that each know their templates."""

    position: PositionPart
    drawings: DrawingsPart
    decision: DecisionPart
    table: TablePart

    def context(self) -> dict[str, object]:
        """The fields of all parts by name, as the templates are filled with them."""
        parts = (self.position, self.drawings, self.decision, self.table)
        return {field.name: getattr(part, field.name) for part in parts for field in fields(part)}


@dataclass(frozen=True, slots=True)
class TableDocument(PageModel):
    """The document of a table around its `regions`, which are drawn already."""

    template: ClassVar[str] = "table.html"
    facts: Facts
    symbols: str
    title: Title
    say: Catalogue
    regions: str


def facts(state: State, title: Title, speaker: Speaker, edition: str) -> Facts:
    """The header of a position."""
    say = speaker.catalogue
    here: Round = round_of(state)
    edition = say.text(f"page.edition.{edition}") if f"page.edition.{edition}" in say else edition
    own = set_of(state.sheet)
    return Facts(
        game=title.name,
        edition=edition
        if own is None
        else say.text("page.set.named", edition=edition, name=own.name, version=own.version),
        round=game_log.round_name(here, say),
        of=say.text("page.of", of=here.of) if here.of else "",
        phase=speaker.phase(state.phase),
        colour=state.current_phase.colour,
        values=info_panels.values_line(state, say),
        limit=state.current_phase.train_limit,
        bank=say.money(state.bank),
        certificates=state.sheet.limits.certificates.get(len(state.players), 0),
    )


def table_page(table: TableService, cached: CachedGame, viewer: Viewer, at: int | None) -> TablePage:
    """The whole page of a table, at its newest position or after entry `at`."""
    game = position(cached)
    live = at is None or at == game.number
    open_ = live and not assignments_of(table.store, cached).ended
    view = game if live else game.at(at if at is not None else game.number)
    speaker = viewer.speaker(game.title, view.state)
    press, language = fragments_of(cached), speaker.catalogue.language
    press.begin(game.number)
    seats = table.seats(cached, viewer)
    decision = now(view, choices_at(cached, view) if open_ else (), speaker, seats if open_ else ())
    result = tuple(result_of(table, cached, view)) if view.finished else ()
    key = game.number, view.number, language, result
    everybody = press.models.of(key, lambda: for_all(cached, game, view, result, speaker))
    assert isinstance(everybody, PositionPart)
    ran = run_offered(view, decision.runs.chip.action) if decision.runs else everybody.ran
    return TablePage(
        position=everybody,
        drawings=drawings(press, view, decision, ran, speaker),
        decision=decision_part(table, cached, viewer, view, decision, everybody, speaker, live=live),
        table=table_part(table, cached, viewer, view, speaker, live=live),
    )


def drawings(press: FragmentCache, view: Game, decision: Now, ran: TrainsRan | None, speaker: Speaker) -> DrawingsPart:
    """Map and market of a position with what is offered marked on them."""
    state, title, say = view.state, view.title, speaker.catalogue
    lit, lines, last = tuple(decision.menu.hexes), tracks(ran), last_hex(view)
    shown = card_ghosts(view, decision.cards)

    def draw_map() -> Iterable[str]:
        return map_drawn(state, title, lit=lit, routes=lines, marked=last, say=say)

    def draw_market() -> Iterable[str]:
        return both_markets(state, title, shown, say)

    return DrawingsPart(
        map=plate(press, "map", say.language, (view.board_since(view.head), state.phase, lit, lines, last), draw_map),
        market=plate(press, "market", say.language, (state.markers, info_panels.operated(state), shown), draw_market),
        sketches=sketches(view, decision.company, ran) if decision.runs else "",
    )


def decision_part(
    table: TableService,
    cached: CachedGame,
    viewer: Viewer,
    view: Game,
    decision: Now,
    everybody: PositionPart,
    speaker: Speaker,
    *,
    live: bool,
) -> DecisionPart:
    """The decision as this viewer is asked, or waits for others."""
    seats, seating = table.seats(cached, viewer), bots_of(table.store, cached)
    people = assignments_of(table.store, cached)
    together, open_ = people.friends, live and not people.ended
    mine = next(iter(seats), None) if together else decision.seat
    back = table.undo_to(cached, viewer) if open_ else None
    awaited_here = not set(view.to_act).isdisjoint(seats)
    guide = advice(view, speaker) if seating.guided and live else None
    since = game_log.since_own(view, everybody.log, mine) if live else ()
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
        guide=guide,
        practice=practice_of(cached, view, guide, speaker) if guide else None,
        pointed=pointed(cached, view, decision, guide, seats, speaker),
        lesson=lesson(view.state, speaker.catalogue) if awaited_here and live and not under_way(guide) else None,
        set_aside=set_aside(cached) if open_ else {},
        ended=live and people.ended,
        referee=referee_panel(view.state, speaker, seats, open_=open_),
    )


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
    cached: CachedGame, view: Game, decision: Now, guide: Advice | None, seats: Sequence[Seat], speaker: Speaker
) -> Hint | None:
    """The hex and tile that a guided turn points at; an exercise points at nothing."""
    if guide is None or guide.done or guide.exercise or not seats or not decision.menu.hexes:
        return None
    return hint(cached, view, seats[0], speaker)


def table_part(
    table: TableService, cached: CachedGame, viewer: Viewer, view: Game, speaker: Speaker, *, live: bool
) -> TablePart:
    """The table around the board as this viewer sees it."""
    seating = bots_of(table.store, cached)
    together = assignments_of(table.store, cached).friends
    mine = next(iter(table.seats(cached, viewer)), None)
    return TablePart(
        id=cached.id,
        title=view.title,
        say=speaker.catalogue,
        live=live,
        trial=cached.id.startswith(TRIAL),
        together=together,
        watching=together and not table.seats(cached, viewer),
        bots=seating.playing,
        pause=seating.pause,
        paces=PAUSES,
        circle=seats_panel(table, cached, viewer),
        clock=clock_panel(table, cached, speaker) if live and not assignments_of(table.store, cached).ended else None,
        undo_here=None if live else table.undo_to(cached, viewer, view.number),
        again=again(view, seating.seats, seating.pause, mine, friends=together) if view.finished else "",
        has_site_form=has_form(view),
        comments=comments_of(table, cached, view, speaker, None),
    )


def for_all(cached: CachedGame, game: Game, view: Game, result: Sequence[Standing], speaker: Speaker) -> PositionPart:
    """Return what everybody at the table is shown of the position of `view`, in one language."""
    state, title, say = view.state, view.title, speaker.catalogue
    return PositionPart(
        number=game.number,
        at=view.number,
        facts=facts(state, title, speaker, str(state.sheet.edition)),
        stepped=has_empty_step(state.sheet.market),
        broad=is_broad(state.sheet),
        trains=info_panels.trains_of(state, info_panels.roster(state), speaker),
        coming=info_panels.coming(state, speaker),
        companies=info_panels.companies(state, speaker, in_game(game.ruleset, state)),
        players=info_panels.players(state, title, speaker),
        privates=info_panels.privates(state, speaker),
        log=(log := game_log.log(cached, view.number, speaker)),
        log_batches=game_log.log_in_batches(cached, log, say.language),
        stretches=game_log.stretches(cached, game.number, say),
        end=game_end(cached, view, result, speaker) if view.finished else None,
        boards=title.boards(game.ruleset, state, look_of(title), say),
        pool=[speaker.train(kind) for kind in state.depot.pool],
        ran=just_run(view),
        last=last_hex(view),
        symbols=symbols_of(title, state),
    )


def offered(decision: Now) -> bool:
    """Tell whether anything may be chosen, even if nobody waits for it."""
    found = decision.menu
    return bool(found.cards or found.groups or found.quick or found.hexes or found.runs)


def has_empty_step(market: StockMarket) -> bool:
    """Tell whether the lower rows of the market end early enough for the trains to stand beside them."""
    width = len(market.rows[0])
    return len(market.rows) > STEP_ROWS and all(len(row) <= width * STEP_PART for row in market.rows[-STEP_ROWS:])


def is_broad(sheet: Sheet) -> bool:
    """Tell whether the map is so broad that it stands better above the companies than beside everything."""
    _, _, width, height = bounds(sheet)
    return width > BROAD * height


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


def just_run(game: Game) -> TrainsRan | None:
    """The run just made in this turn, or by the entry looked at."""
    line = game.line()
    turn = current_turn(game.state)
    for entry in reversed(line[-8:]):
        ran = next((e for e in entry.events if isinstance(e, TrainsRan)), None)
        if ran is not None:
            same = turn is not None and turn.company == ran.company and turn.step in {"pay", "dividend"}
            return ran if same or entry is line[-1] else None
    return None


def last_hex(game: Game) -> tuple[HexId, ...]:
    """The hex of the newest action, to find it again."""
    line = game.line()
    last = line[-1].action if line else None
    at = None if last is None else hex_of(last)
    return () if at is None else (at,)


def spans_json(spans: tuple[tuple[str, Span], ...]) -> str:
    """Open numbers as the page reads them: low, high, step and the first value by field. A price is offered from the middle."""

    def first(name: str, span: Span) -> int:
        return span.low + (span.high - span.low) // (2 * span.step) * span.step if name == "price" else span.low

    fields = {name: [span.low, span.high, span.step, first(name, span)] for name, span in spans}
    return msgspec.json.encode(fields).decode()


def symbols_of(title: Title, state: State) -> str:
    """The symbols that the drawings of a game use."""
    return page_symbols(state.sheet, look_of(title))
