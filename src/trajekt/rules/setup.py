"""Setting a game up: what its games share. Capital, the certificates of the package, homes."""

from __future__ import annotations

from trajekt.engine.board.board import Reservation, Station
from trajekt.engine.components.schema import CompanyId, HexId
from trajekt.engine.events import CertificateMoved, StationsSet, TokensSet
from trajekt.engine.ruleset import Draft
from trajekt.engine.state import BANK, IPO, PACKAGE, Company


def pay_capital(draft: Draft) -> None:
    """Everybody gets his starting capital out of the bank (RHL-SET-02, LRA-SET-03, COMMON-VAR-02)."""
    count = len(draft.state.players)
    for seat in range(count):
        draft.pay(BANK, seat, draft.sheet.limits.capital[count], "set_up")


def lay_package(draft: Draft) -> None:
    """Certificates of corporations lie with those of the package that bring them (RHL-SET-06, RHL-SET-07, LRA-SET-08)."""
    for private in draft.sheet.privates.values():
        if private.brings:
            number = brought(draft.state.companies[private.brings], private.brings_percent)
            draft.emit(CertificateMoved(private.brings, number, IPO, PACKAGE, "set_up"))


def brought(company: Company, percent: int) -> int:
    """The number of the certificate with a private: the first of its size, the director's certificate if that fits."""
    return next(number for number, certificate in enumerate(company.certificates) if certificate.percent == percent)


def homes(draft: Draft) -> dict[HexId, list[tuple[CompanyId, int]]]:
    """Companies by the stops of hexes on which their homes lie."""
    found: dict[HexId, list[tuple[CompanyId, int]]] = {}
    for company in draft.sheet.companies.values():
        for home in company.homes:
            found.setdefault(home.hex, []).append((company.id, home.stop))
    return found


def reserve_homes(draft: Draft) -> None:
    """Reserve places for homes, whose tokens stay with the corporations until their first turn (RHL-SET-11)."""
    for at, here in homes(draft).items():
        draft.emit(StationsSet(at, (), tuple(Reservation(company, stop) for company, stop in here)))


def lay_homes(draft: Draft) -> None:
    """Home tokens lie face down on their places: they take them and block nobody (COMMON-SET-10)."""
    for at, here in homes(draft).items():
        draft.emit(StationsSet(at, tuple(Station(company, stop, asleep=True) for company, stop in here)))
    for company in draft.sheet.companies.values():
        draft.emit(TokensSet(company.id, company.station_costs[len(company.homes) :]))
