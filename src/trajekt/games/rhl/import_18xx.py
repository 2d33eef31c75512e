"""Games of 18Rhl exported from 18xx.games, entry by entry, into actions under `compat` (section 19 of the rule sheet).

The record leads. A pass in it leaves one step, never a turn of somebody else and never a round; a step that waits here and
that the file does not mention is left when a later entry shows that the site did not ask for it, and each such difference is
noted with its CMP id (`DIFFERENCES`). Where record and rules part otherwise, `Parted` names what either says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from trajekt.engine import actions as a
from trajekt.engine.agenda import awaited
from trajekt.engine.board.track_graph import ENDS
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.engine.decisions import can, legal, refusal
from trajekt.engine.import_protocol import ExportItem, OtherOptions, Parted, Untranslatable
from trajekt.engine.routing.runs import Run
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import DISPLAY, IPO, POOL, Company, Seat, State
from trajekt.games.rhl.aachen_link import LINKED, ClaimLink
from trajekt.games.rhl.import_routes import path, paying
from trajekt.games.rhl.rhe_founding import RHE, OpeningPolicy
from trajekt.games.rhl.site_names import (
    CERTIFICATES,
    CITIES,
    FIRST_POOL,
    OPTIONS,
    PRIVATES,
    company_of,
    draw_of,
    tile_of,
)
from trajekt.rules.auction import Auction, AuctionPolicy, Contest, Offer, lowest
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import CompanyTurn, current_turn, steps_of
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.stock_round import SharesPolicy, StockRound
from trajekt.rules.trains import TooManyTrains, price_of

_SeatAction = tuple[Seat, a.Action]
_CurrentState = Callable[[], State]

STEP_OF = {
    "lay_tile": "track",
    "place_token": "station",
    "run_routes": "run",
    "dividend": "pay",
    "buy_train": "trains",
}

DIFFERENCES = {
    "step_unasked": ("CMP-06", "the step {step} of {company} waits here, the site did not ask for it; it is passed"),
    "step_unknown": ("CMP-06", "{company}'s {kind} is for a step that does not wait here; it says nothing"),
    "turn_unknown": ("CMP-06", "{player}'s pass is for a turn that does not wait here; it says nothing"),
    "done_here": ("CMP-06", "the train of {company} was given up without a question; the entry says nothing"),
    "link_paid": ("CMP-03", "the record pays the RhE for the link at another time than the rules"),
}
"""Points where the site asks and the rules do not, or the other way round: the CMP id, and what is noted of the entry."""


def options(export: Mapping[str, Any], draw: int | None) -> dict[str, Any]:
    """Return the options of the site's game as options of ours (CMP-40)."""
    location = draw_of(export) if draw is None else draw
    out: dict[str, Any] = {"edition": 1, "compat": True, "fixed_seats": True, "location": location}
    settings = export.get("settings")
    chosen = (settings.get("optional_rules") if isinstance(settings, Mapping) else None) or []
    for name in chosen:
        if not isinstance(name, str) or name not in OPTIONS:
            message = f"the optional rule {name!r} is unknown"
            raise Untranslatable(message)
        out[OPTIONS[name]] = True
    return out


class RhlTranslator:
    """Reads the items of one export in their order.

    `acting` is the company that acted last by the file, `actor` the player who did in the round that is on; `notes` are the
    differences met, as (entry, CMP id, sentence).
    """

    def __init__(self, ruleset: Ruleset, players: Sequence[Any], items: Sequence[ExportItem]) -> None:
        self.ruleset = ruleset
        self.players = list(players)
        self.items = items
        self.owners: dict[str, str] = {}  # where a train of the file was last
        self.counts: dict[str, int] = {}  # how many trains of a kind the display had at first
        self.bought: set[str] = set(FIRST_POOL)  # certificates that have left the offering, by the file's own names
        self.laid: dict[str, str] = {}  # on which hex each copy of a tile was laid last
        self.acting = ""
        self.actor: Seat | None = None
        self.notes: list[tuple[int, str, str]] = []
        self.reported = False  # whether the record has told that the RhE is paid for its link
        self.entry = 0

    def note(self, name: str, **more: object) -> None:
        """Note a difference of the table."""
        cmp, text = DIFFERENCES[name]
        self.notes.append((self.entry, cmp, text.format(**more)))

    def seat(self, who: object) -> Seat:
        """Return the seat of a player of the file."""
        if who not in self.players:
            message = f"nobody {who!r} sits at this table"
            raise Untranslatable(message)
        return self.players.index(who)

    def actor_for(self, state: State, company: str) -> Seat:
        """Return who acts for a company: its director, in receivership the first who is awaited."""
        director = state.companies[company].director
        if director is not None:
            return director
        return next((seat for seat in awaited(self.ruleset, state) if seat >= 0), 0)

    # Coming to the step of an entry -----------------------------------------------------------------------------------

    def place(self, turn: CompanyTurn, step: str) -> int:
        """Return how far the turn is from a step: below 0 before it, 0 in it, above 0 past it."""
        names = [s.name for s in steps_of(self.ruleset)]
        return (names.index(turn.step) if turn.step in names else -1) - names.index(step)

    def leave_step(self, state: State, turn: CompanyTurn) -> _SeatAction:
        """Pass a step that the site did not ask for; `Parted` where it cannot be passed."""
        seat = self.actor_for(state, turn.company)
        if turn is not state.top or refusal(self.ruleset, state, seat, a.Pass()) is not None or turn.step == "track":
            raise Parted(f"{turn.company} is in the step {turn.step}, which the file leaves out")
        self.note("step_unasked", step=turn.step, company=turn.company)
        return seat, a.Pass()

    def leave_idle(self, now: _CurrentState, seat: Seat | None = None) -> Iterator[_SeatAction]:
        """End the turns of players who can neither buy nor sell nor found any more: the site asks them for no pass (CMP-06)."""
        for _ in self.players:
            waiting = awaited(self.ruleset, now())
            if not isinstance(now().top, StockRound) or not waiting or seat in waiting:
                return
            if can(self.ruleset, now(), waiting[0], self.ruleset.policy(SharesPolicy).acts):
                return
            yield waiting[0], self.pass_of_player(now(), waiting[0])

    def to_company(self, now: _CurrentState, company: str) -> Iterator[_SeatAction]:
        """Leave the rest of the turn before, as far as the file does; then it must be the turn of `company`."""
        yield from self.leave_idle(now)
        turn = current_turn(now())
        former = "" if turn is None else turn.company
        for _ in steps_of(self.ruleset):
            turn = current_turn(now())
            if turn is None or turn.company != former or former == company:
                break
            yield self.leave_step(now(), turn)
        turn = current_turn(now())
        if turn is None or turn.company != company:
            whose = "no company" if turn is None else turn.company
            raise Parted(f"the file goes on with {company}, by the rules {whose} operates now", order=True)

    def to_step(self, now: _CurrentState, company: str, step: str) -> Iterator[_SeatAction]:
        """Come to a step of a company's turn."""
        yield from self.to_company(now, company)
        for _ in steps_of(self.ruleset):
            turn = current_turn(now())
            if turn is None or turn.company != company:
                raise Parted(f"the turn of {company} ends before the step {step}")
            at = self.place(turn, step)
            if at == 0:
                return
            if at > 0:
                raise Parted(f"{company} is past the step {step} already, in the step {turn.step}")
            yield self.leave_step(now(), turn)

    def to_player(self, now: _CurrentState, seat: Seat) -> Iterator[_SeatAction]:
        """Leave the rest of the company's turn before a stock round; then the player must be awaited."""
        turn = current_turn(now())
        former = "" if turn is None else turn.company
        for _ in steps_of(self.ruleset):
            turn = current_turn(now())
            if turn is None or turn.company != former:
                break
            yield self.leave_step(now(), turn)
        yield from self.leave_idle(now, seat)
        if seat not in awaited(self.ruleset, now()):
            names = now().names
            waiting = " or ".join(names[each] for each in awaited(self.ruleset, now()) if each >= 0) or "nobody"
            raise Parted(f"the file goes on with {names[seat]}, by the rules {waiting} is to act", order=True)

    def rest_of_turn(self, company: str, at: int) -> str:
        """Return the kind of the company's next entry in the same turn of the file, empty where there is none."""
        for item in self.items[at + 1 :]:
            raw = item.raw
            kind, who = str(raw.get("type")), raw.get("entity_type")
            if who == "company" or kind == "discard_train" or (who == "player" and kind == "sell_shares"):
                continue
            return kind if who == "corporation" and company_of(raw.get("entity")) == company else ""
        return ""

    # Items ------------------------------------------------------------------------------------------------------------

    def steps(self, state: _CurrentState, at: int) -> Iterator[_SeatAction]:
        """Yield the actions of item `at`."""
        item = self.items[at]
        raw, self.entry = item.raw, item.entry
        if not self.counts:
            self.counts = dict(state().depot.display)
        kind, entity = str(raw.get("type")), raw.get("entity")
        if kind == "end_game":
            yield from self.end(state)
            return
        if kind == "destination_connection":
            yield from self.link(state, raw)
            return
        if kind == "lay_tile":
            self.laid[str(raw["tile"])] = str(raw["hex"])
        who = raw.get("entity_type")
        if who == "player":
            yield from self.of_player(state, self.seat(entity), kind, raw)
            return
        if who == "company":
            yield from self.of_private(state, str(entity), kind, raw)
            return
        company = company_of(entity)
        if company not in self.ruleset.sheet.companies:
            message = f"there is no corporation {entity!r}"
            raise Untranslatable(message)
        if kind == "pass":
            yield from self.pass_of(state, company, at)
        else:
            yield from self.of_company(state, company, kind, raw)
        if kind != "discard_train":
            self.acting, self.actor = company, None

    def end(self, now: _CurrentState) -> Iterator[_SeatAction]:
        """End by agreement: a game that was ended by hand stands where it was left (COMMON-END-06)."""
        for seat, player in enumerate(now().players):
            if not player.bankrupt and seat not in now().peace and not now().outcome:
                yield seat, a.OfferEnd()

    def link(self, now: _CurrentState, raw: Mapping[str, Any]) -> Iterator[_SeatAction]:
        """Yield the payment for the link of the RhE at the moment that the record tells (CMP-03)."""
        self.reported |= RHE in map(company_of, raw.get("corporations") or ())
        paid = LINKED in now().marks
        if self.reported == paid:
            return
        if not self.ruleset.policy(OpeningPolicy).link_claimed:
            raise OtherOptions({"link": "record"})
        self.note("link_paid")
        yield self.actor_for(now(), RHE), ClaimLink()

    def of_player(self, now: _CurrentState, seat: Seat, kind: str, raw: Mapping[str, Any]) -> Iterator[_SeatAction]:
        """Yield what a player does in a stock round, in the auction, or in a forced purchase of his corporation."""
        turn = current_turn(now())
        if turn is not None and kind in {"sell_shares", "bankrupt"} and self.in_force(now(), seat):
            yield from self.forced(now, turn, seat, kind, raw)
            return
        if kind == "pass" and seat not in awaited(self.ruleset, now()) and self.passed_over(now(), seat):
            self.note("turn_unknown", player=now().names[seat])
            self.actor = seat
            return
        yield from self.to_player(now, seat)
        self.acting, self.actor = "", seat
        state = now()
        match kind:
            case "bid":
                yield seat, self.bid(state, raw)
            case "pass":
                yield seat, self.pass_of_player(state, seat)
            case "par":
                yield seat, self.par(state, seat, raw)
            case "buy_shares":
                yield seat, self.buy(state, raw)
            case "sell_shares":
                yield seat, self.sale(state, raw)
            case _:
                message = f"a player's {kind!r} is unknown"
                raise Untranslatable(message)

    def passed_over(self, state: State, seat: Seat) -> bool:
        """Tell whether the turn of a player who passes in the file was left out here, since he can do nothing."""
        if not isinstance(state.top, StockRound):
            return True
        since = state.clockwise(state.priority if self.actor is None else self.actor)
        first = awaited(self.ruleset, state)
        return bool(first) and seat in since and since.index(seat) < since.index(first[0])

    def pass_of_player(self, state: State, seat: Seat) -> a.Action:
        """Return the pass of a player in the form that his step has here."""
        if isinstance(state.top, Offer):
            return a.DeclineOffer()
        ending = a.EndTurn()
        if isinstance(state.top, StockRound) and refusal(self.ruleset, state, seat, ending) is None:
            return ending
        return a.Pass()

    def bid(self, state: State, raw: Mapping[str, Any]) -> a.Action:
        """Return the bid, or the purchase of the lowest certificate, which is recorded as a bid at its price (CMP-11)."""
        number = PRIVATES.get(str(raw["company"]))
        if number is None:
            message = f"there is no certificate {raw['company']!r}"
            raise Untranslatable(message)
        said = int(raw["price"])
        top = state.top
        if isinstance(top, Offer):
            return self.at_price(a.AcceptOffer(), number, top.price, said)
        if isinstance(top, Auction) and number in lowest(state) and not isinstance(top, Contest):
            return self.at_price(a.BuyPrivate(number), number, self.price_of_private(state, top, number), said)
        return a.PlaceBid(number, said)

    def price_of_private(self, state: State, auction: Auction, number: int) -> int:
        """Return what a certificate on sale costs now, in Mark."""
        return self.ruleset.policy(AuctionPolicy).price(state, auction, number)

    def at_price(self, action: a.Action, number: int, price: int, said: int) -> a.Action:
        """Return the purchase if the file has it at the price of the rules."""
        if price != said:
            raise Parted(f"no. {number} costs {price} M by the rules (CMP-11), {said} M by the file")
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
            where = "the pool" if place == POOL else "the initial offering"
            raise Parted(f"no certificate of {percent} % of {company.id} lies in {where}, as the file has it")
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
            message = "the entry names no certificates of one corporation"
            raise Untranslatable(message)
        company = state.companies.get(company_of(names[0][0]))
        if company is None:
            message = f"there is no corporation {names[0][0]!r}"
            raise Untranslatable(message)
        order = CERTIFICATES.get(company.id) or range(len(company.certificates))
        numbers = [order.index(int(index)) for _, _, index in names]
        said = raw.get("percent")
        return company, numbers, sum(company.certificates[n].percent for n in numbers) if said is None else int(said)

    # Forced purchases ---------------------------------------------------------------------------------------------------

    def in_force(self, state: State, seat: Seat) -> bool:
        """Tell whether a player directs the company whose turn it is."""
        turn = current_turn(state)
        return turn is not None and state.companies[turn.company].director == seat

    def forced(
        self, now: _CurrentState, turn: CompanyTurn, seat: Seat, kind: str, raw: Mapping[str, Any]
    ) -> Iterator[_SeatAction]:
        """Yield sales of a forced purchase: before the purchase in the file, after the choice of the train here."""
        if not isinstance(now().top, ForcedPurchase):
            yield from self.to_step(now, turn.company, "trains")
            yield seat, self.forced_choice(now(), seat)
        if kind == "sell_shares":
            yield seat, self.sale(now(), raw)
            return
        new = dict(now().depot.display)
        yield seat, a.DeclareBankruptcy()
        for train, count in new.items():  # what the bank bought for the company has no entry of its own
            for sold in range(now().depot.display[train], count):
                self.owners[f"{train}-{self.counts[train] - 1 - sold}"] = turn.company

    def forced_choice(self, state: State, seat: Seat) -> a.Action:
        """Return the choice of the cheapest train (CMP-34)."""
        chosen = (c.action for c in legal(self.ruleset, state, (seat,)) if isinstance(c.action, a.ChooseForcedTrain))
        found = next(chosen, None)
        if found is None:
            raise Parted("the file sells for a train that need not be bought by the rules")
        return found

    # Corporations -------------------------------------------------------------------------------------------------------

    def of_private(self, now: _CurrentState, name: str, kind: str, raw: Mapping[str, Any]) -> Iterator[_SeatAction]:
        """Yield the power of a private company, used by its owner in the turn of his corporation."""
        number = PRIVATES.get(name)
        if number is None or kind not in {"lay_tile", "place_token", "pass"}:
            message = f"a private's {kind!r} ({name}) is unknown"
            raise Untranslatable(message)
        if kind == "pass":
            return  # the station that a power allows is not built; here nobody waits for it
        owner = now().privates[number].owner
        if owner is None:
            raise Parted(f"nobody owns {name}")
        turn = current_turn(now())
        if turn is None:
            raise Parted(f"{name} is used while no company operates")
        if now().companies[turn.company].director != owner:
            company = self.company_that_follows(now().names[owner], raw)
            yield from self.to_company(now, company)
        turn = current_turn(now())
        assert turn is not None
        if kind == "place_token":
            yield from self.of_company(now, turn.company, kind, raw)
        else:
            yield owner, a.UsePrivate(number, str(raw["hex"]), tile_of(raw["tile"]), int(raw["rotation"]))

    def company_that_follows(self, owner: str, raw: Mapping[str, Any]) -> str:
        """Return the company in whose turn a private is used, before the first entry of its own."""
        at = next(n for n, item in enumerate(self.items) if item.raw is raw)
        following = (i.raw for i in self.items[at + 1 :] if i.raw.get("entity_type") == "corporation")
        found = next(following, None)
        if found is None:
            raise Parted(f"{owner} uses a private company outside the turn of an own corporation")
        return company_of(found.get("entity"))

    def pass_of(self, now: _CurrentState, company: str, at: int) -> Iterator[_SeatAction]:
        """Yield the pass of a company, which leaves one step; a pass for a step that does not wait here says nothing."""
        turn = current_turn(now())
        if (turn is None or turn.company != company) and self.acting == company:
            self.note("step_unknown", company=company, kind="pass")
            return
        yield from self.to_company(now, company)
        turn = current_turn(now())
        assert turn is not None
        seat = self.actor_for(now(), company)
        following = self.rest_of_turn(company, at)
        later = STEP_OF.get(following)
        # before the entry of a step that waits here now, a pass has left an earlier one; track is the first, and always waits
        if (later == turn.step != "track") or refusal(self.ruleset, now(), seat, a.Pass()) is not None:
            self.note("step_unknown", company=company, kind="pass")
            return
        yield seat, a.Pass()

    def of_company(self, now: _CurrentState, company: str, kind: str, raw: Mapping[str, Any]) -> Iterator[_SeatAction]:
        """Yield what a corporation does in its turn."""
        if kind == "discard_train":
            yield from self.discard(now(), company, raw)
            return
        if kind == "bankrupt":
            yield from self.bankrupt(now, company, raw)
            return
        if kind not in STEP_OF:
            message = f"a corporation's {kind!r} is unknown"
            raise Untranslatable(message)
        if kind == "buy_train" and self.bought_by_force(now(), company, raw):
            return
        if kind == "run_routes" and not raw.get("routes") and self.not_running(now(), company):
            self.note("step_unknown", company=company, kind="run without a route")
            return
        if kind != "place_token" or not self.granted(now(), company, raw):
            yield from self.to_step(now, company, STEP_OF[kind])
        state = now()
        seat = self.actor_for(state, company)
        match kind:
            case "lay_tile":
                yield seat, a.LayTile(str(raw["hex"]), tile_of(raw["tile"]), int(raw["rotation"]))
            case "place_token":
                yield seat, self.station(raw)
            case "run_routes":
                yield seat, self.runs(state, raw)
            case "dividend":
                yield seat, self.dividend(raw)
            case _:
                yield from self.buy_train(now, seat, company, raw)

    def granted(self, state: State, company: str, raw: Mapping[str, Any]) -> bool:
        """Tell whether a station is the one that no. 4 gave, in whatever step of the turn (CMP-48)."""
        turn = current_turn(state)
        if turn is None or turn.company != company or not turn.grants:
            return False
        return self.station(raw).hex in {grant.hex for grant in turn.grants}

    def not_running(self, state: State, company: str) -> bool:
        """Tell whether a company's run does not wait here, now or after a step that may be passed."""
        turn = current_turn(state)
        if turn is None or turn.company != company:
            return self.acting == company
        return self.place(turn, "run") > 0 or not self.ruleset.policy(RunningPolicy).can_run(state, company)

    def bankrupt(self, now: _CurrentState, company: str, raw: Mapping[str, Any]) -> Iterator[_SeatAction]:
        """Yield the bankruptcy of a company's director, which the site writes as an entry of the company."""
        director = now().companies[company].director
        turn = current_turn(now())
        if director is None or turn is None:
            raise Parted(f"{company} has no director who could be bankrupt")
        yield from self.forced(now, turn, director, "bankrupt", raw)

    def station(self, raw: Mapping[str, Any]) -> a.PlaceStation:
        """Return the station on `15-2-0`, the first city of the third copy of tile 15, or on the printed `K6-0-0` (CMP-07)."""
        tile, _, index = str(raw["city"]).rpartition("-")
        name = tile_of(tile)
        at = name if name in self.ruleset.sheet.hexes else self.laid.get(tile, "")
        if not at:
            message = f"there is no tile {tile} on the map"
            raise Untranslatable(message)
        stops = CITIES.get(name, ENDS[FIRST_STOP:])
        return a.PlaceStation(at, stops[int(index)])

    def dividend(self, raw: Mapping[str, Any]) -> a.Action:
        """Return what is done with the revenue."""
        found = {"payout": a.PayOut(), "withhold": a.Withhold()}.get(str(raw.get("kind")))
        if found is None:
            message = f"a dividend {raw.get('kind')!r} is unknown"
            raise Untranslatable(message)
        return found

    # Trains -------------------------------------------------------------------------------------------------------------

    def bought_by_force(self, state: State, company: str, raw: Mapping[str, Any]) -> bool:
        """Tell whether the train came with the sales that the file has before it."""
        turn = current_turn(state)
        name = str(raw["train"])
        kind = name.partition("-")[0]
        new = self.owners.get(name, DISPLAY) in (DISPLAY, POOL)
        done = turn is not None and turn.company == company and turn.forced and new
        if not done:
            # the purchase ended the turn, so that the next one has begun
            done = (turn is None or turn.company != company) and kind in state.companies[company].trains
            done = done and new and self.after_sale(raw)
        if done:
            self.owners[name] = company
        return done

    def after_sale(self, raw: Mapping[str, Any]) -> bool:
        """Tell whether an entry comes right behind a sale."""
        at = next(n for n, item in enumerate(self.items) if item.raw is raw)
        return at > 0 and self.items[at - 1].raw.get("type") == "sell_shares"

    def buy_train(self, now: _CurrentState, seat: Seat, company: str, raw: Mapping[str, Any]) -> Iterator[_SeatAction]:
        """Yield a purchase, forced or not, with the consent that the file takes for granted."""
        name = str(raw["train"])
        kind, price = name.partition("-")[0], int(raw["price"])
        state = now()
        if isinstance(state.top, ForcedPurchase):
            asked = (
                f"the {state.top.train}-train whose purchase was under way must be completed (RHL-BKR-02, RHL-FOR-01)"
            )
            raise Parted(f"{company} buys {name} for {price} M by the file; by the rules {asked}")
        source = self.owners.get(name, DISPLAY)
        self.owners[name] = company
        if source in (DISPLAY, POOL) and price > state.companies[company].treasury:
            forced = a.ChooseForcedTrain(source, kind)
            if price == price_of(state, kind) and refusal(self.ruleset, state, seat, forced) is None:
                yield seat, forced
                return
        yield seat, a.BuyTrain(source, kind, price)
        waiting = awaited(self.ruleset, now())
        consent = a.Accept()
        if waiting and refusal(self.ruleset, now(), waiting[0], consent) is None:
            yield waiting[0], consent

    def discard(self, state: State, company: str, raw: Mapping[str, Any]) -> Iterator[_SeatAction]:
        """Yield the train given up; nothing where it went without a question, as trains of one kind do."""
        name = str(raw["train"])
        self.owners[name] = POOL
        top = state.top
        if not isinstance(top, TooManyTrains) or company not in top.companies:
            self.note("done_here", company=company)
            return
        yield self.actor_for(state, company), a.DiscardTrain(company, name.partition("-")[0])

    # Routes -------------------------------------------------------------------------------------------------------------

    def runs(self, state: State, raw: Mapping[str, Any]) -> a.Action:
        """Return the run of all trains that the file lets run."""
        runs = [self.run(state, route) for route in raw["routes"]]
        return a.RunTrains(tuple(sorted(runs, key=lambda run: (run.train, run.track))))

    def run(self, state: State, route: Mapping[str, Any]) -> Run:
        """Return the track along the chains of hexes between stops of which a route is recorded."""
        kind = str(route["train"]).partition("-")[0]
        track = path(state.board, [list(map(str, chain)) for chain in route["connections"]])
        train = self.ruleset.sheet.trains.get(kind)
        reach = 0 if train is None else train.reach
        return Run(kind, track, paying(state.board, Run(kind, track), reach, str(route.get("revenue_str", ""))))

    def complaint(self, state: State, at: int) -> str:
        """Return what is wrong with item `at`, just carried out: a run that earns here what the file does not say."""
        raw = self.items[at].raw
        if raw.get("type") != "run_routes" or not raw.get("routes"):
            return ""
        company = company_of(raw.get("entity"))
        if any(route.get("revenue") is None for route in raw["routes"]):
            return ""  # old files name the track only
        said = sum(int(route["revenue"]) for route in raw["routes"])
        earned = state.companies[company].revenue
        return "" if earned == said else f"the routes of {company} earn {earned} M by the rules, {said} M by the file"
