"""Openings of games: prices of the starting package, first pars and floats, and how their owners ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, median

import msgspec

from trajekt.engine.components.schema import CompanyId
from trajekt.engine.events import DirectorChanged, Event, Paid, ParSet, PrivateMoved, StatusSet
from trajekt.engine.state import Seat
from trajekt.game import Entry, Game
from trajekt.round_label import round_key

PURCHASES = frozenset({"private", "package", "capital"})
"""Causes of payments for a certificate of the starting package."""


class Lot(msgspec.Struct, frozen=True):
    """A certificate of the starting package: who bought it, for how many Mark, and the place in which he ended (0: not yet)."""

    private: int
    seat: Seat
    price: int
    place: int


class Founding(msgspec.Struct, frozen=True):
    """The beginning of a company: par in Mark, rounds of par and float (empty: never), first director, his place (0: none)."""

    company: CompanyId
    par: int
    round: str
    floated: str
    seat: Seat | None
    place: int


class Opening(msgspec.Struct, frozen=True):
    """The opening of one game; companies in the order in which they were founded."""

    game: str
    ruleset: str
    players: int
    finished: bool
    lots: tuple[Lot, ...]
    foundings: tuple[Founding, ...]


def opening_of(game: Game) -> Opening:
    """Return the opening of the line that stands.

    >>> import trajekt
    >>> game = trajekt.new_game("18rhl", ["Ada", "Bert", "Cleo"], {"fixed_seats": True}, seed=7)
    >>> opening_of(game.at(game.play(game.choices()[0]).number)).lots
    (Lot(private=1, seat=0, price=20, place=0),)
    """
    places = {each.seat: each.rank for each in game.standings()} if game.finished else {}
    lots: list[Lot] = []
    par: dict[CompanyId, tuple[int, str]] = {}
    floated: dict[CompanyId, str] = {}
    directors: dict[CompanyId, Seat] = {}
    for entry in game.line():
        round_ = round_key(game.state_at(entry.parent))
        lots += (Lot(number, seat, price, places.get(seat, 0)) for number, seat, price in purchases(entry))
        for event in entry.events:
            if isinstance(event, ParSet):
                par.setdefault(event.company, (event.par, round_))
            elif isinstance(event, StatusSet) and event.status == "floated" and event.value:
                floated.setdefault(event.company, round_)
            elif isinstance(event, DirectorChanged) and event.seat is not None:
                directors.setdefault(event.company, event.seat)
    foundings = tuple(
        Founding(company, price, round_, floated.get(company, ""), first, 0 if first is None else places.get(first, 0))
        for company, (price, round_) in par.items()
        for first in (directors.get(company),)
    )
    return Opening(game.title.id, game.ruleset.name, len(game.names), game.finished, tuple(lots), foundings)


def purchases(entry: Entry) -> Iterator[tuple[int, Seat, int]]:
    """The certificates that players bought in an entry: number, seat, and price in Mark.

    One entry may settle several auctions; a seat's payments stand in the order of its certificates.
    """
    paid: dict[Seat, list[int]] = {}
    for event in entry.events:
        if isinstance(event, Paid) and isinstance(event.source, int) and event.cause in PURCHASES:
            paid.setdefault(event.source, []).append(event.amount)
    for event in entry.events:
        if isinstance(event, PrivateMoved) and _bought(event, paid):
            yield event.private, event.seat, paid[event.seat].pop(0)


def _bought(event: Event, paid: dict[Seat, list[int]]) -> bool:
    return isinstance(event, PrivateMoved) and bool(paid.get(event.seat))


class LotRow(msgspec.Struct, frozen=True):
    """A certificate over many games: how often it was bought, prices in Mark, mean place of its owners (0: none ended)."""

    private: int
    games: int
    least: int
    middle: float
    most: int
    place: float


class FoundingRow(msgspec.Struct, frozen=True):
    """A company over many games: how often it was founded and floated, its pars in Mark with how often, the mean place of its
    first directors (0: none ended), and how often it was among the first to float.
    """

    company: CompanyId
    founded: int
    floated: int
    pars: dict[int, int]
    first: int
    place: float


class OpeningTable(msgspec.Struct, frozen=True):
    """The openings of games by the same rules with the same number of players."""

    ruleset: str
    players: int
    games: int
    lots: tuple[LotRow, ...]
    companies: tuple[FoundingRow, ...]


def tables_of(openings: Iterable[Opening]) -> list[OpeningTable]:
    """Return the tables of many openings, by ruleset and number of players."""
    groups: dict[tuple[str, int], list[Opening]] = {}
    for each in openings:
        groups.setdefault((each.ruleset, each.players), []).append(each)
    return [
        OpeningTable(ruleset, players, len(group), tuple(_lots(group)), tuple(_companies(group)))
        for (ruleset, players), group in sorted(groups.items())
    ]


def _lots(group: Sequence[Opening]) -> Iterator[LotRow]:
    bought: dict[int, list[Lot]] = {}
    for opening in group:
        for lot in opening.lots:
            bought.setdefault(lot.private, []).append(lot)
    for private, lots in sorted(bought.items()):
        prices = [lot.price for lot in lots]
        yield LotRow(private, len(lots), min(prices), float(median(prices)), max(prices), _mean(x.place for x in lots))


def _companies(group: Sequence[Opening]) -> Iterator[FoundingRow]:
    founded: dict[CompanyId, list[Founding]] = {}
    first: dict[CompanyId, int] = {}
    for opening in group:
        begun = [each.floated for each in opening.foundings if each.floated]
        for each in opening.foundings:
            founded.setdefault(each.company, []).append(each)
            first[each.company] = first.get(each.company, 0) + bool(begun and each.floated == begun[0])
    for company, each_one in sorted(founded.items(), key=lambda item: (-len(item[1]), item[0])):
        pars = [each.par for each in each_one]
        counted = {par: pars.count(par) for par in sorted(set(pars))}
        floated = sum(1 for each in each_one if each.floated)
        place = _mean(each.place for each in each_one)
        yield FoundingRow(company, len(each_one), floated, counted, first[company], place)


def _mean(places: Iterable[int]) -> float:
    """The mean of the places that are known, rounded to hundredths; 0 for none."""
    known = [place for place in places if place]
    return round(fmean(known), 2) if known else 0.0
