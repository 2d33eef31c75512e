"""The calm panels of the page: companies and players, trains and phases, privates, tiles left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.components.schema import Phase, TileId
from trajekt.engine.state import CHARTER, IPO, POOL, Seat, State
from trajekt.engine.title import Title
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.component_sheets import tiles_in_order
from trajekt.rendering.tile_drawing import draw_tile
from trajekt.rules.operating_round import OperatingRound, current_turn
from trajekt.server.presenters.liquidity import liquidity
from trajekt.server.presenters.map_and_market import look_of
from trajekt.server.presenters.page_model import PageModel


@dataclass(frozen=True, slots=True)
class Share:
    """Shares with one player or place: per cent, and whether the director's."""

    who: str
    percent: int
    director: bool = False
    player: bool = True


@dataclass(frozen=True, slots=True)
class TrainCard:
    """A kind of train: how many are left and how many run; `doomed` by the next new kind."""

    kind: str
    state: str  # `left`, `sold`, `gone`, `later`
    price: str
    left: int
    running: int
    doomed: bool


@dataclass(frozen=True, slots=True)
class CompanyRow:
    """A line of the sheet. `shares` are those of the players in order, then offer and pool."""

    id: str
    letters: str
    name: str
    price: str
    treasury: str
    trains: Sequence[TrainCard]
    stations: int
    shares: Sequence[Share]
    acting: bool
    operated: bool
    floated: bool
    note: str
    par: str
    income: str  # of the newest run; empty where the company has not run


@dataclass(frozen=True, slots=True)
class PlayerColumn:
    """The foot of a player's column; texts are empty where there is nothing to say."""

    seat: Seat
    name: str
    cash: str
    worth: str
    certificates: int
    promised: str
    loans: str
    priority: bool
    liquidity: str


@dataclass(frozen=True, slots=True)
class PrivateRow:
    """A certificate of the starting package: its owner, or who bids on it."""

    number: int
    name: str
    price: str
    revenue: str
    owner: str
    bids: str
    state: str  # `open`, `closed`, `exchanged` for a certificate of a company, `absent`, `unsold`


def roster(state: State) -> tuple[str, ...]:
    """The kinds of train that are sold."""
    return tuple(kind for kind, printed in state.sheet.trains.items() if not printed.not_for_sale)


def trains_of(state: State, kinds: Sequence[str], speaker: Speaker) -> list[TrainCard]:
    """Each of these trains as it is shown."""
    return [train(state, kind, speaker) for kind in kinds]


def train(state: State, kind: str, speaker: Speaker) -> TrainCard:
    """A kind of train: how many are left at which price, how many run, whether the next event makes it obsolete."""
    printed = state.sheet.trains[kind]
    left = state.depot.display.get(kind, 0)
    running = sum(company.trains.count(kind) for company in state.companies.values())
    gone = not left and not running and kind not in state.depot.pool
    later = left == printed.count and kind not in state.depot.sold
    status = "gone" if gone else "sold" if not left else "later" if later else "left"
    order = list(state.sheet.trains)
    newest = max((order.index(k) for k in state.depot.sold if k in order), default=-1)
    doomed = (
        bool(printed.obsolete_on) and printed.obsolete_on in order and order.index(printed.obsolete_on) == newest + 1
    )
    return TrainCard(kind, status, speaker.catalogue.number(printed.price), left, running, doomed)


def companies(state: State, speaker: Speaker, used: Collection[str] | None = None) -> list[CompanyRow]:
    """A row a company: those with a marker in operating order, then the others; only those `used` in the game."""
    say = speaker.catalogue
    turn = current_turn(state)
    done = operated(state)
    order = [*state.operating_order, *(c for c in state.companies if c not in state.markers.spaces)]
    rows = []
    for id_ in order if used is None else [each for each in order if each in used]:
        company = state.companies[id_]
        shares = [
            Share(name, company.percent(seat), company.director == seat) for seat, name in enumerate(speaker.names)
        ]
        offer = company.percent(IPO) + company.percent(CHARTER)
        shares += [Share("offer", offer, player=False), Share("pool", company.percent(POOL), player=False)]
        note = "" if company.floated else say.text("page.founded" if company.founded else "page.not_founded")
        rows.append(
            CompanyRow(
                id_,
                speaker.company(id_),
                state.sheet.companies[id_].name,
                say.number(state.price(id_)) if id_ in state.markers.spaces else "",
                say.number(company.treasury),
                trains_of(state, company.trains, speaker),
                len(company.stations),
                shares,
                turn is not None and turn.company == id_,
                id_ in done,
                company.floated,
                say.text("page.receivership") if company.receivership else note,
                say.number(company.par) if company.par else "",
                say.number(company.revenue) if company.revenue is not None else "",
            )
        )
    return rows


def operated(state: State) -> tuple[str, ...]:
    """The companies that have had their turn in this operating round."""
    turn = current_turn(state)
    now = turn.company if turn is not None else ""
    frame = next((f for f in reversed(state.agenda) if isinstance(f, OperatingRound)), None)
    return () if frame is None else tuple(c for c in frame.operated if c != now)


def players(state: State, title: Title, speaker: Speaker) -> list[PlayerColumn]:
    """A column a player."""
    say = speaker.catalogue
    worth = {standing.seat: standing.total for standing in title.standings(state)}
    return [
        PlayerColumn(
            seat,
            name,
            say.number(state.players[seat].cash),
            say.number(worth.get(seat, 0)),
            state.certificate_count(seat),
            say.number(state.committed_to_bids(seat)) if state.committed_to_bids(seat) else "",
            say.number(state.players[seat].loans) if state.players[seat].loans else "",
            state.priority == seat,
            say.number(liquidity(state, seat)),
        )
        for seat, name in enumerate(speaker.names)
    ]


def privates(state: State, speaker: Speaker) -> list[PrivateRow]:
    """The certificates of the starting package by number."""
    say = speaker.catalogue
    rows = []
    for number, private in sorted(state.privates.items()):
        printed = state.sheet.privates[number]
        bids = sorted((b for b in state.bids if b.private == number), key=lambda b: -b.amount)
        rows.append(
            PrivateRow(
                number,
                speaker.private(number),
                say.number(printed.price),
                say.number(printed.revenue),
                speaker.seat(private.owner) if private.owner is not None else "",
                ", ".join(f"{speaker.seat(b.seat)} {say.number(b.amount)}" for b in bids),
                private_status(state, number),
            )
        )
    return rows


def private_status(state: State, number: int) -> str:
    """Tell how far a private company has come; one that is closed without an owner never was in the game."""
    private, printed = state.privates[number], state.sheet.privates[number]
    if private.open:
        return "unsold" if private.owner is None else "open"
    if private.owner is None:
        return "absent"
    return "exchanged" if printed.brings and not printed.revenue else "closed"


def values_line(state: State, say: Catalogue) -> str:
    """Name the values that places pay in this phase: low or high where there are two, else by their colour."""
    kinds = list(dict.fromkeys(phase.values for phase in state.sheet.phases))
    now = state.current_phase.values
    if len(kinds) == 2:
        return say.text("page.values.high" if now == kinds[1] else "page.values.low")
    return say.text("page.values", colour=say.text(f"page.colour.{now}"))


def coming(state: State, speaker: Speaker) -> list[str]:
    """Return what the next two phases bring, in a line each."""
    phases = state.sheet.phases
    at = next((n for n, phase in enumerate(phases) if phase.name == state.phase), len(phases))
    lines = []
    for before, phase in zip(phases[at : at + 2], phases[at + 1 : at + 3], strict=False):
        changes = list(changes_of(before, phase, speaker))
        say = speaker.catalogue
        if changes:
            lines.append(
                say.text("page.first_train", train=speaker.train(phase.started_by), changes="; ".join(changes))
            )
    return lines


def phase_changes(state: State, name: str, speaker: Speaker) -> Sequence[str]:
    """Return what the phase of a name changes, each in a few words; nothing for the first one."""
    phases = state.sheet.phases
    at = next((n for n, phase in enumerate(phases) if phase.name == name), 0)
    return changes_of(phases[at - 1], phases[at], speaker) if at else ()


def changes_of(before: Phase, phase: Phase, speaker: Speaker) -> Sequence[str]:
    """Return what a phase changes, each in a few words."""
    say = speaker.catalogue
    out = [say.text("page.phase.gone", train=speaker.train(kind)) for kind in phase.obsolete]
    if phase.privates_close:
        out.append(say.text("page.phase.privates"))
    out += [
        say.text("page.phase.tiles", colour=say.text(f"page.colour.{c}")) for c in phase.tiles if c not in before.tiles
    ]
    if phase.train_limit != before.train_limit:
        out.append(say.text("page.phase.limit", limit=phase.train_limit))
    if phase.operating_rounds != before.operating_rounds:
        out.append(say.text("page.phase.rounds", rounds=phase.operating_rounds))
    return out


@dataclass(frozen=True, slots=True)
class SupplyTile:
    """A kind of tile: how many are left, and its drawing."""

    tile: TileId
    left: int
    picture: str


@dataclass(frozen=True, slots=True)
class TilesPart(PageModel):
    """The supply of tiles."""

    template: ClassVar[str] = "tiles.html"
    tiles: Sequence[SupplyTile]
    say: Catalogue


def tiles_left(state: State, title: Title) -> list[SupplyTile]:
    """Every kind of tile with the number that is left."""
    sheet, look = state.sheet, look_of(title)
    return [
        SupplyTile(tile, state.supply.get(tile, 0), draw_tile(sheet, look, tile, size=62))
        for tile in tiles_in_order(sheet)
    ]
