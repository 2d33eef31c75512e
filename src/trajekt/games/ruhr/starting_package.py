"""The Starting Package in two columns, part one of the First Stock Round (sections 1 and 2 of the rule sheet)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from trajekt.engine.actions import BuyShare, FoundCompany, Pass, SellShares
from trajekt.engine.board.board import Reservation
from trajekt.engine.components.schema import Sheet
from trajekt.engine.decisions import can
from trajekt.engine.events import CertificateMoved, DirectorChanged, PrivateMoved, StationsSet, StatusSet
from trajekt.engine.ruleset import Check, Code, Draft, DrawNumber, Duty, Option, Refusal, Rule, View, check, refuse
from trajekt.engine.state import BANK, IPO, POOL, Frame, Seat, State, set_aside_account
from trajekt.games.ruhr.actions import BuyItem
from trajekt.games.ruhr.components import BME_PRIVATE, MINES, NO_MARKERS, ruhr_components, stages_of
from trajekt.games.ruhr.events import MarkersMoved, MineValued, ScenarioSet
from trajekt.games.ruhr.montan_charters import from_supply
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.refusals import Why, because
from trajekt.games.ruhr.state import SUPPLY, pmc_account, ruhr_state
from trajekt.rules.directorship import directors_certificate
from trajekt.rules.floating import set_par
from trajekt.rules.operating_round import OperatingRound
from trajekt.rules.round_sequence import Rounds
from trajekt.rules.stock_round import StockRound, limit

BME = "BME"


class Package(Frame, frozen=True, tag="package"):
    """While items are left: `seat` is to act, `passes` were made in succession, `last` bought last."""

    seat: Seat
    passes: int = 0
    last: Seat | None = None


def columns(sheet: Sheet, players: int, scenario: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The items by price, equal prices by pMC number, privates after them; dealt alternately.

    RUHR-SETUP-07, RUHR-SETUP-08, Q02. Seats have been drawn by lot (RUHR-SETUP-02).
    """
    known = ruhr_components(sheet)
    items = (*known.scenarios[scenario], *known.package[players])
    ordered = sorted(items, key=lambda number: (sheet.privates[number].price, number))
    return tuple(ordered[::2]), tuple(ordered[1::2])


def set_up(draft: Draft, draw: DrawNumber, options: RuhrOptions) -> None:
    """Seats have been drawn; capital, scenario, kept homes, then the First Stock Round.

    RUHR-SETUP-01 to -06, RUHR-SETUP-03, RUHR-SETUP-04, RUHR-SETUP-05, RUHR-SETUP-06, RUHR-SETUP-10; supplies are those of
    the sheet (RUHR-SETUP-11).
    """
    count = len(draft.state.players)
    for seat in range(count):
        draft.pay(BANK, seat, draft.sheet.limits.capital[count], "set_up")
    known = ruhr_components(draft.sheet).scenarios
    names = tuple(known)
    scenario = options.scenario if options.scenario in known else names[draw("scenario", len(names))]
    draft.emit(ScenarioSet(scenario, columns(draft.sheet, count, scenario)))
    reserve_homes(draft)
    draft.push(Rounds())


def reserve_homes(draft: Draft) -> None:
    """Reserve the home of every railway (RUHR-TOK-04); it blocks nobody (RUHR-TRK-15)."""
    for company in draft.sheet.companies.values():
        for home in company.homes:
            draft.emit(StationsSet(home.hex, (), (Reservation(company.id, home.stop),)))


def open_package(draft: Draft) -> None:
    """The holder of the Priority Deal begins (RUHR-SR-01)."""
    draft.push(Package(draft.state.priority))


def unsold(state: State, item: int) -> bool:
    """Tell whether an item still lies on display; what a phase has closed has left it (RUHR-SR-25)."""
    private = state.privates[item]
    return private.owner is None and private.open


def display(state: State) -> tuple[tuple[int, ...], ...]:
    """The two columns as they lie now, the lowest price on top."""
    return tuple(tuple(item for item in column if unsold(state, item)) for column in ruhr_state(state).columns)


def price_of_item(state: State, item: int) -> int:
    """The printed price and the surcharge for every item above it in its column (RUHR-SR-02)."""
    column = next(column for column in display(state) if item in column)
    return state.sheet.privates[item].price + ruhr_components(state.sheet).surcharge * column.index(item)


def to_act(_state: State, package: Package) -> tuple[Seat, ...]:
    """The seat whose turn it is."""
    return (package.seat,)


def run_package(draft: Draft, package: Package) -> None:
    """Sold out: on to part two. All have passed: one operating round of the pMCs, then go on (RUHR-SR-05).

    Where the bank ran out in that round, which is the whole set, the game is over (RUHR-END-01).
    """
    state = draft.state
    if state.ending == "bank":
        draft.end(state.ending)
    elif not any(display(state)):
        draft.pop()
        draft.push(StockRound(1, package.seat, buyer=package.last, actor=package.last))
    elif package.passes >= len(state.clockwise(package.seat)):
        seat = state.priority if package.last is None else state.clockwise(package.last)[0]  # Q03
        draft.replace_top(replace(package, seat=seat, passes=0))
        draft.push(OperatingRound(1, 0, 0))
    elif not can(draft.ruleset, state, package.seat, (BuyItem,)):
        pass_on(draft, package, ("package_turn",))


def pass_on(draft: Draft, package: Package, skipped: tuple[str, ...] = ()) -> None:
    """The next player to the left."""
    seat = draft.state.clockwise(package.seat)[0]
    draft.replace_top(replace(package, seat=seat, passes=package.passes + 1), skipped)


# Buying --------------------------------------------------------------------------------------------------------------


@check("RUHR-SR-02")
def on_display(view: View, action: BuyItem) -> Refusal | None:
    """Refuse an item that lies in none of the columns."""
    if any(action.item in column for column in display(view.state)):
        return None
    return because(Why.ITEM_GONE, item=action.item)


@check("RUHR-SR-04")
def bme_value(view: View, action: BuyItem) -> Refusal | None:
    """Refuse Private BME without a box from 50 to 70, and a value with anything else."""
    if action.item != BME_PRIVATE:
        return because(Why.NO_VALUE) if action.value else None
    return starting_value(view.sheet, "bme", action.value)


@check("RUHR-SR-02")
def item_affordable(view: View, action: BuyItem) -> Refusal | None:
    """Refuse a player without cash for the printed price and the surcharge."""
    cost = price_of_item(view.state, action.item)
    return None if cost <= view.player.cash else refuse(Code.UNAFFORDABLE, cost=cost, cash=view.player.cash)


@check("RUHR-SR-19")
def papers_within_limit(view: View, action: BuyItem) -> Refusal | None:
    """Refuse an item above the certificate limit; Private BME counts two, with its director certificate."""
    papers = 2 if action.item == BME_PRIVATE else 1
    held = view.state.certificate_count(view.seat)
    return (
        None
        if held + papers <= limit(view.state)
        else refuse(Code.CERTIFICATE_LIMIT, held=held, limit=limit(view.state))
    )


def boxes(sheet: Sheet, whose: str, colour: str = "") -> list[int]:
    """The starting values that the table of values allows, lowest first: the boxes of the market in its range."""
    found = ruhr_components(sheet).values[whose]
    low, high = found[colour] if colour else found
    return [par for par in sheet.market.pars if low <= par <= high]


def starting_value(sheet: Sheet, whose: str, value: int, colour: str = "") -> Refusal | None:
    """A box of the market that may be a starting value."""
    possible = boxes(sheet, whose, colour)
    if value in possible:
        return None
    return because(Why.VALUE_RANGE, par=value, values=", ".join(map(str, possible)))


def buy_options(view: View) -> Iterable[BuyItem | Option[BuyItem]]:
    """Every item on display; Private BME at every value."""
    for column in display(view.state):
        for item in column:
            if item != BME_PRIVATE:
                yield BuyItem(item)
                continue
            for value in boxes(view.sheet, "bme"):
                yield BuyItem(item, value)


def buy_item(draft: Draft, action: BuyItem) -> None:
    """All of the price goes to the bank; a pMC gets its START markers and money, the BME its value."""
    package = draft.state.agenda[-1]
    assert isinstance(package, Package)
    seat, cost = draft.seat, price_of_item(draft.state, action.item)
    draft.replace_top(replace(package, seat=draft.state.clockwise(seat)[0], passes=0, last=seat))
    draft.pay(seat, BANK, cost, "package")
    draft.emit(PrivateMoved(action.item, seat))
    if action.item in MINES:
        open_charter(draft, action.item, cost)
    elif action.item == BME_PRIVATE:
        start_bme(draft, seat, action.value)


def open_charter(draft: Draft, mine: int, cost: int) -> None:
    """START markers on the boxes as far as the supply goes, START money into the treasury (RUHR-SR-03)."""
    printed = ruhr_components(draft.sheet).charters[str(mine)]
    paid = draft.ruleset.policy(RuhrOptions).pmc_final_value == "paid"
    draft.emit(MineValued(mine, cost if paid else draft.sheet.privates[mine].price))
    markers = from_supply(draft.state, printed.industry, printed.start)
    if markers != NO_MARKERS:
        draft.emit(MarkersMoved(SUPPLY, str(mine), stages_of(markers), "set_up"))
    draft.pay(BANK, pmc_account(mine), printed.start_money, "start")


def start_bme(draft: Draft, seat: Seat, value: int) -> None:
    """Add the director certificate to Private BME; three certificates go to the pool, their worth to R13 (RUHR-SR-04)."""
    printed = draft.sheet.companies[BME]
    company = draft.state.companies[BME]
    draft.emit(StatusSet(BME, "founded"))
    draft.emit(DirectorChanged(BME, seat, "private"))
    draft.emit(CertificateMoved(BME, directors_certificate(company), IPO, seat, "private"))
    set_par(draft, BME, value)
    left = printed.pool_percent
    for number in reversed(company.held(IPO)):
        if left:
            draft.emit(CertificateMoved(BME, number, IPO, POOL, "set_aside"))
            left -= company.certificates[number].percent
    draft.pay(
        BANK, set_aside_account(str(printed.own["aside"])), printed.pool_percent // printed.share * value, "set_aside"
    )


def pass_turn(draft: Draft, _action: Pass) -> None:
    """Pass: nothing bought."""
    package = draft.state.agenda[-1]
    assert isinstance(package, Package)
    pass_on(draft, package)


def first_the_package() -> Check[BuyShare | FoundCompany | SellShares]:
    """Refuse to buy or sell anything else while items are left."""

    @check("RUHR-SR-01")
    def package_first(_view: View, _action: BuyShare | FoundCompany | SellShares) -> Refusal | None:
        return refuse(Code.PACKAGE_UNSOLD)

    return package_first


def _never(_draft: Draft, action: object) -> None:
    raise AssertionError(action)


BUY_ITEM = Rule(
    BuyItem, buy_options, buy_item, needs=(on_display, bme_value), checks=(item_affordable, papers_within_limit)
)
PASS_ITEM = Rule(Pass, lambda _view: (Pass(),), pass_turn)
NOT_YET = (
    Rule(BuyShare, lambda _view: (), _never, needs=(first_the_package(),)),
    Rule(FoundCompany, lambda _view: (), _never, needs=(first_the_package(),)),
    Rule(SellShares, lambda _view: (), _never, needs=(first_the_package(),)),
)
PACKAGE = Duty(Package, rule="RUHR-SR-01", who=to_act, menu=(BUY_ITEM, PASS_ITEM, *NOT_YET), run=run_package)
