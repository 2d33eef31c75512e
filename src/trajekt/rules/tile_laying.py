"""Laying tiles: step 1 of a company's turn.

A tile is laid by a *right*: the normal one of each turn, others of the game's own, or the power of a private company. All
rights are judged by the same checks; what differs is said by the `Right`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from trajekt.engine.actions import LayTile, UsePrivate
from trajekt.engine.board.board import Board, HexContents, Reservation, Station
from trajekt.engine.board.city_blocking import Passage
from trajekt.engine.board.reachability import Reach, new_track_reached, reach_of
from trajekt.engine.board.upgrades import Upgrade, UpgradeFault, check_overlay, check_upgrade, legal_upgrades
from trajekt.engine.components.schema import CompanyId, HexId, Sheet, TileId
from trajekt.engine.events import TileLaid
from trajekt.engine.frame_notes import Note
from trajekt.engine.routing.runs import RouteRules
from trajekt.engine.ruleset import Check, Code, Draft, Refusal, View, check, refuse
from trajekt.engine.state import BANK, State
from trajekt.rules.construction_costs import CostTerm, affordable, total, waived
from trajekt.rules.operating_round import CompanyTurn, operating, set_turn, turn_of

Lay: TypeAlias = LayTile | UsePrivate
Joins: TypeAlias = Callable[[View, Reach, HexId, Upgrade], bool | None]
"""Tell whether a lay is connected when the company reaches this; None where only the board after the lay can tell."""


def anywhere(_view: View, _at: HexId, _tile: TileId) -> Refusal | None:
    """A right that admits every hex and tile."""
    return None


@dataclass(frozen=True, slots=True)
class Right:
    """A right to lay a tile; `note` is how the turn records it.

    `open` tells whether it may be used now, `admits` where and with which tile. `joins` is the connection asked for, None
    where none is. `free` is the rule that waives the cost. `overlays`: the tile goes upon whatever lies there. `lasting`: a
    station that it grants may still be built after another lay. `done` follows the lay.
    """

    note: Note
    open: Callable[[View, CompanyTurn], Refusal | None]
    joins: Joins | None
    admits: Callable[[View, HexId, TileId], Refusal | None] = anywhere
    overlays: bool = False
    free: str = ""
    lasting: bool = False
    done: Callable[[Draft, HexId], None] | None = None


@dataclass(frozen=True, slots=True)
class LayingPolicy:
    """A game's rights to lay: `rights` by the allowance of a `LayTile`, `powers` by the number of a private company.

    `costs` are the terms of a lay. `cites` names the game's own rule for a misfit: by its word, by word and hex (`stub@C8`)
    or by word and the tile that lies there (`final:935`). `upgrade` is the rule on the reach of upgrades. `components` is
    the sheet by which a hex is built on, where that hangs on what lies there.
    """

    rights: Mapping[str, Right]
    powers: Mapping[int, Right]
    costs: tuple[Callable[[View, HexId], CostTerm | None], ...]
    upgrade: str
    cites: Mapping[str, str]
    components: Callable[[Board, HexId], Sheet] = lambda board, _at: board.sheet


CITES = {
    "finished": "COMMON-TRK-04", "final": "COMMON-TRK-13", "colour": "COMMON-TRK-02", "letters": "COMMON-TRK-07",
    "kind": "COMMON-TRK-07", "hexes": "COMMON-TRK-07", "successor": "COMMON-TRK-13", "turn": "COMMON-TRK-05",
    "banks": "COMMON-TRK-05", "river": "COMMON-TRK-05", "rim": "COMMON-TRK-05", "blank": "COMMON-TRK-05",
    "stub": "COMMON-TRK-05", "lost": "COMMON-TRK-10",
}  # fmt: skip


def right_of(view: View, action: Lay) -> Right | None:
    """The right that an action uses, None where the game has none such."""
    policy = view.ruleset.policy(LayingPolicy)
    if isinstance(action, LayTile):
        return policy.rights.get(action.allowance)
    return policy.powers.get(action.private)


def _right(view: View, action: Lay) -> Right:
    right = right_of(view, action)
    assert right is not None
    return right


def fit_of(view: View, action: Lay) -> Upgrade | UpgradeFault:
    """The upgrade that an action makes on its hex, or the fault in it."""
    board = view.state.board
    if _right(view, action).overlays:
        return check_overlay(board.sheet, action.hex, action.tile, action.rotation)
    contents, sheet = board.contents(action.hex), view.ruleset.policy(LayingPolicy).components(board, action.hex)
    found = legal_upgrades(sheet, action.hex, contents.tile, contents.rotation).get((action.tile, action.rotation))
    return found or check_upgrade(sheet, action.hex, contents.tile, contents.rotation, action.tile, action.rotation)


def _fit(view: View, action: Lay) -> Upgrade:
    found = fit_of(view, action)
    assert isinstance(found, Upgrade)
    return found


# What may be laid ---------------------------------------------------------------------------------------------------------


@check("COMMON-TRK-01")
def right_open(view: View, action: Lay) -> Refusal | None:
    """Refuse a second normal lay in a turn; other rights refuse as they say themselves."""
    right = right_of(view, action)
    if right is None:
        named = {"allowance": action.allowance} if isinstance(action, LayTile) else {}
        return refuse(Code.NOT_IN_RULESET, **named)
    return right.open(view, turn_of(view.state))


@check("COMMON-TRK-03", "COMMON-TRK-04")
def known(view: View, action: Lay) -> Refusal | None:
    """Refuse a hex off the map, a tile not in the set, a rotation beyond six, and what the right is not good for."""
    if action.hex not in view.sheet.hexes:
        return refuse(Code.NO_SUCH_HEX, "COMMON-TRK-04", hex=action.hex)
    if action.tile not in view.sheet.tiles:
        return refuse(Code.NOT_IN_RULESET, "COMMON-TRK-03", tile=action.tile)
    if action.rotation not in range(6):
        return refuse(Code.ORIENTATION, "COMMON-TRK-05", turn=action.rotation)
    return _right(view, action).admits(view, action.hex, action.tile)


@check(
    "COMMON-TRK-10",
    "COMMON-TRK-02",
    "COMMON-TRK-03",
    "COMMON-TRK-04",
    "COMMON-TRK-05",
    "COMMON-TRK-07",
    "COMMON-TRK-13",
)
def fits(view: View, action: Lay) -> Refusal | None:
    """Refuse a closed hex, a colour not in phase, a tile used up or of a wrong kind, and a rotation that breaks track."""
    answer = fit_of(view, action)
    if isinstance(answer, UpgradeFault) and answer.code is Code.FINISHED_HEX:
        return _cited(view, action, answer)
    colour = view.sheet.tiles[action.tile].face.colour
    if colour not in view.state.current_phase.tiles and not _right(view, action).overlays:
        if colour not in view.sheet.colours:
            return refuse(Code.WRONG_COLOUR, "COMMON-TRK-02", tile=action.tile, **colour_next(view.state, action.hex))
        return refuse(Code.NOT_IN_PHASE, "COMMON-TRK-02", tile=action.tile, **phase_of(view.sheet, colour))
    if view.state.supply[action.tile] <= 0:
        return refuse(Code.NO_TILE_LEFT, "COMMON-TRK-03", tile=action.tile)
    return None if isinstance(answer, Upgrade) else _cited(view, action, answer)


def _cited(view: View, action: Lay, misfit: UpgradeFault) -> Refusal:
    own, why = view.ruleset.policy(LayingPolicy).cites, misfit.why
    tile = view.state.board.contents(action.hex).tile
    rule = own.get(f"{why}@{action.hex}") or own.get(f"{why}:{tile}") or own.get(why) or CITES[why]
    args: dict[str, str | int] = {"hex": action.hex, "tile": action.tile}
    if why == "finished":
        return refuse(Code.NEVER_BUILT, rule, hex=action.hex)
    if misfit.edge is not None:
        args["edge"] = misfit.edge
    if misfit.code is Code.WRONG_COLOUR:
        args |= colour_next(view.state, action.hex)
    return refuse(misfit.code, rule, **args)


@check("COMMON-TRK-15")
def places(view: View, action: Lay) -> Refusal | None:
    """Refuse a tile without a place for every station and every reserved home of its cities."""
    contents = view.state.board.contents(action.hex)
    if not contents.stations and not contents.reservations:
        return None
    laid = _fit(view, action)
    taken = [s.stop for s in carried_stations(contents, laid)] + [k.stop for k in carried_reservations(contents, laid)]
    for index, stop in enumerate(laid.face.stops):
        if taken.count(index) > stop.slots + stop.harbour_slots:
            return refuse(Code.NO_PLACE, hex=action.hex, tile=action.tile)
    return None


def carried_stations(contents: HexContents, laid: Upgrade) -> tuple[Station, ...]:
    """The stations of a hex in the cities that keep their track (COMMON-TRK-15)."""
    return tuple(replace(station, stop=laid.stops[station.stop]) for station in contents.stations)


def carried_reservations(contents: HexContents, laid: Upgrade) -> tuple[Reservation, ...]:
    """The places reserved for homes, in the cities that keep their track."""
    return tuple(replace(each, stop=laid.stops[each.stop]) for each in contents.reservations)


def phase_of(sheet: Sheet, colour: str) -> dict[str, str]:
    """The phase that opens a colour, as an argument of a refusal; nothing where none does."""
    return next(({"phase": phase.name} for phase in sheet.phases if colour in phase.tiles), {})


def colour_next(state: State, at: HexId) -> dict[str, str]:
    """The colour that may follow on a hex, with the phase that opens it where it is closed yet, as arguments of a refusal."""
    colour = state.sheet.next_colour(state.board.face(at).colour)
    if not colour:
        return {}
    return {"colour": colour} | ({} if colour in state.current_phase.tiles else phase_of(state.sheet, colour))


def from_phase(rule: str) -> Check[Lay]:
    """Make the check that some printed hexes are closed before a phase."""

    @check(rule)
    def hex_open_yet(view: View, action: Lay) -> Refusal | None:
        needed = view.sheet.hexes[action.hex].blocked_until
        if not needed or needed in view.state.current_phase.tiles:
            return None
        return refuse(Code.NOT_IN_PHASE, hex=action.hex, **phase_of(view.sheet, needed))

    return hex_open_yet


# Connection -------------------------------------------------------------------------------------------------------------


def reach_now(view: View) -> Reach:
    """The reach of the operating company."""
    passage = view.ruleset.policy(RouteRules).available
    return reach_of(view.state.board, turn_of(view.state).company, passage)


def stations_aside(board: Board, _company: CompanyId) -> Passage:
    """Passage as it would be if no station blocked anything; only to tell "blocked" from "not connected"."""
    return Passage(terminal=board.network.offboards)


def new_track(_view: View, here: Reach, at: HexId, laid: Upgrade) -> bool | None:
    """Tell whether fresh track is reached after the lay (COMMON-TRK-11 for plain tiles and towns, RHL-TRK-12)."""
    return new_track_reached(here, at, laid)


def any_track(_view: View, here: Reach, at: HexId, laid: Upgrade) -> bool | None:
    """Tell whether any track of the tile is reached after the lay (COMMON-TRK-08)."""
    return here.hex(at) or new_track_reached(here, at, laid)


def city_or_new_track(view: View, here: Reach, at: HexId, laid: Upgrade) -> bool | None:
    """The usual connection: any track of a yellow tile, new track of an upgrade, but a city need only be reached.

    COMMON-TRK-08, COMMON-TRK-11.
    """
    old = view.state.board.face(at)
    if not old.colour or any(stop.kind == "city" for stop in old.stops):
        return any_track(view, here, at, laid)
    return new_track(view, here, at, laid)


def joined_after(view: View, at: HexId, laid: Upgrade) -> bool:
    """Tell whether fresh track is reached, asked of the board as it would be after the lay."""
    board, company = view.state.board, turn_of(view.state).company
    contents = board.contents(at)
    after = board.with_contents(
        at,
        HexContents(
            laid.tile,
            laid.rotation,
            carried_stations(contents, laid),
            carried_reservations(contents, laid),
            contents.icons,
        ),
    )
    reached = reach_of(after, company, view.ruleset.policy(RouteRules).available)
    return any(reached.piece(after.network.numbers.piece(at, piece)) for piece in laid.new_track)


@check("COMMON-TRK-08")
def connected(view: View, action: Lay) -> Refusal | None:
    """Refuse a tile that the company does not reach, also by new track where the right asks for it."""
    joins = _right(view, action).joins
    if joins is None:
        return None
    at, here = action.hex, reach_now(view)
    if at in here.close:
        laid = _fit(view, action)
        joined = joins(view, here, at, laid)
        if joined or (joined is None and joined_after(view, at, laid)):
            return None
    upgrade = bool(view.state.board.face(at).colour)
    rule = view.ruleset.policy(LayingPolicy).upgrade if upgrade else "COMMON-TRK-08"
    if upgrade and here.hex(at):
        return refuse(Code.NO_NEW_TRACK, rule, hex=at)
    passage, company = here.walks.passage, turn_of(view.state).company
    if not (passage.blocked or passage.blocked_ferries or passage.shut):
        return refuse(Code.NOT_CONNECTED, rule, company=company, hex=at)
    free = reach_of(view.state.board, company, stations_aside)
    blocked = at in free.close and joins(view, free, at, _fit(view, action))
    return refuse(Code.BLOCKED if blocked else Code.NOT_CONNECTED, rule, company=company, hex=at)


# Cost -------------------------------------------------------------------------------------------------------------------


def terrain(view: View, at: HexId) -> CostTerm | None:
    """The cost printed on the hex, paid before its first tile (COMMON-TRK-14)."""
    cost = view.sheet.hexes[at].cost
    return CostTerm("COMMON-TRK-14", "terrain", cost) if cost and not view.state.board.contents(at).tile else None


def replaced(view: View, at: HexId) -> CostTerm | None:
    """The cost printed on the tile that is replaced (COMMON-TRK-14)."""
    tile = view.state.board.contents(at).tile
    cost = view.sheet.tiles[tile].upgrade_cost if tile else 0
    return CostTerm("COMMON-TRK-14", "replaced", cost) if cost else None


def cost_terms(view: View, right: Right, at: HexId) -> tuple[CostTerm, ...]:
    """The terms of what a lay costs by a right."""
    terms = [term(view, at) for term in view.ruleset.policy(LayingPolicy).costs]
    return waived(tuple(t for t in terms if t is not None), right.free, "power")


@check("COMMON-TRK-14")
def cost(view: View, action: Lay) -> Refusal | None:
    """Refuse a lay that the treasury cannot pay beforehand."""
    return affordable(operating(view), total(cost_terms(view, _right(view, action), action.hex)))


# Options and effect -----------------------------------------------------------------------------------------------------


def candidates(view: View, hexes: Iterable[HexId]) -> Iterator[tuple[HexId, Upgrade]]:
    """All that fits on these hexes now: in colours of the phase, with a tile left."""
    board, supply, colours = view.state.board, view.state.supply, view.state.current_phase.tiles
    components = view.ruleset.policy(LayingPolicy).components
    for at in hexes:
        contents = board.contents(at)
        for laid in legal_upgrades(components(board, at), at, contents.tile, contents.rotation).values():
            if laid.face.colour not in colours:
                break  # what may follow upon one tile is all of one colour
            if supply[laid.tile] > 0:
                yield at, laid


def lay_options(view: View) -> Iterator[LayTile]:
    """Every tile that fits anywhere, by every right that is open in the track step."""
    return _lays(view, lambda _rights: view.sheet.hexes)


def likely_lays(view: View) -> Iterator[LayTile]:
    """List lays without the hexes at which no right can be connected."""

    def hexes(rights: list[Right]) -> Iterable[HexId]:
        if any(right.joins is None for right in rights):
            return view.sheet.hexes
        close = reach_now(view).close
        return (at for at in view.sheet.hexes if at in close)

    return _lays(view, hexes)


def _lays(view: View, hexes: Callable[[list[Right]], Iterable[HexId]]) -> Iterator[LayTile]:
    turn = turn_of(view.state)
    if turn.step != "track":
        return
    own = view.ruleset.policy(LayingPolicy).rights
    rights = {allowance: right for allowance, right in own.items() if right.open(view, turn) is None}
    if rights:
        for at, laid in candidates(view, hexes(list(rights.values()))):
            for allowance in rights:
                yield LayTile(at, laid.tile, laid.rotation, allowance)


def lay(draft: Draft, action: Lay) -> None:
    """Pay, put the tile down with the stations in their cities, and remember the right that was used."""
    view = draft.view
    right, laid, turn = _right(view, action), _fit(view, action), turn_of(draft.state)
    contents = draft.state.board.contents(action.hex)
    stations, reservations = carried_stations(contents, laid), carried_reservations(contents, laid)
    draft.pay(turn.company, BANK, total(cost_terms(view, right, action.hex)), "tile")
    why = "power" if isinstance(action, UsePrivate) else "tile"
    draft.emit(TileLaid(action.hex, laid.tile, laid.rotation, turn.company, stations, reservations, why))
    powers = view.ruleset.policy(LayingPolicy).powers
    grants = tuple(grant for grant in turn.grants if powers[grant.private].lasting)
    set_turn(draft, lays=(*turn.lays, right.note), grants=grants)
    if right.done is not None:
        right.done(draft, action.hex)


def can_lay(view: View) -> bool:
    """Tell whether the company may lay any tile by a right that is no power; stops at the first."""
    turn, policy = turn_of(view.state), view.ruleset.policy(LayingPolicy)
    rights = {allowance: right for allowance, right in policy.rights.items() if right.open(view, turn) is None}
    if not rights:
        return False
    rules = view.ruleset.actions.get(LayTile, ())
    here = reach_now(view)
    hexes = view.sheet.hexes if any(right.joins is None for right in rights.values()) else here.near
    for at, laid in candidates(view, hexes):
        for allowance, right in rights.items():
            if right.joins is not None and right.joins(view, here, at, laid) is False:
                continue
            action = LayTile(at, laid.tile, laid.rotation, allowance)
            if any(rule.first_refusal(view, action) is None for rule in rules):
                return True
    return False
