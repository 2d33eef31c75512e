"""Railway links to mines and mills, their card and the demand it brings; the free token of the KWE (DO-LINK, DO-FLOAT-06)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from trajekt.engine.components.schema import CompanyId, TrainKind
from trajekt.engine.events import TrainMoved
from trajekt.engine.ruleset import Code, Draft, Duty, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, DISPLAY, GONE, State
from trajekt.games.do.actions import BuildRailwayLink, PlaceFreeToken
from trajekt.games.do.beer_cubes import add_demand
from trajekt.games.do.components import do_components, limits_of
from trajekt.games.do.events import FreeTokenOver, TokenLaid
from trajekt.games.do.frames import LinkDemand
from trajekt.games.do.options import DoOptions
from trajekt.games.do.refusals import WhyNot, because
from trajekt.games.do.state import do_state, token_at
from trajekt.games.do.treasury_shares import with_sale
from trajekt.rules.construction_costs import affordable
from trajekt.rules.operating_round import CompanyTurn, TurnStep, in_step, operating, turn_of
from trajekt.rules.tile_laying import reach_now
from trajekt.rules.trains import on_display
from trajekt.rules.turn_notes import Once

LINK = "link"
COST = 30  # Mark, printed below the track symbol of every card
FIRST = 10


def next_card(state: State) -> TrainKind | None:
    """The card that a link takes: of the lowest type on display (DO-LINK-05)."""
    return next(iter(on_display(state)), None)


def is_odd(state: State, kind: TrainKind) -> bool:
    """Tell whether the top card of a stack has an odd number: a stack is counted from the top."""
    taken = state.sheet.trains[kind].count - state.depot.display[kind]
    return (taken + 1) % 2 == 1


@check("DO-LINK-01")
def one_link(view: View, _action: BuildRailwayLink) -> Refusal | None:
    """Refuse a second link in a turn, new or extended."""
    return because(WhyNot.ONE_LINK) if Once.LINK in turn_of(view.state).used else None


@check("DO-LINK-02")
def mine_or_mill(view: View, action: BuildRailwayLink) -> Refusal | None:
    """Refuse a hex that is neither coal mine nor steel mill."""
    known = do_components(view.sheet)
    return None if action.hex in known.mines | known.mills else because(WhyNot.NO_MINE_OR_MILL, hex=action.hex)


@check("DO-LINK-03", "DO-LINK-04")
def step_open(view: View, action: BuildRailwayLink) -> Refusal | None:
    """Refuse a token whose next value is not allowed in this phase; judged before the card is taken."""
    value = token_at(view.state, action.hex) + FIRST
    links = limits_of(view.sheet, view.state.phase).links
    if value in links:
        return None
    if value > limits_of(view.sheet, view.sheet.phases[-1].name).links[-1]:
        return because(WhyNot.HIGHEST_TOKEN, hex=action.hex)
    opens = next(phase.name for phase in view.sheet.phases if value in limits_of(view.sheet, phase.name).links)
    return refuse(Code.NOT_IN_PHASE, hex=action.hex, phase=opens)


@check("DO-LINK-05")
def card_left(view: View, _action: BuildRailwayLink) -> Refusal | None:
    """Refuse a link without a Capex card in the display."""
    return None if next_card(view.state) else because(WhyNot.NO_CARD_LEFT)


@check("DO-LINK-02", "DO-LINK-03")
def reached(view: View, action: BuildRailwayLink) -> Refusal | None:
    """Refuse a hex to whose track no unblocked path leads from a station of the railway."""
    if reach_now(view).hex(action.hex):
        return None
    return refuse(Code.NOT_CONNECTED, hex=action.hex)


@check("DO-LINK-02")
def link_paid(view: View, _action: BuildRailwayLink) -> Refusal | None:
    """Refuse a link that the treasury cannot pay, 30 Mark."""
    return affordable(operating(view), COST)


def options(view: View) -> Iterable[BuildRailwayLink]:
    """Every mine and mill."""
    known = do_components(view.sheet)
    for at in sorted(known.mines | known.mills):
        yield BuildRailwayLink(at)


def build_alone(draft: Draft, action: BuildRailwayLink) -> None:
    """Pay and lay the token; the display stays as it is (DO-TRG-04)."""
    turn = turn_of(draft.state)
    draft.replace_top(replace(turn, used=(*turn.used, Once.LINK)))
    draft.pay(turn.company, BANK, COST, LINK)
    draft.emit(TokenLaid(action.hex, token_at(draft.state, action.hex) + FIRST, turn.company, LINK))


def build(draft: Draft, action: BuildRailwayLink) -> None:
    """Pay, lay the token, take the card; when its phase has begun its cubes are added (DO-LINK-06, DO-LINK-07)."""
    kind = next_card(draft.state)
    assert kind is not None
    odd = is_odd(draft.state, kind)
    build_alone(draft, action)
    if kind not in draft.state.depot.sold and limits_of(draft.sheet, kind).last_runs:
        turn = turn_of(draft.state)
        draft.replace_top(replace(turn, used=(*turn.used, Once.TURNED_TRAINS)))
    draft.push(LinkDemand(kind, odd))
    draft.emit(TrainMoved(kind, DISPLAY, GONE, LINK))


BUILD_LINK = Rule(
    BuildRailwayLink,
    options,
    build,
    needs=(in_step(LINK), mine_or_mill, one_link, step_open),
    checks=(card_left, reached, link_paid),
)
BUILD_LINK_ALONE = BUILD_LINK.derive(removed=("card_left",), effect=build_alone)
"""The link of the Railway Game, which takes no card (DO-TRG-04)."""


def run_demand(draft: Draft, frame: LinkDemand) -> None:
    """Add the cubes of the card (DO-LINK-08)."""
    draft.pop()
    add_demand(draft, frame.kind, frame.odd)


LINK_DEMAND = Duty(LinkDemand, rule="DO-LINK-08", run=run_demand)


def link_waits(view: View) -> bool:
    """Tell whether a link can be built."""
    rules = view.ruleset.actions[BuildRailwayLink]
    return any(rule.first_refusal(view, action) is None for action in options(view) for rule in rules)


LINK_STEP = TurnStep(LINK, waits=with_sale(link_waits), passable=True)


# The free token ------------------------------------------------------------------------------------------------------


def has_free_token(view: View, company: CompanyId) -> bool:
    """Tell whether a railway still has its free location token: in its very first turn only."""
    if view.ruleset.policy(DoOptions).kwe_token == "none" or company in do_state(view.state).free_token:
        return False
    return bool(view.sheet.companies[company].own.get("free_token")) and not view.state.companies[company].operated


@check("DO-FLOAT-06")
def free_token_left(view: View, _action: PlaceFreeToken) -> Refusal | None:
    """Refuse all but the right of the KWE, in its first turn."""
    return None if has_free_token(view, turn_of(view.state).company) else refuse(Code.USED)


@check("DO-FLOAT-06")
def empty_mine(view: View, action: PlaceFreeToken) -> Refusal | None:
    """Refuse all but a coal mine without a token."""
    if action.hex in do_components(view.sheet).mines and not token_at(view.state, action.hex):
        return None
    return because(WhyNot.FREE_TOKEN_ON_MINE, hex=action.hex)


def free_options(view: View) -> Iterable[PlaceFreeToken]:
    """Every coal mine."""
    for at in sorted(do_components(view.sheet).mines):
        yield PlaceFreeToken(at)


def place_free(draft: Draft, action: PlaceFreeToken) -> None:
    """A black 10: no fee, no card, no cubes (DO-FLOAT-06)."""
    company = turn_of(draft.state).company
    draft.emit(FreeTokenOver(company))
    draft.emit(TokenLaid(action.hex, FIRST, company, "free"))


PLACE_FREE_TOKEN = Rule(
    PlaceFreeToken, free_options, place_free, needs=(in_step("first"), free_token_left), checks=(empty_mine,)
)


def let_go(draft: Draft) -> None:
    """Take the right when the first turn goes on without it."""
    turn = draft.state.agenda[-1]
    assert isinstance(turn, CompanyTurn)
    if has_free_token(draft.view, turn.company):
        draft.emit(FreeTokenOver(turn.company))
