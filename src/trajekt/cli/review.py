"""Reviews and openings of played games."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trajekt.cli.console import COMPONENTS, OUT, STANDARD, fail, main, named, put, say, show, the_title, write
from trajekt.cli.language import language, told
from trajekt.cli.records import ReplayStopped, read
from trajekt.cli.simulation import CLUSTER, JOBS, told_faults, with_progress

if TYPE_CHECKING:
    from trajekt.engine.components.schema import Sheet
    from trajekt.engine.title import Title
    from trajekt.game import Game
    from trajekt.review.deed_review import DeedReview
    from trajekt.review.game_review import GameReview
    from trajekt.review.openings import LotRow, OpeningTable

FILES = click.Path(exists=True, allow_dash=True, path_type=Path)
SIGNS = {"proved": "✓", "estimated": "≈", "happened": "·"}
"""The sign before a sentence: true of all that the rules allowed, found by a search that was cut off, or a fact."""


@main.command()
@click.argument("files", nargs=-1, required=True, type=FILES, metavar="FILE...")
@click.option("--runs-only", is_flag=True, help="Leave out other lays and estimates, which take most of the time.")
@click.option("--proofs-only", is_flag=True, help="Leave out what is estimated by playing on.")
@click.option(
    "--all", "whole", is_flag=True, help="Also each run, each lay and each decision that could have been better."
)
@click.option(
    "--seconds", default=20.0, show_default=True, type=click.FloatRange(min=0.01), metavar="S",
    help="Search at most so long for the best runs of a turn; what is not proved by then is said to be an estimate.",
)  # fmt: skip
@JOBS
@CLUSTER
@click.option(
    "--keep", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Write each review to DIR as soon as it is made, and make none again that is there.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output for each file.")
@COMPONENTS
def review(
    files: tuple[Path, ...],
    runs_only: bool,
    proofs_only: bool,
    whole: bool,
    seconds: float,
    jobs: int,
    cluster: str,
    keep: Path | None,
    as_json: bool,
    components: Path | None,
) -> None:
    """Review played games: what the best runs and other lays would have earned, what each company brought, who gained where.

    FILE is a record, an export, or a folder of them. ✓ stands before what is proved for all that the rules allowed, ≈
    before an estimate, from games that bots play on or a search that was cut off, · before what only happened.
    """
    from trajekt.bots.executors import executor

    todo = [path for file in files for path in _files(file)]
    deeds = not runs_only and not proofs_only
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    work = partial(_reviewed, lays=not runs_only, deeds=deeds, seconds=seconds, components=components, keep=keep)
    failed = 0
    with told_faults():
        for file, found, fault in with_progress(executor(jobs, cluster).run(work, todo), len(todo)):
            if found is None:
                failed += 1
                say("{file}: {text}", file=named(file), text=fault)
            elif as_json:
                put({"file": named(file), **_plain(found[0])})
            else:
                _show(file, *found, whole=whole)
    if failed and failed == len(todo) == 1:
        raise SystemExit(1)
    if failed:
        fail("{count} of {number} files could not be reviewed", count=failed, number=len(todo))


def _files(file: Path) -> list[Path]:
    """The file itself, or the JSON files of a folder by name."""
    if not file.is_dir():
        return [file]
    found = sorted(file.glob("*.json"))
    if not found:
        fail("{file}: no games (*.json) are in this folder", file=named(file))
    return found


Reviewed = tuple["GameReview", "Title", "Sheet"]


def _reviewed(
    file: Path, *, lays: bool, deeds: bool, seconds: float, components: Path | None, keep: Path | None
) -> tuple[Path, Reviewed | None, str]:
    """A file with its review, or with why it cannot be read."""
    from trajekt.review.game_review import review_of

    try:
        game = read(file, None, components)
    except ReplayStopped as stop:
        return file, None, str(stop)
    if keep is None:
        found = review_of(game, lays=lays, deeds=deeds, seconds=seconds)
    else:
        found = _kept(game, keep, lays=lays, deeds=deeds, seconds=seconds)
    return file, (found, game.title, game.ruleset.sheet), ""


def _kept(game: Game, keep: Path, *, lays: bool, deeds: bool, seconds: float) -> GameReview:
    """The review of a game that is in a folder; else it is made and put there, under the name of all that it depends on."""
    import msgspec

    from trajekt.records import replace_file, to_json
    from trajekt.review.game_review import REVIEW_FORMAT, read_review, review_of

    asked = f"{REVIEW_FORMAT} {game.ruleset.version} {lays} {deeds} {seconds}".encode()
    target = keep / f"{sha256(to_json(game) + asked).hexdigest()[:32]}.json"
    if target.exists():
        with suppress(ValueError):
            return read_review(target.read_bytes(), game)
    found = review_of(game, lays=lays, deeds=deeds, seconds=seconds)
    replace_file(target, msgspec.json.encode(found))
    return found


def _plain(found: GameReview) -> dict[str, Any]:
    from trajekt.engine.codec import to_plain
    from trajekt.review.findings import findings

    document: dict[str, Any] = to_plain(found)
    document["findings"] = [to_plain(findings(found, seat)) for seat in range(len(found.names))]
    return document


def _show(file: Path, found: GameReview, title: Title, sheet: Sheet, *, whole: bool) -> None:
    from trajekt.review.findings import findings, sentence, speaker

    by = speaker(title, sheet, found.names, language())
    ended = told("ended") if found.finished else told("not ended")
    counted = {"entries": found.entries, "runs": len(found.runs), "lays": len(found.lays)}
    show("{file}: {ruleset}, {ended}, {entries} entries, {runs} runs, {lays} lays", file=named(file),
         ruleset=found.ruleset, ended=ended, **counted)  # fmt: skip
    for seat, name in enumerate(found.names):
        click.echo(f"\n{name}")
        for each in findings(found, seat):
            at = f"  [{each.entry}]" if each.entry else ""
            click.echo(f"  {SIGNS[each.kind]} {sentence(by, each)}{at}")
    if whole:
        _show_all(found, by)


def _round(key: str, by: Any) -> str:
    """A round by its name in the reader's language."""
    from trajekt.round_label import Round, round_name

    return round_name(Round.read(key), by.catalogue)


def _show_all(found: GameReview, by: Any) -> None:
    below = [run for run in found.runs if run.lost]
    if below:
        show("\nRuns below the best")
    for run in below:
        show(
            "  {sign} [{entry}] {round} {company}: {taken} in place of {best}",
            sign=SIGNS["proved" if run.proved else "estimated"], entry=run.entry, round=_round(run.round, by),
            company=by.company(run.company), taken=by.catalogue.money(run.taken), best=by.catalogue.money(run.best),
        )  # fmt: skip
    better = [lay for lay in found.lays if lay.other is not None]
    if better:
        show("\nLays with a better one for the same turn")
    for lay in better:
        assert lay.other is not None
        show(
            "  {sign} [{entry}] {round} {company}: tile #{tile} on {hex} would have allowed {best}, the lay made {taken}",
            sign=SIGNS["proved" if lay.proved else "estimated"], entry=lay.entry, round=_round(lay.round, by),
            company=by.company(lay.company), tile=lay.other.tile, hex=by.hex(lay.other.hex),
            best=by.catalogue.money(lay.best), taken=by.catalogue.money(lay.with_lay),
        )  # fmt: skip
        if lay.dearer > 0:
            show("      its terrain costs {amount} more", amount=by.catalogue.money(lay.dearer))
        if lay.more is not None:
            amount = ("+" if lay.more > 0 else "") + by.catalogue.money(lay.more)
            show("      {sign} by the end of the game {amount} (± {error})",
                 sign=SIGNS["estimated"], amount=amount, error=lay.error)  # fmt: skip
    if found.deeds:
        show("\nDecisions on shares, pay-outs, trains and stations")
    for deed in found.deeds:
        _show_deed(deed, by)


def _show_deed(deed: DeedReview, by: Any) -> None:
    """A decision with a better way known, and what shares brought."""
    from trajekt.review.findings import action_label

    deeds = {"deed": action_label(by, deed.deed)}
    at = {"entry": deed.entry, "round": _round(deed.round, by), "name": by.names[deed.seat], **deeds}
    if deed.better:
        show("  {sign} [{entry}] {round} {name}: “{other}” in place of “{deed}”: some {amount} more (± {error})",
             sign=SIGNS["estimated"], other=action_label(by, deed.other), amount=by.catalogue.money(deed.more),
             error=deed.error, **at)  # fmt: skip
    if deed.brought is not None:
        show("  {sign} [{entry}] {round} {name}: “{deed}” brought {amount} to the end",
             sign=SIGNS["happened"], amount=by.catalogue.money(deed.brought), **at)  # fmt: skip


@main.command()
@click.argument("files", nargs=-1, required=True, type=FILES, metavar="FILE...")
@click.option("--charts", is_flag=True, help="Draw prices and pars as bars beside the figures.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@COMPONENTS
def openings(files: tuple[Path, ...], charts: bool, as_json: bool, components: Path | None) -> None:
    """Sum up how games began: prices of the starting package, pars, first floats, and the places in which their owners ended.

    FILE is a record, an export, or a folder of them. Games by other rules or with another number of players stand apart.
    """
    import msgspec

    from trajekt.review.openings import opening_of, tables_of

    read_games = []
    todo = [path for file in files for path in _files(file)]
    for file in with_progress(todo, len(todo)):
        try:
            read_games.append(read(file, None, components))
        except ReplayStopped as stop:
            say("{file}: {text}", file=named(file), text=stop)
    if not read_games:
        fail("none of these files could be read")
    tables = tables_of(map(opening_of, read_games))
    if as_json:
        put(msgspec.to_builtins(tables))
        return
    for table in tables:
        game = next(game for game in read_games if game.ruleset.name == table.ruleset)
        _show_openings(table, game, charts=charts)


BAR = 48
"""Characters of the longest bar of a chart."""


def _span(lot: LotRow, highest: int) -> str:
    """The prices of a certificate as a line from the least to the most, with their median."""
    least, middle, most = (round(BAR * price / highest) for price in (lot.least, lot.middle, lot.most))
    line = dict.fromkeys(range(least, most), "─") | {least: "├", most: "┤", middle: "●"}
    return "".join(line.get(at, " ") for at in range(most + 1))


def _show_openings(table: OpeningTable, game: Game, *, charts: bool) -> None:
    from trajekt.i18n.sentences import Speaker, catalogue

    by = Speaker(catalogue(language(), game.title.package), game.ruleset.sheet, game.state.names)
    show("{ruleset}, {players} players: {games} games", ruleset=table.ruleset, players=table.players, games=table.games)
    for lot in table.lots:
        row = {
            "count": lot.games,
            "least": lot.least,
            "middle": lot.middle,
            "most": lot.most,
            "place": lot.place or "-",
        }
        line = "  {private} {count} ×, {least} to {most} M, median {middle:g} M, place of the owner {place}"
        show(line, private=by.private(lot.private).ljust(40), **row)
        if charts:
            click.echo(f"    {_span(lot, max(1, *(each.most for each in table.lots)))}")
    for company in table.companies:
        pars = ", ".join(f"{par} M: {count}" for par, count in company.pars.items())
        show(
            "  {company} founded {founded}, floated {floated}, first {first}; par {pars}; place of the director {place}",
            company=by.company(company.company).ljust(6), founded=company.founded, floated=company.floated,
            first=company.first, pars=pars, place=company.place or "-",
        )  # fmt: skip
        for par, count in company.pars.items() if charts else ():
            click.echo(f"    {par:>5} M {'█' * max(1, round(BAR * count / table.games))} {count}")


@main.command()
@click.argument("game")
@click.option(
    "-n", "--count", default=100, show_default=True, type=click.IntRange(min=1), metavar="N", help="How many puzzles."
)
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="S",
    help="Equal seeds make equal puzzles.",
)
@click.option("-o", "--output", type=OUT, default=STANDARD, help="The file to write; - is standard output.")
def puzzles(game: str, count: int, seed: int, output: Path) -> None:
    """Make puzzles of GAME from games between bots: the best run of a company, the tile that lets its trains earn the most.

    Every answer is proved. A file `puzzles.json` in the folder of a game is what the page shows at /puzzles.
    """
    from trajekt.review.puzzles import make_puzzles, written

    found = make_puzzles(the_title(game), count, seed)
    write(output, written(found))
    if output != STANDARD:
        say(
            "{file}: {count} puzzles from {games} games",
            file=named(output),
            count=len(found.puzzles),
            games=len(found.games),
        )
