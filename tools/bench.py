"""Speed, as figures and as ratios to a fixed loop timed beside them (`make bench`).

The loop ("calib") is 2 million rounds of `x = (x + i*i) % 1000003` in the same Python, so that figures of different machines
can be compared. Garbage is looked for as seldom as by the table (`trajekt serve`). The game is the recorded one beside the
project; where that is missing, one played at random.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trajekt.engine.board.board import Board

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT / "src"), str(PROJECT)]

RECORDED = PROJECT.parent / "shared" / "recorded" / "18rhl-first-edition-2026.json"
ROUNDS = 2_000_000


def calib(times: int = 3, clock: Callable[[], float] = perf_counter) -> float:
    """Seconds of the fixed loop, the best of several."""

    def loop() -> None:
        x = 0
        for i in range(ROUNDS):
            x = (x + i * i) % 1000003

    return min(timed(loop, clock) for _ in range(times))


def timed(work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Seconds that some work takes."""
    began = clock()
    work()
    return clock() - began


def at(values: Sequence[float], share: float) -> float:
    """The value below which a share of all lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Report:
    """What was measured, printed line by line and kept for `--json`."""

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self.figures: dict[str, Any] = {"calib_seconds": round(unit, 4)}

    def line(self, name: str, text: str, **figures: float | str) -> None:
        """A line for people and its figures."""
        print(f"{name:<34} {text}", flush=True)
        self.figures[name] = figures

    def spread(self, name: str, seconds: Sequence[float]) -> None:
        """Median, 99th percentile and the worst of many, in milliseconds and in thousandths of the loop."""
        p50, p99, worst = (1000 * at(seconds, 0.5), 1000 * at(seconds, 0.99), 1000 * max(seconds))
        ratio = 1000 * at(seconds, 0.99) / 1000 / self.unit
        text = f"p50 {p50:8.3f} ms   p99 {p99:8.3f} ms   max {worst:8.3f} ms   p99 {ratio:.4f} calib   n {len(seconds)}"
        self.line(name, text, p50_ms=p50, p99_ms=p99, max_ms=worst, p99_calib=ratio, n=len(seconds))


def the_game(file: Path) -> Any:
    """The recorded game, or one played at random where the file is missing."""
    from trajekt.import_18xx import read_export

    if file.exists():
        return read_export(file.read_bytes())
    import random

    from trajekt import new_game
    from trajekt.bots.bot import RandomBot, next_action

    print(f"no {file}: a random game is measured instead")
    game = new_game("18rhl", ["Ada", "Bert", "Cleo"], {"edition": 1}, seed=1)
    rng = random.Random(1)
    players = [RandomBot(rng) for _ in game.names]
    while not game.finished:
        chosen = next_action(game.ruleset, game.state, players, rng)
        assert chosen is not None
        game.play(chosen[1], chosen[0])
    return game


def opening(game: Any) -> Any:
    """The game's set-up again, with nothing remembered."""
    from trajekt.engine.decisions import start

    return start(game.ruleset, game.names, game.seed, shuffle=not game.title.fixed_seats(game.options)).state


def replayed(game: Any, each: Callable[[Any, Any], None] | None = None) -> Any:
    """Decide all actions of the game once more; `each` sees every position before its action."""
    from trajekt.engine.decisions import Decision, decide

    state = opening(game)
    for entry in game.line():
        if each is not None:
            each(state, entry)
        before = state.board
        answer = decide(game.ruleset, state, entry.seat, entry.action)
        assert isinstance(answer, Decision), answer
        state = answer.state
        if state.board is not before:
            before.forget()
    return state


def bench_replay(report: Report, game: Any) -> None:
    """The whole game through the full rules, every route judged."""
    first = timed(lambda: replayed(game))
    gc.collect()
    # the loop is timed between the replays, so that both meet the same machine
    units, replays = [report.unit], [first]
    for _ in range(6):
        replays.append(timed(lambda: replayed(game)))
        units.append(calib(1))
    best, unit = min(replays), min(units)
    count = len(game.line())
    text = f"{best:.3f} s = {best / unit:.2f} calib   {count / best:,.0f} actions/s   n {count}   first {first:.3f} s"
    report.line("replay, full rules", text, seconds=best, calib=best / unit, actions=count)


def bench_choices(report: Report, game: Any) -> None:
    """Listing every legal choice of every seat, in every position of the game, with nothing remembered of it."""
    from trajekt.engine.decisions import legal

    seconds: list[float] = []

    def listed(state: Any, _entry: Any) -> None:
        seconds.append(timed(lambda: legal(game.ruleset, state)))

    replayed(game, listed)
    report.spread("listing all choices", seconds)


def bench_runs(report: Report, game: Any) -> None:
    """The best runs in every position in which trains ran."""
    from trajekt.engine.actions import RunTrains
    from trajekt.rules.operating_round import turn_of

    seconds: list[float] = []
    proved = 0

    def search(state: Any, entry: Any) -> None:
        nonlocal proved
        if isinstance(entry.action, RunTrains):
            company = turn_of(state).company
            began = perf_counter()
            found = game.title.best_runs(game.ruleset, state, company, None)
            seconds.append(perf_counter() - began)
            proved += found.proved

    replayed(game, search)
    p50, p90, worst = (1000 * at(seconds, share) for share in (0.5, 0.9, 1))
    share = proved / len(seconds)
    text = f"median {p50:.2f} ms   p90 {p90:.2f} ms   max {worst:.2f} ms   proved {share:.0%}   n {len(seconds)}"
    report.line("best runs", text, p50_ms=p50, p90_ms=p90, max_ms=worst, proved=share, n=len(seconds))


CROWD_LIMIT = 10.0  # seconds for each crowded board
FIRST_LIMIT = 0.3  # seconds of a first answer
SOON = {False: 3.0, True: 8.0}  # seconds in which a board is to be proved: blocked, and with nothing blocked


def forget(board: Board) -> None:
    """EmptyBody is known of a board, as after a lay; and nobody need look through what is left of those before."""
    board.forget()
    gc.collect()


def bench_crowds(report: Report, seeds: Sequence[int]) -> None:
    """The best runs on crowded boards of each game, and what a first answer of 300 ms is worth, by the processor's clock."""
    from tools.crowded_boards import CROWDS, settings_of

    from trajekt.engine.routing.solver import best_runs

    within = proved = good = count = 0
    by_size: dict[int, list[float]] = {}
    for crowd in CROWDS:
        seconds: list[float] = []
        firsts: list[float] = []
        sure = 0
        for setting in settings_of(crowd, seeds):
            forget(setting.board)
            early = best_runs(setting, FIRST_LIMIT, now=process_time)
            forget(setting.board)
            found = best_runs(setting, CROWD_LIMIT, now=process_time)
            seconds.append(found.seconds)
            firsts.append(early.revenue / found.revenue if found.revenue else 1.0)
            sure += found.proved
            within += found.proved and found.seconds < SOON[crowd.alone]
            by_size.setdefault(len(setting.network.tracks) // 50 * 50, []).append(found.seconds)
        number = len(seconds)
        count, proved, good = count + number, proved + sure, good + sum(first >= 0.95 for first in firsts)
        middle, worst = at(seconds, 0.5), max(seconds)
        text = (
            f"median {1000 * middle:7.1f} ms   max {1000 * worst:7.1f} ms = {worst / report.unit:.2f} calib"
            f"   proved {sure}/{number}   first at least {min(firsts):.2f}"
        )
        report.line(
            crowd.name, text, p50_ms=1000 * middle, max_ms=1000 * worst, proved=sure / number, first=min(firsts)
        )
    text = f"proved {proved}/{count}   in 3 s, alone in 8 s {within}/{count}   first within 5 % {good}/{count}"
    report.line("crowded boards", text, proved=proved / count, within=within / count, good_first=good / count)
    for size, seconds in sorted(by_size.items()):
        middle = 1000 * at(seconds, 0.5)
        text = f"median {middle:.1f} ms   p90 {1000 * at(seconds, 0.9):.1f} ms   n {len(seconds)}"
        report.line(f"crowded, {size} to {size + 49} tracks", text, p50_ms=middle, p90_ms=1000 * at(seconds, 0.9))


AROUND = 25  # actions on either side, so that one slow kind of action does not stand for all


def bench_growth(report: Report, game: Any) -> None:
    """Time per action as a game grows longer: the actions around the 100th, 500th and 1,000th, of the longest game there is."""
    from random import Random

    from trajekt import new_game
    from trajekt.bots.bot import RandomBot, next_action

    played = new_game("18rhl", list(game.names[:3]), {"edition": 2}, seed=3)
    rng = Random(3)
    players = [RandomBot(rng) for _ in played.names]
    seconds: list[float] = []
    while not played.finished and len(seconds) < 1000 + AROUND:
        chosen = next_action(played.ruleset, played.state, players, rng)
        assert chosen is not None
        seconds.append(timed(lambda chosen=chosen: played.play(chosen[1], chosen[0])))
    for place in (100, 500, 1000):
        near = seconds[place - AROUND : place + AROUND]
        if near:
            mean = sum(near) / len(near)
            text = f"mean {1000 * mean:.3f} ms = {mean / report.unit:.5f} calib   n {len(near)}"
            report.line(f"an action around the {place}th", text, mean_ms=1000 * mean, calib=mean / report.unit)
    from trajekt.engine.events import Paid
    from trajekt.engine.evolve import evolve
    from trajekt.engine.state import BANK

    times = 10_000
    state, payment = played.state, Paid(BANK, 0, 10, "dividend")

    def copies() -> None:
        for _ in range(times):
            evolve(state, payment)

    each = timed(copies) / times
    report.line("a copy with a payment in it", f"{1e6 * each:.2f} microseconds", us=1e6 * each)


def bench_table(report: Report, game: Any) -> None:
    """From the request's bytes to the stored entry, as the table does it, on SQLite; and taking an action back."""
    import msgspec

    from trajekt.game import Game
    from trajekt.server.services.table_service import TableService
    from trajekt.server.storage.game_cache import GameCache
    from trajekt.server.storage.store import Store

    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/bench.db")
        store.migrate()
        table = TableService(GameCache(store))
        fresh = Game(game.title, game.ruleset, game.options, game.names, game.seed, game.opening)
        table.cache.create("bench", fresh)
        acts: list[float] = []
        for number, entry in enumerate(game.line()):
            plain = {"number": number, "seat": entry.seat, "action": msgspec.to_builtins(entry.action)}
            data = msgspec.json.encode(plain)
            acts.append(timed(lambda data=data: table.act("bench", data)))
        undos: list[float] = []
        redos: list[float] = []
        number = len(acts)
        for _ in range(150):
            undos.append(timed(lambda n=number: table.undo("bench", msgspec.json.encode({"number": n}))))
            redos.append(timed(lambda n=number + 1: table.redo("bench", msgspec.json.encode({"number": n}))))
            number += 2
        report.spread("act, request to store", acts)
        report.spread("act, last third of the game", acts[-len(acts) // 3 :])
        report.spread("undo, at the end of the game", undos)
        report.spread("redo, at the end of the game", redos)
        cold = timed(lambda: TableService(GameCache(store)).cache.get("bench"))
        report.line("opening the table from the store", f"{1000 * cold:.1f} ms", ms=1000 * cold)
        store.close()


def bench_memory(report: Report, game: Any, copies: int = 5) -> None:
    """A further game in memory with its whole history, as a server holds it: what Python's own objects take."""
    import tracemalloc

    from trajekt.records import from_json, to_json

    data = to_json(game)
    kept = [from_json(data)]
    gc.collect()
    tracemalloc.start()
    kept += [from_json(data) for _ in range(copies)]
    gc.collect()
    each = tracemalloc.get_traced_memory()[0] / copies / 1e6
    tracemalloc.stop()
    text = f"{each:.2f} MB a game with {len(kept[0].entries)} entries   record {len(data) / 1e6:.2f} MB"
    report.line("memory of a further game", text, mb=each)


def bench_random(report: Report, count: int) -> None:
    """Whole random games of three players in both editions, with and without the books checked, by the processor's clock."""
    from msgspec.structs import replace

    from trajekt.bots.simulation import plans, play_out
    from trajekt.registry import title

    tables = [plan for plan in plans(title("18rhl"), 40, 1, players=3) if set(plan.options) == {"edition"}][:2]
    for plan in tables:
        play_out(plan)  # components are read and what fits where is found once in a process
    todo = [replace(tables[n % len(tables)], seed=100 + n) for n in range(count)]
    for checked in (True, False):
        seconds = units = 0.0
        actions = 0
        for plan in todo:
            # the loop is timed beside each game, so that both meet the same machine
            units += calib(1, process_time)
            began = process_time()
            actions += play_out(replace(plan, checked=checked)).actions
            seconds += process_time() - began
        name = "random games, " + ("books checked" if checked else "unchecked")
        text = (
            f"{count / seconds:.2f} games/s   {actions / seconds:,.0f} actions/s   {seconds / units:.2f} calib a game"
            f"   {1000 * seconds / units * count / actions:.2f} calib a thousand actions"
        )
        report.line(
            name,
            text,
            games_per_second=count / seconds,
            actions_per_second=actions / seconds,
            calib=seconds / units,
            calib_thousand_actions=1000 * seconds / units * count / actions,
        )


def bench_environment(report: Report, games: int = 4) -> None:
    """Steps of the learning environment a second in random games of 18Rhl, with the list of choices, by the processor's clock.

    Without and with an observation of the seat on turn, its mask and the features of its choices.
    """
    import random

    try:
        from trajekt.learning.environment import TrajektEnv
    except ModuleNotFoundError:
        print("the extra rl is not installed: the environment is not measured")
        return
    table = TrajektEnv("18rhl", 3, {"edition": 2})
    for observed in (False, True):
        seconds, steps = 0.0, 0
        for seed in range(-1, games):  # the first game warms up
            table.reset(seed=seed % 1000)
            rng = random.Random(seed)
            began = process_time()
            while not any(table.terminations.values()) and not any(table.truncations.values()):
                if observed:
                    table.last()
                table.step(rng.randrange(len(table.choices)))
            if seed >= 0:
                seconds, steps = seconds + process_time() - began, steps + table.actions
        name = "environment, " + ("observed" if observed else "not observed")
        report.line(name, f"{steps / seconds:,.0f} steps/s   n {steps}", steps_per_second=steps / seconds, n=steps)


def best_process(command: Iterable[str], times: int = 7) -> float:
    """Seconds of a whole process, the best of several."""
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    words = list(command)
    return min(
        timed(lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=env)) for _ in range(times)
    )


def bench_start(report: Report) -> None:
    """Starting up: the library, and the command as far as its help."""
    python = sys.executable
    bare = best_process([python, "-c", "pass"])
    library = best_process([python, "-c", "import trajekt; trajekt.new_game"])
    text = f"{1000 * (library - bare):.0f} ms beyond the interpreter's {1000 * bare:.0f} ms"
    report.line("import trajekt, the whole library", text, ms=1000 * (library - bare))
    shown = best_process([python, "-c", "from trajekt.cli import main; main()", "--help"])
    report.line("trajekt --help", f"{1000 * shown:.0f} ms", ms=1000 * shown)


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--file", type=Path, default=RECORDED, help="an 18xx.games export")
    parser.add_argument("--games", type=int, default=10, help="random games to play")
    parser.add_argument("--boards", type=int, default=2, help="crowded boards of each kind")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON at the end")
    chosen = parser.parse_args()
    from trajekt.server.http.serve import SELDOM

    gc.set_threshold(*SELDOM)
    report = Report(calib())
    print(f"calib: {report.unit:.3f} s   Python {sys.version.split()[0]}   {os.cpu_count()} processors\n")
    game = the_game(chosen.file)
    bench_replay(report, game)
    bench_choices(report, game)
    bench_runs(report, game)
    bench_crowds(report, range(1, chosen.boards + 1))
    bench_growth(report, game)
    bench_table(report, game)
    bench_memory(report, game)
    bench_random(report, chosen.games)
    bench_environment(report)
    bench_start(report)
    if chosen.json:
        print(json.dumps(report.figures, indent=1))


if __name__ == "__main__":
    main()
