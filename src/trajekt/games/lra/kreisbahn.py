"""The Geldernsche Kreisbahn from the brown phase on: its station, its 2+4 train, its lay and its income.

LRA-PRV-21, LRA-PRV-22, LRA-TRK-28, LRA-DIV-04.
"""

from __future__ import annotations

from enum import StrEnum

from trajekt.engine.actions import Action, LayTile
from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.board.hexgrid import beyond
from trajekt.engine.board.track_graph import Network, NodeId, PieceId
from trajekt.engine.board.upgrades import Upgrade
from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.events import FlagSet, PhaseBegan, StationsSet, TrainMoved, TrainsRan
from trajekt.engine.frame_notes import Note
from trajekt.engine.memo import MemoTable
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, DISPLAY, State
from trajekt.games.lra.city_blocking import passage
from trajekt.games.lra.components import KREISBAHN, kreisbahn, kreisbahn_stops
from trajekt.games.lra.station_rules import brown
from trajekt.rules import stock_market, turn_notes
from trajekt.rules.operating_round import CompanyTurn, advance, in_step, operating, turn_of
from trajekt.rules.running_and_dividends import distribute
from trajekt.rules.tile_laying import Lay, carried_reservations, carried_stations, fit_of
from trajekt.rules.trains import TooManyTrains, ask_for_discards, in_order

GKB = "gkb"
"""The mark of the position that names the corporation with the train, and the allowance of its lay."""


class FurtherLay(Note, StrEnum):
    """Lays beyond the normal one: of the corporation with the 2+4 (LRA-TRK-28), the second yellow tile (LRA-TRK-27)."""

    KREISBAHN = GKB
    SECOND_YELLOW = "yellow"


NOTES = (*turn_notes.SHARED, FurtherLay)
"""The kinds of notes in the frames of this game."""

INCOME = "gkb_income"
"""The mark of what the 2+4 has earned in this turn, in Mark."""

STEPS = 20_000
"""Steps of one search for its path; a question that is still open then is answered "yes", on all machines alike."""


# Opening -------------------------------------------------------------------------------------------------------------


def opens(draft: Draft, event: PhaseBegan) -> None:
    """Put its station on the place reserved for it (LRA-PRV-21); the train follows by its owner's choice."""
    if not draft.sheet.phase_by_name[event.phase].own.get("gkb_floats"):
        return
    at = kreisbahn(draft.sheet)
    contents = draft.state.board.contents(at.hex)
    reservations = tuple(place for place in contents.reservations if place.company != KREISBAHN)
    draft.emit(StationsSet(at.hex, (*contents.stations, Station(KREISBAHN, at.stop)), reservations))


STATION_OPENS = Reaction(PhaseBegan, ("LRA-PRV-21", "COMMON-PHS-04"), opens)


def give_train(draft: Draft, company: CompanyId) -> None:
    """The certificate becomes a 2+4 train on a charter, and counts for the limit (LRA-PRV-21, LRA-PRV-22)."""
    draft.emit(FlagSet(GKB, company))
    draft.emit(TrainMoved(kreisbahn(draft.sheet).train, DISPLAY, company, "private"))
    if not any(isinstance(frame, TooManyTrains) for frame in draft.state.agenda):
        ask_for_discards(draft)


def has_train(state: State, company: CompanyId) -> bool:
    """Tell whether a corporation has the 2+4."""
    return kreisbahn(state.sheet).train in state.companies[company].trains


# Its lay -------------------------------------------------------------------------------------------------------------


def lay_open(view: View, turn: CompanyTurn) -> Refusal | None:
    """Grant one lay more per turn to the corporation with the train, from the brown phase on (LRA-TRK-28)."""
    train = kreisbahn(view.sheet).train
    if not brown(view.state) or not has_train(view.state, turn.company):
        return refuse(Code.WITH_TRAIN_ONLY, "LRA-TRK-28", train=train)
    return refuse(Code.ONE_TILE_MORE, "LRA-TRK-28", train=train) if FurtherLay.KREISBAHN in turn.lays else None


def touched(board: Board, company: CompanyId, wanted: frozenset[PieceId] | None = None) -> frozenset[PieceId]:
    """The track on paths from its station that a 2+4 could run; with `wanted` the search ends at the first of these.

    A path visits at most one more city and four towns, no stop and no piece twice, and passes a blocked city only where
    the corporation has a station (LRA-TRK-28, LRA-RTE-23).
    """
    network, sheet = board.network, board.sheet
    allowed = passage(board, company)
    train = sheet.trains[kreisbahn(sheet).train]
    starts = [network.stop[ref] for ref in kreisbahn_stops(sheet)]
    found: set[PieceId] = set()
    open_paths = [(node, -1, 0, frozenset((allowed.destination(network.refs[node]),)), 1, 0) for node in starts]
    for _ in range(STEPS):
        if not open_paths:
            return frozenset(found)
        node, before, mask, seen, cities, towns = open_paths.pop()
        for piece in network.at[node]:
            if before >= 0 and not _may_follow(network, before, piece, node):
                continue
            target = network.other_end(piece, node)
            used = mask | 1 << target
            now, visited, onward = (cities, towns), seen, True
            if network.is_stop(target):
                stop = network.stop_at[target]
                name, town = allowed.destination(stop.ref), stop.stop.kind == "town"
                now, visited, onward = (cities + (not town), towns + town), seen | {name}, allowed.may_pass(stop.ref)
                used = mask
                if name in seen or now[0] > train.reach or now[1] > train.towns:
                    continue
            elif used == mask:
                continue  # this side is on the path already
            found.add(piece)
            if wanted is not None and piece in wanted:
                return frozenset(found)
            if onward:
                open_paths.append((target, piece, used, visited, *now))
    return frozenset(network.tracks)


def _may_follow(network: Network, before: PieceId, piece: PieceId, node: NodeId) -> bool:
    """Tell whether a piece may follow another at a node: never the same, and over a side only into the next hex."""
    return piece != before and (network.is_stop(node) or network.tracks[before].hex != network.tracks[piece].hex)


_NEAR: MemoTable[Board, CompanyId, frozenset[HexId]] = MemoTable("kreisbahn near")


def near(board: Board, company: CompanyId) -> frozenset[HexId]:
    """The hexes on which a lay can touch its paths: those with them, and those that they run up to."""
    table = _NEAR.of(board)
    if company not in table:
        network = board.network
        hexes = {network.tracks[piece].hex for piece in touched(board, company)}
        hexes |= {kreisbahn(board.sheet).hex, *board.sheet.hexes[kreisbahn(board.sheet).hex].joined}
        table[company] = frozenset(hexes | {there for at in hexes for there in _beyond(board, at)})
    return table[company]


def _beyond(board: Board, at: HexId) -> list[HexId]:
    return [beyond(at, edge, board.sheet.layout) for edge in board.face(at).edges]


@check("LRA-TRK-28")
def accessible(view: View, action: Lay) -> Refusal | None:
    """Refuse a tile that after its lay is not on such a path: by fresh track, an upgraded city by any (OQ-46)."""
    if not isinstance(action, LayTile) or action.allowance != GKB:
        return None
    board, company = view.state.board, turn_of(view.state).company
    laid = fit_of(view, action)
    assert isinstance(laid, Upgrade)
    if action.hex in near(board, company) and _accessible(board, company, action.hex, laid):
        return None
    return refuse(Code.NOT_CONNECTED, hex=action.hex)


def _accessible(board: Board, company: CompanyId, at: HexId, laid: Upgrade) -> bool:
    contents, old = board.contents(at), board.face(at)
    stations, reservations = carried_stations(contents, laid), carried_reservations(contents, laid)
    after = board.with_contents(at, HexContents(laid.tile, laid.rotation, stations, reservations, contents.icons))
    city = bool(old.colour) and any(stop.kind == "city" for stop in old.stops)
    pieces = laid.face.track if city else laid.new_track
    wanted = frozenset(after.network.numbers.piece(at, piece) for piece in pieces)
    return bool(wanted & touched(after, company, wanted))


# Its income ----------------------------------------------------------------------------------------------------------


def note_income(draft: Draft, event: TrainsRan) -> None:
    """Remember what the 2+4 earned, for the pay-out (LRA-DIV-04)."""
    train = kreisbahn(draft.sheet).train
    income = sum(int(str(run["revenue"])) for run in event.runs if run["train"] == train)
    value = str(income) if income else ""
    if draft.state.marks.get(INCOME, "") != value:
        draft.emit(FlagSet(INCOME, value))


INCOME_NOTED = Reaction(TrainsRan, ("LRA-DIV-04",), note_income)


def income(state: State) -> int:
    """The earnings of the 2+4 in this turn, in Mark."""
    return int(state.marks.get(INCOME, "0"))


class PayOutKeepGkb(Action, frozen=True, tag="pay_out_keep_gkb"):
    """Pay out what the other trains earned and keep the income of the 2+4 (LRA-DIV-04)."""


@check("LRA-DIV-04")
def has_income(view: View, _action: PayOutKeepGkb) -> Refusal | None:
    """Refuse a use of income while the 2+4 has earned nothing."""
    if has_train(view.state, operating(view).id) and income(view.state):
        return None
    return refuse(Code.NOT_EARNED, train=kreisbahn(view.sheet).train)


def pay_and_keep(draft: Draft, _action: PayOutKeepGkb) -> None:
    """Pay the shares of the rest; the price looks at what is paid (LRA-DIV-04, COMMON-DIV-02)."""
    turn = turn_of(draft.state)
    withheld = income(draft.state)
    paid = turn.revenue - withheld
    draft.pay(BANK, turn.company, withheld, "withhold")
    if paid:
        distribute(draft, paid)
    else:
        stock_market.left(draft, turn.company, "withhold")
    advance(draft)


PAY_OUT_KEEP_GKB = Rule(
    PayOutKeepGkb, lambda _view: (PayOutKeepGkb(),), pay_and_keep, needs=(in_step("pay"), has_income)
)


# The limit after all choices -----------------------------------------------------------------------------------------


def limit_later(draft: Draft, _event: PhaseBegan) -> None:
    """Ask all corporations for discards, below whatever choices the phase asks for (COMMON-PHS-07, COMMON-TRN-09)."""
    draft.push(TooManyTrains(in_order(draft.state)))


LIMIT_LATER = Reaction(PhaseBegan, ("COMMON-TRN-09", "COMMON-PHS-07"), limit_later)
