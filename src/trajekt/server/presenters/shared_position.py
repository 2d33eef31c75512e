"""The position as everybody at a table is shown it, in one language: header, companies, players, trains, log, end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from trajekt.engine.components.component_sets import set_of
from trajekt.engine.components.schema import HexId, Sheet, StockMarket
from trajekt.engine.events import TrainsRan
from trajekt.engine.state import State
from trajekt.engine.title import Standing, Title
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker
from trajekt.rendering.map import bounds
from trajekt.rendering.token_symbols import page_symbols
from trajekt.round_label import Round, round_name, round_of
from trajekt.rules.floating import in_game
from trajekt.rules.operating_round import current_turn
from trajekt.server.presenters import game_log, info_panels
from trajekt.server.presenters.game_end import EndPage, game_end
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.presenters.table_drawings import last_hex
from trajekt.server.storage.cached_game import CachedGame

BROAD = 1.2
RECENT = 8  # actions among which a run may be that has just been made
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
        round=round_name(here, say),
        of=say.text("page.of", of=here.of) if here.of else "",
        phase=speaker.phase(state.phase),
        colour=state.current_phase.colour,
        values=info_panels.values_line(state, say),
        limit=state.current_phase.train_limit,
        bank=say.money(state.bank),
        certificates=state.sheet.limits.certificates.get(len(state.players), 0),
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


def has_empty_step(market: StockMarket) -> bool:
    """Tell whether the lower rows of the market end early enough for the trains to stand beside them."""
    width = len(market.rows[0])
    return len(market.rows) > STEP_ROWS and all(len(row) <= width * STEP_PART for row in market.rows[-STEP_ROWS:])


def is_broad(sheet: Sheet) -> bool:
    """Tell whether the map is so broad that it stands better above the companies than beside everything."""
    _, _, width, height = bounds(sheet)
    return width > BROAD * height


def just_run(game: Game) -> TrainsRan | None:
    """The run just made in this turn, or by the entry looked at."""
    turn = current_turn(game.state)
    for back, entry in enumerate(islice(game.line_back(), RECENT)):
        ran = next((e for e in entry.events if isinstance(e, TrainsRan)), None)
        if ran is not None:
            same = turn is not None and turn.company == ran.company and turn.step in {"pay", "dividend"}
            return ran if same or not back else None
    return None


def symbols_of(title: Title, state: State) -> str:
    """The symbols that the drawings of a game use."""
    return page_symbols(state.sheet, look_of(title))
