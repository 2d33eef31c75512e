"""The page on which a position is set up by hand: its form, what is wrong with it, its books, map and market, and a hex."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from trajekt.engine.board.upgrades import PlacedTile, legal_upgrades
from trajekt.engine.components.schema import HexId, Sheet
from trajekt.engine.decisions import Decision, start
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State, blank_state
from trajekt.engine.title import Title
from trajekt.hand_position_file import PositionError
from trajekt.hand_positions import LaidPosition, lay_position
from trajekt.i18n.sentences import Catalogue, Speaker
from trajekt.rendering.tile_drawing import draw_tile
from trajekt.rendering.token_symbols import letters_of, page_symbols
from trajekt.rules.placement_by_hand import OwnField, has_stock_rounds, numbers_drawn, own_position, pars_of
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.map_and_market import look_of, map_drawn, market_drawn
from trajekt.server.presenters.page_model import Fill, PageModel
from trajekt.server.presenters.position_form import TypedPosition, own_name, own_texts, read_position_form
from trajekt.server.presenters.start_page import GameCard, card

PICTURE = 56
"""Height in px of a tile that may be chosen."""
EMPTY: Mapping[str, str] = {"round.kind": "stock", "round.set": "2", "round.number": "1"}


@dataclass(frozen=True, slots=True)
class GameSetUp:
    """The game of which a position is set up: its options, and an owner's components that are laid over ours."""

    title: Title
    options: Any
    components: str | None = None

    @property
    def sheet(self) -> Sheet:
        return self.title.sheet(self.options, self.components)

    @property
    def blank(self) -> State:
        """The box just opened, for the least number of players."""
        sheet = self.sheet
        return blank_state(sheet, ("?",) * sheet.players[0])

    def opening(self) -> tuple[Ruleset, Decision] | None:
        """The rules and a set-up of the game, for the least number of players that its options admit."""
        sheet = self.sheet
        ruleset = self.title.ruleset(sheet, self.options)
        for count in range(sheet.players[0], sheet.players[1] + 1):
            with suppress(ValueError):
                return ruleset, start(ruleset, [f"P{n}" for n in range(count)], 0)
        return None

    def read(self, texts: Mapping[str, str]) -> TypedPosition:
        """The position that a form says. Raises `PositionError` where it says none."""
        return read_position_form(self.title.id, self.title.plain(self.options), self.sheet, texts, self.own_fields())

    def own_fields(self) -> Sequence[OwnField]:
        """The fields for what only this game has."""
        opening = self.opening()
        own = own_position(opening[0]) if opening is not None else None
        return tuple(own.fields(opening[1].state)) if own is not None and opening is not None else ()

    def laid(self, texts: Mapping[str, str]) -> State:
        """The position of a form as far as it can be laid; the box just opened where there is no game for these players."""
        try:
            return lay_position(self.read(texts).position, self.components).state
        except PositionError:
            return self.blank


@dataclass(frozen=True, slots=True)
class CompanyFields:
    """A company in the form: its name and the values that may be chosen."""

    id: str
    letters: str
    name: str
    pars: Sequence[int]


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A field for what only one game has: `choices` are value and label, empty where it is typed."""

    name: str
    label: str
    tick: bool
    choices: Sequence[tuple[str, str]]
    value: str


@dataclass(frozen=True, slots=True)
class OwnGroup:
    """Fields under a heading, in rows: whose they are, and the fields."""

    name: str
    rows: Sequence[tuple[str, Sequence[OwnLine]]]


@dataclass(frozen=True, slots=True)
class SetUpPage(PageModel):
    """The whole page. `chosen` are the options of the game as JSON, `rows` one for each player that there may be."""

    template: ClassVar[str] = "set_up.html"
    game: Title
    card: GameCard
    chosen: str
    rows: range
    companies: Sequence[CompanyFields]
    spaces: Sequence[tuple[str, str]]
    privates: Sequence[tuple[int, str]]
    phases: Sequence[tuple[str, str]]
    trains: Sequence[tuple[str, int]]
    drawn: Sequence[tuple[str, str]]
    stock_rounds: bool
    values: Mapping[str, str]
    own: Sequence[OwnGroup]
    map: str
    market: str
    symbols: str


@dataclass(frozen=True, slots=True)
class PlayerBooks:
    """A player's line in the books; certificates over the limit are told."""

    name: str
    cash: str
    certificates: int
    limit: int


@dataclass(frozen=True, slots=True)
class Books(PageModel):
    """The sums of a position as far as it is laid: the bank, certificates by player, and how many faults are left."""

    template: ClassVar[str] = "set_up_books.html"
    bank: str
    players: Sequence[PlayerBooks]
    general: Sequence[str]
    faults: int
    sound: bool


@dataclass(frozen=True, slots=True)
class HexPanel(PageModel):
    """A hex: the tiles that may come to lie there, in any phase, and the companies that may have a station on each stop."""

    template: ClassVar[str] = "set_up_hex.html"
    at: HexId
    name: str
    here: str
    tiles: Sequence[tuple[str, str]]
    """The text of a tile, `K2 57 1`, and its picture."""
    stops: Sequence[tuple[str, Sequence[tuple[str, str, bool]]]]
    """The text of a stop, `K2:0`, and the companies: id, letters, whether a station of it lies there."""


class CheckedForm(msgspec.Struct, frozen=True):
    """A form as it was checked: faults by the name of the field, and parts of the page.

    `map` is empty where it is as `drawn`; `position` is the file of the position, empty while there are faults; `names` are the
    players in the order of seats.
    """

    faults: Mapping[str, Sequence[str]]
    books: str
    map: str
    drawn: str
    market: str
    names: Sequence[str]
    position: str


def set_up_page(wanted: GameSetUp, viewer: Viewer) -> SetUpPage:
    """The page with an empty form."""
    title, state, opening = wanted.title, wanted.blank, wanted.opening()
    sheet, own = state.sheet, own_position(opening[0]) if opening is not None else None
    say = viewer.catalogue(title)
    speaker = Speaker(say, sheet, ())
    market = sheet.market
    spaces = [
        (f"{r},{c}", say.text("page.hand.space_at", price=cell.price, row=r, column=c))
        for r, row in enumerate(market.rows, 1)
        for c, cell in enumerate(row, 1)
        if cell is not None
    ]
    pars = pars_of(sheet)
    seated = opening[1].state if opening is not None else state
    outside = {seat: seated.names[seat] for seat, player in enumerate(seated.players) if player.outside}
    stock_rounds = opening is None or has_stock_rounds(opening[0])
    return SetUpPage(
        game=title,
        card=card(title, viewer),
        chosen=msgspec.json.encode(title.plain(wanted.options)).decode(),
        rows=range(sheet.players[1] + len(outside)),
        companies=[
            CompanyFields(each, letters_of(sheet, each), speaker.company(each), pars) for each in sheet.companies
        ],
        spaces=spaces,
        privates=[(number, speaker.private(number)) for number in sorted(sheet.privates)],
        phases=[(phase.name, speaker.phase(phase.name)) for phase in sheet.phases],
        trains=[(kind, train.count) for kind, train in sheet.trains.items()],
        drawn=[
            (table, say.text(say.first(f"page.hand.drawn.{table}", "page.hand.drawn"), table=table))
            for table in (numbers_drawn(opening[1].events) if opening is not None else ())
        ],
        stock_rounds=stock_rounds,
        values={
            **EMPTY,
            **{f"players.{seat}.name": name for seat, name in outside.items()},
            "round.kind": "stock" if stock_rounds else "operating",
            "phase": sheet.phases[0].name,
        },
        own=own_groups(wanted.own_fields(), own.of(opening[1].state) if own and opening else {}, speaker, say),
        map=map_of(state, title, say),
        market=market_of(state, title, say),
        symbols=page_symbols(sheet, look_of(title)),
    )


def own_groups(fields: Iterable[OwnField], own: Mapping[str, Any], speaker: Speaker, say: Catalogue) -> list[OwnGroup]:
    """The fields for what only one game has, with the values at its set-up."""
    values = own_texts(fields := tuple(fields), own)
    groups: dict[str, dict[str, list[OwnLine]]] = {}
    for each in fields:
        rows = groups.setdefault(each.group, {})
        label = f"page.hand.own.{each.key}"
        named = [
            (choice, say.text(f"{label}.{choice}") if f"{label}.{choice}" in say else choice or "–")
            for choice in each.choices
        ]
        line = OwnLine(own_name(each), say.text(label), each.kind == "tick", named, values.get(own_name(each), ""))
        rows.setdefault(each.about, []).append(line)
    return [
        OwnGroup(
            say.text(f"page.hand.own_group.{group}"), [(_about(name, speaker), lines) for name, lines in rows.items()]
        )
        for group, rows in groups.items()
    ]


def _about(name: str, speaker: Speaker) -> str:
    if name in speaker.sheet.companies:
        return speaker.company(name)
    return f"{name} {speaker.private(int(name))}" if name.isdecimal() and int(name) in speaker.sheet.privates else name


def map_of(state: State, title: Title, say: Catalogue) -> str:
    """The map as it is laid, with its hexes to be clicked on."""
    return "".join(map_drawn(state, title, lit=(), routes=(), marked=(), say=say))


def market_of(state: State, title: Title, say: Catalogue) -> str:
    """The market as it is laid."""
    return "".join(market_drawn(state, title, (), (), say))


def checked_form(wanted: GameSetUp, texts: Mapping[str, str], drawn: str, viewer: Viewer, fill: Fill) -> CheckedForm:
    """Check a form with the checks of the file, and show what it says; `drawn` is the mark of the map that the page has."""
    title, say = wanted.title, viewer.catalogue(wanted.title)
    faults: dict[str, list[str]] = {}
    typed, laid = None, None
    try:
        typed = wanted.read(texts)
        for name, kind in typed.faults:
            faults.setdefault(name, []).append(say.text(f"page.set.no_{kind}"))
        laid = lay_position(typed.position, wanted.components)
        for fault in laid.faults:
            faults.setdefault(typed.field_of(fault), []).append(fault.text(viewer.language))
    except PositionError as fault:
        for each in fault.faults:
            faults.setdefault("", []).append(each.text(viewer.language))
    state = laid.state if laid is not None else wanted.blank
    board = map_of(state, title, say)
    mark = str(zlib.crc32(board.encode()))
    sound = typed is not None and laid is not None and laid.game is not None and not faults
    return CheckedForm(
        faults=faults,
        books=fill(books_of(laid, faults, sound, say)),
        map="" if mark == drawn else board,
        drawn=mark,
        market=market_of(state, title, say),
        names=laid.plain.names if laid is not None else (),
        position=msgspec.json.encode(typed.position).decode() if sound and typed is not None else "",
    )


def books_of(laid: LaidPosition | None, faults: Mapping[str, Sequence[str]], sound: bool, say: Catalogue) -> Books:
    """The books of a position as far as it is laid."""
    lines: list[PlayerBooks] = []
    bank = ""
    if laid is not None:
        state = laid.state
        limit = state.sheet.limits.certificates.get(len(state.players), 0)
        lines = [
            PlayerBooks(name, say.money(state.players[seat].cash), state.certificate_count(seat), limit)
            for seat, name in enumerate(state.names)
        ]
        bank = say.money(state.bank)
    return Books(bank, lines, faults.get("", ()), sum(map(len, faults.values())), sound)


def hex_panel(wanted: GameSetUp, texts: Mapping[str, str], at: HexId, viewer: Viewer) -> HexPanel:
    """The panel of a hex of the map."""
    state = wanted.laid(texts)
    sheet, look = state.sheet, look_of(wanted.title)
    contents, speaker = state.board.contents(at), Speaker(viewer.catalogue(wanted.title), sheet, ())
    founded = [each for each in sheet.companies if texts.get(f"companies.{each}.founded") == "yes"]
    stops = []
    for number in range(len(state.board.face(at).stops)):
        here = {each.company for each in contents.stations if each.stop == number}
        able = [each for each in founded if sheet.companies[each].station_costs or each in here]
        stops.append((f"{at}:{number}", [(each, letters_of(sheet, each), each in here) for each in able]))
    return HexPanel(
        at=at,
        name=speaker.hex(at),
        here=f"{at} {contents.tile} {contents.rotation}" if contents.tile else "",
        tiles=[
            (f"{at} {tile} {rotation}", draw_tile(sheet, look, tile, rotation=rotation, size=PICTURE))
            for tile, rotation in tiles_of(sheet, at)
        ],
        stops=stops,
    )


def tiles_of(sheet: Sheet, at: HexId) -> Iterator[PlacedTile]:
    """Every tile that may come to lie on a hex by upgrades from its printed face, once where two rotations look alike."""
    wave: list[PlacedTile] = [("", 0)]
    seen: set[PlacedTile] = set()
    shown: set[object] = set()
    while wave:
        following: dict[PlacedTile, None] = {}
        for tile, rotation in wave:
            following |= dict.fromkeys(legal_upgrades(sheet, at, tile, rotation))
        wave = [placed for placed in following if placed not in seen]
        seen.update(wave)
        for tile, rotation in wave:
            face = sheet.rotated[tile, rotation]
            looks = tile, face.pieces, tuple(stop.at for stop in face.stops)
            if looks not in shown:
                shown.add(looks)
                yield tile, rotation
