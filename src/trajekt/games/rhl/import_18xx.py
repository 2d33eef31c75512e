"""Games of 18Rhl exported from 18xx.games, entry by entry, into actions under `compat` (section 19 of the rule sheet).

The record leads. A pass in it leaves one step, never a turn of somebody else and never a round. Where record and rules part
other than in a way that is known by name, `Parted` tells what either says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trajekt.engine import actions as a
from trajekt.engine.agenda import awaited
from trajekt.engine.board.track_graph import ENDS
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.engine.decisions import refusal
from trajekt.engine.import_protocol import ExportItem, OtherOptions, Parted, Untranslatable
from trajekt.engine.routing.runs import Run
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import Seat, State
from trajekt.games.rhl.aachen_link import LINKED, ClaimLink
from trajekt.games.rhl.import_routes import path, paying
from trajekt.games.rhl.import_shares import ShareReader
from trajekt.games.rhl.import_trains import TrainReader, kind_of
from trajekt.games.rhl.import_turns import CurrentState, SeatAction, TurnReader
from trajekt.games.rhl.rhe_founding import RHE, OpeningPolicy
from trajekt.games.rhl.route_editions import COMPAT
from trajekt.games.rhl.site_names import CITIES, OPTIONS, PRIVATES, company_of, draw_of, tile_of
from trajekt.rules.operating_round import current_turn
from trajekt.rules.running_and_dividends import RunningPolicy

STEP_OF = {
    "lay_tile": "track",
    "place_token": "station",
    "run_routes": "run",
    "dividend": "pay",
    "buy_train": "trains",
}


def options(export: Mapping[str, Any], draw: int | None) -> dict[str, Any]:
    """Return the options of the site's game as options of ours (CMP-40)."""
    location = draw_of(export) if draw is None else draw
    out: dict[str, Any] = {"edition": 1, "compat": True, "fixed_seats": True, "location": location}
    settings = export.get("settings")
    chosen = (settings.get("optional_rules") if isinstance(settings, Mapping) else None) or []
    for name in chosen:
        if not isinstance(name, str) or name not in OPTIONS:
            raise Untranslatable("optional_rule", name=f"{name!r:.60}")
        out[OPTIONS[name]] = True
    return out


class RhlTranslator(TurnReader):
    """Reads the items of one export in their order.

    `laid` tells on which hex each copy of a tile was laid last, `reported` whether the record has told that the RhE is paid for
    its link.
    """

    def __init__(self, ruleset: Ruleset, players: Sequence[Any], items: Sequence[ExportItem]) -> None:
        super().__init__(ruleset, players, items)
        self.shares = ShareReader(ruleset)
        self.trains = TrainReader(self, self.shares)
        self.laid: dict[str, str] = {}
        self.reported = False

    # Items ------------------------------------------------------------------------------------------------------------

    def steps(self, state: CurrentState, at: int) -> Iterator[SeatAction]:
        """Yield the actions of item `at`."""
        item = self.items[at]
        raw, self.entry = item.raw, item.entry
        self.trains.begin(state())
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
            raise Untranslatable("no_corporation", name=f"{entity!r:.60}")
        if kind == "pass":
            yield from self.pass_of(state, company, at)
        else:
            yield from self.of_company(state, company, kind, raw)
        if kind != "discard_train":
            self.acting, self.actor = company, None

    def end(self, now: CurrentState) -> Iterator[SeatAction]:
        """End by agreement: a game that was ended by hand stands where it was left (COMMON-END-06)."""
        for seat, player in enumerate(now().players):
            if not player.bankrupt and seat not in now().peace and not now().outcome:
                yield seat, a.OfferEnd()

    def link(self, now: CurrentState, raw: Mapping[str, Any]) -> Iterator[SeatAction]:
        """Yield the payment for the link of the RhE at the moment that the record tells (CMP-03)."""
        self.reported |= RHE in map(company_of, raw.get("corporations") or ())
        paid = LINKED in now().marks
        if self.reported == paid:
            return
        if not self.ruleset.policy(OpeningPolicy).link_claimed:
            raise OtherOptions({"link": "record"})
        self.note("link_paid")
        yield self.actor_for(now(), RHE), ClaimLink()

    def of_player(self, now: CurrentState, seat: Seat, kind: str, raw: Mapping[str, Any]) -> Iterator[SeatAction]:
        """Yield what a player does in a stock round, in the auction, or in a forced purchase of his corporation."""
        turn = current_turn(now())
        if turn is not None and kind in {"sell_shares", "bankrupt"} and self.trains.in_force(now(), seat):
            yield from self.trains.forced(now, turn, seat, kind, raw)
            return
        if kind == "pass" and seat not in awaited(self.ruleset, now()) and self.passed_over(now(), seat):
            self.note("turn_unknown", seat=seat)
            self.actor = seat
            return
        yield from self.to_player(now, seat)
        self.acting, self.actor = "", seat
        state = now()
        match kind:
            case "bid":
                yield seat, self.shares.bid(state, raw)
            case "pass":
                yield seat, self.pass_of_player(state, seat)
            case "par":
                yield seat, self.shares.par(state, seat, raw)
            case "buy_shares":
                yield seat, self.shares.buy(state, raw)
            case "sell_shares":
                yield seat, self.shares.sale(state, raw)
            case _:
                raise Untranslatable("unknown_of_player", kind=f"{kind!r:.60}")

    # Corporations ------------------------------------------------------------------------------------------------------

    def of_private(self, now: CurrentState, name: str, kind: str, raw: Mapping[str, Any]) -> Iterator[SeatAction]:
        """Yield the power of a private company, used by its owner in the turn of his corporation."""
        number = PRIVATES.get(name)
        if number is None or kind not in {"lay_tile", "place_token", "pass"}:
            raise Untranslatable("unknown_of_private", kind=f"{kind!r:.60}", name=f"{name:.60}")
        if kind == "pass":
            return  # the station that a power allows is not built; here nobody waits for it
        owner = now().privates[number].owner
        if owner is None:
            raise Parted("private_unowned", private=number)
        turn = current_turn(now())
        if turn is None:
            raise Parted("private_out_of_turn", private=number)
        if now().companies[turn.company].director != owner:
            company = self.company_that_follows(number, raw)
            yield from self.to_company(now, company)
        turn = current_turn(now())
        assert turn is not None
        if kind == "place_token":
            yield from self.of_company(now, turn.company, kind, raw)
        else:
            yield owner, a.UsePrivate(number, str(raw["hex"]), tile_of(raw["tile"]), int(raw["rotation"]))

    def company_that_follows(self, private: int, raw: Mapping[str, Any]) -> str:
        """Return the company in whose turn a private is used, before the first entry of its own."""
        following = (i.raw for i in self.behind(raw) if i.raw.get("entity_type") == "corporation")
        found = next(following, None)
        if found is None:
            raise Parted("private_out_of_turn", private=private)
        return company_of(found.get("entity"))

    def pass_of(self, now: CurrentState, company: str, at: int) -> Iterator[SeatAction]:
        """Yield the pass of a company, which leaves one step; a pass for a step that does not wait here says nothing."""
        turn = current_turn(now())
        if (turn is None or turn.company != company) and self.acting == company:
            self.note("step_unknown", company=company)
            return
        yield from self.to_company(now, company)
        turn = current_turn(now())
        assert turn is not None
        seat = self.actor_for(now(), company)
        following = self.rest_of_turn(company, at)
        later = STEP_OF.get(following)
        # before the entry of a step that waits here now, a pass has left an earlier one; track is the first, and always waits
        if (later == turn.step != "track") or refusal(self.ruleset, now(), seat, a.Pass()) is not None:
            self.note("step_unknown", company=company)
            return
        yield seat, a.Pass()

    def of_company(self, now: CurrentState, company: str, kind: str, raw: Mapping[str, Any]) -> Iterator[SeatAction]:
        """Yield what a corporation does in its turn."""
        if kind == "discard_train":
            yield from self.trains.discard(now(), company, raw)
            return
        if kind == "bankrupt":
            yield from self.trains.bankrupt(now, company, raw)
            return
        if kind not in STEP_OF:
            raise Untranslatable("unknown_of_company", kind=f"{kind!r:.60}")
        if kind == "buy_train" and self.trains.bought_by_force(now(), company, raw):
            return
        if kind == "run_routes" and not raw.get("routes") and self.not_running(now(), company):
            self.note("run_unknown", company=company)
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
                yield from self.trains.buy(now, seat, company, raw)

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

    def station(self, raw: Mapping[str, Any]) -> a.PlaceStation:
        """Return the station on `15-2-0`, the first city of the third copy of tile 15, or on the printed `K6-0-0` (CMP-07)."""
        tile, _, index = str(raw["city"]).rpartition("-")
        name = tile_of(tile)
        at = name if name in self.ruleset.sheet.hexes else self.laid.get(tile, "")
        if not at:
            raise Untranslatable("no_tile", copy=f"{tile:.60}")
        stops = CITIES.get(name, ENDS[FIRST_STOP:])
        return a.PlaceStation(at, stops[int(index)])

    def dividend(self, raw: Mapping[str, Any]) -> a.Action:
        """Return what is done with the revenue."""
        found = {"payout": a.PayOut(), "withhold": a.Withhold()}.get(str(raw.get("kind")))
        if found is None:
            raise Untranslatable("unknown_dividend", kind=f"{raw.get('kind')!r:.60}")
        return found

    # Routes ------------------------------------------------------------------------------------------------------------

    def runs(self, state: State, raw: Mapping[str, Any]) -> a.Action:
        """Return the run of all trains that the file lets run."""
        runs = [self.run(state, route) for route in raw["routes"]]
        return a.RunTrains(tuple(sorted(runs, key=lambda run: (run.train, run.track))))

    def run(self, state: State, route: Mapping[str, Any]) -> Run:
        """Return the track along the chains of hexes between stops of which a route is recorded."""
        kind = kind_of(str(route["train"]))
        chains = [list(map(str, chain)) for chain in route["connections"]]
        # the site lets the express end at a town, which it does not count (CMP-30)
        track = path(state.board, chains, town_ends=kind != COMPAT.express.train)
        train = self.ruleset.sheet.trains.get(kind)
        reach = 0 if train is None else train.reach
        return Run(kind, track, paying(state.board, Run(kind, track), reach, str(route.get("revenue_str", ""))))

    def check(self, state: State, at: int) -> None:
        """Raise `Parted` for a run that earns here what the file does not say."""
        raw = self.items[at].raw
        if raw.get("type") != "run_routes" or not raw.get("routes"):
            return
        company = company_of(raw.get("entity"))
        if any(route.get("revenue") is None for route in raw["routes"]):
            return  # old files name the track only
        said = sum(int(route["revenue"]) for route in raw["routes"])
        earned = state.companies[company].revenue
        if earned != said:
            raise Parted("other_revenue", company=company, revenue=earned, amount=said)
