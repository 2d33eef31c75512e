"""The run step on the page: the runs offered, better ones sought while a person looks, and routes drawn by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import ClassVar

import msgspec

from trajekt.engine.actions import RunTrains
from trajekt.engine.board.track_graph import PieceRef, StopRef
from trajekt.engine.components.schema import HexId, TrainKind
from trajekt.engine.decisions import decide
from trajekt.engine.events import TrainsRan
from trajekt.engine.routing.runs import RouteRules, Run
from trajekt.engine.routing.solver import BestRuns
from trajekt.engine.ruleset import Choice, Refusal
from trajekt.engine.state import Seat, State
from trajekt.game import Game
from trajekt.i18n.sentences import Catalogue, Speaker, refusal_line
from trajekt.i18n.spoken import stop_name
from trajekt.rules.operating_round import current_turn, turn_of
from trajekt.rules.running_and_dividends import RunningPolicy, setting_of
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.presenters.decision import Term, terms
from trajekt.server.presenters.map_and_market import route_layers
from trajekt.server.presenters.page_model import Fill, PageModel
from trajekt.server.presenters.position_view import choices_at, position
from trajekt.server.services.hand_drawn_routes import Drawing, Drawn, filled, joined, runs_of
from trajekt.server.services.table_service import TableService
from trajekt.server.storage.cached_game import CachedGame, PerPosition

LIMITS = (2.0, 6.0, 20.0)
"""Seconds of the searches for better runs than those offered, one after another as long as nothing is proved."""


@dataclass(eq=False)
class Sought:
    """Findings of the searches for a position: the best runs so far, and how many searches have ended."""

    best: BestRuns | None = None
    searches: int = 0
    lock: Lock = field(default_factory=Lock)


SOUGHT = PerPosition[Sought]()


def sought(cached: CachedGame, game: Game) -> tuple[BestRuns | None, bool]:
    """The best runs known after one more search, and whether another could find better ones.

    Takes seconds: to be called in a thread. Of several who ask at once the others wait and get what the first has found.
    """
    kept = SOUGHT.get(cached, Sought, game.number)
    asked = kept.searches
    with kept.lock:
        if kept.searches == asked and not _done(kept):
            company = turn_of(game.state).company
            policy = game.ruleset.policy(RunningPolicy)
            found = policy.search(game.state, company, LIMITS[asked], ())
            assert isinstance(found, BestRuns)
            if kept.best is None or found.proved or found.revenue > kept.best.revenue:
                kept.best = found
            kept.searches += 1
        return kept.best, not _done(kept)


def _done(kept: Sought) -> bool:
    return kept.searches == len(LIMITS) or (kept.best is not None and kept.best.proved)


def ran_by(game: Game, seat: Seat, runs: Sequence[Run]) -> TrainsRan | Refusal | None:
    """Return what an action with these runs would record, or why it is refused."""
    answer = decide(game.ruleset, game.state, seat, RunTrains(tuple(runs)))
    return answer if isinstance(answer, Refusal) else next((e for e in answer.events if isinstance(e, TrainsRan)), None)


@dataclass(frozen=True, slots=True)
class OfferPart(PageModel):
    """The runs offered with their sums; `more`: another search may find better ones."""

    template: ClassVar[str] = "offer.html"
    terms: Sequence[Term]
    revenue: str
    proved: bool
    more: bool
    say: Catalogue


class BetterRuns(msgspec.Struct, frozen=True):
    """The best runs known at entry `number`, to be shown in place of the offer; `more`: it is worth asking again.

    `label` is the confirmation, `html` the sums, `sketches` the runs as they are edited by hand, `lines` and `rings` drawings.
    """

    number: int
    more: bool
    proved: bool
    action: RunTrains
    seat: Seat
    label: str
    html: str
    sketches: str
    lines: str
    rings: str
    revenue: str


class NoBetterRuns(msgspec.Struct, frozen=True):
    """The answer where no runs are offered, or the game stands at another entry: nothing is worth asking for again."""

    number: int
    more: bool = False


def offered_run(table: TableService, cached: CachedGame, viewer: Viewer) -> Choice | None:
    """The runs offered to the viewer at the head of a game; None where nothing is to run, or somebody else is asked."""
    seats = table.seats(cached, viewer)
    found = (c for c in choices_at(cached, position(cached)) if isinstance(c.action, RunTrains) and c.seat in seats)
    return next(found, None)


def better(cached: CachedGame, game: Game, seat: Seat, speaker: Speaker, fill: Fill) -> BetterRuns | NoBetterRuns:
    """The best runs known after one more search, as the page shows an offer."""
    state, say = game.state, speaker.catalogue
    company = turn_of(state).company
    offered: Sequence[Run] = game.ruleset.policy(RunningPolicy).best(state, company)
    best, more = sought(cached, game)
    ran = ran_by(game, seat, offered)
    proved = best is not None and best.proved
    if best is not None:
        found = ran_by(game, seat, best.runs)
        if isinstance(found, TrainsRan) and (not isinstance(ran, TrainsRan) or found.revenue >= ran.revenue):
            ran, offered = found, best.runs
    if not isinstance(ran, TrainsRan):
        return NoBetterRuns(game.number)
    lines, rings = route_layers(state, game.title, [list(run.track) for run in offered])
    revenue = say.money(ran.revenue)
    return BetterRuns(
        number=game.number,
        more=more,
        proved=proved,
        action=RunTrains(tuple(offered)),
        seat=seat,
        label=say.text("page.run_for", revenue=revenue),
        html=fill(
            OfferPart(terms(ran, speaker, state.board, state.companies[ran.company].trains), revenue, proved, more, say)
        ),
        sketches=sketches(game, company, ran),
        lines=lines,
        rings=rings,
        revenue=revenue,
    )


@dataclass(frozen=True, slots=True)
class DrawnRoute:
    """A route drawn by hand: the number of its colour, its train, its stops by name; `active`: it is under the hand."""

    n: int
    train: str
    stops: str
    active: bool


@dataclass(frozen=True, slots=True)
class DrawnRoutesPart(PageModel):
    """Routes drawn by hand, with their sums or the reason why they cannot be run.

    `less` says what they cost against the best, `rest` whether idle trains can be filled in, `skips` whether the train under
    the hand may leave stops out.
    """

    template: ClassVar[str] = "route_drawing.html"
    say: Catalogue
    game: str
    refusal: str
    rule: str
    terms: Sequence[Term]
    revenue: str
    less: str
    rest: bool
    skips: bool
    runs: Sequence[DrawnRoute]


class DrawnRoutes(msgspec.Struct, frozen=True):
    """Routes drawn by hand: the action that runs them or the refusal, and of each route its stops, its track and what pays.

    `less` says what they cost against the best, `rest` whether idle trains can be filled in, `skips` whether the train under
    the hand may leave stops out. `lines` and `rings` are their drawing, `html` the sums in words.
    """

    refusal: str
    game: str
    rule: str
    action: RunTrains | None
    seat: Seat
    revenue: str
    less: str
    label: str
    lines: str
    rings: str
    rest: bool
    skips: bool
    stops: Sequence[Sequence[StopRef]]
    tracks: Sequence[Sequence[PieceRef]]
    pays: Sequence[Sequence[StopRef]]
    html: str


def drawn(game: Game, speaker: Speaker, drawing: Drawing, fill: Fill) -> DrawnRoutes:
    """Routes drawn by hand: their track, their sums and what they cost against the best, or why they cannot be run."""
    state, say, turn = game.state, speaker.catalogue, current_turn(game.state)
    seat = game.to_act[0] if game.to_act else 0
    found = joined(state, drawing.runs)
    if drawing.rest and turn is not None:
        found = with_best_rest(game, turn.company, found)
    tried = attempt(game, speaker, seat, found)
    ran = tried.ran
    revenue = say.money(ran.revenue) if ran is not None else ""
    less = drawing.best - ran.revenue if ran is not None else 0
    active = found[drawing.active % len(found)].sketch.train if found else ""
    part = DrawnRoutesPart(
        say=say,
        game=game.title.id,
        refusal=tried.refusal,
        rule=tried.rule,
        terms=terms(ran, speaker, state.board) if ran is not None else (),
        revenue=revenue,
        less=say.text("page.route.less", amount=say.money(less)) if less > 0 else "",
        rest=any(each.track for each in found) and not all(each.track for each in found),
        skips=turn is not None and may_skip(game, turn.company, active),
        runs=[
            DrawnRoute(n % 6 + 1, speaker.train(each.sketch.train), _named(each, state), n == drawing.active)
            for n, each in enumerate(found)
        ],
    )
    lines, rings = route_layers(state, game.title, [list(each.track) for each in found])
    return DrawnRoutes(
        refusal=tried.refusal,
        game=part.game,
        rule=tried.rule,
        action=RunTrains(tuple(runs_of(found))) if ran is not None else None,
        seat=seat,
        revenue=revenue,
        less=part.less,
        rest=part.rest,
        skips=part.skips,
        label=say.text("page.run_for", revenue=revenue) if ran is not None else "",
        lines=lines,
        rings=rings,
        stops=[each.stops for each in found],
        tracks=[each.track for each in found],
        pays=[each.sketch.pays for each in found],
        html=fill(part),
    )


@dataclass(frozen=True, slots=True)
class Attempt:
    """Routes as they would be run, or the sentence that refuses them and its rule; neither where nothing is drawn."""

    ran: TrainsRan | None = None
    refusal: str = ""
    rule: str = ""


def attempt(game: Game, speaker: Speaker, seat: Seat, found: Sequence[Drawn]) -> Attempt:
    """Let a company run its trains as they are drawn; a gap in the track is told before the rules are asked."""
    missing = next((each.missing for each in found if each.missing), None)
    if missing is not None:
        start, end = (stop_name(game.state.board, ref) for ref in missing)
        return Attempt(refusal=speaker.catalogue.text("page.route.no_track", start=start, end=end))
    answer = ran_by(game, seat, runs_of(found))
    if isinstance(answer, Refusal):
        return Attempt(refusal=refusal_line(speaker, answer), rule=answer.rule)
    return Attempt(answer)


def with_best_rest(game: Game, company: str, drawn: list[Drawn]) -> list[Drawn]:
    """The routes drawn, and for the trains without one the best that these leave; as they are where they may not be run."""
    fixed = tuple(runs_of(drawn))
    best = game.ruleset.policy(RunningPolicy).search(game.state, company, LIMITS[0], fixed)
    return drawn if isinstance(best, Refusal) else filled(drawn, best.runs[len(fixed) :], game.state.board.network)


def _named(each: Drawn, state: State) -> str:
    """The stops of a route by name; those that do not pay stand in brackets."""
    pays = each.sketch.pays
    names = ((ref, stop_name(state.board, ref)) for ref in each.stops)
    return ", ".join(name if not pays or ref in pays else f"({name})" for ref, name in names)


class SketchedRun(msgspec.Struct, frozen=True):
    """A run as the page edits it: stops and track in order; `pays` names the stops that pay where some are left out."""

    train: TrainKind
    stops: Sequence[StopRef] = ()
    track: object = ()
    pays: Sequence[StopRef] = ()


class Sketches(msgspec.Struct, frozen=True):
    """The offered runs as the page edits them. `stops` counts the stops by hex, `best` is what the offer earns in Mark.

    `skips`: trains that may leave stops out.
    """

    runs: Sequence[SketchedRun]
    stops: Mapping[HexId, int]
    skips: Sequence[TrainKind]
    best: int


def sketches(game: Game, company: str, ran: TrainsRan | None) -> str:
    """The offered runs as JSON for drawing: stops and track by train, and the trains that stay in the shed."""
    state = game.state
    left = list(state.companies[company].trains) if company else []
    out: list[SketchedRun] = []
    for run in ran.runs if ran is not None else ():
        train = str(run["train"])
        if train in left:
            left.remove(train)
        stops = run.get("stops")
        seen = [stop for stop in stops if isinstance(stop, dict)] if isinstance(stops, list | tuple) else []
        paid = [str(stop["stop"]) for stop in seen if not stop.get("left_out")]
        pays = paid if len(paid) < len(seen) else []
        out.append(SketchedRun(train, [str(stop["stop"]) for stop in seen], run["track"], pays))
    out += [SketchedRun(train) for train in left]
    counts = {at: len(here) for at, here in state.board.network.stops_in_hex.items()}
    skips = [kind for kind in dict.fromkeys(each.train for each in out) if may_skip(game, company, kind)]
    return msgspec.json.encode(Sketches(out, counts, skips, ran.revenue if ran is not None else 0)).decode()


def may_skip(game: Game, company: str, train: str) -> bool:
    """Tell whether a train may leave out stops of its route (RHL-RTE-20)."""
    rules = game.ruleset.by_type.get(RouteRules)
    if not isinstance(rules, RouteRules) or train not in game.state.sheet.trains:
        return False
    return rules.plan(setting_of(game.state, company, rules, (train,)), train).skips
