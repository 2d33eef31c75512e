"""Games of 18Rhl exported from 18xx.games, entry by entry, into actions under `compat` (section 19 of the rule sheet).

The site skips steps in which nothing can be done without a record, and so does the engine, but not always the same ones: a
step that waits here and has no entry is passed; a pass for a step that does not wait here says nothing (CMP-06).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from trajekt.engine import actions as a
from trajekt.engine.agenda import awaited
from trajekt.engine.board.board import Board
from trajekt.engine.board.hexgrid import beyond
from trajekt.engine.board.track_graph import ENDS, Network, Track, hex_of
from trajekt.engine.components.schema import FIRST_STOP
from trajekt.engine.decisions import legal, refusal
from trajekt.engine.import_protocol import ExportItem, Exports, Untranslatable
from trajekt.engine.routing.runs import Run, RunResult, Walk
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import DISPLAY, IPO, POOL, Seat, State
from trajekt.rules.auction import Auction, Contest, Offer, lowest
from trajekt.rules.forced_purchase import ForcedPurchase
from trajekt.rules.operating_round import CompanyTurn, OperatingRound, current_turn, steps_of
from trajekt.rules.route_validation import walk
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.stock_round import StockRound

Step = tuple[Seat, a.Action]
Now = Callable[[], State]

PRIVATES = {"PWB": 1, "KEO": 2, "Szl": 3, "Tjt": 4, "NLK": 5, "RhE": 6}
COMPANIES = {"KEG": "MKB", "KKK": "MKB"}
FIRST_POOL = frozenset({"RhE_1", "RhE_2", "RhE_3"})
OPTIONS = {
    "optional_2_train": "optional_2_train",
    "lower_starting_capital": "lower_capital",
    "promotion_tiles": "promotion_tiles",
    "ratingen_variant": "ratingen",
}
DRAWN = {23692664: 5}
"""Location draws by the seed of the site's game: its generator is not reproduced (CMP-04); read out of the game recorded."""

STEP_OF = {
    "lay_tile": "track",
    "place_token": "station",
    "run_routes": "run",
    "dividend": "pay",
    "buy_train": "trains",
}
PATIENCE = 60  # passes in a row for steps that the file does not mention

CITIES = {"916": "ba", "920": "ba"}
"""Tiles whose cities the site counts in another order than the sheet."""

NAMED = re.compile(r"[A-Z]\d+")


def draws(export: Mapping[str, Any]) -> tuple[int, ...]:
    """The draws of the locations that an export may have had."""
    settings = export.get("settings")
    seed = settings.get("seed") if isinstance(settings, Mapping) else None
    return (DRAWN[seed],) if seed in DRAWN else tuple(range(1, 10))


def options(export: Mapping[str, Any], draw: int) -> dict[str, Any]:
    """The options of the site's game as options of ours (CMP-40)."""
    out: dict[str, Any] = {"edition": 1, "compat": True, "fixed_seats": True, "location": draw}
    settings = export.get("settings")
    chosen = (settings.get("optional_rules") if isinstance(settings, Mapping) else None) or []
    for name in chosen:
        if name not in OPTIONS:
            message = f"the optional rule {name!r} is unknown"
            raise Untranslatable(message)
        out[OPTIONS[name]] = True
    return out


def company_of(name: object) -> str:
    """The id of a company that the site calls otherwise (CMP-07)."""
    return COMPANIES.get(str(name), str(name))


def tile_of(name: object) -> str:
    """`X921-0` is a copy of tile 921 (CMP-07)."""
    return str(name).rpartition("-")[0].removeprefix("X")


class RhlTranslator:
    """Reads the items of one export in their order."""

    def __init__(self, ruleset: Ruleset, players: Sequence[Any], items: Sequence[ExportItem]) -> None:
        self.ruleset = ruleset
        self.players = list(players)
        self.items = items
        self.owners: dict[str, str] = {}  # where a train of the file was last
        self.in_pool = set(FIRST_POOL)  # certificates that lie in the pool by the file's own names
        self.laid: dict[str, str] = {}  # on which hex each copy of a tile was laid last
        self.complaint = ""

    # Passing what the file does not mention ---------------------------------------------------------------------------

    def seat(self, who: object) -> Seat:
        if who not in self.players:
            message = f"nobody {who!r} sits at this table"
            raise Untranslatable(message)
        return self.players.index(who)

    def skip(self, state: State) -> Step:
        """The pass of whoever is awaited."""
        waiting = awaited(self.ruleset, state)
        if not waiting:
            message = "the game has ended already"
            raise Untranslatable(message)
        ending = a.EndTurn()
        if isinstance(state.top, StockRound) and refusal(self.ruleset, state, waiting[0], ending) is None:
            return waiting[0], ending
        return waiting[0], a.Pass()

    def place(self, turn: CompanyTurn, step: str) -> int:
        """How far the turn is from a step: below 0 before it, 0 in it, above 0 past it."""
        names = [s.name for s in steps_of(self.ruleset)]
        return (names.index(turn.step) if turn.step in names else -1) - names.index(step)

    def to_player(self, now: Now, seat: Seat) -> Iterator[Step]:
        """Pass for everybody who was skipped, until `seat` is awaited."""
        for _ in range(PATIENCE):
            if seat in awaited(self.ruleset, now()):
                return
            yield self.skip(now())
        message = "it is never this player's turn"
        raise Untranslatable(message)

    def to_step(self, now: Now, company: str, step: str) -> Iterator[Step]:
        """Pass until a company is in a step of its turn."""
        for _ in range(PATIENCE):
            turn = current_turn(now())
            if turn is not None and turn.company == company:
                at = self.place(turn, step)
                if at == 0:
                    return
                if at > 0:
                    message = f"{company} is past that step already: {turn.step}"
                    raise Untranslatable(message)
            yield self.skip(now())
        message = f"{company} never comes to the step {step}"
        raise Untranslatable(message)

    # Items ------------------------------------------------------------------------------------------------------------

    def steps(self, state: Now, at: int) -> Iterator[Step]:
        """The actions of item `at`."""
        raw = self.items[at].raw
        kind, entity = str(raw.get("type")), raw.get("entity")
        if kind == "lay_tile":
            self.laid[str(raw["tile"])] = str(raw["hex"])
        if raw.get("entity_type") == "player":
            return self.of_player(state, self.seat(entity), kind, raw)
        if raw.get("entity_type") == "company":
            return self.of_private(state, str(entity), kind, raw)
        company = company_of(entity)
        if company not in self.ruleset.sheet.companies:
            message = f"there is no corporation {entity!r}"
            raise Untranslatable(message)
        if kind == "pass":
            return self.pass_of(state, company, at)
        return self.of_company(state, company, kind, raw)

    def of_player(self, now: Now, seat: Seat, kind: str, raw: Mapping[str, Any]) -> Iterator[Step]:
        if current_turn(now()) is not None and kind in {"sell_shares", "bankrupt"} and self.in_force(now(), seat):
            yield from self.forced(now, seat, kind, raw)
            return
        yield from self.to_player(now, seat)
        state = now()
        match kind:
            case "bid":
                yield seat, self.bid(state, raw)
            case "pass":
                yield (seat, a.DeclineOffer()) if isinstance(state.top, Offer) else self.skip(state)
            case "par":
                yield seat, self.par(state, seat, raw)
            case "buy_shares":
                yield seat, self.buy(state, seat, raw)
            case "sell_shares":
                yield seat, self.sale(raw)
            case _:
                message = f"a player's {kind!r} is unknown"
                raise Untranslatable(message)

    def bid(self, state: State, raw: Mapping[str, Any]) -> a.Action:
        """A purchase of the lowest certificate is recorded as a bid at its price (CMP-11)."""
        number = PRIVATES.get(str(raw["company"]))
        if number is None:
            message = f"there is no certificate {raw['company']!r}"
            raise Untranslatable(message)
        if isinstance(state.top, Offer):
            return a.AcceptOffer()
        if isinstance(state.top, Auction) and number in lowest(state) and not isinstance(state.top, Contest):
            return a.BuyPrivate(number)
        return a.PlaceBid(number, int(raw["price"]))

    def par(self, state: State, seat: Seat, raw: Mapping[str, Any]) -> a.Action:
        price = int(str(raw["share_price"]).partition(",")[0])
        set_par = a.SetPar(company_of(raw["corporation"]), price)
        if refusal(self.ruleset, state, seat, set_par) is None:
            return set_par
        return a.FoundCompany(set_par.company, price)

    def buy(self, state: State, seat: Seat, raw: Mapping[str, Any]) -> a.Action:
        """Certificates are named one by one in the file; here place and size say which."""
        name = str(raw["shares"][0])
        company = company_of(name.rpartition("_")[0])
        order = (POOL, IPO) if name in self.in_pool else (IPO, POOL)
        self.in_pool.discard(name)
        wanted = [a.BuyShare(company, source, int(raw["percent"])) for source in order]
        return next((each for each in wanted if refusal(self.ruleset, state, seat, each) is None), wanted[0])

    def sale(self, raw: Mapping[str, Any]) -> a.Action:
        names = [str(name) for name in raw["shares"]]
        self.in_pool |= set(names)
        return a.SellShares(company_of(names[0].rpartition("_")[0]), int(raw["percent"]))

    # Forced purchases ---------------------------------------------------------------------------------------------------

    def in_force(self, state: State, seat: Seat) -> bool:
        turn = current_turn(state)
        return turn is not None and state.companies[turn.company].director == seat

    def forced(self, now: Now, seat: Seat, kind: str, raw: Mapping[str, Any]) -> Iterator[Step]:
        """Sales of a forced purchase come before the purchase in the file, after the choice of the train here."""
        if not isinstance(now().top, ForcedPurchase):
            turn = current_turn(now())
            assert turn is not None
            yield from self.to_step(now, turn.company, "trains")
            yield seat, self.forced_choice(now(), seat)
        yield seat, (self.sale(raw) if kind == "sell_shares" else a.DeclareBankruptcy())

    def forced_choice(self, state: State, seat: Seat) -> a.Action:
        chosen = (c.action for c in legal(self.ruleset, state, (seat,)) if isinstance(c.action, a.ChooseForcedTrain))
        found = next(chosen, None)
        if found is None:
            message = "no train has to be bought here"
            raise Untranslatable(message)
        return found

    # Corporations -------------------------------------------------------------------------------------------------------

    def of_private(self, now: Now, name: str, kind: str, raw: Mapping[str, Any]) -> Iterator[Step]:
        """The power of a private company, used by its owner in the turn of his corporation."""
        number = PRIVATES.get(name)
        if number is None or kind not in {"lay_tile", "place_token"}:
            message = f"a private's {kind!r} ({name}) is unknown"
            raise Untranslatable(message)
        if kind == "place_token":
            turn = current_turn(now())
            assert turn is not None, "a station is built in a turn"
            yield from self.of_company(now, turn.company, kind, raw)
            return
        owner = now().privates[number].owner
        if owner is None:
            message = f"nobody owns {name}"
            raise Untranslatable(message)
        for _ in range(PATIENCE):
            turn = current_turn(now())
            if turn is not None and now().companies[turn.company].director == owner:
                break
            yield self.skip(now())
        yield owner, a.UsePrivate(number, str(raw["hex"]), tile_of(raw["tile"]), int(raw["rotation"]))

    def operated(self, state: State, company: str) -> bool:
        """Whether a company has begun its turn in this round."""
        return any(isinstance(f, OperatingRound) and company in f.operated for f in state.agenda)

    def pass_of(self, now: Now, company: str, at: int) -> Iterator[Step]:
        """A pass of a corporation: which step it leaves is told by what follows it."""
        turn = current_turn(now())
        if turn is None or turn.company != company:
            if turn is not None and self.operated(now(), company):
                return  # the step that it leaves did not wait here, and the turn is over
            yield from self.to_step(now, company, "track")
            turn = current_turn(now())
            assert turn is not None
        if self.followed(company, at):
            early = turn.step == "track" or (turn.step == "station" and self.track_done(company, at))
            if early:
                yield self.skip(now())
            return
        number = self.round_of(now())
        for passed in range(PATIENCE):
            turn = current_turn(now())
            if turn is None or turn.company != company or self.round_of(now()) != number:
                return
            seat, action = self.skip(now())
            if passed and refusal(self.ruleset, now(), seat, action) is not None:
                return  # the file ends here, so that nothing tells which step was left
            yield seat, action

    def round_of(self, state: State) -> tuple[int, int]:
        return next(((f.set, f.number) for f in state.agenda if isinstance(f, OperatingRound)), (0, 0))

    def followed(self, company: str, at: int) -> bool:
        """Whether the corporation does something else later in the same turn."""
        for item in self.items[at + 1 :]:
            raw = item.raw
            if raw.get("entity_type") == "corporation":
                own = company_of(raw.get("entity")) == company
                if own and raw.get("type") == "pass":
                    continue
                return own and raw.get("type") in {"place_token", "run_routes", "dividend", "buy_train"}
            if raw.get("entity_type") == "player" and raw.get("type") != "sell_shares":
                return False
        return False

    def track_done(self, company: str, at: int) -> bool:
        """Whether the file has the corporation's track step before item `at` in the same turn."""
        before = self.items[at - 1].raw if at else {}
        own = before.get("entity_type") == "corporation" and company_of(before.get("entity")) == company
        return (own and before.get("type") in {"lay_tile", "pass"}) or before.get("entity_type") == "company"

    def of_company(self, now: Now, company: str, kind: str, raw: Mapping[str, Any]) -> Iterator[Step]:
        if kind == "discard_train":
            yield self.discard(now(), company, raw)
            return
        if kind not in STEP_OF:
            message = f"a corporation's {kind!r} is unknown"
            raise Untranslatable(message)
        if kind == "buy_train" and self.bought_by_force(now(), company, raw):
            return
        yield from self.to_step(now, company, STEP_OF[kind])
        state = now()
        director = state.companies[company].director
        seat = -1 if director is None else director
        match kind:
            case "lay_tile":
                yield seat, a.LayTile(str(raw["hex"]), tile_of(raw["tile"]), int(raw["rotation"]))
            case "place_token":
                yield seat, self.station(raw)
            case "run_routes":
                yield (awaited(self.ruleset, state) or (seat,))[0], self.runs(state, raw)
            case "dividend":
                yield seat, self.dividend(raw)
            case _:
                yield from self.buy_train(now, seat, company, raw)

    def station(self, raw: Mapping[str, Any]) -> a.Action:
        """`15-2-0`: the first city of the third copy of tile 15, `K6-0-0` that printed on K6 (CMP-07)."""
        tile, _, index = str(raw["city"]).rpartition("-")
        name = tile_of(tile)
        at = name if name in self.ruleset.sheet.hexes else self.laid.get(tile, "")
        if not at:
            message = f"there is no tile {tile} on the map"
            raise Untranslatable(message)
        stops = CITIES.get(name, ENDS[FIRST_STOP:])
        return a.PlaceStation(at, stops[int(index)])

    def dividend(self, raw: Mapping[str, Any]) -> a.Action:
        found = {"payout": a.PayOut(), "withhold": a.Withhold()}.get(str(raw.get("kind")))
        if found is None:
            message = f"a dividend {raw.get('kind')!r} is unknown"
            raise Untranslatable(message)
        return found

    def bought_by_force(self, state: State, company: str, raw: Mapping[str, Any]) -> bool:
        """Whether the train came with the sales that the file has before it."""
        turn = current_turn(state)
        name = str(raw["train"])
        kind = name.partition("-")[0]
        done = turn is not None and turn.company == company and turn.forced and name not in self.owners
        if not done:
            # the purchase ended the turn, so that the next one has begun
            done = (turn is None or turn.company != company) and kind in state.companies[company].trains
            done = done and name not in self.owners and self.after_sale(raw)
        if done:
            self.owners[name] = company
        return done

    def after_sale(self, raw: Mapping[str, Any]) -> bool:
        at = next(n for n, item in enumerate(self.items) if item.raw is raw)
        return at > 0 and self.items[at - 1].raw.get("type") == "sell_shares"

    def buy_train(self, now: Now, seat: Seat, company: str, raw: Mapping[str, Any]) -> Iterator[Step]:
        name = str(raw["train"])
        kind, price = name.partition("-")[0], int(raw["price"])
        state = now()
        source = self.owners.get(name, DISPLAY)
        self.owners[name] = company
        if source in (DISPLAY, POOL) and price > state.companies[company].treasury:
            forced = a.ChooseForcedTrain(source, kind)
            if refusal(self.ruleset, state, seat, forced) is None:
                yield seat, forced
                return
        yield seat, a.BuyTrain(source, kind, price)
        waiting = awaited(self.ruleset, now())
        consent = a.Accept()
        if waiting and refusal(self.ruleset, now(), waiting[0], consent) is None:
            yield waiting[0], consent

    def discard(self, state: State, company: str, raw: Mapping[str, Any]) -> Step:
        name = str(raw["train"])
        self.owners[name] = POOL
        director = state.companies[company].director
        return (-1 if director is None else director), a.DiscardTrain(company, name.partition("-")[0])

    # Routes -------------------------------------------------------------------------------------------------------------

    def runs(self, state: State, raw: Mapping[str, Any]) -> a.Action:
        runs = [self.run(state, route) for route in raw["routes"]]
        return a.RunTrains(tuple(sorted(runs, key=lambda run: (run.train, run.track))))

    def run(self, state: State, route: Mapping[str, Any]) -> Run:
        """A route is recorded as chains of hexes between stops; here it is the track along them."""
        kind = str(route["train"]).partition("-")[0]
        track = path(state.board, [list(map(str, chain)) for chain in route["connections"]])
        return Run(kind, track, self.paying(state, kind, track, str(route.get("revenue_str", ""))))

    def paying(self, state: State, kind: str, track: tuple[str, ...], text: str) -> tuple[str, ...]:
        """The stops that pay, named where a train passes more cities than it counts (CMP-30)."""
        network = state.board.network
        read = walk(network, Run(kind, track))
        train = self.ruleset.sheet.trains.get(kind)
        if train is None or not isinstance(read, Walk):
            return ()
        towns = {stop.ref for stop in network.stops if stop.stop.kind == "town"}
        cities = [step.stops[0] for step in read.steps if step.stops[0] not in towns]
        if len(cities) <= train.reach:
            return ()
        named = NAMED.findall(text)
        return tuple(sorted(stop for stop in cities if hex_of(stop) in named))

    # Draws --------------------------------------------------------------------------------------------------------------

    def fitting(self, state: Now, at: int, candidates: tuple[int, ...]) -> tuple[int, ...]:
        """Those draws with which the routes of item `at` earn what the file says."""
        raw = self.items[at].raw
        if raw.get("type") != "run_routes":
            return candidates
        after = state()
        company = company_of(raw.get("entity"))
        said = sum(int(route["revenue"]) for route in raw["routes"])
        earned = after.companies[company].revenue
        if earned == said and len(candidates) == 1:
            return candidates
        action = self.runs(after, raw)
        assert isinstance(action, a.RunTrains)
        fits = tuple(draw for draw in candidates if self.earned(after, company, action, draw) == said)
        self.complaint = f"the routes of {company} earn {earned} M by the rules, {said} M by the file"
        return fits

    def earned(self, state: State, company: str, action: a.RunTrains, draw: int) -> int:
        """What the routes would earn with another draw of the locations."""
        rows = {row.number: row.icons for row in self.ruleset.sheet.draws}
        moved = {icon for row in rows.values() for icon in row}
        contents_by_hex = dict(state.board.contents_by_hex)
        for hexes in rows.values():
            for at in hexes.values():
                if at in contents_by_hex:
                    kept = tuple(icon for icon in contents_by_hex[at].icons if icon not in moved)
                    contents_by_hex[at] = replace(contents_by_hex[at], icons=kept)
        for icon, at in rows[draw].items():
            contents = state.board.contents(at) if at not in contents_by_hex else contents_by_hex[at]
            contents_by_hex[at] = replace(contents, icons=(*(i for i in contents.icons if i not in moved), icon))
        other = replace(state, board=Board(state.sheet, contents_by_hex))
        result = self.ruleset.policy(RunningPolicy).judge(other, company, action.runs)
        return result.revenue if isinstance(result, RunResult) else -1


def edge_to(board: Board, at: str, other: str) -> int:
    """The edge of a hex towards its neighbour."""
    for edge in range(6):
        if beyond(at, edge, board.sheet.layout) == other:
            return edge
    message = f"{at} and {other} are no neighbours"
    raise Untranslatable(message)


def pieces_of(board: Board, chain: Sequence[str]) -> list[Track]:
    """The pieces of track along a chain of hexes from one stop to the next; a chain of one hex is the ferry in it."""
    network = board.network
    if len(chain) == 1:
        inner = [
            network.tracks[n]
            for n in network.in_hex.get(chain[0], ())
            if all(map(network.is_stop, network.tracks[n].ends))
        ]
        return one(inner, chain)
    out = []
    for n, at in enumerate(chain):
        sides = {edge_to(board, at, chain[n + k]) for k in (-1, 1) if 0 <= n + k < len(chain)}
        found = [t for t in (network.tracks[p] for p in network.in_hex.get(at, ())) if _joins(t, sides)]
        out += one(found, chain)
    return out


def _joins(track: Track, sides: set[int]) -> bool:
    """Whether a piece leads to exactly these sides of its hex."""
    ends = track.ref.rpartition(":")[2]
    return {int(end) for end in ends if end.isdigit()} == sides


def one(found: Sequence[Track], chain: Sequence[str]) -> list[Track]:
    """The only piece that leads along a chain."""
    if len(found) != 1:
        message = (
            f"there is no track along {'-'.join(chain)}"
            if not found
            else f"the track along {'-'.join(chain)} is not clear"
        )
        raise Untranslatable(message)
    return list(found)


def path(board: Board, chains: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The track along chains that join at stops, in the order of the route."""
    network = board.network
    legs = [pieces_of(board, chain) for chain in chains]
    ends = [_stops(network, leg) for leg in legs]
    out: list[str] = []
    at = _start(ends)
    for leg, (first, last) in zip(legs, ends, strict=True):
        if at not in (first, last):
            message = "the parts of the route do not join"
            raise Untranslatable(message)
        refs = [track.ref for track in leg]
        out += refs if at == first else refs[::-1]
        at = last if at == first else first
    return tuple(out)


def _stops(network: Network, leg: Sequence[Track]) -> tuple[int, int]:
    """The stops at which the first and the last piece of a leg end."""
    if len(leg) == 1:
        return leg[0].ends
    first = next(node for node in leg[0].ends if network.is_stop(node))
    last = next(node for node in leg[-1].ends if network.is_stop(node))
    return first, last


def _start(ends: Sequence[tuple[int, int]]) -> int:
    """The end of the first leg at which the route begins."""
    first, last = ends[0]
    return last if len(ends) > 1 and first in ends[1] and last not in ends[1] else first


EXPORTS = Exports(draws, options, RhlTranslator, COMPANIES)
