"""The turn of a railway: track, station, link, running, dividend and marker, trains (sections 5, 10, 11 and 13)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from trajekt.engine.actions import LayTile, PayOut, PlaceStation, RunTrains, Withhold
from trajekt.engine.agenda import Draft
from trajekt.engine.board.board import Board
from trajekt.engine.board.reachability import reach
from trajekt.engine.components.schema import HexId, Sheet, TileId
from trajekt.engine.decisions import can
from trajekt.engine.events import Paid, StatusSet, TileLaid
from trajekt.engine.memo import MemoTable
from trajekt.engine.routing.runs import RouteRules, RunResult
from trajekt.engine.ruleset import Code, Reaction, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, set_aside_account
from trajekt.games.ruhr.actions import BuildPmcLink, ShareDeal, UsePferdebahn
from trajekt.games.ruhr.components import ruhr_components
from trajekt.games.ruhr.forced_purchase_funds import deal_sizes
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.receivership import buy_train_for_bank
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.route_rules import in_circle
from trajekt.games.ruhr.state import value_at
from trajekt.rules import stock_market
from trajekt.rules.operating_round import (
    CompanyTurn,
    TurnPolicy,
    TurnStep,
    advance,
    in_step,
    operating,
    set_turn,
    turn_of,
)
from trajekt.rules.running_and_dividends import (
    PayPolicy,
    RunningPolicy,
    dividends,
    enter_run,
    legal_runs,
    run_options,
    run_trains,
    run_waits,
)
from trajekt.rules.stations import (
    a_city,
    can_place,
    index_of,
    likely_stations,
    one_a_hex,
    one_a_turn,
    place_homes,
    place_station,
    station_connected,
    station_cost,
    station_options,
    token_left,
)
from trajekt.rules.stock_round import worth
from trajekt.rules.tile_laying import (
    LayingPolicy,
    Right,
    any_track,
    can_lay,
    connected,
    cost,
    fits,
    known,
    lay,
    lay_options,
    likely_lays,
    places,
    right_open,
    stations_aside,
    terrain,
)
from trajekt.rules.trains import owns_train, trains_wait

LAYS = 2  # tiles in a turn (RUHR-TRK-01)
MONTAN = 20


# Track ---------------------------------------------------------------------------------------------------------------


def tiles_left(view: View, turn: CompanyTurn) -> Refusal | None:
    """Two tiles in a turn."""
    return because(Why.TWO_TILES, "RUHR-TRK-01") if len(turn.lays) >= LAYS else None


def one_upgrade(view: View, at: HexId, tile: TileId) -> Refusal | None:
    """Never two upgrades, and no upgrade of a tile laid this turn (RUHR-TRK-01)."""
    turn = turn_of(view.state)
    if view.sheet.tiles[tile].face.colour == "yellow":
        return None
    if any(lay.startswith("upgrade:") for lay in turn.lays) or f"tile:{at}" in turn.lays:
        return because(Why.ONE_UPGRADE, "RUHR-TRK-01", hex=at)
    return None


def note_lay(draft: Draft, at: HexId) -> None:
    """The turn remembers where a tile was laid, and whether it was an upgrade."""
    turn = turn_of(draft.state)
    upgrade = draft.state.board.face(at).colour != "yellow"
    set_turn(draft, lays=(*turn.lays[:-1], f"{'upgrade' if upgrade else 'tile'}:{at}"))


CITES = {
    "finished": "RUHR-TRK-03",
    "final": "RUHR-TRK-13",
    "final:716": "RUHR-TRK-13",
    "final:913": "RUHR-TRK-12",
    "colour": "RUHR-TRK-02",
    "letters": "RUHR-TRK-08",
    "kind": "RUHR-TRK-07",
    "hexes": "RUHR-TRK-12",
    "successor": "RUHR-TRK-09",
    "turn": "RUHR-TRK-12",
    "banks": "RUHR-TRK-05",
    "river": "RUHR-TRK-05",
    "rim": "RUHR-TRK-05",
    "blank": "RUHR-TRK-05",
    "stub": "RUHR-TRK-05",
    "lost": "RUHR-TRK-09",
}


_WITHOUT_MARKER: MemoTable[Sheet, HexId, Sheet] = MemoTable("ruhr sheet without marker")


def components(board: Board, at: HexId) -> Sheet:
    """Where a closed corporation's marker is gone, a hex is built on as if it never had one (RUHR-TRK-08, Q32)."""
    sheet = board.sheet
    if at not in ruhr_components(sheet).mine_at or value_at(board.contents(at).icons) >= 0:
        return sheet
    known = _WITHOUT_MARKER.of(sheet)
    if at not in known:
        printed = sheet.hexes[at]
        bare = replace(printed, face=replace(printed.face, labels=()))
        tiles = {n: replace(tile, upgrades_to=None) if tile.face.labels else tile for n, tile in sheet.tiles.items()}
        known[at] = replace(sheet, hexes={**sheet.hexes, at: bare}, tiles=tiles)
    return known[at]


LAYING = LayingPolicy(
    rights={"normal": Right("normal", tiles_left, any_track, one_upgrade, done=note_lay)},
    powers={},
    costs=(terrain,),
    upgrade="RUHR-TRK-10",
    cites=CITES,
    components=components,
)


@check("RUHR-TRK-13")
def town_becomes_city(view: View, action: LayTile) -> Refusal | None:
    """716 only upon a town with the marker of a MONTAN corporation."""
    if action.tile != "716" or value_at(view.state.board.contents(action.hex).icons) >= MONTAN:
        return None
    return because(Why.NEEDS_MONTAN, hex=action.hex)


@check("RUHR-TRK-12")
def green_of_j3(view: View, action: LayTile) -> Refusal | None:
    """Where the table asks for it, the green tile of J3 is 720 (Q30)."""
    tile = view.sheet.tiles["720"]
    if view.ruleset.policy(RuhrOptions).j3_720 != "required" or action.hex not in tile.hexes:
        return None
    if view.sheet.tiles[action.tile].face.colour != tile.face.colour or action.tile == "720":
        return None
    return because(Why.ONLY_720, hex=action.hex)


LAY_TILE = Rule(
    LayTile,
    lay_options,
    lay,
    needs=(in_step("track"), right_open, known, fits),
    checks=(town_becomes_city, green_of_j3, places, connected, cost),
    likely=likely_lays,
)


# Stations ------------------------------------------------------------------------------------------------------------


@check("RUHR-TOK-03", "RUHR-TOK-04", "RUHR-TRK-14")
def a_free_circle(view: View, action: PlaceStation) -> Refusal | None:
    """A circle that no station, no home still to come and no location marker takes."""
    index = index_of(action.stop)
    board, contents = view.state.board, view.state.board.contents(action.hex)
    built = sum(station.stop == index for station in contents.stations)
    built += in_circle(board, action.hex, on_716=view.ruleset.policy(RuhrOptions).tile_716_marker == "in_circle")
    kept = sum(k.stop == index for k in contents.reservations)  # its own home has been placed by now (RUHR-TOK-01)
    slots = board.face(action.hex).stops[index].slots
    if built + kept < slots:
        return None
    if kept:
        return refuse(Code.RESERVED, "RUHR-TOK-04", hex=action.hex)
    return refuse(Code.NO_PLACE, "RUHR-TOK-03", hex=action.hex)


PLACE_STATION = Rule(
    PlaceStation,
    station_options,
    place_station,
    needs=(in_step("station"), one_a_turn, token_left, a_city),
    checks=(one_a_hex, a_free_circle, station_connected, station_cost),
    likely=likely_stations,
)


# Link, running, dividend -----------------------------------------------------------------------------------------------


def link_waits(view: View) -> bool:
    """Whether a link can be built before running."""
    return "link" not in turn_of(view.state).used and can(
        view.ruleset, view.state, view.seat, (BuildPmcLink, UsePferdebahn)
    )


def or_after_deal(waits: Callable[[View], bool]) -> Callable[[View], bool]:
    """A question that is also answered yes where only the money of the own deal is wanting (RUHR-OR-11).

    The deal may be made at any time of the turn: what it could pay leaves no step out.
    """

    def waiting(view: View) -> bool:
        if waits(view):
            return True
        richer = after_deal(view)
        return richer is not None and waits(richer)

    return waiting


def after_deal(view: View) -> View | None:
    """The moment with the money of the dearest deal in the treasury, None where none can be made."""
    turn = turn_of(view.state)
    sizes = deal_sizes(view.ruleset.policy(RuhrOptions), view.state, turn.company)
    if "deal" in turn.used or not sizes:
        return None
    company = view.company(turn.company)
    richer = replace(company, treasury=company.treasury + worth(view.state, company.id, max(sizes)))
    return replace(view, state=replace(view.state, companies={**view.state.companies, company.id: richer}))


def deal_waits(view: View) -> bool:
    """A marker that will fall for want of trains or routes does not fall before the deal could be made."""
    return not run_attended(view) and can(view.ruleset, view.state, view.seat, (ShareDeal,))


def run_attended(view: View) -> bool:
    """The director declares the runs; the bank's are made when the step begins."""
    return operating(view).director is not None and run_waits(view)


def enter_running(draft: Draft) -> None:
    """Nothing to run: no income. The bank runs the best (RUHR-BANKR-04, Q42)."""
    enter_run(draft)
    company = operating(draft.view)
    if company.director is None and run_waits(draft.view):
        run_trains(draft, RunTrains(draft.ruleset.policy(RunningPolicy).best(draft.state, company.id)))


@check("RUHR-ROUTE-11")
def best_set(view: View, action: RunTrains) -> Refusal | None:
    """Where the table asks for it, only a set with the highest income (Q34)."""
    if view.ruleset.policy(RuhrOptions).best_route != "required":
        return None
    policy, company = view.ruleset.policy(RunningPolicy), turn_of(view.state).company
    sent = policy.judge(view.state, company, action.runs)
    best = policy.judge(view.state, company, policy.best(view.state, company))
    if isinstance(sent, RunResult) and isinstance(best, RunResult) and sent.revenue < best.revenue:
        return because(Why.NOT_BEST, revenue=best.revenue)
    return None


RUN_TRAINS = Rule(RunTrains, run_options, run_trains, needs=(in_step("run"), legal_runs), checks=(best_set,))


def pay_waits(view: View) -> bool:
    """There is income to dispose of."""
    return turn_of(view.state).revenue > 0


def enter_pay(draft: Draft) -> None:
    """No income: one box down (RUHR-REV-06). Run by the bank: kept (RUHR-BANKR-04)."""
    turn = turn_of(draft.state)
    if not turn.revenue:
        stock_market.left(draft, turn.company, "no_revenue")
    elif draft.state.companies[turn.company].director is None:
        keep(draft)
        set_turn(draft, revenue=0)


@check("RUHR-BANKR-07")
def no_loan_left(view: View, _action: PayOut) -> Refusal | None:
    """While a loan stands nothing is paid."""
    debt = operating(view).debt
    return because(Why.LOAN_FIRST, debt=debt) if debt else None


def pay_out(draft: Draft, _action: PayOut) -> None:
    """Each certificate its percentage; the marker by what was paid against the value before (RUHR-REV-05, -06)."""
    turn = turn_of(draft.state)
    price = draft.state.price(turn.company)
    for account, amount in dividends(draft.state, turn.company, turn.revenue, draft.ruleset.policy(PayPolicy)):
        draft.pay(BANK, account, amount, "dividend")
    for _ in range(min(2, turn.revenue // price)):
        stock_market.right(draft, turn.company, "dividend")
    advance(draft)


def keep(draft: Draft) -> None:
    """All into the treasury; one box down."""
    turn = turn_of(draft.state)
    draft.pay(BANK, turn.company, turn.revenue, "withhold")
    stock_market.left(draft, turn.company, "withhold")


def withhold(draft: Draft, _action: Withhold) -> None:
    """Keep the income by choice."""
    keep(draft)
    advance(draft)


PAY_OUT = Rule(PayOut, lambda _view: (PayOut(),), pay_out, needs=(in_step("pay"),), checks=(no_loan_left,))
WITHHOLD = Rule(Withhold, lambda _view: (Withhold(),), withhold, needs=(in_step("pay"),))
PAY = PayPolicy(treasury=("io",))


# Trains, and what may still be done at the end ---------------------------------------------------------------------------


def last_step_waits(view: View) -> bool:
    """A train can or must be bought, or the corporation may still deal, or a Pferdebahn be used."""
    return trains_wait(view) or can(view.ruleset, view.state, view.seat, (ShareDeal, UsePferdebahn))


# The money at R13 --------------------------------------------------------------------------------------------------------


def free_investors_money(draft: Draft, event: TileLaid | StatusSet) -> None:
    """Barmen and Hagen are joined by track: the money set aside is the BME's, once it floats (RUHR-REV-07, Q35, Q36)."""
    if isinstance(event, StatusSet) and event.status != "floated":
        return
    state = draft.state
    for company in state.sheet.companies.values():
        name = str(company.own.get("aside", ""))
        amount = state.aside.get(name, 0) if name else 0
        if amount and state.companies[company.id].floated and ends_joined(draft, company.id):
            draft.emit(Paid(set_aside_account(name), company.id, amount, "link"))


def ends_joined(draft: Draft, company: str) -> bool:
    """Whether track runs from the first place of `waits_for` to the last, blocked cities or not (Q35)."""
    board, ends = draft.state.board, draft.sheet.companies[company].waits_for
    blocked = draft.ruleset.policy(RuhrOptions).bme_link_blocked
    passing = draft.ruleset.policy(RouteRules).passage if blocked else stations_aside
    own = [stop.node for stop in board.network.stops_in_hex.get(ends[0], ())]
    return reach(board.network, own, passing(board, company)).hex(ends[-1])


MONEY_BY_TILE = Reaction(TileLaid, ("RUHR-REV-07",), free_investors_money)
MONEY_BY_FLOAT = Reaction(StatusSet, ("RUHR-REV-07",), free_investors_money)

# The home comes to the map first (RUHR-TOK-01); what is bought last runs in the next round (RUHR-ROUTE-10, RUHR-TRAIN-09).
TRACK = TurnStep("track", or_after_deal(can_lay), place_homes, passable=True)
STATION = TurnStep("station", or_after_deal(can_place), passable=True)
LINK = TurnStep("link", or_after_deal(link_waits), passable=True)
DEAL = TurnStep("deal", deal_waits, passable=True)
RUN = TurnStep("run", run_attended, enter_running)
DIVIDEND = TurnStep("pay", pay_waits, enter_pay)
TRAINS = TurnStep("trains", last_step_waits, buy_train_for_bank, passable=True, leave=owns_train)
TURN = TurnPolicy((TRACK, STATION, LINK, DEAL, RUN, DIVIDEND, TRAINS))
