"""The value of track and stations to a company: cheap estimates first, then the runs on the board as it would be.

A tile that joins nothing yet is judged by its *pull*: how near its loose ends come to stops that the company does not reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from trajekt.engine.actions import LayTile, UsePrivate
from trajekt.engine.board.board import Board
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.reachability import reach_of
from trajekt.engine.components.schema import CompanyId, Face, HexId, Sheet, TrainKind
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.runs import RouteRules, Setting
from trajekt.engine.routing.solver import good_runs
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.rules.running_and_dividends import setting_of
from trajekt.rules.trains import never_traded, of_the_bank

FADES = 0.55
"""The part of a stop's pull that is left where one more tile must be laid."""

FAR = 5  # hexes beyond which nothing pulls
NOTHING = (0.0,) * 6


_GOOD_RUNS: MemoTable[Board, object, int] = MemoTable("good runs")
_PULL: MemoTable[Board, object, Mapping[HexId, tuple[float, ...]]] = MemoTable("pull")
_NEIGHBOURS: MemoTable[Sheet, HexId, tuple[HexId | None, ...]] = MemoTable("neighbours")


def future_trains(state: State, company: CompanyId) -> tuple[TrainKind, ...]:
    """The trains that track is built for: those owned, and one of the kind that comes after what the bank sells now."""
    trains = state.sheet.trains
    owned = tuple(kind for kind in state.companies[company].trains if not never_traded(state, kind))
    roster = [kind for kind, train in trains.items() if not train.not_for_sale]
    sale = [roster.index(kind) for _, kind in of_the_bank(state) if kind in roster]
    if not sale:
        return owned
    coming = roster[min(min(sale) + 1, len(roster) - 1)]
    best = max((trains[kind].reach for kind in owned), default=0)
    return (*owned[-1:], coming) if best < trains[coming].reach else owned


def setting_with(
    ruleset: Ruleset, state: State, company: CompanyId, trains: tuple[TrainKind, ...], board: Board | None = None
) -> Setting | None:
    """The setting of a company's runs with these trains, on another board if one is given; None without trains."""
    rules = ruleset.by_type.get(RouteRules)
    if not isinstance(rules, RouteRules) or not trains:
        return None
    found = setting_of(state, company, rules, trains)
    if board is None:
        return found
    return Setting(board, company, found.trains, found.colour, found.industry, rules, found.variants, found.facts)


def earns(
    ruleset: Ruleset, state: State, company: CompanyId, trains: tuple[TrainKind, ...], board: Board | None = None
) -> int:
    """The earnings of a company's good runs with these trains, in Mark; on another board if one is given."""
    setting = setting_with(ruleset, state, company, trains, board)
    if setting is None:
        return 0
    return _GOOD_RUNS.get(setting.board, same_runs(setting), lambda: good_runs(setting))


def same_runs(setting: Setting) -> object:
    """A key that settings on one board share where they have the same runs."""
    return setting.company, setting.trains, setting.colour, setting.industry, setting.facts, setting.rules


# Pull -------------------------------------------------------------------------------------------------------------------

Pull: TypeAlias = Mapping[HexId, tuple[float, ...]]
"""By hex and edge, what a track end that leads into the hex there promises, in Mark."""


def pull(ruleset: Ruleset, state: State, company: CompanyId) -> Pull:
    """The promise to a track end of stops that the company does not reach yet: less the more tiles are still to be laid."""
    key = (company, state.current_phase.values, state.current_phase.tiles, company in state.aside)
    return _PULL.get(state.board, key, lambda: _pull(ruleset, state, company))


def _pull(ruleset: Ruleset, state: State, company: CompanyId) -> Pull:
    board, sheet, colour = state.board, state.sheet, state.current_phase.values
    here = reach_of(board, company, ruleset.policy(RouteRules).available)
    printed = sheet.companies[company]
    homes = {home.hex for home in printed.homes}
    awaited = printed.waits_for if company in state.aside else ()
    worth: dict[HexId, float] = {}
    for at, stops in board.network.stops_in_hex.items():
        for stop in stops:
            if stop.stop.kind != "town" and not here.stop(at, stop.index) and at not in homes:
                # a city not built on yet will pay at least what its first tile does
                value = max(sheet.value(stop.stop, colour), 20 if stop.stop.slots else 0)
                worth[at] = max(worth.get(at, 0.0), float(value) + (20.0 if at in awaited else 0.0))
    into = {at: _entries(state, at, worth.get(at, 0.0), NOTHING) for at in sheet.hexes}
    beside = {at: _beside(board, at) for at in sheet.hexes}
    for _ in range(FAR):
        onward = {
            at: _entries(
                state,
                at,
                worth.get(at, 0.0),
                tuple(into[near][opposite(edge)] if near else 0.0 for edge, near in enumerate(beside[at])),
            )
            for at in into
        }
        if onward == into:
            break
        into = onward
    return into


def _entries(state: State, at: HexId, worth: float, beyond_it: tuple[float, ...]) -> tuple[float, ...]:
    """By edge, what a track end promises that leads into a hex: its stop, or what lies beyond on track or a tile to come."""
    if not worth and not any(beyond_it):
        return NOTHING
    printed, face = state.sheet.hexes[at], state.board.face(at)
    tiles = state.current_phase.tiles
    rank = state.sheet.rank(face.colour)
    may_lay = not printed.fixed and rank + 1 < len(tiles) and face.colour not in ("grey", "red")
    fades = FADES if rank < 0 else FADES * FADES  # a tile that lies there must be of a kind that takes one more edge
    edges, out = face.edges, []
    for edge in range(6):
        if edge in printed.closed_edges:
            out.append(0.0)
        elif edge in edges:
            on = max((beyond_it[other] for other in edges if other != edge), default=0.0)
            out.append(max(worth, on))
        elif may_lay:
            on = max(
                (beyond_it[other] for other in range(6) if other != edge and other not in printed.closed_edges),
                default=0.0,
            )
            out.append(fades * max(worth, on))
        else:
            out.append(0.0)
    return tuple(out)


def _beside(board: Board, at: HexId) -> tuple[HexId | None, ...]:
    """The hexes of the map beside a hex, by edge; kept on the components, which no lay changes."""
    sheet = board.sheet
    return _NEIGHBOURS.get(
        sheet,
        at,
        lambda: tuple(h if h in sheet.hexes else None for h in (beyond(at, e, sheet.layout) for e in range(6))),
    )


def leads_on(board: Board, at: HexId, edge: int) -> HexId | None:
    """The hex beyond an edge if track may go on there; None at the rim and at printed hexes without track on that side."""
    other = beyond(at, edge, board.sheet.layout)
    printed = board.sheet.hexes.get(other)
    if printed is None or opposite(edge) in printed.closed_edges:
        return None
    face = board.face(other)
    if opposite(edge) in face.edges:
        return other
    return None if printed.fixed or face.colour in ("grey", "red") else other


def outlets(ruleset: Ruleset, state: State, company: CompanyId) -> float:
    """The promise of the ways out of a company's homes, in Mark: the best of them, and half of the next."""
    pulls, found = pull(ruleset, state, company), []
    for home in state.sheet.companies[company].homes:
        face, printed = state.board.face(home.hex), state.sheet.hexes[home.hex]
        open_ = not printed.fixed and state.sheet.rank(face.colour) + 1 < len(state.current_phase.tiles)
        for edge in face.edges or (range(6) if open_ else ()):
            other = leads_on(state.board, home.hex, edge)
            if other is not None:
                found.append(pulls[other][opposite(edge)] * (1.0 if face.edges else FADES))
    found.sort(reverse=True)
    return sum(worth / (1 + n) for n, worth in enumerate(found[:2]))


def stops_value(state: State, face: Face) -> int:
    """The value of the stops of a face now, in Mark."""
    return sum(state.sheet.value(stop, state.current_phase.values) for stop in face.stops)


def promise(ruleset: Ruleset, state: State, company: CompanyId, action: LayTile | UsePrivate) -> float:
    """A cheap estimate of a lay: what its stops gain, and how strongly its new ends are pulled."""
    board = state.board
    old, new = board.face(action.hex), state.sheet.rotated[action.tile, action.rotation]
    pulls = pull(ruleset, state, company)
    gain = float(stops_value(state, new) - stops_value(state, old))
    ends = []
    for edge in new.edges - old.edges:
        other = leads_on(board, action.hex, edge)
        if other is not None:
            ends.append(pulls[other][opposite(edge)])
    ends.sort(reverse=True)
    return gain + sum(worth / (1 + 2 * n) for n, worth in enumerate(ends))


def shortlist(
    ruleset: Ruleset, state: State, company: CompanyId, lays: Iterable[LayTile | UsePrivate], most: int
) -> list[tuple[float, LayTile | UsePrivate]]:
    """The lays that promise most, the best first: few for each hex, so that several places are looked at."""
    rated = sorted(
        ((promise(ruleset, state, company, lay), n, lay) for n, lay in enumerate(lays)),
        key=lambda row: (-row[0], row[1]),
    )
    taken: dict[HexId, int] = {}
    out: list[tuple[float, LayTile | UsePrivate]] = []
    for worth, _, lay in rated:
        if taken.get(lay.hex, 0) < 2:
            taken[lay.hex] = taken.get(lay.hex, 0) + 1
            out.append((worth, lay))
        if len(out) == most:
            break
    return out
