"""Games of 18Rhl under `compat` in the form of 18xx.games: the way back of `import_18xx`.

Names are the site's (CMP-07): the n-th train of a kind, tile or certificate that came into play. The site keeps an order of its
own among the certificates of one size when a director changes; the names here follow the certificates of this game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trajekt.engine import actions as a
from trajekt.engine import events as e
from trajekt.engine.board.track_graph import ENDS, hex_of
from trajekt.engine.components.schema import FIRST_STOP, CompanyId
from trajekt.engine.import_protocol import PlayedGame, Untranslatable
from trajekt.engine.routing.runs import Run, RunResult
from trajekt.engine.state import DISPLAY, POOL, Seat, State, drawn_mark
from trajekt.games.rhl.aachen_link import LINKED, ClaimLink
from trajekt.games.rhl.rhe_founding import RHE
from trajekt.games.rhl.setup import LOCATION
from trajekt.games.rhl.site_names import CERTIFICATES, CITIES, METROPOLISES, OPTIONS, PRIVATES, draw_of, site_name
from trajekt.rules.auction import Auction, AuctionPolicy, Offer
from trajekt.rules.directorship import directors_certificate
from trajekt.rules.operating_round import CompanyTurn, OperatingRound, current_turn
from trajekt.rules.running_and_dividends import RunningPolicy
from trajekt.rules.stock_market import par_space
from trajekt.rules.stock_round import StockRound

_Row = dict[str, Any]


class RhlExporter:
    """Turns the line of one game into the site's entries, from the set-up on."""

    def __init__(self, game: PlayedGame) -> None:
        self.game = game
        self.rows: list[_Row] = []
        self.trains: dict[str, list[str]] = {}  # the names of trains by where they are
        self.made: dict[str, int] = {}  # how many trains of a kind have left the display
        self.tiles: dict[str, str] = {}  # the name of the tile on a hex
        self.free: dict[str, list[int]] = {}  # the copies of a tile in the supply, in the order in which they are taken

    # Names ------------------------------------------------------------------------------------------------------------

    def share(self, company: CompanyId, number: int) -> str:
        """Return the name of a certificate."""
        numbers = CERTIFICATES.get(company)
        return f"{site_name(company)}_{number if numbers is None else numbers[number]}"

    def move_train(self, kind: str, source: str, target: str) -> str:
        """Follow a train and return its name."""
        if source == DISPLAY:
            name = f"{kind}-{self.made.get(kind, 0)}"
            self.made[kind] = self.made.get(kind, 0) + 1
        else:
            there = self.trains[source]
            name = next(each for each in there if each.partition("-")[0] == kind)
            there.remove(name)
        self.trains.setdefault(target, []).append(name)
        return name

    def lay(self, at: str, tile: str) -> str:
        """Follow a tile and return the name of its copy: of those free the one that has lain in the supply longest."""
        former = self.tiles.pop(at, "")
        if former:
            stem, _, copy = former.rpartition("-")
            self.free[stem].append(int(copy))
        stem = f"X{tile}" if tile.isdigit() and int(tile) in METROPOLISES else tile
        copies = self.free.setdefault(stem, list(range(self.game.opening.supply.get(tile, 0))))
        self.tiles[at] = f"{stem}-{copies.pop(0)}"
        return self.tiles[at]

    # Entries ----------------------------------------------------------------------------------------------------------

    def by_player(self, seat: Seat, kind: str, **more: Any) -> None:
        """Add an entry of a player."""
        self.rows.append({"type": kind, "entity": seat + 1, "entity_type": "player", **more})

    def by_company(self, company: CompanyId, kind: str, **more: Any) -> None:
        """Add an entry of a corporation."""
        self.rows.append({"type": kind, "entity": site_name(company), "entity_type": "corporation", **more})

    def entries(self) -> list[_Row]:
        """Return all entries of the game, numbered from 1."""
        for played in self.game.actions:
            self.write(*played)
        return [{**row, "id": number} for number, row in enumerate(self.rows, 1)]

    def write(self, before: State, after: State, seat: Seat, action: a.Action, events: tuple[e.Event, ...]) -> None:
        """Write one action with what it caused."""
        turn = current_turn(before)
        if isinstance(action, a.BuyTrain | a.Accept | a.ChooseForcedTrain | a.SellShares | a.DeclareBankruptcy):
            self.write_trade(before, seat, action, events)
        elif turn is not None and isinstance(before.top, CompanyTurn):
            self.write_turn(before, turn, action, events)
        elif isinstance(action, a.DiscardTrain):
            pass  # written with the trains that left
        elif not isinstance(action, a.OfferEnd | a.DeclineEnd | a.Decline | ClaimLink):
            self.write_stock(before, seat, action, events)
        if isinstance(action, ClaimLink) or (LINKED in after.marks and LINKED not in before.marks):
            self.report_link()
        if isinstance(action, a.OfferEnd) and after.outcome and not before.outcome:
            self.by_player(seat, "end_game")
        self.follow_trains(events)

    def report_link(self) -> None:
        """Report the link with the entry that made it (CMP-03)."""
        row = self.rows[-1]
        company = row["entity"] if row["entity_type"] == "corporation" else RHE
        report = {
            "type": "destination_connection",
            "entity": company,
            "entity_type": "corporation",
            "corporations": [RHE],
        }
        row.setdefault("auto_actions", []).append(report)

    def follow_trains(self, events: tuple[e.Event, ...]) -> None:
        """Follow the trains that moved without an entry of their own; write those given up."""
        for event in events:
            if isinstance(event, e.TrainMoved) and event.cause not in {"train", "forced"}:
                name = self.move_train(event.train, event.source, event.target)
                if event.cause == "limit":
                    self.by_company(event.source, "discard_train", train=name)

    def write_stock(self, before: State, seat: Seat, action: a.Action, events: tuple[e.Event, ...]) -> None:
        """Write an action of the auction or of a stock round."""
        top = before.top
        match action:
            case a.BuyPrivate(private=number):
                assert isinstance(top, Auction)
                price = self.game.ruleset.policy(AuctionPolicy).price(before, top, number)
                self.by_player(seat, "bid", company=self.private(number), price=price)
            case a.PlaceBid(private=number, amount=amount):
                self.by_player(seat, "bid", company=self.private(number), price=amount)
            case a.AcceptOffer():
                assert isinstance(top, Offer)
                self.by_player(seat, "bid", company=self.private(top.private), price=top.price)
            case a.SetPar(company=company, par=par) | a.FoundCompany(company=company, par=par):
                self.by_player(seat, "par", corporation=site_name(company), share_price=self.par_of(par))
            case a.BuyShare(company=company, percent=percent):
                moved = next(m for m in events if isinstance(m, e.CertificateMoved) and m.target == seat)
                self.by_player(seat, "buy_shares", shares=[self.share(company, moved.number)], percent=percent)
            case a.Pass() | a.EndTurn() | a.DeclineOffer():
                self.by_player(seat, "pass")
            case _:
                raise Untranslatable("no_entry_for", action=type(action).__name__)

    def private(self, number: int) -> str:
        """Return the site's name of a certificate of the package."""
        names = {each: name for name, each in PRIVATES.items() if name != "ATB"}
        return "ATB" if number == 1 and self.game.options.ratingen else names[number]

    def par_of(self, par: int) -> str:
        """Return a par as `price,row,column`, both from 0 (CMP-07)."""
        space = par_space(self.game.ruleset.sheet.market, par)
        assert space is not None, par
        row, column = space
        return f"{par},{row - 1},{column - 1}"

    def write_turn(self, before: State, turn: CompanyTurn, action: a.Action, events: tuple[e.Event, ...]) -> None:
        """Write an action of a company's turn."""
        company = turn.company
        match action:
            case a.LayTile(hex=at, tile=tile, rotation=rotation):
                self.by_company(company, "lay_tile", hex=at, tile=self.lay(at, tile), rotation=rotation)
            case a.UsePrivate(private=private, hex=at, tile=tile, rotation=rotation):
                row = {"type": "lay_tile", "entity": self.private(private), "entity_type": "company"}
                self.rows.append({**row, "hex": at, "tile": self.lay(at, tile), "rotation": rotation})
            case a.PlaceStation(hex=at, stop=stop):
                name = self.tiles.get(at, f"{at}-0")
                tile = before.board.contents(at).tile
                city = CITIES.get(tile, ENDS[FIRST_STOP:]).index(stop)
                placed = next(event for event in events if isinstance(event, e.StationPlaced))
                there = before.board.contents(at)
                taken = [*(each.stop for each in there.stations), *(each.stop for each in there.reservations)]
                slot = taken.count(placed.station.stop)
                self.by_company(company, "place_token", city=f"{name}-{city}", slot=slot, tokener=site_name(company))
            case a.RunTrains(runs=runs):
                self.by_company(company, "run_routes", routes=self.routes(before, company, runs), extra_revenue=0)
            case a.PayOut():
                self.dividend(company, "payout")
            case a.Withhold():
                self.dividend(company, "withhold")
            case a.Pass():
                self.by_company(company, "pass")
            case a.DiscardTrain() | a.OfferEnd() | a.DeclineEnd() | ClaimLink():
                pass
            case _:
                raise Untranslatable("no_entry_for", action=type(action).__name__)

    def dividend(self, company: CompanyId, kind: str) -> None:
        """Add what is done with a revenue."""
        self.by_company(company, "dividend")
        self.rows[-1]["kind"] = kind

    def write_trade(self, before: State, seat: Seat, action: a.Action, events: tuple[e.Event, ...]) -> None:
        """Write sales, bankruptcies, and the trains that a company got."""
        if isinstance(action, a.SellShares):
            names = [self.share(action.company, number) for number in sold(before, seat, action, events)]
            self.by_player(seat, "sell_shares", shares=names, percent=action.percent)
        if isinstance(action, a.DeclareBankruptcy):
            turn = current_turn(before)
            assert turn is not None
            self.by_company(turn.company, "bankrupt")
        for event in events:
            if isinstance(event, e.TrainMoved) and event.cause in {"train", "forced"}:
                price = self.paid_for(before, action, event)
                name = self.move_train(event.train, event.source, event.target)
                if not isinstance(action, a.DeclareBankruptcy):
                    self.by_company(event.target, "buy_train", train=name, price=price)
                    if event.source in (DISPLAY, POOL):
                        self.rows[-1]["variant"] = event.train

    def paid_for(self, before: State, action: a.Action, event: e.TrainMoved) -> int:
        """Return what a train cost, in Mark."""
        if isinstance(action, a.BuyTrain):
            return action.price
        if isinstance(action, a.Accept):
            price: int = getattr(before.top, "price", 0)
            return price
        return before.sheet.trains[event.train].price

    # Routes -----------------------------------------------------------------------------------------------------------

    def routes(self, state: State, company: CompanyId, runs: tuple[Run, ...]) -> list[_Row]:
        """Return the routes of a run: chains of hexes from stop to stop, with what they earn."""
        judged = self.game.ruleset.policy(RunningPolicy).judge(state, company, runs)
        assert isinstance(judged, RunResult), judged
        kinds = {run.train for run in runs}
        running = {kind: iter([n for n in self.trains[company] if n.partition("-")[0] == kind]) for kind in kinds}
        out = []
        for run, route in zip(runs, judged.routes, strict=True):
            paid = [hex_of(stop.stop) for stop in route.stops if not stop.left_out]
            out.append(
                {
                    "train": next(running[run.train]),
                    "connections": list(connections(state, run)),
                    "hexes": paid,
                    "revenue": route.revenue,
                    "revenue_str": "-".join(paid),
                }
            )
        return out


def sold(before: State, seat: Seat, action: a.SellShares, events: tuple[e.Event, ...]) -> list[int]:
    """Return the certificates that a seller gives, those of another for his director's certificate left out (CMP-07)."""
    company = before.companies[action.company]
    moved = [m.number for m in events if isinstance(m, e.CertificateMoved) and m.cause == "sale"]
    own = [number for number in moved if company.certificates[number].holder == seat]
    return own if len(own) == len(moved) and own else [*own, directors_certificate(company)]


def connections(state: State, run: Run) -> Iterator[list[str]]:
    """Yield the chains of hexes of a route, each from one stop to the next."""
    network = state.board.network
    pieces = {track.ref: track for track in network.tracks.values()}
    chain: list[str] = []
    at_stop = 0
    for ref in run.track:
        chain.append(hex_of(ref))
        at_stop += sum(map(network.is_stop, pieces[ref].ends))
        if at_stop == 2:
            yield chain
            chain, at_stop = [], 0


def seed_of(game: PlayedGame) -> int:
    """Return a seed from which the site draws the locations of the game (CMP-04)."""
    first = max(0, game.seed)
    return next(
        seed for seed in range(first, first + 1000) if draw_of({"settings": {"seed": seed}}) == location_of(game)
    )


def location_of(game: PlayedGame) -> int:
    """Return the number of the locations that were drawn, 1 to 9."""
    return int(game.options.location or game.opening.marks[drawn_mark(LOCATION)])


def round_of(state: State) -> tuple[str, int] | None:
    """Return the round as the site names it, and its number; None where it is neither a stock nor an operating round."""
    frame = next((f for f in state.agenda if isinstance(f, StockRound | OperatingRound)), None)
    if frame is None:
        return None
    return ("Stock Round", frame.number) if isinstance(frame, StockRound) else ("Operating Round", frame.set)


def export(game: PlayedGame) -> _Row:
    """Return a game under `compat` in the form of the site; `Untranslatable` where the site has no such entry."""
    state = game.state
    players = [{"id": seat + 1, "name": name} for seat, name in enumerate(state.names)]
    rules = [name for name, option in OPTIONS.items() if getattr(game.options, option)]
    last = state if state.agenda or not game.actions else game.actions[-1].before
    name, turn = round_of(last) or ("Operating Round", 1)
    return {
        "id": f"hs_trajekt_{seed_of(game)}",
        "description": "",
        "players": players,
        "min_players": 3,
        "max_players": 6,
        "title": "18Rhl",
        "settings": {"seed": seed_of(game), "optional_rules": rules, "player_order": None},
        "status": "finished" if state.outcome else "active",
        "turn": turn,
        "round": name,
        "acting": [seat + 1 for seat in game.awaited],
        "result": {str(seat + 1): total for seat, total in enumerate(game.totals)} if state.outcome else {},
        "actions": RhlExporter(game).entries(),
        "loaded": True,
    }
