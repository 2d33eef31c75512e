"""The command `trajekt`: start the table, replay and check records, find best runs, play random games, draw, look rules up.

With `--json` one document goes to standard output; everything meant for people goes to standard error. Exit status: 0 done,
1 refused or failed, 2 wrong usage. Commands import what they need when they run, so that `--help` is quick.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from trajekt.engine.model import State
    from trajekt.engine.rule import Refusal, Ruleset
    from trajekt.engine.title import Title
    from trajekt.game import Game

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT = click.Path(dir_okay=False, path_type=Path)
LANGUAGE = click.option(
    "--language", type=click.Choice(["en", "de"]), default="en", show_default=True, help="The language of sentences."
)
COMPONENTS = click.option(
    "--components",
    type=FILE,
    default=None,
    help="An owner's file of components, laid over those that come with the game.",
)


def say(text: str = "") -> None:
    """Tell the person at the terminal something."""
    click.echo(text, err=True)


def put(document: object) -> None:
    """Write the one document of `--json`."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def fail(message: str) -> NoReturn:
    """End with status 1."""
    say(f"trajekt: {message}")
    raise SystemExit(1)


def the_title(name: str) -> Title:
    """The game of a name; wrong usage where there is none."""
    from trajekt.titles import UnknownGameError, title

    try:
        return title(name)
    except UnknownGameError as fault:
        raise click.BadParameter(str(fault)) from fault


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="trajekt")
def main() -> None:
    """Rules engine and table for the railway games of the Rhine and Ruhr.

    Begin with `trajekt serve`: it opens the table in your browser. FILE is a record that trajekt has written, or a game
    exported from 18xx.games; which of the two is seen from its content. GAME is a name such as 18rhl.
    """


@main.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for the whole network."
)
@click.option("--port", default=8018, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free port.")
@click.option(
    "--db", default=None, metavar="URL", help="Where games are kept. Default: an SQLite file in your data folder."
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
def serve(host: str, port: int, db: str | None, no_browser: bool) -> None:
    """Start the table and open it in the browser. Ctrl-C stops it; games go on where they stood."""
    from trajekt.table.serve import ServeError
    from trajekt.table.serve import serve as run_table

    try:
        run_table(host, port, db, not no_browser)
    except ServeError as fault:
        fail(str(fault))


@main.command()
def games() -> None:
    """List the games: editions, options, numbers of players, and how complete the components are."""
    from trajekt.titles import names

    for name in names():
        _show_game(the_title(name))


SOURCES = {
    "R": "printed in the rulebook",
    "O": "stated by an owner",
    "C": "common tiles",
    "P": "public record",
    "D": "deduced",
    "X": "reconstructed",
    "": "no source",
}


def _show_game(found: Title) -> None:
    from collections import Counter

    from trajekt.engine.sheet_sources import sheet_summary

    click.echo(f"{found.id}  {found.name}")
    for edition, (low, high) in sorted(found.editions.items()):
        click.echo(f"  edition {edition}: {low} to {high} players")
        variants = [v.option for v in found.variants if edition in v.editions]
        click.echo(f"    options: {', '.join(variants) or 'none'}")
        summary = sheet_summary(found.sheet(found.options({"edition": edition}), None))
        count: Counter[str] = Counter()
        for section in summary.values():
            count.update(section)
        whole = sum(count.values())
        parts = [f"{count[letter]} {SOURCES[letter]}" for letter in SOURCES if count[letter]]
        click.echo(f"    components: {whole} entries, {', '.join(parts)}")


# Records --------------------------------------------------------------------------------------------------------------


class Stop(Exception):
    """A replay that ends early: the number of the entry, the rule id and the reason."""

    def __init__(self, entry: int, rule: str, message: str) -> None:
        super().__init__(message)
        self.entry = entry
        self.rule = rule

    def __str__(self) -> str:
        text = super().__str__()
        where = f"entry {self.entry}: " if self.entry and not text.startswith("entry") else ""
        return f"{where}{text}" + (f" ({self.rule})" if self.rule else "")


def read(file: Path, until: int | None = None, components: Path | None = None, language: str = "en") -> Game:
    """The game of a file up to its entry `until`, whichever of the two kinds it is. Raises `Stop` where it cannot be read."""
    from trajekt.imports import ImportRefusedError, is_export, read_export
    from trajekt.records import RecordError, from_json

    data = file.read_bytes()
    over = None if components is None else str(components)
    try:
        if is_export(data):
            return read_export(data, until=until, components=over)
        game = from_json(data, over)
    except ImportRefusedError as fault:
        if fault.refusal is None or fault.game is None:
            raise Stop(fault.entry or 0, "", str(fault)) from fault
        text = refusal_text(fault.game, fault.refusal, language)
        raise Stop(fault.entry or 0, fault.refusal.rule, text) from fault
    except RecordError as fault:
        raise Stop(fault.entry or 0, "", str(fault)) from fault
    if until is None:
        return game
    if until > game.number:
        message = f"the record has {game.number} entries, there is no entry {until}"
        raise Stop(until, "", message)
    return game.at(until)


def refusal_text(game: Game, refusal: Refusal, language: str) -> str:
    """Why something is not allowed, as a sentence."""
    from trajekt.show.sentences import Speaker, catalogue, refusal_line

    speaker = Speaker(catalogue(language, game.title.package), game.ruleset.sheet, game.state.names)
    return refusal_line(speaker, refusal)


def judge_again(game: Game, language: str) -> None:
    """Decide every entry again; raises `Stop` at the first that the present rules decide otherwise."""
    from trajekt.records import replay as differences

    for difference in differences(game):
        if difference.refusal is not None:
            text = refusal_text(game, difference.refusal, language)
            raise Stop(difference.entry, difference.refusal.rule, text)
        what = "the set-up" if not difference.entry else "the action"
        raise Stop(difference.entry, "", f"{what} has other consequences under the present rules than the record has")


def replay_document(game: Game) -> dict[str, Any]:
    """The result of a replay as `--json` gives it."""
    state = game.state
    return {
        "game": game.title.id,
        "ruleset": game.ruleset.name,
        "actions": len(game.line()),
        "finished": game.finished,
        "end_reason": state.outcome,
        "standings": [
            {"player": s.name, "cash": s.cash, "shares": s.shares, "total": s.total} for s in game.standings()
        ],
        "bank": state.bank,
        "corporations": {
            c.id: {
                "price": state.price(c.id),
                "treasury": c.treasury,
                "trains": list(c.trains),
            }
            for c in state.companies.values()
            if c.id in state.markers.spaces
        },
    }


@main.command()
@click.argument("file", type=FILE)
@click.option("--until", type=click.IntRange(min=0), metavar="N", help="Stop after the first N entries of the file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@COMPONENTS
@LANGUAGE
def replay(file: Path, until: int | None, as_json: bool, components: Path | None, language: str) -> None:
    """Decide every action of FILE again and show the standings.

    Stops at the first action that the rules refuse, names it with the rule and the reason, and ends with status 1.
    """
    try:
        game = read(file, until, components, language)
        judge_again(game, language)
    except Stop as stop:
        if as_json:
            put({"error": {"action": stop.entry, "rule": stop.rule, "message": str(stop)}})
        fail(f"{file.name}: {stop}")
    document = replay_document(game)
    if as_json:
        put(document)
    else:
        _show_replay(document)


def _show_replay(document: dict[str, Any]) -> None:
    ended = f"ended ({document['end_reason']})" if document["finished"] else "not ended"
    click.echo(f"{document['ruleset']}: {document['actions']} actions, {ended}")
    for row in document["standings"]:
        click.echo(f"  {row['player']:<20} {row['total']:>7,} M   cash {row['cash']:>6,}   shares {row['shares']:>6,}")
    for code, row in document["corporations"].items():
        trains = "+".join(row["trains"]) or "none"
        click.echo(f"  {code:<5} price {row['price']:>4}   treasury {row['treasury']:>5,}   trains {trains}")
    click.echo(f"  bank {document['bank']:,} M")


@main.command("import")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=OUT, required=True, help="The record to write.")
@COMPONENTS
def import_(file: Path, output: Path, components: Path | None) -> None:
    """Turn an 18xx.games export of 18Rhl into a trajekt record (ruleset `compat`)."""
    from trajekt.imports import is_export
    from trajekt.records import save

    if not is_export(file.read_bytes()):
        fail(f"{file.name}: this is no 18xx.games export")
    try:
        game = read(file, None, components)
    except Stop as stop:
        fail(f"{file.name}: {stop}")
    save(game, output)
    say(f"{output}: {len(game.line())} actions, ruleset {game.ruleset.name}")


# Best runs ------------------------------------------------------------------------------------------------------------


def company_in(game: Game, name: str | None) -> str:
    """The company meant: by id or letters, else the one whose turn it is."""
    from trajekt.rules.operating import current_turn

    if name is None:
        turn = current_turn(game.state)
        if turn is None:
            message = "no corporation operates in that position; name one with --corporation"
            raise click.UsageError(message)
        return turn.company
    if game.title.exports is not None:
        name = game.title.exports.companies.get(name.upper(), name)
    for company in game.ruleset.sheet.companies.values():
        if name.lower() in (company.id.lower(), company.letters.lower()):
            return company.id
    message = f"no corporation {name!r}; there are {', '.join(game.ruleset.sheet.companies)}"
    raise click.BadParameter(message)


def runs_document(ruleset: Ruleset, state: State, company: str, found: Any) -> dict[str, Any]:
    """The best runs as `--json` gives them: each route judged again, with its stops and track."""
    from trajekt.engine.runs import RunResult
    from trajekt.rules.running import RunningPolicy

    result = ruleset.policy(RunningPolicy).judge(state, company, found.runs)
    assert isinstance(result, RunResult), result
    routes = [
        {
            "train": route.train,
            "revenue": route.revenue,
            "stops": [{"stop": s.stop, "amount": s.amount} for s in route.stops if not s.left_out],
            "bonuses": [{"rule": b.rule, "name": b.name, "amount": b.amount} for b in route.bonuses],
            "track": list(run.track),
        }
        for run, route in zip(found.runs, result.routes, strict=True)
    ]
    return {
        "corporation": company,
        "revenue": result.revenue,
        "proved": found.proved,
        "seconds": round(found.seconds, 4),
        "routes": routes,
    }


@main.command()
@click.argument("file", type=FILE)
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="The position after the first N entries of the file."
)
@click.option("--corporation", metavar="C", help="Whose runs; without it that of the corporation whose turn it is.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@COMPONENTS
def runs(file: Path, at: int | None, corporation: str | None, as_json: bool, components: Path | None) -> None:
    """Find the most valuable legal runs in a position, and say whether they are proved to be the best."""
    try:
        game = read(file, at, components)
    except Stop as stop:
        fail(f"{file.name}: {stop}")
    company = company_in(game, corporation)
    document = runs_document(game.ruleset, game.state, company, game.best_runs(company))
    if as_json:
        put(document)
        return
    proved = "proved" if document["proved"] else "not proved to be the best"
    click.echo(f"{document['corporation']}: {document['revenue']} M, {proved}, {document['seconds']:.3f} s")
    for route in document["routes"]:
        stops = ", ".join(f"{s['stop']} {s['amount']}" for s in route["stops"])
        extra = "".join(f", {b['name']} {b['amount']:+}" for b in route["bonuses"])
        click.echo(f"  {route['train']}-train {route['revenue']} M: {stops}{extra}")


# Simulation -----------------------------------------------------------------------------------------------------------


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
@click.option("--seed", default=1, show_default=True, type=int, metavar="S", help="Equal seeds play equal games.")
@click.option(
    "--jobs", default=1, show_default=True, type=click.IntRange(min=1), metavar="J", help="Processes at work."
)
@click.option(
    "--player",
    "kind",
    default="random",
    show_default=True,
    metavar="KIND[,KIND...]",
    help="Who plays: random, steady, or another that is installed; several take the seats in turn.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def simulate(game: str, players: int | None, count: int, seed: int, jobs: int, kind: str, as_json: bool) -> None:
    """Play whole games by programs, through all editions, numbers of players and variants, with every book checked.

    Each violation is shown with its game, its seed and the number of the action; status 1 if there is any.
    """
    from time import perf_counter

    from trajekt.bots.player import names as kinds_known
    from trajekt.bots.simulate import plans
    from trajekt.bots.simulate import simulate as play_all

    found = the_title(game)
    if unknown := set(kind.split(",")) - set(kinds_known()):
        message = f"no player {', '.join(sorted(unknown))}; installed: {', '.join(kinds_known())}"
        raise click.BadParameter(message, param_hint="--player")
    try:
        todo = plans(found, count, seed, players, tuple(kind.split(",")))
    except ValueError as fault:
        raise click.BadParameter(str(fault), param_hint="--players") from fault
    began = perf_counter()
    outcomes = list(_with_progress(play_all(todo, jobs), count))
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
    else:
        _show_simulation(document, outcomes)
    for v in violations:
        options = " ".join(f"{k}={x}" for k, x in v.options.items())
        say(f"game {v.game} (seed {v.seed}, {v.players} players, {options}), action {v.action}: {v.message}")
    if violations:
        raise SystemExit(1)


def _with_progress(outcomes: Iterable[Any], count: int) -> Iterable[Any]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield from bar.track(outcomes, total=count)


def _show_simulation(document: dict[str, Any], outcomes: Sequence[Any]) -> None:
    from collections import Counter

    click.echo(
        f"{document['games']} games, {document['finished']} finished, {document['actions']:,} actions in "
        f"{document['seconds']:.1f} s: {document['actions_per_second']:,} actions and "
        f"{document['games_per_second']} games a second"
    )
    reasons = Counter(o.reason or "not ended" for o in outcomes)
    click.echo("ended by: " + ", ".join(f"{reason} {n}" for reason, n in reasons.most_common()))
    winners = sorted(max(o.totals) for o in outcomes if o.finished)
    if winners:
        click.echo(f"winners' worth: {winners[0]:,} to {winners[-1]:,} M, median {winners[len(winners) // 2]:,} M")
    click.echo(f"violations: {len(document['violations'])}")


# Components, pictures, rules ------------------------------------------------------------------------------------------


@main.command()
@click.argument("target", required=False, metavar="[GAME or PATH]")
def check(target: str | None) -> None:
    """Check component data: each fault with its file, entry and what is wrong. Without GAME all games are checked."""
    from trajekt.titles import names

    faults: list[str] = []
    if target is not None and (Path(target).exists() or target.endswith(".toml")):
        faults += _check_file(Path(target))
    else:
        for name in (target,) if target is not None else names():
            faults += _check_title(the_title(name))
    for line in dict.fromkeys(faults):
        click.echo(line)
    if faults:
        fail(f"{len(dict.fromkeys(faults))} fault(s)")
    say("no faults")


def _check_title(found: Title) -> list[str]:
    from trajekt.engine.sheet_sources import SheetError
    from trajekt.engine.title import choices

    faults: list[str] = []
    for edition in sorted(found.editions):
        for chosen, _ in choices(found, edition):
            options = found.options(chosen)
            try:
                faults += found.faults(found.sheet(options, None))
            except SheetError as error:
                faults += map(str, error.faults)
    return faults


def _check_file(path: Path) -> list[str]:
    from trajekt.engine.sheet_files import editions, load, variants
    from trajekt.engine.sheet_sources import SheetError

    faults: list[str] = []
    try:
        for edition in editions(path) or ("1",):
            names = tuple(variants(path, edition))
            for chosen in dict.fromkeys(((), *((name,) for name in names), names)):
                try:
                    load(path, edition, chosen)
                except SheetError as error:
                    faults += map(str, error.faults)
    except SheetError as error:
        faults += map(str, error.faults)
    return faults


@main.command()
@click.argument("target", metavar="GAME or RECORD")
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="The position after the first N entries of the record."
)
@click.option("-o", "--output", type=OUT, required=True, metavar="FILE.svg", help="The picture to write.")
@click.option(
    "--part",
    type=click.Choice(["map", "tiles", "market", "charters"]),
    default="map",
    show_default=True,
    help="What to draw.",
)
@click.option("--edition", type=int, default=None, help="The edition of a GAME; without it the newest.")
@COMPONENTS
def draw(target: str, at: int | None, output: Path, part: str, edition: int | None, components: Path | None) -> None:
    """Draw the map, the tiles, the market or the charters as a picture to look at or to print."""
    from trajekt.engine.model import blank

    if Path(target).is_file():
        try:
            game = read(Path(target), at, components)
        except Stop as stop:
            fail(f"{target}: {stop}")
        found, state = game.title, game.state
    else:
        found = the_title(target)
        if at is not None:
            message = "--at needs a record"
            raise click.UsageError(message)
        chosen = found.options({"edition": edition or max(found.editions)})
        sheet = found.sheet(chosen, None if components is None else str(components))
        state = blank(sheet, tuple(str(n) for n in range(sheet.players[0])))
    output.write_text(picture(found, state, part), encoding="utf-8")
    say(str(output))


def picture(found: Title, state: State, part: str) -> str:
    """A picture of a position as SVG that stands alone."""
    from trajekt.show import sheets

    look = found.face()
    if part == "tiles":
        return sheets.draw_tiles_file(state.sheet, look)
    if part == "market":
        spaces = dict.fromkeys(state.markers.spaces.values())
        return sheets.draw_market_file(state.sheet, look, {space: state.markers.stack(space) for space in spaces})
    if part == "charters":
        from trajekt.show.charters import draw_charters_file

        return draw_charters_file(state, look)
    return sheets.draw_map_file(state.board, look, value=state.phase_now.values)


@main.command()
@click.argument("game")
@click.argument("rule", required=False, metavar="[ID]")
@click.option(
    "--effective", is_flag=True, help="Everything that the game composes, in order: rules, checks, terms, reactions."
)
@click.option("--edition", type=int, default=None, help="The edition; without it the newest.")
@LANGUAGE
def rules(game: str, rule: str | None, effective: bool, edition: int | None, language: str) -> None:
    """Show the requirement with this ID in our own words; without ID all of them, or a group (RHL-TRK)."""
    found = the_title(game)
    chosen = found.options({"edition": edition or max(found.editions)})
    if effective:
        from trajekt.engine.effective import effective as lines_of

        ruleset = found.build(found.sheet(chosen, None), chosen)
        for line in lines_of(ruleset):
            click.echo(line)
        return
    from trajekt.show.rulebook import rule_texts

    texts = rule_texts(found.package, language)
    wanted = (rule or "").upper()
    shown = {id_: text for id_, text in texts.items() if id_ == wanted} or {
        id_: text for id_, text in texts.items() if id_.startswith(wanted)
    }
    if not shown:
        fail(f"{found.name} has no requirement {rule}")
    for id_, text in shown.items():
        click.echo(f"{id_}\n{text}\n")
