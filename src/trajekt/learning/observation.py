"""Observations: a position as arrays, seen from a seat, with all that a player sees and nothing else.

Players come in the order of the table, the one who looks first. Money is in thousands of Mark (prices and values of stops in
hundreds), shares are parts of a company. Nothing is cut off: a number may be above 1. `Observer.layout` names every column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from trajekt.engine.agenda import awaited
from trajekt.engine.ruleset import Ruleset
from trajekt.engine.state import CHARTER, IPO, POOL, Company, Frame, Holder, Private, Seat, State
from trajekt.learning.board_features import BoardFeatures
from trajekt.learning.name_codes import NONE, text_code, value_code
from trajekt.learning.observation_layout import ArrayLayout, Column, ObservationLayout
from trajekt.round_label import round_of
from trajekt.rules.trains import of_the_bank

DEPTH = 8
"""The frames of the agenda that are shown, from the top."""

NAMED = 48
"""The places for what a game keeps under names: money set aside, marks."""

OwnFacts = Callable[[State], Sequence[tuple[str, float]]]


def _columns(*pairs: tuple[str, str]) -> tuple[Column, ...]:
    return tuple(Column(name, meaning) for name, meaning in pairs)


PLAYER = _columns(
    ("cash", "thousands of Mark"),
    ("loans", "thousands of Mark"),
    ("bids", "money promised in bids, thousands of Mark"),
    ("certificates", "certificates that count for the limit, as a part of the limit"),
    ("priority", "1: has the priority"),
    ("awaited", "1: a decision of this player is awaited"),
    ("bankrupt", "1: bankrupt"),
    ("peace", "1: agrees to end the game now"),
)
TRAIN = _columns(
    ("display", "how many lie on display, divided by those there were"),
    ("pool", "how many lie in the pool"),
    ("gone", "how many are out of the game"),
    ("on sale", "1: the bank sells one now"),
    ("opened", "1: the first of its kind has been sold"),
    ("price", "hundreds of Mark"),
    ("reach", "the stops that it counts, divided by 10"),
)
FACTS = _columns(
    ("bank", "tens of thousands of Mark"),
    ("seat", "the seat that looks, from 0"),
    ("seats", "how many play"),
    ("set", "number of the stock round, or of the set of operating rounds"),
    ("round", "number of the operating round in its set, 0 in other rounds"),
    ("rounds", "how many operating rounds the set has"),
    ("ends after or", "1: the game ends after this operating round"),
    ("ends after sr", "1: the game ends after the next set of operating rounds"),
    ("over", "1: the game has ended"),
)


def _company_columns(kinds: Iterable[str], players: int) -> tuple[Column, ...]:
    fixed = _columns(
        ("price", "of one share, hundreds of Mark; 0 before there is a marker"),
        ("row", "of its price marker, from 1, divided by the rows of the market"),
        ("place", "column of its price marker, from 1, divided by the columns of the market"),
        ("order", "place in the operating order, from 1, divided by the companies; 0: none"),
        ("in turn", "1: this company's turn, or an offer it makes, is on"),
        ("par", "hundreds of Mark"),
        ("treasury", "thousands of Mark"),
        ("debt", "thousands of Mark"),
        ("revenue", "of its last run, hundreds of Mark; 0 before"),
        ("founded", "1: founded"),
        ("floated", "1: floated"),
        ("operated", "1: has operated"),
        ("receivership", "1: in receivership"),
        ("due", "1: capital is still to be paid"),
        ("tokens", "unused station tokens, divided by 4"),
        ("next token", "its cost, hundreds of Mark"),
        ("offering", "part of the company in the initial offering"),
        ("charter", "part on its charter"),
        ("pool", "part in the pool"),
        ("director's", "1: the director's certificate is with a player"),
    )
    trains = [Column(f"train:{kind}", "how many of these trains it owns") for kind in kinds]
    shares = [Column(f"share:{n}", f"part held by the player {n} places on") for n in range(players)]
    director = [Column(f"director:{n}", f"1: directed by the player {n} places on") for n in range(players)]
    return (*fixed, *trains, *shares, *director)


MARKET = 5  # columns of a company that hang on the market and the turn, not on its charter alone


def _private_columns(players: int) -> tuple[Column, ...]:
    fixed = _columns(
        ("open", "1: not closed"),
        ("sold", "1: has an owner"),
        ("used", "1: its power is used"),
        ("price", "hundreds of Mark, as printed"),
        ("revenue", "hundreds of Mark"),
    )
    owner = [Column(f"owner:{n}", f"1: of the player {n} places on") for n in range(players)]
    bids = [Column(f"bid:{n}", f"standing bid of the player {n} places on, hundreds of Mark") for n in range(players)]
    return (*fixed, *owner, *bids)


class Observer:
    """Makes observations of positions of one ruleset and number of players.

    What has not changed since the last position is not worked out again, so one observer serves one game at a time best.
    """

    def __init__(
        self, ruleset: Ruleset, players: int, own_facts: OwnFacts | None = None, opening: State | None = None
    ) -> None:
        self.ruleset, self.sheet, self.players = ruleset, ruleset.sheet, players
        self.board = BoardFeatures(ruleset)
        self.frames = {kind: number for number, kind in enumerate(ruleset.duties)}
        self._width = 1 + max(len(kind.__struct_fields__) for kind in self.frames)
        self._own_facts = own_facts
        self._kinds = tuple(self.sheet.trains)
        self._ids = {company: n for n, company in enumerate(self.sheet.companies)}
        own = own_facts(opening) if own_facts is not None and opening is not None else ()
        self.layout = self._layout([name for name, _ in own])
        count, width = len(self._ids), len(self.layout.array("companies").columns)
        self._company_rows = np.zeros((count, width), np.float32)
        self._companies: list[Company | None] = [None] * count
        self._privates: tuple[object, object] = (None, None)
        self._private_rows: Any = None
        self._supply: tuple[object, Any] = (None, None)
        self._agenda_rows: dict[int, tuple[Frame, tuple[int, ...]]] = {}
        self._rings = [[(seat + n) % players for n in range(players)] for seat in range(players)]
        self._tracks = [len(market_row) for market_row in self.sheet.market.rows]

    def _layout(self, own: Sequence[str]) -> ObservationLayout:
        board, sheet, players = self.board, self.sheet, self.players
        hexes, columns = len(board.hexes), board.columns
        company = _company_columns(self._kinds, players)
        private = _private_columns(players)
        frames = [Column("kind", "number of the kind of frame in `frames`; -1: no frame")]
        frames += [Column(f"field {n}", "its next field in order; a text as a code") for n in range(1, self._width)]
        named = _columns(("name", "code of the name; -1: an empty place"), ("value", "Mark, or the code of a text"))
        real, whole = "float32", "int32"
        arrays = [
            ArrayLayout("board", (hexes, len(columns)), real, "the map as a graph: a row for each hex", columns),
            ArrayLayout(
                "planes", (len(columns), *board.grid), real, "the map as planes: the columns of `board`", columns
            ),
            ArrayLayout("edges", (hexes, 6), whole, "by hex and edge: the hex to which track leads over it, or -1"),
            ArrayLayout("companies", (len(self._ids), len(company)), real, "a row for each company", company),
            ArrayLayout(
                "players", (players, len(PLAYER)), real, "a row for each player, the one who looks first", PLAYER
            ),
            ArrayLayout("trains", (len(self._kinds), len(TRAIN)), real, "a row for each kind of train", TRAIN),
            ArrayLayout("tiles", (len(sheet.tiles),), real, "how many of each tile are left"),
            ArrayLayout("phase", (len(sheet.phases),), real, "1 at the phase that is on"),
            ArrayLayout("agenda", (DEPTH, self._width), whole, "what is to be done, from the top", tuple(frames)),
            ArrayLayout("facts", (len(FACTS),), real, "the rest of the table", FACTS),
            ArrayLayout("aside", (NAMED, 2), whole, "money set aside, by name in order", named),
            ArrayLayout("marks", (NAMED, 2), whole, "small facts of the game, by name in order", named),
        ]
        if sheet.privates:
            size = (len(sheet.privates), len(private))
            arrays.append(ArrayLayout("privates", size, real, "a row for each private company", private))
        if own:
            meaning = "what only this game has; amounts as they are, money in Mark"
            columns = tuple(Column(name, "as its name says") for name in own)
            arrays.append(ArrayLayout("own", (len(own),), real, meaning, columns))
        names = {
            "board": board.hexes,
            "companies": tuple(self._ids),
            "trains": self._kinds,
            "tiles": tuple(sheet.tiles),
            "privates": tuple(map(str, sheet.privates)),
            "phase": tuple(phase.name for phase in sheet.phases),
            "frames": tuple(str(kind.__struct_config__.tag) for kind in self.frames),
        }
        return ObservationLayout(tuple(arrays), names)

    def observe(self, state: State, seat: Seat) -> dict[str, Any]:
        """Return a position as a seat sees it, by the names of the layout."""
        acting = self._acting(state)
        self.board.look(state.board, state.phase, acting)
        found = {
            "board": self.board.nodes(),
            "planes": self.board.planes(),
            "edges": self.board.edges(),
            **self.observe_beside_board(state, seat, acting),
        }
        return {each.name: found[each.name] for each in self.layout.arrays}

    def observe_beside_board(self, state: State, seat: Seat, acting: str | None = None) -> dict[str, Any]:
        """Return all arrays but those of the board."""
        ring = self._rings[seat]
        found = {
            "companies": self._company_table(state, ring, self._acting(state) if acting is None else acting),
            "players": self._player_table(state, ring),
            "trains": self._train_table(state),
            "tiles": self._tiles(state),
            "phase": self._phase(state),
            "agenda": self._agenda(state),
            "facts": self._facts(state, seat),
            "aside": _by_name(state.aside.items()),
            "marks": _by_name(state.marks.items()),
        }
        if self.sheet.privates:
            found["privates"] = self._private_table(state, ring)
        if self._own_facts is not None:
            found["own"] = np.array([value for _, value in self._own_facts(state)], np.float32)
        return found

    def _acting(self, state: State) -> str:
        """The company whose turn is on, or in whose turn something is asked; empty for none."""
        for frame in reversed(state.agenda):
            company = frame.acting()
            if company in self._ids:
                return company
        return ""

    def _company_table(self, state: State, ring: Sequence[Seat], acting: str) -> Any:
        rows, known = self._company_rows, self._companies
        fixed = MARKET + 15 + len(self._kinds)
        for number, company in enumerate(state.companies.values()):
            if company is not known[number]:
                known[number] = company
                rows[number, MARKET:] = self._company_row(company)
        table = rows.copy()
        shares = [fixed + seat for seat in ring]
        table[:, fixed:] = rows[:, shares + [place + self.players for place in shares]]
        market, height = state.sheet.market, len(self._tracks)
        order = {name: place for place, name in enumerate(state.operating_order, 1)}
        for name, space in state.markers.spaces.items():
            row, place = space
            table[self._ids[name], :4] = (
                market.price(space) / 100,
                row / height,
                place / self._tracks[row - 1],
                order[name] / len(self._ids),
            )
        if acting:
            table[self._ids[acting], 4] = 1
        return table

    def _company_row(self, company: Company) -> list[float]:
        places: tuple[Holder, ...] = (IPO, CHARTER, POOL)
        return [
            company.par / 100,
            company.treasury / 1000,
            company.debt / 1000,
            (company.revenue or 0) / 100,
            company.founded,
            company.floated,
            company.operated,
            company.receivership,
            company.due,
            len(company.stations) / 4,
            company.stations[0] / 100 if company.stations else 0,
            *[company.percent(place) / 100 for place in places],
            any(paper.director and isinstance(paper.holder, int) for paper in company.certificates),
            *[company.trains.count(kind) for kind in self._kinds],
            *[company.percent(seat) / 100 for seat in range(self.players)],
            *[company.director == seat for seat in range(self.players)],
        ]

    def _player_table(self, state: State, ring: Sequence[Seat]) -> Any:
        waiting = awaited(self.ruleset, state)
        limit = max(1, self.sheet.limits.certificates.get(self.players, 1))
        rows = []
        for seat in ring:
            player = state.players[seat]
            rows.append(
                (
                    player.cash / 1000,
                    player.loans / 1000,
                    state.committed_to_bids(seat) / 1000,
                    state.certificate_count(seat) / limit,
                    state.priority == seat,
                    seat in waiting,
                    player.bankrupt,
                    seat in state.peace,
                )
            )
        return np.array(rows, np.float32)

    def _train_table(self, state: State) -> Any:
        depot, on_sale = state.depot, {kind for _, kind in of_the_bank(state)}
        rows = [
            (
                depot.display.get(kind, 0) / max(1, train.count),
                depot.pool.count(kind),
                depot.gone.count(kind),
                kind in on_sale,
                kind in depot.sold,
                train.price / 100,
                train.reach / 10,
            )
            for kind, train in self.sheet.trains.items()
        ]
        return np.array(rows, np.float32)

    def _private_table(self, state: State, ring: Sequence[Seat]) -> Any:
        if (state.privates, state.bids) != self._privates or self._private_rows is None:
            bids = {(bid.private, bid.seat): bid.amount / 100 for bid in state.bids}
            rows = [self._private_row(private, bids) for private in state.privates.values()]
            self._privates, self._private_rows = (state.privates, state.bids), np.array(rows, np.float32)
        owners = [5 + seat for seat in ring]
        return self._private_rows[:, [*range(5), *owners, *[place + self.players for place in owners]]]

    def _private_row(self, private: Private, bids: dict[tuple[int, Seat], float]) -> list[float]:
        printed, seats = self.sheet.privates[private.number], range(self.players)
        return [
            private.open,
            private.owner is not None,
            private.used,
            printed.price / 100,
            printed.revenue / 100,
            *[private.owner == seat and private.open for seat in seats],
            *[bids.get((private.number, seat), 0) for seat in seats],
        ]

    def _tiles(self, state: State) -> Any:
        if self._supply[0] is not state.supply:
            left = [state.supply.get(tile, 0) for tile in self.sheet.tiles]
            self._supply = state.supply, np.array(left, np.float32)
        return self._supply[1].copy()

    def _phase(self, state: State) -> Any:
        return np.array([phase.name == state.phase for phase in self.sheet.phases], np.float32)

    def _agenda(self, state: State) -> Any:
        rows = np.full((DEPTH, self._width), NONE, np.int32)
        for depth, frame in enumerate(reversed(state.agenda[-DEPTH:])):
            codes = self._frame_codes(frame)
            rows[depth, : len(codes)] = codes
        return rows

    def _frame_codes(self, frame: Frame) -> tuple[int, ...]:
        known = self._agenda_rows.get(id(frame))
        if known is not None and known[0] is frame:
            return known[1]
        codes = (self.frames[type(frame)], *[value_code(value) for value in msgspec.structs.astuple(frame)])
        if len(self._agenda_rows) > 4 * DEPTH:
            self._agenda_rows.clear()
        self._agenda_rows[id(frame)] = frame, codes
        return codes

    def _facts(self, state: State, seat: Seat) -> Any:
        now = round_of(state)
        ending = state.ending == "or", state.ending == "sr", bool(state.outcome)
        return np.array([state.bank / 10_000, seat, self.players, now.set, now.number, now.of, *ending], np.float32)


def _by_name(pairs: Iterable[tuple[str, object]]) -> Any:
    """Write what stands under names, in the order of the names; what has no place any more is an error."""
    table = np.full((NAMED, 2), NONE, np.int32)
    rows = [(text_code(name), value_code(value)) for name, value in sorted(pairs)]
    if rows:
        table[: len(rows)] = rows
    return table
