"""The search of best runs against a slow and plain oracle, and its promises: time limit, proof, any run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tools.crowded_boards import BLOCKED, settings_of

from tests.builders.random_positions import sheet
from tests.builders.route_boards import EDITION, RULES, board, revenue, run, setting
from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.board.city_blocking import Destination, Passage
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.board.track_graph import stop_ref
from trajekt.engine.components.schema import Sheet
from trajekt.engine.routing import solver
from trajekt.engine.routing.bounds import WalkBound
from trajekt.engine.routing.enumeration import Companion, Listed, Route, SearchClock
from trajekt.engine.routing.runs import Run, RunResult, Setting
from trajekt.engine.routing.solver import any_run, best_runs, enumerator_of, good_runs, has_route
from trajekt.rules.route_validation import judge, shared_track

MOST_WALKS = 4000
REGIONS = (  # neighbouring hexes, with and without a metropolis, at the map's corners where special rules are
    ("F9", "G8", "G10", "H9", "H11", "I10", "J9", "E8", "F11"),
    ("D9", "E8", "E10", "F9", "D11", "C10", "D7", "E6", "F7"),
    ("A6", "B7", "B9", "C10", "C8", "D9", "D7", "A4", "B3", "C4", "C6", "D5"),
    ("C12", "D13", "E14", "C14", "D15", "E12", "F13", "D11", "B13", "B15", "A14"),
    ("K10", "L11", "L13", "K12", "J11", "I10", "J9", "K8", "L9", "I12"),
    ("G2", "H1", "G4", "H3", "H5", "G6", "F5", "E2", "F3", "C14", "D13"),
)
EXPRESS_WAY = {"B9": ("15", 4), "C10": ("88", 2), "D9": ("929", 0), "E10": ("8", 0), "B7": ("8", 2)}


@cache
def with_express_of(edition: int, reach: int) -> Sheet:
    """The sheet with an express of shorter reach, so that it leaves stops out on small boards too."""
    printed = sheet(edition)
    return replace(printed, trains={**printed.trains, "8": replace(printed.trains["8"], reach=reach)})


def kind_of(face) -> tuple:
    """What must agree for a tile to lie on a hex in these tests: the kinds of stops, roughly."""
    kinds = {stop.kind for stop in face.stops}
    return (bool(face.banks), "city" in kinds, "town" in kinds)


def fitting(printed, grounds, at, region) -> list[tuple[str, int]]:
    """Tiles of the kind of the hex in the turns that meet most track of what lies there, green metropolises first."""
    face = printed.hexes[at].face
    scored = []
    for (number, turn), turned in printed.rotated.items():
        if kind_of(turned) != kind_of(face) or (face.banks and turned.banks != face.banks):
            continue
        met = 0
        for edge in turned.edges:
            other = beyond(at, edge, printed.layout)
            there = grounds.get(other)
            if there is not None:
                met += opposite(edge) in Board(printed, grounds).face(other).edges
            elif other in region:
                met += 0.5
        scored.append((met + (turned.ferry_revenue is not None), number, turn))
    scored.sort(reverse=True)
    return [(number, turn) for _, number, turn in scored[:8]]


@st.composite
def settings_of_small_boards(draw) -> Setting:
    rules = draw(st.sampled_from(sorted(RULES)))
    printed = with_express_of(EDITION[rules], draw(st.sampled_from([3, 4, 8])))
    region = draw(st.sampled_from(REGIONS))
    grounds = {}
    cities = []
    for at in region:
        face = printed.hexes[at].face
        ground = HexContents(icons=tuple(draw(st.sampled_from(["", "", "", "K", "S"]))))
        if not printed.hexes[at].fixed and draw(st.integers(0, 8)):
            fit = fitting(printed, grounds, at, region)
            if fit:
                number, turn = draw(st.sampled_from(fit))
                ground = HexContents(number, turn, (), (), ground.icons)
                face = printed.rotated[number, turn]
        grounds[at] = ground
        cities += [(at, n, stop.slots) for n, stop in enumerate(face.stops) if stop.slots]
    express = draw(st.integers(0, 3)) == 0
    if express:
        grounds |= {at: HexContents(tile, turn) for at, (tile, turn) in EXPRESS_WAY.items() if at not in region}
    for at, stop, slots in cities:
        owners = draw(st.lists(st.sampled_from(["X", "Y", "Z"]), max_size=slots, unique=True))
        before = grounds[at]
        here = {station.company for station in before.stations}
        new = tuple(Station(each, stop, asleep=not draw(st.integers(0, 4))) for each in owners if each not in here)
        grounds[at] = HexContents(before.tile, before.rotation, (*before.stations, *new), (), before.icons)
    trains = draw(st.lists(st.sampled_from(["2", "3", "4", "8"]), min_size=1, max_size=3))
    colour, industry = draw(st.sampled_from([("yellow", 20), ("brown", 40)]))
    return Setting(Board(printed, grounds), "X", tuple(trains), colour, industry, RULES[rules])


def walks(where: Setting) -> list[tuple[str, ...]]:
    """Every piece of continuous track from a stop to a stop without a piece twice, each once and not backwards too."""
    network = where.network
    found: set[tuple[str, ...]] = set()

    def go(node: int, last: int | None, done: tuple[int, ...]) -> None:
        assume(len(found) < MOST_WALKS)
        if done and network.is_stop(node):
            refs = tuple(network.tracks[piece].ref for piece in done)
            found.add(min(refs, refs[::-1]))
        for piece in network.at[node]:
            if piece in done:
                continue
            if last is not None and not network.is_stop(node) and network.tracks[last].hex == network.tracks[piece].hex:
                continue
            to = network.other_end(piece, node)
            if network.is_stop(to) and any(to in network.tracks[each].ends for each in done[:-1]) and to != node:
                continue
            go(to, piece, (*done, piece))

    for stop in network.stops:
        go(stop.node, None, ())
    return sorted(found)


def oracle(where: Setting) -> dict[str, list[tuple[int, Run]]]:
    """All legal routes of every kind of train with what they earn, judged one by one."""
    legal: dict[str, list[tuple[int, Run]]] = {kind: [] for kind in where.trains}
    for kind, track in product(legal, walks(where)):
        plain = Run(kind, track)
        answers = [(judge(where, [plain]), plain)]
        if kind == "8":
            reach = where.board.sheet.trains["8"].reach
            choices = combinations(stops_of(where, track), reach)
            answers += [(judge(where, [each]), each) for each in (Run(kind, track, chosen) for chosen in choices)]
        legal[kind] += [(answer.revenue, each) for answer, each in answers if isinstance(answer, RunResult)]
    return legal


def stops_of(where: Setting, track: tuple[str, ...]) -> list[str]:
    network = where.network
    seen: list[str] = []
    for ref in track:
        for end in network.tracks[network.piece[ref]].ends:
            if network.is_stop(end) and network.stop_at[end].stop.kind != "town" and network.refs[end] not in seen:
                seen.append(network.refs[end])
    return seen


def best_together(where: Setting, legal: dict[str, list[tuple[int, Run]]]) -> int:
    """The most that one route each, or none, can earn on separate track."""
    lists = [[*sorted(legal[kind], key=lambda each: -each[0])[:60], (0, None)] for kind in where.trains]
    best = 0
    for chosen in product(*lists):
        total = sum(each[0] for each in chosen)
        if total > best and not shared_track(where.network, [each[1] for each in chosen if each[1] is not None]):
            best = total
    return best


@given(settings_of_small_boards())
@pytest.mark.rule("COMMON-RTE-11")
@pytest.mark.rule("COMMON-RTE-12")
@pytest.mark.case("B92")
def test_search_judge_and_oracle_agree(where):
    legal = oracle(where)
    found = best_runs(where)
    assert found.proved
    assert good_runs(where) == found.revenue
    if all(len(each) < 60 for each in legal.values()):
        assert found.revenue == best_together(where, legal)
    else:
        alone = max((each[0] for routes in legal.values() for each in routes), default=0)
        assert found.revenue >= alone
    exists = any(legal.values())
    assert has_route(where) is exists
    if exists:
        assert revenue(where, *found.runs) == found.revenue
        assert isinstance(judge(where, any_run(where)), RunResult)
    else:
        assert found.runs == () == any_run(where)
        assert judge(where, []) == RunResult((), 0)


@given(settings_of_small_boards(), st.data())
@pytest.mark.rule("COMMON-RTE-11")
def test_best_runs_around_fixed_routes(where, data):
    """Any legal route may be fixed; the rest is the best that the oracle finds on the track it leaves."""
    legal = oracle(where)
    assume(len(where.trains) > 1 and any(legal.values()) and all(len(each) < 60 for each in legal.values()))
    kind = data.draw(st.sampled_from([kind for kind, routes in legal.items() if routes]))
    _, fixed = data.draw(st.sampled_from(legal[kind]))
    rest = list(where.trains)
    rest.remove(kind)
    free = {
        each: [pair for pair in legal[each] if not shared_track(where.network, [fixed, pair[1]])] for each in set(rest)
    }
    found = best_runs(where, fixed=[fixed])
    assert found.proved
    assert found.revenue == best_together(replace(where, trains=tuple(rest)), free)
    together = judge(where, [fixed, *found.runs])
    assert isinstance(together, RunResult)


def in_haste(patch: pytest.MonkeyPatch) -> None:
    """First answers see next to nothing, every proof goes through all its stages."""
    for name in ("FIRST", "EXCHANGED", "QUICK"):
        patch.setattr(solver, name, 2)
    patch.setattr(solver, "LED", 1)


@given(settings_of_small_boards())
@pytest.mark.rule("COMMON-RTE-11")
def test_search_in_haste_finds_the_same(where):
    found = best_runs(where)
    with pytest.MonkeyPatch.context() as patch:
        in_haste(patch)
        other = best_runs(where)
    assert (other.revenue, other.proved) == (found.revenue, True)


@pytest.mark.parametrize("crowd", [c for c in BLOCKED if c.colours == 2 or c.game == "18rhl"], ids=lambda c: c.name)
@pytest.mark.rule("COMMON-RTE-11")
def test_crowded_boards_in_haste(crowd, monkeypatch):
    (where,) = settings_of(crowd, (3,), companies=1)
    found = best_runs(where)
    in_haste(monkeypatch)
    other = best_runs(where)
    assert (other.revenue, other.proved, found.proved) == (found.revenue, True, True)


@given(settings_of_small_boards(), st.integers(0, 200))
@pytest.mark.rule("COMMON-RTE-11")
def test_cutoff_hides_no_better_route(where, cutoff):
    """Whatever is listed without a cutoff and earns more is listed with it, or something as good on no more track."""
    for kind in sorted(set(where.trains)):
        listed = enumerator_of(where, kind, SearchClock(None)).above(cutoff)
        assert all(each.revenue > cutoff for each in listed)
        for route in enumerator_of(where, kind, SearchClock(None)).above(-1):
            if route.revenue > cutoff:
                assert any(each.revenue >= route.revenue and not each.mask & ~route.mask for each in listed)


def bounds_on_the_way(bound: WalkBound, route: Route) -> Iterator[float]:
    """What the bound says of a listed route after each of its segments but the last."""
    segments, root, links, chain = bound.segments, bound.root, [], route.chain
    while chain is not None:
        links.insert(0, chain)
        chain = chain[0]
    at, left, value = root, segments.plan.reach - segments.cost(root), segments.value(root) + segments.double[root]
    marks, seen, arm = segments.marks[root] | segments.begun, segments.bit[root], -1
    for (_, each, begins), (_, _, begins_next) in pairwise(links):
        arm = -1 if begins or not bound.two_arms else links[0][1].to
        before = segments.bit[root if begins else at]
        at, left, value = each.to, left - each.cost, value + each.value + each.double
        marks, seen = marks | each.marks, seen | each.seen
        yield value + bound.more(-1 if begins_next or not each.goes_on else at, before, arm, left, seen, marks)


@pytest.mark.parametrize("crowd", [c for c in BLOCKED if c.colours == 2], ids=lambda c: c.name)
@pytest.mark.rule("COMMON-RTE-11")
def test_bounds_are_never_too_low(crowd):
    """On the way to each route that no bound has cut, the bound is no less than what the route earns in the end."""
    (where,) = settings_of(crowd, (2,), companies=1)
    kind = max(where.trains)
    segments = enumerator_of(where, kind, SearchClock(None)).segments
    bounds = {root: WalkBound(segments, root, 0) for root in segments.roots}
    asked = 0
    for route in enumerator_of(where, kind, SearchClock(None)).above(-1):
        for most in bounds_on_the_way(bounds[route.root], route):
            assert most >= route.revenue
            asked += 1
    assert asked


@pytest.mark.parametrize("crowd", [c for c in BLOCKED if c.colours == 2], ids=lambda c: c.name)
@pytest.mark.rule("COMMON-RTE-11")
def test_companions_omit_only_the_partnerless(crowd):
    (where,) = settings_of(crowd, (1,), companies=1)
    kind = max(where.trains)
    every = enumerator_of(where, kind, SearchClock(None)).above(-1)
    partners, wanted = every[:40], every[0].revenue + every[-1].revenue
    found = enumerator_of(where, kind, SearchClock(None)).above(-1, companion=Companion(Listed(partners), wanted))
    fit = {
        each.mask
        for each in every
        if any(not each.mask & other.mask and each.revenue + other.revenue > wanted for other in partners)
    }
    assert {each.mask for each in found} == fit
    assert fit


def test_answer_is_the_same_each_time():
    """Two boards that are equal have the same best runs, whatever was asked before."""
    one = setting("R2", board("R2", "F9 #927; G8 #8 r1; G6 #948 r0; F11 #9 r1", "DEE F9:a"), "DEE", "3", "2")
    two = setting("R2", board("R2", "F9 #927; G8 #8 r1; G6 #948 r0; F11 #9 r1", "DEE F9:a"), "DEE", "3", "2")
    assert best_runs(one).runs == best_runs(two).runs


@pytest.mark.case("B92")
def test_time_limit_gives_unproved_best():
    """No time at all: what is answered is legal; and it is said that it is not proved."""
    where = crowded()
    found = best_runs(where, limit=0.0)
    assert not found.proved
    assert found.runs == () or revenue(where, *found.runs) == found.revenue


@pytest.mark.case("B92")
@pytest.mark.parametrize("company", ["RhE", "DEE"])
def test_step_limit_gives_same_legal_answer(company):
    """Steps, unlike seconds, are the same on every machine; a company without a station has no run at all."""
    where = replace(crowded(), company=company)
    one, two = best_runs(where, expansions=2000), best_runs(where, expansions=2000)
    assert (one.runs, one.revenue, one.proved) == (two.runs, two.revenue, two.proved)
    if company == "DEE":
        assert (one.runs, one.proved) == ((), True)
    else:
        assert not one.proved
        assert revenue(where, *one.runs) == one.revenue > 0


def crowded() -> Setting:
    """Every plain hex with four ways, every city with all."""
    printed = sheet(2)
    grounds = {}
    for at, each in printed.hexes.items():
        if each.fixed or each.face.colour in ("red", "grey"):
            continue
        kinds = {stop.kind for stop in each.face.stops}
        tile = "932" if each.face.banks else "948" if "city" in kinds else "933" if kinds else "47"
        stations = (Station("RhE", 0),) if at in ("I10", "F9") else ()
        grounds[at] = HexContents(tile, 0, stations)
    return Setting(Board(printed, grounds), "RhE", ("6", "6"), "brown", 40, RULES["R2"])


def test_only_stations_keep_the_network():
    on = board("R2", "F9 #927; G8 #8 r1", "DEE F9:a")
    network = on.network
    ground = on.contents("F9")
    assert on.with_contents("F9", HexContents(ground.tile, ground.rotation, ())).network is network
    assert on.with_contents("G8", HexContents("8", 2)).network is not network
    assert "G8:24" in on.with_contents("G8", HexContents("8", 2)).network.piece


def test_passage_follows_the_search_problem():
    """A stop shut by the passage is on no route, a blocked one at the end only, a terminal one likewise."""
    on = board("R2", "K4 #4 r1; J9 #9 r0; K8 #8 r1", "RhE K6:a")
    plain = RULES["R2"]

    def where(passage: Passage) -> Setting:
        rules = type(plain)(lambda *_: passage, plain.checks, plain.pay, plain.bonuses, plain.plan, plain.must_run)
        return Setting(on, "RhE", ("4",), "yellow", 20, rules)

    assert best_runs(where(Passage())).revenue == 30 + 20 + 10 + 20
    assert best_runs(where(Passage(shut={"K2:a": "x"}))).revenue == 30 + 20 + 10
    assert best_runs(where(Passage(blocked={"K6:a": "x"}))).revenue == 80
    assert best_runs(where(Passage(terminal=frozenset({"K6:a"})))).revenue == 50
    pair = {"K2:a": Destination("d"), "I10:a": Destination("d")}
    assert best_runs(where(Passage(shared=pair))).revenue == 30 + 20 + 10
    assert Passage(shared=pair).destination("K2:a") == "d"
    assert Passage(blocked={"K2:a": "x"}).may_pass("K2:a") is False
    assert stop_ref("K2", 0) == "K2:a"
    assert run(on, "2", "K6:a K4:a K2:a").track == ("K6:1a", "K4:4a", "K4:1a", "K2:4a")
