"""Trains of an export: bought, forced upon a company, given up; each followed by the name that the site gives it (CMP-07)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trajekt.engine import actions as a
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import legal, refusal
from trajekt.engine.import_protocol import Parted
from trajekt.engine.state import DISPLAY, POOL, Seat, State
from trajekt.games.rhl.import_shares import ShareReader
from trajekt.games.rhl.import_turns import CurrentState, SeatAction, TurnReader
from trajekt.games.rhl.site_names import company_of
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import CompanyTurn, current_turn
from trajekt.rules.trains import TooManyTrains, price_of


def kind_of(name: str) -> str:
    """Return the kind of a train of the file.

    >>> kind_of("2-0")
    '2'
    """
    return name.partition("-")[0]


class TrainReader:
    """Reads what companies do with trains.

    `owners` are the places where trains of the file were last, by their names; `counts` how many of a kind the display had at
    first.
    """

    def __init__(self, turns: TurnReader, shares: ShareReader) -> None:
        self.turns = turns
        self.ruleset = turns.ruleset
        self.shares = shares
        self.owners: dict[str, str] = {}
        self.counts: dict[str, int] = {}

    def begin(self, state: State) -> None:
        """Count the trains of the display before the first entry."""
        if not self.counts:
            self.counts = dict(state.depot.display)

    def move(self, name: str, place: str) -> None:
        """Follow a train; `owners` keeps the order in which trains came to their places."""
        self.owners.pop(name, None)
        self.owners[name] = place

    # Forced purchases -------------------------------------------------------------------------------------------------

    def in_force(self, state: State, seat: Seat) -> bool:
        """Tell whether a player directs the company whose turn it is."""
        turn = current_turn(state)
        return turn is not None and state.companies[turn.company].director == seat

    def forced(
        self, now: CurrentState, turn: CompanyTurn, seat: Seat, kind: str, raw: Mapping[str, Any]
    ) -> Iterator[SeatAction]:
        """Yield sales of a forced purchase: before the purchase in the file, after the choice of the train here."""
        if not isinstance(now().top, ForcedPurchase):
            yield from self.turns.to_step(now, turn.company, "trains")
            yield seat, self.forced_choice(now(), seat)
        if kind == "sell_shares":
            yield seat, self.shares.sale(now(), raw)
            return
        before = now()
        yield seat, a.DeclareBankruptcy()
        self.follow_bank(before, now(), turn.company, raw)

    def forced_choice(self, state: State, seat: Seat) -> a.Action:
        """Return the choice of the cheapest train (CMP-34)."""
        chosen = (c.action for c in legal(self.ruleset, state, (seat,)) if isinstance(c.action, a.ChooseForcedTrain))
        found = next(chosen, None)
        if found is None:
            raise Parted("no_duty")
        return found

    def follow_bank(self, before: State, after: State, company: str, raw: Mapping[str, Any]) -> None:
        """Follow the train that the bank bought for a company: it has no entry of its own (CMP-35).

        `Parted` where a later entry shows that it was the one of the pool and not the one of the display.
        """
        for kind, count in before.depot.display.items():
            for sold in range(after.depot.display[kind], count):
                self.move(f"{kind}-{self.counts[kind] - 1 - sold}", company)
                pool = [name for name, owner in self.owners.items() if owner == POOL and kind_of(name) == kind]
                shown = next((name for name in pool if self.runs_later(company, name, raw)), None)
                if shown is not None:
                    raise Parted("bank_took_pool", rule="CMP-35", copy=shown, company=company)
        for kind in set(before.depot.pool):
            if after.depot.pool.count(kind) < before.depot.pool.count(kind):
                first = next((n for n, owner in self.owners.items() if owner == POOL and kind_of(n) == kind), None)
                if first is not None:
                    self.move(first, company)

    def runs_later(self, company: str, name: str, raw: Mapping[str, Any]) -> bool:
        """Tell whether a company runs or gives up a train behind an entry before it is bought again."""
        for item in self.turns.behind(raw):
            entry = item.raw
            if entry.get("type") == "buy_train" and entry.get("train") == name:
                return False
            if company_of(entry.get("entity")) != company:
                continue
            if entry.get("type") == "discard_train" and entry.get("train") == name:
                return True
            if entry.get("type") == "run_routes" and any(route.get("train") == name for route in entry["routes"]):
                return True
        return False

    def bankrupt(self, now: CurrentState, company: str, raw: Mapping[str, Any]) -> Iterator[SeatAction]:
        """Yield the bankruptcy of a company's director, which the site writes as an entry of the company."""
        director = now().companies[company].director
        turn = current_turn(now())
        if director is None or turn is None:
            raise Parted("nobody_bankrupt", company=company)
        yield from self.forced(now, turn, director, "bankrupt", raw)

    def bought_by_force(self, state: State, company: str, raw: Mapping[str, Any]) -> bool:
        """Tell whether the train came with the sales that the file has before it."""
        turn = current_turn(state)
        name = str(raw["train"])
        new = self.owners.get(name, DISPLAY) in (DISPLAY, POOL)
        done = turn is not None and turn.company == company and turn.forced and new
        if not done:
            # the purchase ended the turn, so that the next one has begun
            done = (turn is None or turn.company != company) and kind_of(name) in state.companies[company].trains
            done = done and new and self.after_sale(raw)
        if done:
            self.move(name, company)
        return done

    def after_sale(self, raw: Mapping[str, Any]) -> bool:
        """Tell whether an entry comes right behind a sale."""
        at = len(self.turns.items) - len(self.turns.behind(raw)) - 1
        return at > 0 and self.turns.items[at - 1].raw.get("type") == "sell_shares"

    # Purchases and discards -------------------------------------------------------------------------------------------

    def buy(self, now: CurrentState, seat: Seat, company: str, raw: Mapping[str, Any]) -> Iterator[SeatAction]:
        """Yield a purchase, forced or not, with the consent that the file takes for granted."""
        name = str(raw["train"])
        kind, price = kind_of(name), int(raw["price"])
        state = now()
        if isinstance(state.top, ForcedPurchase):
            raise Parted(
                "purchase_under_way", rule="RHL-FOR-01", company=company, copy=name, price=price, train=state.top.train
            )
        source = self.owners.get(name, DISPLAY)
        self.move(name, company)
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

    def discard(self, state: State, company: str, raw: Mapping[str, Any]) -> Iterator[SeatAction]:
        """Yield the train given up; nothing where it went without a question, as trains of one kind do."""
        name = str(raw["train"])
        self.move(name, POOL)
        top = state.top
        if not isinstance(top, TooManyTrains) or company not in top.companies:
            self.turns.note("done_here", company=company)
            return
        yield self.turns.actor_for(state, company), a.DiscardTrain(company, kind_of(name))
