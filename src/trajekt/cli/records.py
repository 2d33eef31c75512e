"""Replay, import and runs: what is done with the file of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trajekt.cli.console import (
    COMPONENTS,
    FILE,
    OUT,
    STANDARD,
    content,
    fail,
    laid_over,
    main,
    named,
    put,
    say,
    show,
    the_title,
    write,
)
from trajekt.cli.language import language, told

if TYPE_CHECKING:
    from trajekt.engine.routing.runs import Run
    from trajekt.engine.ruleset import Refusal, Ruleset
    from trajekt.engine.state import State
    from trajekt.game import Game
    from trajekt.game_statistics import GameStatistics


OTHER_ACTION = "the action has other consequences under the present rules than the record has"
OTHER_SET_UP = "the set-up has other consequences under the present rules than the record has"


class ReplayStopped(Exception):
    """A replay that ends early: the number of the entry, the rule id and the reason."""

    def __init__(self, entry: int, rule: str, message: str) -> None:
        super().__init__(message)
        self.entry = entry
        self.rule = rule

    def __str__(self) -> str:
        text = super().__str__()
        if self.entry and not text.startswith(("entry", "Eintrag")):
            text = told("entry {entry}: {text}", entry=self.entry, text=text)
        return f"{text} ({self.rule})" if self.rule else text


def read(
    file: Path,
    until: int | None = None,
    components: Path | None = None,
) -> Game:
    """Read the game of a file of either kind up to its entry `until`. Raises `ReplayStopped` where it cannot be read."""
    from trajekt.import_18xx import ImportRefusedError, is_export, read_export
    from trajekt.records import RecordError, from_json

    data = content(file)
    try:
        if is_export(data):
            return read_export(data, until=until, components=laid_over(components, "18rhl"))
        game = from_json(data, None if components is None else str(components))
        laid_over(components, game.title.id)
    except ImportRefusedError as fault:
        if fault.refusal is None:
            raise ReplayStopped(fault.entry or 0, "", fault.sentence(language())) from fault
        text = refusal_text(fault.game, fault.refusal)
        raise ReplayStopped(fault.entry or 0, fault.refusal.rule, text) from fault
    except RecordError as fault:
        raise ReplayStopped(fault.entry or 0, "", fault.sentence(language())) from fault
    if game.other_components:
        say("note: {file} was played with other components than those laid out now", file=named(file))
    if until is None:
        return game
    if until > game.number:
        message = told("the record has {number} entries, there is no entry {entry}", number=game.number, entry=until)
        raise ReplayStopped(until, "", message)
    return game.at(until)


def refusal_text(game: Game, refusal: Refusal) -> str:
    """Reason for a refusal, as a sentence."""
    from trajekt.i18n.sentences import Speaker, catalogue, refusal_line

    speaker = Speaker(catalogue(language(), game.title.package), game.ruleset.sheet, game.state.names)
    return refusal_line(speaker, refusal)


def judge_again(game: Game) -> None:
    """Decide every entry again; raises `ReplayStopped` at the first that the present rules decide otherwise."""
    from trajekt.records import replay as differences

    for difference in differences(game):
        if difference.refusal is not None:
            text = refusal_text(game, difference.refusal)
            raise ReplayStopped(difference.entry, difference.refusal.rule, text)
        text = told(OTHER_ACTION if difference.entry else OTHER_SET_UP)
        raise ReplayStopped(difference.entry, difference.rule, text)


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
def replay(file: Path, until: int | None, as_json: bool, components: Path | None) -> None:
    """Decide every action of FILE again and show the standings.

    Stops at the first action that the rules refuse, names it with the rule and the reason, and ends with status 1.
    """
    try:
        game = read(file, until, components)
        judge_again(game)
    except ReplayStopped as stop:
        if as_json:
            put({"error": {"action": stop.entry, "rule": stop.rule, "message": str(stop)}})
        fail("{file}: {text}", file=named(file), text=stop)
    document = replay_document(game)
    if as_json:
        put(document)
    else:
        _show_replay(document)


def _show_replay(document: dict[str, Any]) -> None:
    ended = told("ended ({reason})", reason=document["end_reason"]) if document["finished"] else told("not ended")
    show("{ruleset}: {actions} actions, {ended}", ruleset=document["ruleset"], actions=document["actions"], ended=ended)
    for row in document["standings"]:
        show("  {player:<20} {total:>7,} M   cash {cash:>6,}   shares {shares:>6,}", **row)
    for code, row in document["corporations"].items():
        trains = "+".join(row["trains"]) or told("none")
        show(
            "  {code:<5} price {price:>4}   treasury {treasury:>5,}   trains {trains}",
            **row | {"code": code, "trains": trains},
        )
    show("  bank {bank:,} M", bank=document["bank"])


@main.command("import")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=OUT, required=True, help="The record to write.")
@click.option(
    "--so-far", is_flag=True, help="Where file and rules part, write the game up to that entry, to look at and play on."
)
@COMPONENTS
def import_(file: Path, output: Path, so_far: bool, components: Path | None) -> None:
    """Turn an 18xx.games export of 18Rhl into a trajekt record (ruleset `compat`).

    Known differences between the site and the rules are noted with entry and CMP id. Where the two part otherwise, the import
    stops at that entry and says what either says.
    """
    from trajekt.import_18xx import ImportRefusedError, import_export, note_line
    from trajekt.records import RecordError, to_json

    data = content(file)
    try:
        game, notes = import_export(data, components=laid_over(components, "18rhl"))
    except ImportRefusedError as parted:
        sentence = parted.sentence(language())
        if not so_far:
            hint = "{file}: {text}; --so-far writes the {number} actions before it"
            fail(hint, file=named(file), text=sentence, number=parted.game.number)
        game, notes = parted.game, ()
        say("{file}: {text}", file=named(file), text=sentence)
    except RecordError as fault:
        fail("{file}: {text}", file=named(file), text=fault.sentence(language()))
    for note in notes:
        say("{text}", text=note_line(note, game, language()))
    write(output, to_json(game))
    number, ruleset = len(game.line()), game.ruleset.name
    say("{file}: {number} actions, ruleset {ruleset}", file=output, number=number, ruleset=ruleset)


@main.command("export")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=OUT, required=True, help="The file to write, in the form of 18xx.games.")
@COMPONENTS
def export(file: Path, output: Path, components: Path | None) -> None:
    """Write a game of 18Rhl played under `compat` in the form of 18xx.games.

    What was undone is left out, and so are offers that were declined: the site has no entry for them.
    """
    from trajekt.export_18xx import ExportError, write_export

    try:
        data = write_export(read(file, None, components))
    except ReplayStopped as stop:
        fail("{file}: {text}", file=named(file), text=stop)
    except ExportError as fault:
        fail("{file}: {text}", file=named(file), text=fault.sentence(language()))
    write(output, data)
    say("{file}: written in the form of 18xx.games", file=output)


@main.command()
@click.argument("file", type=FILE)
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="After the first N entries of the file.")
@click.option(
    "--set-up",
    "output",
    type=OUT,
    default=None,
    metavar="RECORD",
    help="Read FILE as a position set up by hand instead, check it, and write the record of a game that goes on from it.",
)
@COMPONENTS
def position(file: Path, at: int | None, output: Path | None, components: Path | None) -> None:
    """Write a position of the game in FILE as a small JSON for other programs, or set one up by hand."""
    import msgspec

    from trajekt.positions import position_of

    if output is not None:
        set_up(file, output, components)
        return

    try:
        game = read(file, at, components)
    except ReplayStopped as stop:
        fail("{file}: {text}", file=named(file), text=stop)
    put(msgspec.to_builtins(position_of(game)))


def set_up(file: Path, output: Path, components: Path | None) -> None:
    """Write the record of a game that goes on from a position set up by hand; its faults end the command."""
    from trajekt.cli.language import language
    from trajekt.hand_position_file import PositionError
    from trajekt.hand_positions import set_up_position
    from trajekt.records import to_json

    try:
        game = set_up_position(content(file), None if components is None else str(components))
    except PositionError as fault:
        fail("{file}: {text}", file=named(file), text=fault.sentence(language()))
    write(output, to_json(game))
    say("{file}: written", file=output)


@main.command()
@click.argument("file", type=FILE)
@click.option("--until", type=click.IntRange(min=0), metavar="N", help="Up to entry N of the file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values, one figure a row.")
@COMPONENTS
def stats(file: Path, until: int | None, as_json: bool, as_csv: bool, components: Path | None) -> None:
    """Show worth, incomes, prices and trains of the game in FILE, round by round."""
    import msgspec

    from trajekt.game_statistics import statistics_csv, statistics_of

    if as_json and as_csv:
        raise click.UsageError(told("choose one of --json and --csv"))
    try:
        found = statistics_of(read(file, until, components))
    except ReplayStopped as stop:
        fail("{file}: {text}", file=named(file), text=stop)
    if as_json:
        put(msgspec.to_builtins(found))
    elif as_csv:
        write(STANDARD, statistics_csv(found))
    else:
        _show_statistics(found)


def _show_statistics(found: GameStatistics) -> None:
    width = max((len(player.name) for each in found.rounds for player in each.players), default=0)
    for each in found.rounds:
        head = {"round": each.round, "entry": each.entry, "phase": each.phase, "bank": each.bank}
        show("{round}   entry {entry}   phase {phase}   bank {bank:,} M", **head)
        for player in each.players:
            row = {"worth": player.worth, "cash": player.cash, "income": player.dividends + player.privates}
            show(
                "  {name} worth {worth:>7,}   cash {cash:>6,}   income {income:>5,}",
                name=player.name.ljust(width),
                **row,
            )
        for company, one in each.companies.items():
            price = "-" if one.price is None else told("{number}", number=one.price)
            revenue = "-" if one.revenue is None else told("{number:,}", number=one.revenue)
            trains = "+".join(one.trains) or told("none")
            line = "  {company:<5} price {price:>5}   revenue {revenue:>5}   treasury {treasury:>6,}   trains {trains}"
            show(line, company=company, price=price, revenue=revenue, treasury=one.treasury, trains=trains)


@main.command()
@click.argument("game", required=False)
@click.option(
    "--position", "of_position", is_flag=True, help="The schema of a position instead, the same for all games."
)
def schema(game: str | None, of_position: bool) -> None:
    """Write the JSON Schema of the records of GAME, or of all games."""
    from trajekt.json_schema import record_schema
    from trajekt.positions import position_schema

    put(dict(position_schema()) if of_position else record_schema("" if game is None else the_title(game).id))


# Best runs ------------------------------------------------------------------------------------------------------------


def company_in(game: Game, name: str | None) -> str:
    """The company meant: by id or letters, else the one whose turn it is."""
    from trajekt.rules.operating_round import current_turn

    if name is None:
        turn = current_turn(game.state)
        if turn is None:
            raise click.UsageError(told("no corporation operates in that position; name one with --corporation"))
        return turn.company
    if game.title.exports is not None:
        name = game.title.exports.companies.get(name.upper(), name)
    for company in game.ruleset.sheet.companies.values():
        if name.lower() in (company.id.lower(), company.letters.lower()):
            return company.id
    there = ", ".join(game.ruleset.sheet.companies)
    raise click.BadParameter(told("no corporation {name!r}; there are {there}", name=name, there=there))


def runs_document(ruleset: Ruleset, state: State, company: str, found: Any) -> dict[str, Any]:
    """The best runs as `--json` gives them: each route judged again, with its stops and track."""
    from trajekt.engine.routing.runs import RunResult
    from trajekt.rules.running_and_dividends import RunningPolicy

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


def run_from(text: str) -> Run:
    """A run as it is given on the command line: train, pieces of track, and after `pays` the stops that pay."""
    from trajekt.engine.routing.runs import Run

    train, *track = text.split() or [""]
    if "pays" in track:
        place = track.index("pays")
        return Run(train, tuple(track[:place]), tuple(track[place + 1 :]))
    return Run(train, tuple(track))


@main.command()
@click.argument("file", type=FILE)
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="The position after the first N entries of the file."
)
@click.option("--corporation", metavar="C", help="Whose runs; without it that of the corporation whose turn it is.")
@click.option(
    "--fix",
    "fixed",
    multiple=True,
    metavar="RUN",
    help="A run that is to be among them: the train and its track in order, as in '3 K6:4a K4:1a'. May be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@COMPONENTS
def runs(
    file: Path,
    at: int | None,
    corporation: str | None,
    fixed: tuple[str, ...],
    as_json: bool,
    components: Path | None,
) -> None:
    """Find the most valuable legal runs in a position, and say whether they are proved to be the best."""
    from trajekt.game import Refused
    from trajekt.i18n.sentences import Speaker, catalogue, refusal_line
    from trajekt.i18n.spoken import stop_name

    try:
        game = read(file, at, components)
    except ReplayStopped as stop:
        fail("{file}: {text}", file=named(file), text=stop)
    company = company_in(game, corporation)
    speaker = Speaker(catalogue(language(), game.title.package), game.ruleset.sheet, game.state.names)
    try:
        found = game.best_runs(company, fixed=[run_from(text) for text in fixed])
    except Refused as why:
        fail("--fix: {text} ({rule})", text=refusal_line(speaker, why.refusal), rule=why.refusal.rule)
    document = runs_document(game.ruleset, game.state, company, found)
    if as_json:
        put(document)
        return
    proved = told("proved best") if document["proved"] else told("best found so far")
    show("{corporation}: {revenue} M, {proved}, {seconds:.3f} s", **document | {"proved": proved})
    for route in document["routes"]:
        terms = [f"{stop_name(game.state.board, s['stop'])} {s['amount']}" for s in route["stops"]]
        terms += [f"{speaker.word('bonus', b['name'])} {b['amount']}" for b in route["bonuses"]]
        click.echo(f"  {speaker.train(route['train'])}: {' + '.join(terms)} = {route['revenue']} M")
