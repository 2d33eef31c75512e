"""Routes and revenue of 18LRA: fields over two hexes, ferries, bonuses, the 2+4; best runs against a plain search."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from tests.builders.lra_positions import ADA, firm, opened, with_tiles
from tests.builders.lra_track import TO_KEMPEN
from tests.builders.route_boards import track
from trajekt.engine.board.board import Board, HexContents, Station
from trajekt.engine.board.hexgrid import beyond, opposite
from trajekt.engine.routing.runs import Run, RunResult, Setting
from trajekt.engine.routing.solver import best_runs, has_route
from trajekt.games.lra.components import right_bank
from trajekt.games.lra.route_rules import ROUTES, industry
from trajekt.games.lra.route_search import DEC_HELD
from trajekt.rules.route_validation import judge, shared_track
from trajekt.rules.running_and_dividends import setting_of

TO_OBERHAUSEN = {
    "I5": "7 r1", "H4": "8 r3", "G5": "9 r0", "F6": "1 r0", "F8": "8 r1", "E9": "55 r0", "D10": "8 r4", "D12": "1 r0",
    "C13": "L01 r0", "B14": "L30",
}  # fmt: skip
"""Antwerpen and Dalheim over towns to Homberg, by the ferry to Ruhrort and Oberhausen."""
LONG = "I1 I3 I5 H4 G5 F6:b F8 E9:a D10 D12:a C13 B14 A15:a"
OVER_MINE_AND_MILL = {
    "B2": "4 r2", "D4": "3 r2", "C5": "8 r4", "C7": "9 r1", "C9": "L02 r5", "D10": "9 r2", "E11": "8 r0", "F10": "L17 r0",
}  # fmt: skip


def board_of(*, phase: str = "green", **tiles: str) -> Board:
    return with_tiles(opened(phase=phase), **tiles).board


def placed(board: Board, company: str, at: str, stop: str = "a", kind: str = "") -> Board:
    contents = board.contents(at)
    station = Station(company, "abc".index(stop), kind)
    return board.with_contents(at, replace(contents, stations=(*contents.stations, station)))


def setting(board: Board, company: str, *trains: str, brown: bool = False, facts: tuple[str, ...] = ()) -> Setting:
    colour, industry = ("brown", 40) if brown else ("yellow", 20)
    return Setting(board, company, trains, colour, industry, ROUTES, (), facts)


def along(board: Board, text: str) -> tuple[str, ...]:
    """The track along hexes; those with stops name them as `E9:a`."""
    tokens = []
    for part in text.split():
        stops = board.network.stops_in_hex.get(part, ())
        tokens.append(f"{part}:a" if ":" not in part and stops else part)
    return track(board, " ".join(tokens))


def earned(where: Setting, train: str, text: str) -> int:
    answer = judge(where, (Run(train, along(where.board, text)),))
    assert isinstance(answer, RunResult), answer
    return answer.revenue


def faults(where: Setting, train: str, text: str) -> list[tuple[str, str]]:
    answer = judge(where, (Run(train, along(where.board, text)),))
    assert not isinstance(answer, RunResult), answer
    return [(fault.code, fault.rule) for fault in answer]


def bonuses(where: Setting, train: str, text: str) -> dict[str, int]:
    answer = judge(where, (Run(train, along(where.board, text)),))
    assert isinstance(answer, RunResult), answer
    return {bonus.name: bonus.amount for bonus in answer.routes[0].bonuses}


# Fields and stops ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("LRA-RTE-10")
def test_both_hexes_of_field_one_stop():
    board = board_of(B2="4 r2", D4="3 r2", C5="8 r0", B4="L14 r0")
    where = setting(placed(board, "RhE", "B4", "b"), "RhE", "3")
    assert faults(where, "3", "A1 B2 C3 D4 C5 B4:b A3") == [("same_area", "LRA-RTE-10")]
    assert earned(where, "3", "B2 C3 D4 C5 B4:b A3") == 10 + 10 + 10 + 20 + 10


@pytest.mark.rule("LRA-RTE-10", "COMMON-RTE-03", "COMMON-RTE-08")
def test_aachen_has_two_entrances():
    where = setting(placed(board_of(J4="3 r0"), "ADR", "K3"), "ADR", "4")
    assert ("same_stop_twice", "COMMON-RTE-03") in faults(where, "4", "K3 J2 J4 K3")
    assert ("ends_only", "COMMON-RTE-08") in faults(where, "4", "J2 K3 J4")
    assert earned(where, "4", "K3 J2 J4") == 20 + 20 + 10


@pytest.mark.rule("LRA-RTE-10", "COMMON-RTE-08")
def test_venlo_may_be_passed():
    board = placed(board_of(F2="4 r2"), "RhE", "E1")
    assert earned(setting(board, "RhE", "3"), "3", "C3 D2 E1 F2") == 10 + 20 + 10


@pytest.mark.case("B29")
@pytest.mark.rule("COMMON-RTE-06", "COMMON-RTE-07", "COMMON-RTE-01")
def test_towns_count_only_at_an_end():
    board = placed(board_of(**TO_KEMPEN), "RhE", "E7")
    where = setting(board, "RhE", "2")
    assert earned(where, "2", "D4 E5 E7") == 30
    assert faults(setting(board, "RhE", "3"), "2", "D4 E5 E7")[0][0] == "train_not_owned"
    assert faults(setting(placed(board_of(**TO_KEMPEN), "GVE", "G7"), "RhE", "2"), "2", "D4 E5 E7") == [
        ("no_own_station", "COMMON-RTE-01")
    ]
    assert earned(setting(board, "RhE", "3"), "3", "C3 D4 E5 E7") == 40


@pytest.mark.rule("LRA-RTE-22")
def test_a_ferry_has_the_lower_value():
    state = with_tiles(firm(opened(phase="green"), "BME", ADA), G15="L15", H14="L27")
    where = setting(state.board, "BME", "3")
    assert earned(where, "3", "H14 G15") == 30 + 30
    assert earned(where, "3", "H16 G15") == 20 + 40
    assert earned(where, "3", "H14 G15 H16") == 30 + 30 + 20
    paid = judge(where, (Run("3", along(state.board, "H14 G15")),)).routes[0].stops
    assert [stop.ferry for stop in paid] == [False, True]


@pytest.mark.rule("LRA-RTE-22")
def test_a_bridge_has_one_value():
    state = with_tiles(firm(opened(phase="brown"), "BME", ADA), G15="L34", H14="L39")
    assert earned(setting(state.board, "BME", "3", brown=True), "3", "H14 G15 H16") == 40 + 60 + 40


@pytest.mark.rule("COMMON-RTE-04", "LRA-TOK-15")
def test_full_city_with_harbour_is_end():
    board = board_of(G15="L15", H14="L27", I13="58 r1")
    board = placed(placed(placed(board, "CCE", "H14"), "MKB", "H14", kind="harbour"), "RhE", "G15")
    assert faults(setting(board, "RhE", "3"), "3", "I13 H14 G15") == [("blocked", "LRA-TOK-15")]
    open_place = placed(placed(board_of(G15="L15", H14="L27", I13="58 r1"), "CCE", "H14"), "RhE", "G15")
    assert earned(setting(open_place, "RhE", "3"), "3", "I13 H14 G15") == 10 + 30 + 30


# Bonuses -------------------------------------------------------------------------------------------------------------


@pytest.mark.case("B24")
@pytest.mark.rule("LRA-REV-07", "COMMON-REV-04")
def test_locations_are_printed():
    board = placed(board_of(C15="L16", B14="L30"), "RhE", "B14")
    where = setting(board, "RhE", "3")
    assert bonuses(where, "3", "C15 B14 A15") == {"industry": 20}
    assert earned(where, "3", "C15 B14 A15") == 40 + 20 + 20 + 20
    assert bonuses(setting(board, "RhE", "3", brown=True), "3", "C15 B14 A15") == {"industry": 40}
    assert bonuses(where, "3", "B14 A15") == {}


@pytest.mark.rule("COMMON-REV-04")
@pytest.mark.parametrize(("mines", "mills", "pairs"), [(1, 1, 1), (3, 1, 1), (2, 3, 2), (3, 3, 2)])
def test_industry_pays_two_pairs(mines, mills, pairs):
    stops = [f"{at}:a" for at in (*("A15", "C9", "C13")[:mines], *("B16", "C15", "D14")[:mills])]
    for brown, each in ((False, 20), (True, 40)):
        where = setting(board_of(), "RhE", "6", brown=brown)
        (bonus,) = industry(where, SimpleNamespace(stops=stops))
        assert bonus.amount == pairs * each


@pytest.mark.case("B30")
@pytest.mark.rule("COMMON-REV-08")
def test_iron_rhine_runs_from_antwerpen():
    board = placed(board_of(**TO_OBERHAUSEN), "RhE", "B14")
    where = setting(board, "RhE", "4")
    assert bonuses(where, "4", LONG) == {"iron_rhine": 80}
    assert earned(where, "4", LONG) == 10 + 10 + 4 * 10 + 10 + 20 + 80
    assert bonuses(where, "4", LONG.removesuffix(" A15:a")) == {}


@pytest.mark.rule("LRA-REV-11", "COMMON-REV-04")
def test_own_harbour_pays_mines_and_mills():
    board = board_of(C15="L16", B14="L30")
    own = placed(board, "RhE", "B14", kind="harbour")
    assert bonuses(setting(own, "RhE", "3"), "3", "C15 B14 A15") == {"industry": 20, "harbour": 20}
    others = placed(placed(board, "CCE", "B14", kind="harbour"), "RhE", "B14")
    assert bonuses(setting(others, "RhE", "3"), "3", "C15 B14 A15") == {"industry": 20}
    turned_over = placed(board, "RhE", "B14", kind="turned")
    assert "harbour" not in bonuses(setting(turned_over, "RhE", "3"), "3", "C15 B14 A15")
    assert bonuses(setting(own, "RhE", "3"), "3", "B14 A15") == {"harbour": 10}


@pytest.mark.rule("LRA-REV-12")
def test_dalheim_pays_with_right_bank():
    board = placed(board_of(**TO_OBERHAUSEN), "RhE", "B14")
    active = setting(board, "RhE", "4", facts=(DEC_HELD,))
    assert bonuses(active, "4", LONG) == {"iron_rhine": 80, "dalheim": 20}
    assert bonuses(active, "4", LONG.removesuffix(" A15:a")) == {"dalheim": 20}  # Ruhrort is green
    assert bonuses(active, "4", LONG.removeprefix("I1 I3 I5 H4 G5 ")) == {}  # without Dalheim
    assert "dalheim" not in bonuses(setting(board, "RhE", "4"), "4", LONG)
    left = placed(board_of(**{k: v for k, v in TO_OBERHAUSEN.items() if k != "B14"}), "RhE", "I3")
    assert bonuses(setting(left, "RhE", "4", facts=(DEC_HELD,)), "4", LONG.removesuffix(" B14 A15:a")) == {}


@pytest.mark.rule("LRA-REV-12")
def test_right_bank_cities_count_from_green():
    always = {"A13", "A15", "B16", "D16", "E15", "F16", "H16", "I15", "J16"}
    assert set(right_bank(board_of(C15="L05"))) == always
    assert set(right_bank(board_of(C15="L16", B14="L30", G15="L15"))) == always | {"C15", "B14", "G15"}


@pytest.mark.rule("LRA-REV-12")
def test_marker_counts_for_its_corporation():
    state = with_tiles(firm(opened(phase="green"), "RhE", ADA), **TO_OBERHAUSEN)
    marked = replace(state, marks={**state.marks, "dec_open": "1", "dec": "RhE"})
    assert setting_of(marked, "RhE", ROUTES).facts == (DEC_HELD,)
    assert setting_of(marked, "ADR", ROUTES).facts == ()
    assert setting_of(state, "RhE", ROUTES).facts == ()


# The 2+4 -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LRA-RTE-23")
def test_kreisbahn_visits_one_city_four_towns():
    where = setting(board_of(phase="brown", **TO_KEMPEN, E9="55 r0", E11="9 r1"), "KEG", "2+4", brown=True)
    assert earned(where, "2+4", "A1 B2") == 20 + 10
    assert earned(where, "2+4", "A1 B2 C3 D4 E5 E7") == 20 + 10 + 10 + 10 + 20
    assert earned(where, "2+4", "A1 B2 C3 D4 E5 E7 E9:b") == 80
    assert faults(where, "2+4", "B2 C3 D4 E5 E7") == [("no_own_station", "LRA-RTE-23")]


@pytest.mark.rule("LRA-RTE-23")
def test_no_second_city_no_fifth_town():
    uerdingen = board_of(phase="brown", **TO_KEMPEN, E9="55 r0", E11="9 r1", E13="L43")
    where = setting(uerdingen, "KEG", "2+4", brown=True)
    assert faults(where, "2+4", "A1 B2 C3 D4 E5 E7 E9:b E11 E13") == [("too_long", "LRA-RTE-23")]
    onward = board_of(phase="brown", **TO_KEMPEN, E9="55 r0", E11="8 r1", D12="1 r3")
    five = setting(onward, "KEG", "2+4", brown=True)
    network = onward.network
    entered = next(s for s in ("a", "b") if f"D12:0{s}" in network.piece)
    assert faults(five, "2+4", f"A1 B2 C3 D4 E5 E7 E9:b E11 D12:{entered}") == [("too_long", "LRA-RTE-23")]


@pytest.mark.rule("LRA-RTE-23")
def test_blocked_city_stops_the_kreisbahn():
    board = placed(board_of(phase="brown", **TO_KEMPEN, E9="55 r0"), "CCE", "E7")
    text = "A1 B2 C3 D4 E5 E7 E9:b"
    assert faults(setting(board, "KEG", "2+4", brown=True), "2+4", text) == [("blocked", "COMMON-RTE-04")]
    assert earned(setting(board, "CCE", "2+4", brown=True), "2+4", text) == 80


@pytest.mark.rule("LRA-RTE-23", "COMMON-RTE-11")
def test_kreisbahn_track_is_apart():
    board = placed(board_of(phase="brown", **TO_KEMPEN), "KEG", "E7")
    where = setting(board, "KEG", "2+4", "2", brown=True)
    both = (Run("2+4", along(board, "A1 B2 C3 D4")), Run("2", along(board, "D4 E5 E7")))
    assert judge(where, both).revenue == 50 + 30
    crossing = (Run("2+4", along(board, "A1 B2 C3 D4 E5 E7")), Run("2", along(board, "D4 E5 E7")))
    assert [(f.code, f.rule) for f in judge(where, crossing)] == [("same_track_twice", "COMMON-RTE-11")]


@pytest.mark.rule("LRA-REV-13", "LRA-REV-12")
def test_2_plus_4_earns_no_bonus():
    board = board_of(phase="brown", **OVER_MINE_AND_MILL)
    where = setting(board, "KEG", "2+4", brown=True, facts=(DEC_HELD,))
    text = "A1 B2 C3 D4 C5 C7 C9 D10 E11 F10:b"
    assert bonuses(where, "2+4", text) == {}
    assert earned(where, "2+4", text) == 20 + 4 * 10 + 30
    other = placed(board, "KEG", "F10", "b")
    assert bonuses(setting(other, "KEG", "3", brown=True), "3", text) == {"industry": 40}


@pytest.mark.rule("LRA-RTE-23")
def test_kevelaer_station_serves_no_other_train():
    board = board_of(phase="brown", B2="4 r2").with_contents("A1", HexContents(stations=(Station("GKB", 0),)))
    assert faults(setting(board, "KEG", "2"), "2", "A1 B2") == [("no_own_station", "COMMON-RTE-01")]
    assert not has_route(setting(board, "KEG", "2"))
    assert has_route(setting(board, "KEG", "2+4"))


# Best runs -----------------------------------------------------------------------------------------------------------


def walks(where: Setting, train: str, limit: int = 6000) -> list[tuple[int, Run]]:
    """Every legal route of a train, found by walking without any thought, with its revenue."""
    network = where.network
    found: dict[tuple[str, ...], tuple[int, Run]] = {}
    stack: list[tuple[int, tuple[int, ...]]] = [(stop.node, ()) for stop in network.stops]
    steps = 0
    while stack:
        steps += 1
        assert steps <= limit, "too many walks for the plain search: take another seed"
        node, path = stack.pop()
        if path and network.is_stop(node):
            run = Run(train, tuple(network.tracks[piece].ref for piece in path))
            answer = judge(replace(where, trains=(train,)), (run,))
            if isinstance(answer, RunResult):
                found[min(run.track, run.track[::-1])] = (answer.revenue, run)
        for piece in network.at[node]:
            reverses = (
                bool(path) and not network.is_stop(node) and network.tracks[piece].hex == network.tracks[path[-1]].hex
            )
            if piece in path or reverses:
                continue
            stack.append((network.other_end(piece, node), (*path, piece)))
    return list(found.values())


def plain_best(where: Setting) -> int:
    """The most that all trains together can earn, trying every set of routes."""
    lists = [walks(where, train) for train in where.trains]

    def pick(n: int, runs: tuple[Run, ...]) -> int:
        if n == len(lists):
            return 0
        best = pick(n + 1, runs)
        for revenue, run in lists[n]:
            if not shared_track(where.network, (*runs, run)):
                best = max(best, revenue + pick(n + 1, (*runs, run)))
        return best

    return pick(0, ())


REGIONS = (
    ("A1", "A3", "B2", "B4", "C3", "D2", "E1", "F2", "C5", "D4", "A5"),
    ("B12", "B14", "C11", "C13", "C15", "D12", "A11", "A15", "B16", "D14", "E13"),
    ("G15", "H14", "I13", "F16", "H16", "E15", "D16", "G13", "H12", "C15"),
    ("I3", "I1", "J2", "K3", "J4", "I5", "J6", "I7"),
)


def drawn(rng: random.Random) -> Setting:
    """A small board of tiles that lie there in any turn, some stations, a harbour, a company with trains."""
    printed = opened().sheet
    region = rng.choice(REGIONS)
    contents_by_hex: dict[str, HexContents] = {}
    for at in region:
        hex_ = printed.hexes[at]
        if hex_.fixed or rng.random() < 0.1:
            continue
        fits = []
        for (number, turn), face in printed.rotated.items():
            river = set(face.river_edges)
            if (river and river != set(hex_.face.river_edges)) or (set(face.labels) ^ set(hex_.face.labels)):
                continue
            if {s.kind for s in face.stops} != {s.kind for s in hex_.face.stops} and not face.labels:
                continue
            if face.edges & set(hex_.closed_edges):
                continue
            met = sum(
                opposite(edge) in Board(printed, contents_by_hex).face(there).edges
                for edge in face.edges
                if (there := beyond(at, edge, printed.layout)) in region
            )
            fits.append((met, number, turn))
        fits.sort(reverse=True)
        if fits:
            _, number, turn = rng.choice(fits[:5])
            contents_by_hex[at] = HexContents(number, turn)
    board = Board(printed, contents_by_hex)
    cities = [stop for at in region for stop in board.network.stops_in_hex.get(at, ()) if stop.stop.kind != "town"]
    own = rng.sample(cities, min(len(cities), rng.randint(1, 2)))
    for stop in own:
        kind = "harbour" if stop.stop.harbour_slots and rng.random() < 0.7 else ""
        board = placed(board, "KEG", stop.hex, "abc"[stop.index], kind)
    for stop in cities:
        if stop not in own and rng.random() < 0.2:
            board = placed(board, "BME", stop.hex, "abc"[stop.index])
    trains = tuple(sorted(rng.choices(("2", "3", "4", "2+4"), k=rng.randint(1, 2))))
    if trains.count("2+4") > 1:
        trains = ("2", "2+4")
    brown = rng.random() < 0.5
    facts = (DEC_HELD,) if rng.random() < 0.5 else ()
    return setting(board, "KEG", *trains, brown=brown, facts=facts)


@pytest.mark.rule("LRA-RTE-22", "LRA-RTE-23", "LRA-REV-11", "LRA-REV-12", "COMMON-RTE-11")
@pytest.mark.parametrize("seed", range(60))
def test_best_runs_equal_a_plain_search(seed):
    where = drawn(random.Random(seed))
    found = best_runs(where)
    if found.runs:
        answer = judge(where, found.runs)
        assert isinstance(answer, RunResult), answer
        assert answer.revenue == found.revenue
    assert found.revenue == plain_best(where)
    assert bool(found.runs) == has_route(where)


@pytest.mark.rule("LRA-REV-11", "LRA-RTE-23")
def test_best_runs_by_harbour_and_kreisbahn():
    board = placed(board_of(phase="brown", C15="L35", B14="L42"), "KEG", "B14", kind="harbour")
    where = setting(board, "KEG", "3", brown=True)
    found = best_runs(where)
    assert (found.revenue, found.proved) == (60 + 30 + 50 + 40 + 20, True)  # Duisburg, Ruhrort, Oberhausen
    camp = setting(board_of(phase="brown", **TO_KEMPEN, E9="55 r0"), "KEG", "2+4", brown=True)
    assert best_runs(camp).revenue == 80
    five = board_of(phase="brown", **TO_KEMPEN, E9="55 r0", E11="8 r1", D12="1 r3")
    assert best_runs(setting(five, "KEG", "2+4", brown=True)).revenue == 80  # no fifth town
