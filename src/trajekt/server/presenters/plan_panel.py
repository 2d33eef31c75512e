"""The panel of a board to plan on, and the ghosts that a plan lays over the live map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from trajekt.engine.components.schema import HexId
from trajekt.engine.events import FramePushed, StationPlaced, TileLaid, TrainMoved, TrainsRan
from trajekt.engine.routing.solver import BestRuns
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import State
from trajekt.game import ARRANGED, Entry, Game
from trajekt.i18n.sentences import Catalogue, Speaker, event_line, refusal_line
from trajekt.rendering.hex_geometry import centre
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.placement_by_hand import (
    AnyPlacement,
    StationPut,
    TilePut,
    TrainGiven,
    against,
    foundable,
    has_turns,
    pars_of,
)
from trajekt.server.presenters.action_preview import HexDrawing
from trajekt.server.presenters.decision import tracks
from trajekt.server.presenters.map_and_market import hex_svg, route_layers
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.services.plans import changed_hexes, planned


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """Something put on the board by hand, and what the rules have against it."""

    text: str
    against: Sequence[str]


@dataclass(frozen=True, slots=True)
class PlanPanel(PageModel):
    """The panel: forms to put things on the board, and all that was put there."""

    template: ClassVar[str] = "plan.html"
    say: Catalogue
    hexes: Sequence[tuple[HexId, str]]
    tiles: Sequence[str]
    companies: Sequence[tuple[str, str]]
    trains: Sequence[tuple[str, str]]
    phases: Sequence[tuple[str, str]]
    players: Sequence[tuple[str, str]]
    founded: Sequence[tuple[str, str]]
    foundable: Sequence[tuple[str, str]]
    in_turn: Sequence[tuple[str, str]]
    pars: Sequence[int]
    sizes: Sequence[int]
    placed: Sequence[PlacedLine]


class Ghosts(msgspec.Struct, frozen=True):
    """Drawings of a plan for the live map: hexes as they would lie, the lines of runs."""

    number: int
    hexes: Sequence[HexDrawing]
    lines: str


class ProvedRun(msgspec.Struct, frozen=True):
    """The best run of a company on a board: a sentence, and the lines of it."""

    text: str
    lines: str


def plan_panel(game: Game, speaker: Speaker) -> PlanPanel:
    """The panel of a board as it stands."""
    state, sheet = game.state, game.state.sheet
    return PlanPanel(
        say=speaker.catalogue,
        hexes=[(at, speaker.hex(at)) for at in sheet.hexes],
        tiles=[tile for tile, left in state.supply.items() if left > 0],
        companies=[(c, speaker.company(c)) for c in state.companies],
        trains=[(kind, speaker.train(kind)) for kind in sheet.trains if _there(state, kind)],
        phases=[(phase.name, speaker.phase(phase.name)) for phase in sheet.phases],
        players=[(str(seat), name) for seat, name in enumerate(speaker.names)],
        founded=[(c.id, speaker.company(c.id)) for c in state.companies.values() if c.founded],
        foundable=[(c, speaker.company(c)) for c in foundable(game.ruleset, state)],
        in_turn=[
            (c.id, speaker.company(c.id))
            for c in state.companies.values()
            if c.director is not None and has_turns(game.ruleset, c.id)
        ],
        pars=pars_of(sheet),
        sizes=sorted({each.percent for c in state.companies.values() for each in c.certificates if not each.director}),
        placed=[_line(game, entry, speaker) for entry in game.line() if entry.kind == ARRANGED],
    )


def _there(state: State, kind: str) -> bool:
    return state.depot.display.get(kind, 0) > 0 or kind in state.depot.pool


def _line(game: Game, entry: Entry, speaker: Speaker) -> PlacedLine:
    before = game.state_at(entry.parent)
    lines = [line for event in entry.events if (line := event_line(speaker, event))]
    for event in entry.events:
        if isinstance(event, FramePushed) and isinstance(event.frame, CompanyTurn):
            company = speaker.company(event.frame.company)
            lines.insert(0, f"{speaker.catalogue.text('page.plan.turn')}: {company}")
    found: list[Refusal] = [fault for put in _placements(entry) for fault in against(before, put)]
    return PlacedLine("; ".join(lines), [refusal_line(speaker, fault) for fault in found])


def _placements(entry: Entry) -> list[AnyPlacement]:
    """The placements that an entry was made of, read off its events."""
    found: list[AnyPlacement] = []
    for event in entry.events:
        match event:
            case TileLaid():
                found.append(TilePut(event.hex, event.tile, event.rotation))
            case StationPlaced():
                found.append(StationPut(event.hex, event.station.company, chr(ord("a") + event.station.stop)))
            case TrainMoved():
                found.append(TrainGiven(event.target, event.train))
    return found


def ghosts_of(live: Game, plan: Game) -> Ghosts:
    """Return what a plan would change on the map of the live table."""
    state, title = plan.state, plan.title
    layout = state.sheet.layout
    hexes = [HexDrawing(at, *centre(layout, at), hex_svg(state, title, at)) for at in changed_hexes(live, plan)]
    ran = [event for entry in planned(live, plan) for event in entry.events if isinstance(event, TrainsRan)]
    lines = route_layers(state, title, tracks(ran[-1]))[0] if ran else ""
    return Ghosts(plan.number, hexes, lines)


def proved_run(game: Game, company: str, found: BestRuns, speaker: Speaker) -> ProvedRun:
    """The best run of a company in words, and whether nothing legal earns more."""
    say = speaker.catalogue
    key = "page.plan.run.proved" if found.proved else "page.plan.run.best"
    text = say.text(key, company=speaker.company(company), revenue=say.money(found.revenue))
    lines = [[str(ref) for ref in run.track] for run in found.runs]
    return ProvedRun(text, route_layers(game.state, game.title, lines)[0] if lines else "")
