"""Whole games of bots: with every book checked, rated in the arena, or round by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from trajekt.cli.console import COMPONENTS, FILE, fail, laid_over, main, put, say, show, the_title
from trajekt.cli.language import told, translated

SEED = click.option("--seed", default=1, show_default=True, type=int, metavar="S", help="Equal seeds play equal games.")
JOBS = click.option(
    "--jobs",
    default=1,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="J",
    help="Processes at work; 0 for one on each core.",
)
CLUSTER = click.option(
    "--cluster",
    default="",
    metavar="ADDRESS",
    help="Play on a cluster of Dask, by its scheduler's address, such as tcp://10.0.0.5:8786.",
)
KEEP = click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write each game to FILE as soon as it has ended, and go on from the games that are there.",
)


@main.command()
@click.argument("game")
@click.option(
    "--players",
    type=click.IntRange(1, 12),
    metavar="N",
    help="Only tables of N players; without it all numbers in turn.",
)
@click.option(
    "--games", "count", default=10, show_default=True, type=click.IntRange(min=1), metavar="K", help="How many games."
)
@SEED
@JOBS
@CLUSTER
@KEEP
@click.option(
    "--bot",
    "kind",
    default="random",
    show_default=True,
    metavar="KIND[,KIND...]",
    help="Who plays: random, steady, or another that is installed; several take the seats in turn.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option("--lines", is_flag=True, help="A JSON line on standard output for each game as soon as it has ended.")
@COMPONENTS
def simulate(
    game: str,
    players: int | None,
    count: int,
    seed: int,
    jobs: int,
    cluster: str,
    keep: Path | None,
    kind: str,
    as_json: bool,
    lines: bool,
    components: Path | None,
) -> None:
    """Play whole games by bots, through all editions, numbers of players and variants, with every book checked.

    Each violation is shown with its game, its seed and the number of the action; status 1 if there is any.
    """
    from time import perf_counter

    from trajekt.bots.checkpoints import resumed
    from trajekt.bots.executors import executor
    from trajekt.bots.simulation import GameResult, plans, play_out
    from trajekt.bots.simulation import simulate as play_all

    found = the_title(game)
    check_kinds(kind.split(","), "--bot")
    try:
        over = laid_over(components, found.id) or ""
        todo = plans(found, count, seed, players, tuple(kind.split(",")), over)
    except ValueError as fault:
        raise click.BadParameter(translated(fault), param_hint="--players") from fault
    began = perf_counter()
    outcomes = []
    where = executor(jobs, cluster)
    games = play_all(todo, where) if keep is None else resumed(todo, play_out, where, keep, GameResult)
    with told_faults():
        for outcome in with_progress(games, count):
            outcomes.append(outcome)
            if lines:
                _put_line(outcome)
    seconds = perf_counter() - began
    actions = sum(o.actions for o in outcomes)
    violations = [v for o in outcomes for v in o.violations]
    document = {
        "games": len(outcomes),
        "finished": sum(o.finished for o in outcomes),
        "actions": actions,
        "seconds": round(seconds, 3),
        "actions_per_second": round(actions / seconds, 1),
        "games_per_second": round(len(outcomes) / seconds, 3),
        "violations": violations,
    }
    if as_json:
        put(document)
    elif not lines:
        _show_simulation(document, outcomes)
    for v in violations:
        options = " ".join(f"{k}={x}" for k, x in v.options.items())
        values = {name: getattr(v, name) for name in ("game", "seed", "players", "action", "message")}
        say(
            "game {game} (seed {seed}, {players} players, {options}), action {action}: {message}",
            options=options,
            **values,
        )
    if violations:
        raise SystemExit(1)


def check_kinds(kinds: Sequence[str], where: str) -> None:
    """Make a bot of each kind; wrong usage for one that is not installed or cannot be made."""
    import random

    from trajekt.bots.bot import make_bot

    for kind in kinds:
        try:
            make_bot(kind, random.Random(0))  # noqa: S311  it draws nothing
        except ValueError as fault:
            raise click.BadParameter(
                told("bot {kind!r}: {text}", kind=kind, text=translated(fault)), param_hint=where
            ) from fault


@main.command()
@click.argument("game")
@click.argument("kinds", nargs=-1, required=True, metavar="KIND...")
@click.option("--games", default=99, show_default=True, type=click.IntRange(min=1), metavar="K", help="How many games.")
@SEED
@click.option(
    "--drawn",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Draw the first N actions of each opening at random, alike in every seating.",
)
@JOBS
@CLUSTER
@KEEP
def arena(
    game: str, kinds: tuple[str, ...], games: int, seed: int, drawn: int, jobs: int, cluster: str, keep: Path | None
) -> None:
    """Rate kinds of bot: one KIND for each seat, every opening in every seating, one JSON line for each game.

    The lines go to standard output, the ratings to standard error. Bots that draw nothing play equal openings alike, which
    --drawn tells apart.
    """
    from trajekt.bots.arena import main as rate
    from trajekt.bots.arena import schedule

    found = the_title(game)
    check_kinds(kinds, "KIND")
    try:
        schedule(found.id, kinds, 1, seed)
    except ValueError as fault:
        raise click.BadParameter(translated(fault), param_hint="KIND") from fault
    values = {"--games": games, "--seed": seed, "--drawn": drawn, "--jobs": jobs, "--cluster": cluster}
    words = [f"{option}={value}" for option, value in values.items()]
    words += [] if keep is None else [f"--keep={keep}"]
    with told_faults():
        raise SystemExit(rate([found.id, *kinds, *words], tell=_tell))


@contextmanager
def told_faults() -> Iterator[None]:
    """End with a sentence where a cluster or a file of kept games will not do."""
    from trajekt.bots.checkpoints import KeptGamesError
    from trajekt.bots.executors import ClusterError, WorkersLostError

    try:
        yield
    except (ClusterError, WorkersLostError, KeptGamesError) as fault:
        fail("{text}", text=translated(fault))


@main.command()
@click.argument("game")
@click.argument("kinds", nargs=-1, required=True, metavar="KIND...")
@click.option("--games", default=20, show_default=True, type=click.IntRange(min=1), metavar="K", help="How many games.")
@SEED
@click.option("--edition", type=int, metavar="E", help="Only this edition; without it all that seat so many, in turn.")
@click.option("--beside", type=FILE, metavar="FILE", help="A record or export to print the same of, behind the games.")
@JOBS
@CLUSTER
@KEEP
def timeline(
    game: str,
    kinds: tuple[str, ...],
    games: int,
    seed: int,
    edition: int | None,
    beside: Path | None,
    jobs: int,
    cluster: str,
    keep: Path | None,
) -> None:
    """Print by operating round what companies earn, which trains run and how much cash lies idle: one KIND for each seat.

    Every row is the mean of the games that came so far. With --beside a game that people played follows in the same form.
    """
    from trajekt.bots.arena import schedule
    from trajekt.bots.executors import executor
    from trajekt.bots.timeline import of_game, report, timelines
    from trajekt.cli.records import ReplayStopped, read

    found = the_title(game)
    check_kinds(kinds, "KIND")
    try:
        other = None if beside is None else of_game(read(beside))
        plans = schedule(found.id, kinds, games, seed, edition)
    except ReplayStopped as fault:
        fail("{file}: {text}", file=beside, text=fault)
    except ValueError as fault:
        raise click.BadParameter(translated(fault), param_hint="KIND") from fault
    with told_faults():
        played = list(with_progress(timelines(plans, executor(jobs, cluster), keep), games))
    whole = [each for each in played if not each.fault]
    for line in report(whole).splitlines() if whole else ["no game came to an end"]:
        click.echo(translated(line))
    if other is not None:
        click.echo(f"\n{beside}")
        for line in report([other]).splitlines():
            click.echo(translated(line))
    _tell_faults([each.fault for each in played if each.fault])


@main.command()
@click.argument("game")
@click.argument("kinds", nargs=-1, required=True, metavar="KIND...")
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder that is written; where it has shards of the same games already, the run goes on behind them.",
)
@click.option(
    "--games", default=1000, show_default=True, type=click.IntRange(min=1), metavar="K", help="How many games."
)
@SEED
@click.option("--edition", type=int, metavar="E", help="The edition; without it the newest.")
@click.option(
    "--per-shard", default=20, show_default=True, type=click.IntRange(min=1), metavar="N", help="Games in a file."
)
@JOBS
@CLUSTER
def dataset(
    game: str,
    kinds: tuple[str, ...],
    folder: Path,
    games: int,
    seed: int,
    edition: int | None,
    per_shard: int,
    jobs: int,
    cluster: str,
) -> None:
    """Write whole games of bots as arrays for learning machines: positions, legal choices, what was chosen, results.

    One KIND for each seat. The folder has shards that numpy reads, and index.json, which says what every column means.
    """
    from trajekt.bots.executors import executor

    try:
        from trajekt.learning.game_dataset import DatasetError, write_dataset
    except ModuleNotFoundError:
        fail("data sets need their extra: in the folder of trajekt, pip install '.[rl]'")
    found = the_title(game)
    check_kinds(kinds, "KIND")
    shards = write_dataset(folder, found.id, kinds, games, seed, edition, per_shard, executor(jobs, cluster))
    try:
        with told_faults():
            done = list(with_progress(shards, -(-games // per_shard)))
    except DatasetError as fault:
        fail("{text}", text=translated(fault))
    except ValueError as fault:
        raise click.BadParameter(translated(fault), param_hint="KIND") from fault
    sums = {name: sum(getattr(entry, name) for entry in done) for name in ("games", "positions", "boards", "choices")}
    show("{games:,} games, {positions:,} positions, {boards:,} boards, {choices:,} choices", **sums)
    _tell_faults([fault for entry in done for fault in entry.faults])


def _tell(line: str) -> None:
    click.echo(translated(line), err=True)


def _tell_faults(faults: Sequence[str]) -> None:
    """Tell which games came to no end; the status is then 1."""
    for fault in faults:
        _tell(fault)
    if faults:
        raise SystemExit(1)


def _put_line(outcome: Any) -> None:
    """A game as a line: what it depends on, how it ended, in whole Mark by seat, and what was wrong with it."""
    import json

    plan = outcome.plan
    line = {
        "game": plan.game,
        "number": plan.number,
        "seed": plan.seed,
        "players": plan.players,
        "options": dict(plan.options),
        "kinds": plan.kinds,
        "actions": outcome.actions,
        "finished": outcome.finished,
        "reason": outcome.reason,
        "totals": outcome.totals,
        "seconds": round(outcome.seconds, 3),
        "violations": [{"action": v.action, "message": v.message} for v in outcome.violations],
    }
    click.echo(json.dumps(line, ensure_ascii=False))


def with_progress(outcomes: Iterable[Any], count: int) -> Iterable[Any]:
    """Outcomes as they come, with a bar on the standard error of a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(told("games")), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield from bar.track(outcomes, total=count)


def _show_simulation(document: dict[str, Any], outcomes: Sequence[Any]) -> None:
    from collections import Counter

    counted = "{games} games, {finished} finished, {actions:,} actions in {seconds:.1f} s: {speed}"
    speed = told("{actions_per_second:,} actions and {games_per_second} games a second", **document)
    show(counted, **document | {"speed": speed})
    reasons = Counter(o.reason or told("not ended") for o in outcomes)
    show("ended by: {reasons}", reasons=", ".join(f"{reason} {n}" for reason, n in reasons.most_common()))
    winners = sorted(max(o.totals) for o in outcomes if o.finished)
    if winners:
        figures = {"least": winners[0], "most": winners[-1], "median": winners[len(winners) // 2]}
        show("winners' worth: {least:,} to {most:,} M, median {median:,} M", **figures)
    show("violations: {count}", count=len(document["violations"]))
