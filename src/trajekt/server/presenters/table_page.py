"""The page of a table, put together from its parts: position, drawings, decision, and the table around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.state import Seat
from trajekt.engine.title import Title
from trajekt.export_18xx import has_form
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.clock import ClockPanel, clock_panel, result_of
from trajekt.server.presenters.comments import MomentComment, comments_of, forks_of
from trajekt.server.presenters.decision import now
from trajekt.server.presenters.decision_part import DecisionPart, decision_part
from trajekt.server.presenters.fragments import fragments_of
from trajekt.server.presenters.game_end import again
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.presenters.position_view import choices_at, position
from trajekt.server.presenters.seats_panel import SeatsPanel, seats_panel
from trajekt.server.presenters.shared_position import Facts, PositionPart, for_all
from trajekt.server.presenters.table_drawings import DrawingsPart, drawings, run_offered
from trajekt.server.services.table_service import PAUSES, TableService, bots_of
from trajekt.server.services.undo_policy import Undo
from trajekt.server.storage.cached_game import CachedGame
from trajekt.server.storage.seats import assignments_of


@dataclass(frozen=True, slots=True)
class TablePart:
    """The table around the board: its name, who plays how, what may be done with it. Templates: `menu.html`, `seats.html`."""

    id: str
    title: Title
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
    forks: Sequence[int]


@dataclass(frozen=True, slots=True)
class TablePage(PageModel):
    """The page of a table, of parts that each know their templates."""

    template: ClassVar[str] = "regions.html"
    say: Catalogue
    position: PositionPart
    drawings: DrawingsPart
    decision: DecisionPart
    table: TablePart


@dataclass(frozen=True, slots=True)
class PaperPage(TablePage):
    """The page of a table as it is printed."""

    template: ClassVar[str] = "print.html"


@dataclass(frozen=True, slots=True)
class TableDocument(PageModel):
    """The document of a table around its `regions`, which are drawn already, with the number of their pieces and their tag.

    `now` is the time of the server.
    """

    template: ClassVar[str] = "table.html"
    now: float
    facts: Facts
    symbols: str
    title: Title
    say: Catalogue
    mirror: str
    regions: str
    pieces: int
    tag: str


def table_page(
    table: TableService, cached: CachedGame, viewer: Viewer, at: int | None, kind: type[TablePage] = TablePage
) -> TablePage:
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
    return kind(
        say=speaker.catalogue,
        position=everybody,
        drawings=drawings(press, view, decision, ran, speaker),
        decision=decision_part(table, cached, viewer, view, decision, everybody.log, speaker, live=live),
        table=table_part(table, cached, viewer, view, speaker, live=live),
    )


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
        live=live,
        trial=cached.on_trial,
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
        forks=forks_of(table, cached),
    )
