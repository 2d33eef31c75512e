"""Crowded boards for measuring the search of best runs: a game's map built up as far as its tiles go.

Every hex is laid and upgraded by the game's own rules of succession, colour after colour from the middle of the map
outwards, each time by the tile that meets most track; no tile is used more often than there are of it. Then come the homes
and further stations. Equal arguments give equal boards.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.board.hexgrid import beyond, centre, opposite
from trajekt.engine.board.upgrades import legal_upgrades
from trajekt.engine.components.schema import CompanyDefinition
from trajekt.engine.routing.runs import RouteRules, Setting
from trajekt.engine.ruleset import Ruleset
from trajekt.registry import title

FURTHER_STATIONS = 2


@dataclass(frozen=True)
class Crowd:
    """A measure: a game with its options, the colours its map is built up to, and the trains of one company."""

    game: str
    options: tuple[tuple[str, Any], ...]
    colours: int
    trains: tuple[str, ...]
    alone: bool = False
    """Whether no other company has stations, so that nothing is blocked: the hardest boards."""

    @property
    def name(self) -> str:
        """A word for people: game, edition and trains."""
        edition = "".join(f" {name} {value}" for name, value in self.options)
        return f"{self.game}{edition} {', '.join(self.trains)}{' alone' if self.alone else ''}"


RHL1, RHL2 = (("edition", 1),), (("edition", 2),)
BLOCKED = (
    *(Crowd("18rhl", RHL1, 4, trains) for trains in (("6", "6"), ("6", "8"), ("8", "8"))),
    *(Crowd("18rhl", RHL1, 2, trains) for trains in (("3", "3", "3", "3"), ("4", "4", "4"))),
    *(Crowd("18rhl", RHL2, 4, trains) for trains in (("5", "6"), ("6", "6"), ("8", "8"))),
    *(Crowd("18rhl", RHL2, 2, trains) for trains in (("3", "3", "3", "3"), ("4", "4", "4"))),
    *(Crowd("18lra", (), 4, trains) for trains in (("6", "6"), ("2+4", "6", "6"))),
    *(Crowd("18lra", (), 2, trains) for trains in (("3", "3", "3", "3"), ("4", "4", "3"))),
    *(Crowd("18ruhr", (), 4, trains) for trains in (("6", "6"), ("6", "8"), ("8", "8"))),
    *(Crowd("18ruhr", (), 2, trains) for trains in (("3", "3", "3", "3"), ("4", "4", "4"))),
)
CROWDS = (*BLOCKED, *(replace(crowd, alone=True) for crowd in BLOCKED))


@cache
def ruleset_of(game: str, options: tuple[tuple[str, Any], ...]) -> Ruleset:
    """The game's rules with these options."""
    chosen_title = title(game)
    chosen = chosen_title.options(dict(options))
    return chosen_title.build(chosen_title.sheet(chosen, None), chosen)


@cache
def crowded(game: str, options: tuple[tuple[str, Any], ...], colours: int, seed: int) -> Board:
    """The map of a game built up to its `colours`-th colour, as far as the tiles go, without stations."""
    sheet = ruleset_of(game, options).sheet
    rng = random.Random(seed)
    left = {number: tile.count for number, tile in sheet.tiles.items()}
    places = {at: centre(at, sheet.layout) for at in sheet.hexes}
    x = sum(place[0] for place in places.values()) / len(places)
    y = sum(place[1] for place in places.values()) / len(places)
    away = {at: (px - x) ** 2 + (py - y) ** 2 + rng.random() for at, (px, py) in places.items()}
    board = Board(sheet, {})
    for _ in range(colours):
        for at in sorted(places, key=lambda at: (not sheet.hexes[at].face.stops, away[at])):
            contents = board.contents(at)
            fits = legal_upgrades(sheet, at, contents.tile, contents.rotation)
            best = max(
                (
                    (_score(board, at, fit.face.edges) + rng.random(), fit.tile, fit.rotation)
                    for fit in fits.values()
                    if left[fit.tile] > 0
                ),
                default=None,
            )
            if best is None:
                continue
            if contents.tile:
                left[contents.tile] += 1
            left[best[1]] -= 1
            board = board.with_contents(at, HexContents(best[1], best[2]))
    return board


def _score(board: Board, at: str, edges: frozenset[int]) -> float:
    total = 0.0
    for edge in edges:
        other = beyond(at, edge, board.sheet.layout)
        if other not in board.sheet.hexes:
            continue
        open_yet = not (board.contents(other).tile or board.sheet.hexes[other].fixed)
        total += 1.5 if opposite(edge) in board.face(other).edges else 0.5 if open_yet else -0.5
    return total


def _with_stations(board: Board, companies: Sequence[CompanyDefinition], seed: int) -> Board:
    """Homes, and two more stations for each company where there is room."""
    rng = random.Random(seed)
    for company in companies:
        home = company.homes[0]
        board = _placed(board, company.id, home.hex, min(home.stop, len(board.face(home.hex).stops) - 1))
    for _ in range(FURTHER_STATIONS):
        for company in companies:
            open_yet = [stop for stop in board.network.stops if _room(board, stop.hex, stop.index, company.id)]
            if open_yet:
                stop = rng.choice(open_yet)
                board = _placed(board, company.id, stop.hex, stop.index)
    return board


def _room(board: Board, at: str, index: int, company: str) -> bool:
    stations, stop = board.contents(at).stations, board.face(at).stops[index]
    return (
        stop.kind == "city"
        and all(s.company != company for s in stations)
        and sum(s.stop == index for s in stations) < stop.slots
    )


def _placed(board: Board, company: str, at: str, index: int) -> Board:
    contents = board.contents(at)
    stations = (*contents.stations, Station(company, index))
    return board.with_contents(at, HexContents(contents.tile, contents.rotation, stations, (), contents.icons))


def settings_of(crowd: Crowd, seeds: Sequence[int], companies: int = 2) -> list[Setting]:
    """What the search is asked: the crowd's boards of these seeds, for the first companies that have a home."""
    rules = ruleset_of(crowd.game, crowd.options)
    phase = rules.sheet.phases[-1 if crowd.colours > 2 else 1]
    homes = [c for c in rules.sheet.companies.values() if c.homes]
    found = []
    for seed in seeds:
        bare = crowded(crowd.game, crowd.options, crowd.colours, seed)
        for company in homes[:companies]:
            board = _with_stations(bare, [company] if crowd.alone else homes, seed)
            routes = rules.policy(RouteRules)
            variants = rules.sheet.variants
            found.append(Setting(board, company.id, crowd.trains, phase.values, phase.industry_bonus, routes, variants))
    return found
