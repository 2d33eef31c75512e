"""Railway links of pMCs, by five ways (section 9 of the rule sheet).

By the company itself, by a railway in its turn, by a MONTAN corporation for a merged location, by a Pferdebahn, and by a
brown tile. A link is the location marker at 10; what follows from it (boxes, engine, founding) asks the marker.
"""

from __future__ import annotations

from collections.abc import Iterable

from trajekt.engine.board.reachability import reach_of
from trajekt.engine.components.schema import HexId
from trajekt.engine.events import PrivateClosed, PrivateUsed, TileLaid
from trajekt.engine.routing.runs import RouteRules
from trajekt.engine.ruleset import Code, Draft, Reaction, Refusal, Rule, Ruleset, View, check, refuse
from trajekt.engine.state import BANK, State
from trajekt.games.ruhr.actions import BuildPmcLink, UsePferdebahn
from trajekt.games.ruhr.components import GENERALER, MINES, SELLERBECKER, railways, ruhr_components
from trajekt.games.ruhr.events import LocationSet
from trajekt.games.ruhr.montan_charters import charter, owner_of
from trajekt.games.ruhr.montan_turn import MontanTurn, montan_turn, nothing_owed, one_activity, use
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.state import PASSIVE, account, location, ruhr_state, treasury_of
from trajekt.rules.construction_costs import affordable
from trajekt.rules.operating_round import CompanyTurn, set_turn, turn_of
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.tile_laying import stations_aside
from trajekt.rules.turn_notes import Once

LINKED = 10
PFERDEBAHNEN = (SELLERBECKER, GENERALER)
BEFORE_RUNNING = ("track", "station", "link", "deal")


def link(draft: Draft, mine: int, cause: str) -> None:
    """The location marker turns to 10 (RUHR-LINK-01); waiting markers lie on boxes now (RUHR-DEV-11, RUHR-LINK-08)."""
    draft.emit(LocationSet(mine, LINKED, cause))


def hex_of_mine(state: State, mine: int) -> HexId:
    """Place of a pMC."""
    return ruhr_components(state.sheet).hexes[mine]


def joined(ruleset: Ruleset, state: State, at: HexId, *, blocked: bool, floated: bool) -> bool:
    """Tell whether track on a hex is joined with a placed station, perhaps a railway's, blocked as for it (Q25, Q28)."""
    passage = ruleset.policy(RouteRules).passage if blocked else stations_aside
    return any(
        reach_of(state.board, company, passage).hex(at)
        for company in railways(state.sheet)
        if state.companies[company].floated or not floated
    )


@check("RUHR-LINK-01")
def without_link(view: View, action: BuildPmcLink | UsePferdebahn) -> Refusal | None:
    """Refuse what is no pMC, active, passive or merged, and a location whose marker shows a value already."""
    if action.mine not in MINES or location(view.state, action.mine) < 0:
        return because(Why.NO_SUCH_MINE, number=action.mine)
    return because(Why.ALREADY_LINKED, mine=action.mine) if location(view.state, action.mine) else None


# By the company ------------------------------------------------------------------------------------------------------


def own_mines(state: State, works: str) -> tuple[int, ...]:
    """The locations of a Montan company."""
    mine = charter(state, works).mine
    return (mine,) if mine is not None else ruhr_state(state).montan[works].mines


@check("RUHR-LINK-03", "RUHR-LINK-04")
def own_location(view: View, action: BuildPmcLink) -> Refusal | None:
    """Refuse another's location: a pMC links itself, a MONTAN corporation one of its merged locations."""
    own = own_mines(view.state, montan_turn(view.frame).works)
    return None if action.mine in own else because(Why.NOT_LOCATION, mine=action.mine)


@check("RUHR-LINK-02")
def joined_to_station(view: View, action: BuildPmcLink) -> Refusal | None:
    """Refuse a hex without track that is connected with a station of a floated railway."""
    blocked = view.ruleset.policy(RuhrOptions).montan_link_blocked
    if joined(view.ruleset, view.state, hex_of_mine(view.state, action.mine), blocked=blocked, floated=True):
        return None
    return because(Why.MINE_NOT_JOINED, mine=action.mine, hex=hex_of_mine(view.state, action.mine))


@check("RUHR-LINK-03")
def works_pays(view: View, _action: BuildPmcLink) -> Refusal | None:
    """Refuse a link without 30 Mark in its own treasury; the owner adds nothing."""
    cost, treasury = ruhr_components(view.sheet).link, treasury_of(view.state, montan_turn(view.frame).works)
    return None if cost <= treasury else refuse(Code.UNAFFORDABLE, cost=cost, cash=treasury)


def without_links(state: State, mines: Iterable[int]) -> Iterable[int]:
    """Those of the pMCs that have no link."""
    return (mine for mine in mines if location(state, mine) == 0)


def own_options(view: View) -> Iterable[BuildPmcLink]:
    """List every own location without a link."""
    for mine in without_links(view.state, own_mines(view.state, montan_turn(view.frame).works)):
        yield BuildPmcLink(mine)


def build_own_link(draft: Draft, action: BuildPmcLink) -> None:
    """The one activity of the turn."""
    works = montan_turn(draft.state.agenda[-1]).works
    use(draft, Once.ACTIVITY)
    draft.pay(account(works), BANK, ruhr_components(draft.sheet).link, "railway_link")
    link(draft, action.mine, "own")


LINK_BY_WORKS = Rule(
    BuildPmcLink,
    own_options,
    build_own_link,
    needs=(one_activity, without_link, own_location),
    checks=(nothing_owed, joined_to_station, works_pays),
)


# By a railway --------------------------------------------------------------------------------------------------------


@check("RUHR-OR-06", "RUHR-LINK-05")
def before_running(view: View, _action: BuildPmcLink) -> Refusal | None:
    """Refuse a second link in the turn, and any after the trains ran (Q12)."""
    turn = turn_of(view.state)
    if turn.step not in BEFORE_RUNNING:
        return refuse(Code.WRONG_STEP, "RUHR-OR-06", step="link")
    return because(Why.ONE_LINK, "RUHR-LINK-05") if Once.LINK in turn.used else None


@check("RUHR-LINK-05")
def on_a_route(view: View, action: BuildPmcLink) -> Refusal | None:
    """Refuse a hex that no route of the railway, of whatever length, includes (Q26)."""
    company, at = turn_of(view.state).company, hex_of_mine(view.state, action.mine)
    reached = reach_of(view.state.board, company, view.ruleset.policy(RouteRules).passage).hex(at)
    if reached and view.ruleset.policy(RunningPolicy).could_run(view.state, company):
        return None
    free = reach_of(view.state.board, company, stations_aside).hex(at)
    return because(Why.MINE_BLOCKED if free and not reached else Why.MINE_NOT_JOINED, mine=action.mine, hex=at)


@check("RUHR-LINK-05")
def railway_pays(view: View, _action: BuildPmcLink) -> Refusal | None:
    """Refuse a link without 30 Mark in the treasury of the railway."""
    return affordable(view.state.companies[turn_of(view.state).company], ruhr_components(view.sheet).link)


def reached_options(view: View) -> Iterable[BuildPmcLink]:
    """Every location without a link that track joins to the railway, blocked or not."""
    reached = reach_of(view.state.board, turn_of(view.state).company, stations_aside)
    for mine in without_links(view.state, MINES):
        if reached.hex(hex_of_mine(view.state, mine)):
            yield BuildPmcLink(mine)


def build_link(draft: Draft, action: BuildPmcLink) -> None:
    """One link in a turn."""
    turn = turn_of(draft.state)
    set_turn(draft, used=(*turn.used, Once.LINK))
    draft.pay(turn.company, BANK, ruhr_components(draft.sheet).link, "railway_link")
    link(draft, action.mine, "railway")


LINK_BY_RAILWAY = Rule(
    BuildPmcLink,
    reached_options,
    build_link,
    needs=(before_running, without_link),
    checks=(on_a_route, railway_pays),
)


# By a Pferdebahn -----------------------------------------------------------------------------------------------------


@check("RUHR-LINK-06")
def own_pferdebahn(view: View, action: UsePferdebahn) -> Refusal | None:
    """Refuse a Pferdebahn that is not the player's or closed."""
    if action.private not in PFERDEBAHNEN:
        return because(Why.NO_PFERDEBAHN, private=action.private)
    private = view.state.privates[action.private]
    if private.owner != view.seat:
        return because(Why.PRIVATE_OF_OTHER, private=action.private)
    return None if private.open else because(Why.PRIVATE_GONE, private=action.private)


@check("RUHR-LINK-06")
def own_turn(view: View, _action: UsePferdebahn) -> Refusal | None:
    """Refuse it outside a turn of an own pMC or of a corporation that he directs."""
    frame = view.frame
    if isinstance(frame, MontanTurn):
        return None if owner_of(view.state, frame.works) == view.seat else refuse(Code.NOT_YOUR_TURN)
    assert isinstance(frame, CompanyTurn)
    return None if view.state.companies[frame.company].director == view.seat else refuse(Code.NOT_YOUR_TURN)


@check("RUHR-LINK-06")
def joined_to_net(view: View, action: UsePferdebahn) -> Refusal | None:
    """Refuse a hex whose track is joined to no placed station, blocked or not; for a passive pMC any track will do (Q28)."""
    at = hex_of_mine(view.state, action.mine)
    if view.ruleset.policy(RuhrOptions).pferdebahn == "track" and ruhr_state(view.state).mines[action.mine] == PASSIVE:
        return None if view.state.board.face(at).track else because(Why.NO_TRACK, mine=action.mine, hex=at)
    if joined(view.ruleset, view.state, at, blocked=False, floated=False):
        return None
    return because(Why.MINE_NOT_JOINED, mine=action.mine, hex=at)


def pferdebahn_options(view: View) -> Iterable[UsePferdebahn]:
    """List every own Pferdebahn for every location without a link."""
    for private in PFERDEBAHNEN:
        if view.state.privates[private].owner == view.seat and view.state.privates[private].open:
            for mine in without_links(view.state, MINES):
                yield UsePferdebahn(private, mine)


def use_pferdebahn(draft: Draft, action: UsePferdebahn) -> None:
    """A free link for any pMC, besides all else in the turn; then it closes."""
    draft.emit(PrivateUsed(action.private))
    link(draft, action.mine, "pferdebahn")
    draft.emit(PrivateClosed(action.private, "used"))


USE_PFERDEBAHN = Rule(
    UsePferdebahn,
    pferdebahn_options,
    use_pferdebahn,
    needs=(own_pferdebahn, own_turn, without_link),
    checks=(joined_to_net,),
)


# By a brown tile -----------------------------------------------------------------------------------------------------


def link_by_tile(draft: Draft, event: TileLaid) -> None:
    """An upgrade of the hex to brown links its pMC at once, free for all (RUHR-LINK-07)."""
    mine = ruhr_components(draft.sheet).mine_at.get(event.hex)
    if mine is None or draft.sheet.tiles[event.tile].face.colour != "brown":
        return
    if location(draft.state, mine) == 0:
        link(draft, mine, "tile")


LINK_BY_TILE = Reaction(TileLaid, ("RUHR-LINK-07",), link_by_tile)
