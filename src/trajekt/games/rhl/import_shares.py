"""Certificates of an export: bids, pars, purchases and sales, followed by the names that the site gives them (CMP-07)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trajekt.engine import actions as a
from trajekt.engine.decisions import refusal
from trajekt.engine.import_protocol import Parted, Untranslatable
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import IPO, POOL, Company, Seat, State
from trajekt.games.rhl.site_names import CERTIFICATES, FIRST_POOL, PRIVATES, company_of
from trajekt.rules.auction import Auction, AuctionPolicy, Contest, Offer, lowest


class ShareReader:
    """Reads what players buy and sell; `bought` are the certificates that have left the offering, by the file's own names."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.bought: set[str] = set(FIRST_POOL)

    def bid(self, state: State, raw: Mapping[str, Any]) -> a.Action:
        """Return the bid, or the purchase of the lowest certificate, which is recorded as a bid at its price (CMP-11)."""
        number = PRIVATES.get(str(raw["company"]))
        if number is None:
            raise Untranslatable("no_certificate", name=f"{raw['company']!r:.60}")
        said = int(raw["price"])
        top = state.top
        if isinstance(top, Offer):
            return self.at_price(a.AcceptOffer(), number, top.price, said)
        if isinstance(top, Auction) and number in lowest(state) and not isinstance(top, Contest):
            price = self.ruleset.policy(AuctionPolicy).price(state, top, number)
            return self.at_price(a.BuyPrivate(number), number, price, said)
        return a.PlaceBid(number, said)

    def at_price(self, action: a.Action, number: int, price: int, said: int) -> a.Action:
        """Return the purchase if the file has it at the price of the rules."""
        if price != said:
            raise Parted("other_price", rule="CMP-11", private=number, price=price, amount=said)
        return action

    def par(self, state: State, seat: Seat, raw: Mapping[str, Any]) -> a.Action:
        """Return the founding, or the par of the RhE (CMP-13)."""
        price = int(str(raw["share_price"]).partition(",")[0])
        company = company_of(raw["corporation"])
        self.bought.add(f"{raw['corporation']}_0")
        set_par = a.SetPar(company, price)
        return set_par if refusal(self.ruleset, state, seat, set_par) is None else a.FoundCompany(company, price)

    def buy(self, state: State, raw: Mapping[str, Any]) -> a.Action:
        """Return the purchase of the certificate that the file names (CMP-07).

        A name that was bought before has left the offering for good, whoever came to hold it by an exchange: it is bought
        from the pool. The others lie in the offering, unless they came out of it with a private or unsold (CMP-42).
        """
        company, numbers, percent = self.shares(state, raw)
        name = str(raw["shares"][0])
        place = POOL if name in self.bought or numbers[0] not in company.held(IPO) else IPO
        self.bought |= {str(each) for each in raw["shares"]}
        if not any(company.certificates[n].percent == percent for n in company.held(place)):
            raise Parted("certificate_elsewhere", percent=percent, company=company.id, source=place)
        return a.BuyShare(company.id, place, percent)

    def sale(self, state: State, raw: Mapping[str, Any]) -> a.Action:
        """Return the sale of a block."""
        company, _, percent = self.shares(state, raw)
        self.bought |= {str(each) for each in raw["shares"]}
        return a.SellShares(company.id, percent)

    def shares(self, state: State, raw: Mapping[str, Any]) -> tuple[Company, list[int], int]:
        """Return the company of the certificates named, their numbers here, and the per cent, else what they come to."""
        names = [str(name).rpartition("_") for name in raw["shares"]]
        if not names or len({stem for stem, _, _ in names}) > 1:
            raise Untranslatable("no_certificates")
        if raw.get("swap") is not None:
            raise Parted("swap", swap=f"{raw['swap']!s:.60}")
        company = state.companies.get(company_of(names[0][0]))
        if company is None:
            raise Untranslatable("no_corporation", name=f"{names[0][0]!r:.60}")
        order = CERTIFICATES.get(company.id) or range(len(company.certificates))
        numbers = [order.index(int(index)) for _, _, index in names]
        said = raw.get("percent")
        return company, numbers, sum(company.certificates[n].percent for n in numbers) if said is None else int(said)
