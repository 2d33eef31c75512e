"""The value of track and stations to a company: cheap estimates first, then the runs on the board as it would be.

A tile that joins nothing yet is judged by its *pull*: how near its loose ends come to stops that the company does not reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trajekt.engine.actions import LayTile, UsePrivate
from trajekt.engine.board.board import Board
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.reachability import reach_of
from trajekt.engine.components.schema import CompanyId, Face, HexId, Sheet, TrainKind
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.runs import RouteRules
from trajekt.engine.routing.solver import good_runs
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import State
from trajekt.rules.running_and_dividends import setting_of
from trajekt.rules.trains import never_traded, of_the_bank

FADES = 0.55
"""The part of a stop's pull that is left one hex further away."""

FAR = 5  # hexes beyond which nothing pulls


_GOOD_RUNS: MemoTable[Board, object, int] = MemoTable("good runs")
_PULL: MemoTable[Board, tuple[CompanyId, str], Mapping[HexId, float]] = MemoTable("pull")
_NEIGHBOURS: MemoTable[Sheet, HexId, tuple[HexId, ...]] = MemoTable("neighbours")


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


def earns(
    ruleset: Ruleset, state: State, company: CompanyId, trains: tuple[TrainKind, ...], board: Board | None = None
) -> int:
    """The earnings of a company's good runs with these trains, in Mark; on another board if one is given."""
    rules = ruleset.by_type.get(RouteRules)
    if not isinstance(rules, RouteRules) or not trains:
        return 0
    setting = setting_of(state, company, rules, trains)
    if board is not None:
        setting = type(setting)(
            board, company, setting.trains, setting.colour, setting.industry, rules, setting.variants, setting.facts
        )
    key = (company, setting.trains, setting.colour, setting.industry, setting.facts, rules)
    return _GOOD_RUNS.get(setting.board, key, lambda: good_runs(setting))


# Pull -------------------------------------------------------------------------------------------------------------------


def pull(ruleset: Ruleset, state: State, company: CompanyId) -> Mapping[HexId, float]:
    """By hex, what the stops that the company does not reach yet pay, the less the further away they are."""
    key = (company, state.current_phase.values)
    return _PULL.get(state.board, key, lambda: _pull(ruleset, state, company))


def _pull(ruleset: Ruleset, state: State, company: CompanyId) -> Mapping[HexId, float]:
    board, sheet, colour = state.board, state.sheet, state.current_phase.values
    here = reach_of(board, company, ruleset.policy(RouteRules).available)
    strength: dict[HexId, float] = {}
    for at, stops in board.network.stops_in_hex.items():
        for stop in stops:
            if stop.stop.kind != "town" and not here.stop(at, stop.index):
                # a city not built on yet will pay at least what its first tile does
                worth = max(sheet.value(stop.stop, colour), 20 if stop.stop.slots else 0)
                strength[at] = max(strength.get(at, 0.0), float(worth))
    edge = dict(strength)
    for _ in range(FAR):
        onward: dict[HexId, float] = {}
        for at, known in edge.items():
            for near in neighbours(board, at):
                if known * FADES > strength.get(near, 0.0):
                    strength[near] = onward[near] = known * FADES
        edge = onward
    return strength


def neighbours(board: Board, at: HexId) -> tuple[HexId, ...]:
    """The hexes of the map beside a hex; kept on the components, which no lay changes."""
    sheet, table = board.sheet, _NEIGHBOURS.of(board.sheet)
    if at not in table:
        table[at] = tuple(h for h in (beyond(at, edge, sheet.layout) for edge in range(6)) if h in sheet.hexes)
    return table[at]


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
            joined = opposite(edge) in board.face(other).edges
            ends.append(pulls.get(other, 0.0) * (1.3 if joined else 1.0))
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
