"""The run step on the page: the runs offered, better ones sought while a person looks, and routes drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import msgspec

from trajekt.engine.actions import RunTrains
from trajekt.engine.decisions import decide
from trajekt.engine.events import TrainsRan
from trajekt.engine.routing.runs import RouteRules, Run
from trajekt.engine.routing.solver import BestRuns
from trajekt.engine.ruleset import Refusal
from trajekt.engine.state import Seat, State
from trajekt.game import Game
from trajekt.i18n.sentences import Speaker, refusal_line
from trajekt.i18n.spoken import stop_name
from trajekt.rules.operating_round import current_turn, turn_of
from trajekt.rules.running_and_dividends import RunningPolicy, setting_of
from trajekt.server.presenters.decision import terms
from trajekt.server.presenters.map_and_market import route_layers
from trajekt.server.services.route_sketch import Drawing, Drawn, filled, joined, runs_of
from trajekt.server.storage.cached_game import CachedGame, PerPosition

LIMITS = (2.0, 6.0, 20.0)
"""Seconds of the searches for better runs than those offered, one after another as long as nothing is proved."""


class Sought(msgspec.Struct):
    """Findings of the searches for a position: the best runs so far, and how many searches have ended."""

    best: BestRuns | None = None
    searches: int = 0
    lock: Any = msgspec.field(default_factory=Lock)


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


def better(cached: CachedGame, game: Game, seat: Seat, speaker: Speaker) -> dict[str, Any]:
    """The best runs known after one more search, as the page shows an offer; `more`: it is worth asking again."""
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
        return {"number": game.number, "more": False}
    lines, rings = route_layers(state, game.title, [list(run.track) for run in offered])
    return {
        "number": game.number,
        "more": more,
        "proved": proved,
        "action": msgspec.to_builtins(RunTrains(tuple(offered))),
        "seat": seat,
        "terms": terms(ran, speaker, state.board),
        "revenue": say.money(ran.revenue),
        "label": say.text("page.run_for", revenue=say.money(ran.revenue)),
        "sketches": sketches(game, company, ran),
        "lines": lines,
        "rings": rings,
    }


def drawn(game: Game, speaker: Speaker, drawing: Drawing) -> dict[str, Any]:
    """Routes drawn by hand: their track, their sums and what they cost against the best, or why they cannot be run."""
    state, say, turn = game.state, speaker.catalogue, current_turn(game.state)
    seat = game.to_act[0] if game.to_act else 0
    refusal, rule, action, ran = "", "", None, None
    found = joined(state, drawing.runs)
    if drawing.rest and turn is not None:
        found = with_best_rest(game, turn.company, found)
    missing = next((each.missing for each in found if each.missing), None)
    if missing is not None:
        start, end = (stop_name(state.board, ref) for ref in missing)
        refusal = say.text("page.route.no_track", start=start, end=end)
    else:
        answer = ran_by(game, seat, runs_of(found))
        if isinstance(answer, Refusal):
            refusal, rule = refusal_line(speaker, answer), answer.rule
        elif answer is not None:
            ran = answer
            action = msgspec.to_builtins(RunTrains(tuple(runs_of(found))))
    lines, rings = route_layers(state, game.title, [list(each.track) for each in found])
    less = drawing.best - ran.revenue if ran is not None else 0
    return {
        "refusal": refusal,
        "game": game.title.id,
        "rule": rule,
        "action": action,
        "seat": seat,
        "terms": terms(ran, speaker, state.board) if ran is not None else (),
        "revenue": say.money(ran.revenue) if ran is not None else "",
        "less": say.text("page.route.less", amount=say.money(less)) if less > 0 else "",
        "label": say.text("page.run_for", revenue=say.money(ran.revenue)) if ran is not None else "",
        "lines": lines,
        "rings": rings,
        "rest": any(each.track for each in found) and not all(each.track for each in found),
        "skips": bool(found)
        and turn is not None
        and may_skip(game, turn.company, found[drawing.active % len(found)].sketch.train),
        "stops": [list(each.stops) for each in found],
        "tracks": [list(each.track) for each in found],
        "pays": [list(each.sketch.pays) for each in found],
        "runs": [
            {
                "n": n % 6 + 1,
                "train": speaker.train(each.sketch.train),
                "stops": _named(each, state),
                "active": n == drawing.active,
            }
            for n, each in enumerate(found)
        ],
    }


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


def sketches(game: Game, company: str, ran: TrainsRan | None) -> str:
    """The offered runs as the page needs them for drawing: stops and track by train, and the trains that stay in the shed.

    `skips`: trains that may leave stops out. `best`: what the offer earns, in Mark.
    """
    state = game.state
    left = list(state.companies[company].trains) if company else []
    out: list[dict[str, Any]] = []
    for run in ran.runs if ran is not None else ():
        train = str(run["train"])
        if train in left:
            left.remove(train)
        stops = run.get("stops")
        seen = [stop for stop in stops if isinstance(stop, dict)] if isinstance(stops, list | tuple) else []
        paid = [str(stop["stop"]) for stop in seen if not stop.get("left_out")]
        out.append(
            {
                "train": train,
                "stops": [str(stop["stop"]) for stop in seen],
                "track": run["track"],
                "pays": paid if len(paid) < len(seen) else [],
            }
        )
    out += [{"train": train, "stops": [], "track": [], "pays": []} for train in left]
    counts = {at: len(here) for at, here in state.board.network.stops_in_hex.items()}
    skips = [kind for kind in dict.fromkeys(each["train"] for each in out) if may_skip(game, company, kind)]
    best = ran.revenue if ran is not None else 0
    return msgspec.json.encode({"runs": out, "stops": counts, "skips": skips, "best": best}).decode()


def may_skip(game: Game, company: str, train: str) -> bool:
    """Tell whether a train may leave out stops of its route (RHL-RTE-20)."""
    rules = game.ruleset.by_type.get(RouteRules)
    if not isinstance(rules, RouteRules) or train not in game.state.sheet.trains:
        return False
    return rules.plan(setting_of(game.state, company, rules, (train,)), train).skips
