"""18LRA at a table: its sheet and rulesets, and positions built directly."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from tests.builders.random_positions import on_top, with_company, with_market
from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.board.upgrades import stop_mapping
from trajekt.engine.components.schema import FIRST_STOP, Sheet, Space
from trajekt.engine.decisions import Decision, fold, start
from trajekt.engine.events import StationsSet
from trajekt.engine.evolve import evolve
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import CHARTER, IPO, Depot, Frame, State
from trajekt.games.lra.options import LraOptions
from trajekt.games.lra.title import TITLE
from trajekt.rules.operating_round import CompanyTurn, OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound

NAMES = ("Ada", "Bert", "Cleo", "Dora")
ADA, BERT, CLEO, DORA = range(4)
PHASES = ("yellow", "green", "green4", "brown", "brown6")


@cache
def ruleset(**options) -> Ruleset:
    """The ruleset of these options."""
    chosen = LraOptions(**options)
    return TITLE.build(TITLE.sheet(chosen, None), chosen)


def sheet(**options) -> Sheet:
    """The component sheet of these options."""
    return ruleset(**options).sheet


def begun(players: int = 4, seed: int = 1, **options) -> Decision:
    """The set-up in the order of `NAMES`."""
    return start(ruleset(**options), NAMES[:players], seed, shuffle=False)


def opened(players: int = 4, phase: str = "yellow", cash: int = 400, **options) -> State:
    """After the package: Ada owns no. 1 to 3, Bert no. 4 to 6, nothing founded, nobody to act yet; `cash` Mark each."""
    state = begun(players, **options).state
    owners = {number: ADA if number < 4 else BERT for number in state.privates}
    late = PHASES.index(phase) >= PHASES.index("brown")
    privates = {n: replace(p, owner=owners[n], open=not late) for n, p in state.privates.items()}
    bank = state.bank + sum(p.cash for p in state.players) - cash * players
    seats = tuple(replace(p, cash=cash) for p in state.players)
    adr = state.companies["ADR"]
    brought = tuple(replace(c, holder=BERT) if c.holder != IPO else c for c in adr.certificates)
    state = with_company(state, "ADR", certificates=brought)
    sold = {"yellow": (), "green": ("2", "3"), "green4": ("2", "3", "4"), "brown": ("2", "3", "4", "5")}
    kinds = sold.get(phase, ("2", "3", "4", "5", "6"))
    display = {kind: 0 if kind in kinds and kind not in ("5", "6") else n for kind, n in state.depot.display.items()}
    state = replace(state, privates=privates, players=seats, bank=bank, phase=phase, agenda=(Rounds(2, 1, 1),))
    gone = tuple(kind for kind, n in state.depot.display.items() for _ in range(n - display[kind]))
    return replace(state, depot=Depot(display, (), gone, kinds))


def firm(state: State, name: str, director: int, space: Space = (3, 2), percent: int = 0, **values) -> State:
    """A floated corporation on a space: the director's certificate with a seat, the rest on the charter, 500 Mark."""
    company = state.companies[name]
    held = []
    left = percent
    for number, certificate in enumerate(company.certificates):
        if number == 0:
            held.append(replace(certificate, holder=director))
        elif certificate.holder == IPO and 0 < certificate.percent <= left:
            held.append(replace(certificate, holder=director))
            left -= certificate.percent
        else:
            held.append(replace(certificate, holder=CHARTER) if certificate.holder == IPO else certificate)
    ready = {"founded": True, "floated": True, "operated": True, "treasury": 500, "director": director}
    changed = ready | {"par": state.sheet.market.price(space), "certificates": tuple(held)} | values
    bank = state.bank - changed["treasury"]
    state = replace(with_market(with_company(state, name, **changed), **{name: space}), bank=bank)
    for at, contents in state.board.contents_by_hex.items():
        if any(s.company == name and s.asleep for s in contents.stations):
            awake = tuple(replace(s, asleep=False) if s.company == name else s for s in contents.stations)
            state = evolve(state, StationsSet(at, awake, contents.reservations))
    return state


def turned(sheet_: Sheet, at: str, number: str) -> int:
    """The turn in which a tile of the Rhine follows its river; 0 for tiles without one."""
    river = set(sheet_.hexes[at].face.river_edges)
    turns = [t for t in range(6) if set(sheet_.rotated[number, t].river_edges) == river]
    return turns[0] if sheet_.tiles[number].face.river_edges else 0


def with_tiles(state: State, **tiles: str) -> State:
    """Tiles laid as `K4="4 r1"`, stations carried along by their stop; without a turn a tile follows the river."""
    contents_by_hex, supply = dict(state.board.contents_by_hex), dict(state.supply)
    for at, text in tiles.items():
        number, _, turn = text.lstrip("#").partition(" r")
        lies = int(turn) if turn else turned(state.sheet, at, number)
        old = contents_by_hex.get(at, HexContents())
        moved = stop_mapping(Board(state.sheet, contents_by_hex).face(at), state.sheet.rotated[number, lies])
        stations = tuple(replace(s, stop=moved[s.stop] if moved else 0) for s in old.stations)
        contents_by_hex[at] = replace(old, tile=number, rotation=lies, stations=stations)
        supply[number] -= 1
    return replace(state, board=Board(state.sheet, contents_by_hex), supply=supply)


def with_station(state: State, company: str, at: str, stop: str = "a", kind: str = "") -> State:
    """A station of a company on a stop, its cheapest token (or the last one for a harbour) spent."""
    contents = state.board.contents(at)
    station = Station(company, ord(stop) - ord("a"), kind)
    board = state.board.with_contents(at, replace(contents, stations=(*contents.stations, station)))
    unused = state.companies[company].stations
    left = unused[:-1] if kind else unused[1:]
    return with_company(replace(state, board=board), company, stations=left)


def in_turn(state: State, company: str, step: str = "track", **values) -> State:
    """The turn of a corporation, in one of its steps."""
    frames: tuple[Frame, ...] = (OperatingRound(2, 1, 1, (company,), opened=True), CompanyTurn(company, step, **values))
    return on_top(state, *frames)


def in_stock_round(state: State, seat: int, number: int = 2) -> State:
    """A stock round, a seat to act."""
    return on_top(replace(state, agenda=(Rounds(number),)), StockRound(number, seat))


def exits(sheet_: Sheet, at: str, stop: int) -> set[int]:
    """The edges from which printed track leads to a stop."""
    return {p.a for p in sheet_.hexes[at].face.track if p.b == FIRST_STOP + stop}


def money(state: State) -> int:
    """All Mark on the table (INV-01)."""
    held = sum(c.treasury for c in state.companies.values()) + sum(p.cash for p in state.players)
    return state.bank + held + sum(state.aside.values())


def sound(rules: Ruleset, state: State) -> list[str]:
    """Whatever the invariants say against a position."""
    return [message for invariant in rules.invariants for message in invariant(state)]


def folded(rules: Ruleset, before: State, decision: Decision) -> bool:
    """Whether the events alone lead to the position after (INV-21)."""
    return fold(rules, before, decision.events) == decision.state
