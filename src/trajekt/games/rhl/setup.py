"""Setting 18Rhl up: capital, mine and mill, the certificates of the package, homes, and what the second edition lays out."""

from __future__ import annotations

from collections.abc import Callable

from trajekt.engine.agenda import Draft
from trajekt.engine.board import Kept, Station
from trajekt.engine.events import CertificateMoved, Drawn, IconPlaced, StationsSet, TokensSet
from trajekt.engine.model import BANK, IO, PACKAGE, Company
from trajekt.engine.rule import Draw
from trajekt.engine.sheet import CompanyId, HexId
from trajekt.games.rhl.opening import RHE, lay_out_pool
from trajekt.games.rhl.options import Options
from trajekt.rules.companies import set_par
from trajekt.rules.rounds import Rounds

SetUp = Callable[[Draft, Draw], None]


def first_edition(options: Options) -> SetUp:
    """The set-up of the first edition: homes are kept places only (RHL-SET-07, RHL-SET-11)."""

    def set_up(draft: Draft, draw: Draw) -> None:
        _shared(draft, draw, options)
        keep_homes(draft)
        draft.push(Rounds())

    return set_up


def second_edition(options: Options) -> SetUp:
    """The set-up of the second edition: homes lie face down, and the RhE is laid out (RHL-SET-06, COMMON-SET-10)."""

    def set_up(draft: Draft, draw: Draw) -> None:
        _shared(draft, draw, options)
        lay_homes(draft)
        set_par(draft, RHE, draft.sheet.companies[RHE].start_value, "set_up")
        lay_out_pool(draft, "set_up")
        draft.push(Rounds())

    return set_up


def _shared(draft: Draft, draw: Draw, options: Options) -> None:
    pay_capital(draft)
    place_industries(draft, options.location or draw("location", len(draft.sheet.draws)) + 1)
    lay_package(draft)


def pay_capital(draft: Draft) -> None:
    """Everybody gets his starting capital out of the bank (RHL-SET-02, COMMON-VAR-02)."""
    count = len(draft.state.players)
    for seat in range(count):
        draft.pay(BANK, seat, draft.sheet.limits.capital[count], "set_up")


def place_industries(draft: Draft, number: int) -> None:
    """One coal mine and one steel mill lie where the drawn row of the table says (RHL-SET-04)."""
    row = next(row for row in draft.sheet.draws if row.number == number)
    draft.emit(Drawn("location", number))
    for icon, at in row.icons.items():
        draft.emit(IconPlaced(at, icon))


def lay_package(draft: Draft) -> None:
    """Certificates of corporations lie with those of the package that bring them (RHL-SET-06, RHL-SET-07)."""
    for private in draft.sheet.privates.values():
        if private.brings:
            number = brought(draft.state.companies[private.brings], private.brings_percent)
            draft.emit(CertificateMoved(private.brings, number, IO, PACKAGE, "set_up"))


def brought(company: Company, percent: int) -> int:
    """The number of the certificate with a private: the first of its size, the director's certificate if that fits."""
    return next(number for number, certificate in enumerate(company.certificates) if certificate.percent == percent)


def homes(draft: Draft) -> dict[HexId, list[tuple[CompanyId, int]]]:
    """Whose homes lie on which stops of which hexes."""
    found: dict[HexId, list[tuple[CompanyId, int]]] = {}
    for company in draft.sheet.companies.values():
        for home in company.homes:
            found.setdefault(home.hex, []).append((company.id, home.stop))
    return found


def keep_homes(draft: Draft) -> None:
    """Places are kept for homes, whose tokens stay with the corporations until their first turn (RHL-SET-11)."""
    for at, here in homes(draft).items():
        draft.emit(StationsSet(at, (), tuple(Kept(company, stop) for company, stop in here)))


def lay_homes(draft: Draft) -> None:
    """Home tokens lie face down on their places: they take them and block nobody (COMMON-SET-10)."""
    for at, here in homes(draft).items():
        draft.emit(StationsSet(at, tuple(Station(company, stop, asleep=True) for company, stop in here)))
    for company in draft.sheet.companies.values():
        draft.emit(TokensSet(company.id, company.station_costs[len(company.homes) :]))
