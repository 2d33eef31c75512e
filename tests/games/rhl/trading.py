"""Rulesets of packages and stock rounds alone, in both editions and compat; operating rounds pay incomes and nothing else."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from tests.positions import on_top, position, sheet, with_company, with_holdings, with_market
from trajekt.engine.model import CHARTER, IO, State
from trajekt.engine.play import Decision, start
from trajekt.engine.rule import Duty, Ruleset
from trajekt.games.rhl import compat_stock, opening
from trajekt.games.rhl.capital import AT_END
from trajekt.games.rhl.link import LINK_PAYS
from trajekt.games.rhl.options import Options
from trajekt.games.rhl.setup import first_edition, second_edition
from trajekt.rules import auction, shares
from trajekt.rules.companies import AT_ONCE, FLOATS, lift_sold_out, settle_due
from trajekt.rules.directors import DIRECTOR_FOLLOWS, DirectorsPolicy, fewest_first
from trajekt.rules.ending import BANK_BREAKS
from trajekt.rules.operating import OPERATING_ROUND, TurnPolicy, company_turn, open_round
from trajekt.rules.rounds import ROUNDS, RoundsPolicy
from trajekt.rules.shares import BUY_SHARE, END_TURN, FOUND, PASS, SELL_SHARES, SharesPolicy, StockRound

NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz")
ADA, BERT, CLEO, DORA = range(4)

BUY_R1 = BUY_SHARE.but(instead={"on_offer": shares.on_offer("RHL-SR-05")})
SELL_R1 = SELL_SHARES.but(instead={"floated": shares.operated})


def _shares(priority, *closing):
    return SharesPolicy(shares.treasury_once_floated, shares.one_space, priority, closing)


PARTS = {
    "1": (
        (BUY_R1, FOUND, SELL_R1, PASS, END_TURN),
        (
            _shares(shares.richest_after_buyer, shares.move_priority, settle_due, lift_sold_out),
            opening.FIRST_EDITION,
            AT_END,
            DirectorsPolicy(fewest_first),
            opening.OpeningPolicy(lays_aside=True),
        ),
    ),
    "2": (
        (BUY_SHARE, FOUND, SELL_SHARES, PASS, END_TURN),
        (
            _shares(shares.richest_after_holder, shares.move_priority, lift_sold_out),
            opening.SECOND_EDITION,
            AT_ONCE,
            DirectorsPolicy(fewest_first),
            opening.OpeningPolicy(lays_aside=True),
        ),
    ),
    "compat": (
        (BUY_R1, FOUND, compat_stock.SELL, PASS, END_TURN),
        (
            _shares(compat_stock.priority, shares.move_priority, settle_due, lift_sold_out),
            compat_stock.AUCTION,
            compat_stock.FLOATING,
            compat_stock.DIRECTORS,
            opening.OpeningPolicy(lays_aside=False),
        ),
    ),
}


@cache
def ruleset(edition: str = "2", location: int = 0, variants: tuple[str, ...] = ()) -> Ruleset:
    """`"1"`, `"2"` or `"compat"`."""
    menu, policies = PARTS[edition]
    number = 2 if edition == "2" else 1
    options = Options(edition=number, compat=edition == "compat", location=location)
    listed: tuple[Duty, ...] = (
        ROUNDS, shares.stock_round_duty(*menu), *auction.DUTIES, opening.PAR_CHOICE, OPERATING_ROUND, company_turn(),
    )  # fmt: skip
    return Ruleset(
        name="18Rhl",
        version=1,
        sheet=sheet(number, variants),
        options={},
        set_up=(second_edition if edition == "2" else first_edition)(options),
        duties={duty.frame: duty for duty in listed},
        reactions=(DIRECTOR_FOLLOWS, FLOATS, LINK_PAYS, BANK_BREAKS),
        policies=(*policies, RoundsPolicy(opening.open_round, open_round), TurnPolicy(())),
    )


def begun(edition: str = "2", players: int = 3, seed: int = 1, **options: int) -> Decision:
    """POS-0: set-up in the order of `NAMES`, so that Ada has the priority deal."""
    return start(ruleset(edition, **options), NAMES[:players], seed, shuffle=False)


def trading(edition: str = "2", players: int = 3, *, number: int = 2, seat: int = 0, cash: int = 500, **more) -> State:
    """An empty table in a stock round, `seat` to act, the package sold to nobody's profit."""
    state = position(2 if edition == "2" else 1, players, cash=cash, **more)
    privates = {n: replace(p, owner=0, open=False) for n, p in state.privates.items()}
    return on_top(replace(state, privates=privates), StockRound(number, seat))


def current(state: State) -> StockRound:
    """The stock round on the agenda."""
    return next(frame for frame in state.agenda if isinstance(frame, StockRound))


def money(state: State) -> int:
    """All Mark on the table (INV-01)."""
    companies = sum(c.treasury for c in state.companies.values())
    return state.bank + sum(p.cash for p in state.players) + companies + sum(state.aside.values())


def firm(
    state: State, company: str, space, *, director: int | None = None, floated=True, operated=True, **held
) -> State:
    """A founded corporation with its marker on `space`: who holds what per cent, the rest on the charter (R1: unsold)."""
    state = with_holdings(with_market(state, **{company: space}), company, director=director, **held)
    if floated and state.sheet.edition == "2":
        moved = tuple(
            replace(c, holder=CHARTER) if c.holder == IO else c for c in state.companies[company].certificates
        )
        state = with_company(state, company, certificates=moved)
    par = state.sheet.market.price(space)
    return with_company(state, company, founded=True, floated=floated, operated=operated, par=par)


def dealt(state: State, company: str, **numbers) -> State:
    """Certificates of a company by number: `Ada=(0, 3)`, `pool=(1,)`; the rest stays where it is."""
    held = list(state.companies[company].certificates)
    for name, given in numbers.items():
        place = state.names.index(name) if name in state.names else name
        for number in given:
            held[number] = replace(held[number], holder=place)
    return with_company(state, company, certificates=tuple(held))


def percents(state: State, company: str) -> dict:
    """Per cent of a company by place."""
    held: dict = {}
    for certificate in state.companies[company].certificates:
        held[certificate.holder] = held.get(certificate.holder, 0) + certificate.percent
    return held
