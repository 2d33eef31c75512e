"""Component files, pictures, rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trajekt.cli.console import (
    COMPONENTS,
    OUT,
    STANDARD,
    content,
    fail,
    laid_over,
    main,
    named,
    options_of,
    say,
    show,
    the_title,
    write,
)
from trajekt.cli.language import language, told, translated
from trajekt.cli.records import ReplayStopped, read
from trajekt.cli.server import SOURCES

if TYPE_CHECKING:
    from trajekt.engine.components.component_sets import ComponentSet
    from trajekt.engine.components.provenance import SheetFault
    from trajekt.engine.state import State
    from trajekt.engine.title import Title


@main.command()
@click.argument("target", required=False, metavar="[GAME|PATH]")
@click.option("--game", metavar="GAME", help="The game over which the file PATH is laid; without it that of its name.")
def check(target: str | None, game: str | None) -> None:
    """Check component data: each fault with its file, entry and what is wrong. Without GAME all games are checked.

    PATH is a game's whole sheet, an owner's file that is laid over one, as 18rhl.toml, or a folder of such files. An
    owner's file is read from standard input where PATH is -.
    """
    from trajekt.registry import broken, names

    faults: list[str] = []
    if target is not None and Path(target).is_dir():
        files = sorted(Path(target).glob("*.toml"))
        if not files:
            fail("{file}: no files of components (*.toml) are in this folder", file=target)
        for file in files:
            faults += check_file(file, game)
    elif target is not None and (Path(target) == STANDARD or Path(target).exists() or target.endswith(".toml")):
        faults += check_file(Path(target), game)
    else:
        faults += [f"{name}: {translated(why)}" for name, why in broken().items() if target is None]
        for name in (target,) if target is not None else names():
            faults += _check_title(the_title(name))
            _show_sources(the_title(name))
    for line in dict.fromkeys(faults):
        click.echo(line)
    if faults:
        fail("{count} fault(s)", count=len(dict.fromkeys(faults)))
    say("no faults")


def _show_sources(found: Title) -> None:
    """Source of each section's entries, edition by edition: printed, public, common, deduced, reconstructed."""
    from trajekt.engine.components.provenance import SheetError, sheet_summary

    for edition in sorted(found.editions):
        try:
            summary = sheet_summary(found.sheet(found.options({"edition": edition}), None))
        except SheetError:
            continue  # its faults are shown
        show("{game}, edition {edition}", game=found.id, edition=edition)
        for section, counts in summary.items():
            parts = ", ".join(
                f"{number} {told(SOURCES.get(letter, 'without a source'))}" for letter, number in counts.items()
            )
            click.echo(f"  {section:12} {parts}")


def _check_title(found: Title, over: Path | None = None) -> list[str]:
    """Faults of a game's components in every edition and with every variant, with an owner's file laid over them."""
    from trajekt.engine.components.provenance import SheetError
    from trajekt.engine.title import sheet_faults

    if over is None:
        return fault_lines(sheet_faults(found))
    try:
        chosen = read_set(over, found.id)
    except SheetError as error:
        return fault_lines(error.faults)
    return fault_lines(sheet_faults(found, chosen if over == STANDARD else str(over), chosen.edition))


def fault_lines(faults: Iterable[SheetFault]) -> list[str]:
    """The lines of faults in the language of the command."""
    from trajekt.i18n.filled_sentences import fault_line

    return [fault_line(fault, language()) for fault in faults]


def check_file(path: Path, game: str | None) -> list[str]:
    """Faults of a whole sheet, or of an owner's file that is laid over that of a game."""
    from trajekt.engine.components.loader import editions, load, variants
    from trajekt.engine.components.provenance import SheetError
    from trajekt.registry import UnknownGameError, title
    from trajekt.registry import names as installed

    if game is not None:
        return _check_title(the_title(game), path)
    faults: list[str] = []
    try:
        if path == STANDARD or (path.exists() and not _is_whole(path)):
            return _check_title(title(read_set(path, path.stem).game), path)
        for edition in editions(path) or ("1",):
            names = tuple(variants(path, edition))
            for chosen in dict.fromkeys(((), *((name,) for name in names), names)):
                try:
                    load(path, edition, chosen)
                except SheetError as error:
                    faults += fault_lines(error.faults)
    except SheetError as error:
        faults += fault_lines(error.faults)
    except UnknownGameError:
        there = ", ".join(f"{name}.toml" for name in installed())
        return [
            told(
                "{file}: is laid over no game by its name; --game names one, else {there}",
                file=called(path),
                there=there,
            )
        ]
    return faults


def read_set(path: Path, game: str = "") -> ComponentSet:
    """The component set of a file; without a head that of `game`. Raises `SheetError`, which names the file."""
    from trajekt.engine.components.component_sets import component_set
    from trajekt.engine.components.provenance import SheetError, SheetFault

    try:
        return component_set(content(path).decode("utf-8-sig"), called(path), game)
    except UnicodeDecodeError as error:
        raise SheetError([SheetFault(called(path), f"byte {error.start}", "is not text in UTF-8")]) from error


def called(path: Path) -> str:
    """A file as it is named in faults: with its folder, as it was given."""
    return named(path) if path == STANDARD else str(path)


def _is_whole(path: Path) -> bool:
    """Tell whether a file is a whole sheet: it names its game. A file that cannot be read is said to be, and told then."""
    import tomllib

    try:
        return "game" in tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return True


@main.command()
@click.argument("target", metavar="GAME|RECORD")
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
    from trajekt.engine.state import blank_state

    file = Path(target)
    if file == STANDARD or file.is_file():
        try:
            game = read(file, at, components)
        except ReplayStopped as stop:
            fail("{file}: {text}", file=named(file), text=stop)
        found, state = game.title, game.state
    else:
        found = the_title(target)
        if at is not None:
            raise click.UsageError(told("--at needs a record"))
        chosen = options_of(found, edition)
        sheet = found.sheet(chosen, laid_over(components, found.id))
        state = blank_state(sheet, tuple(str(n) for n in range(sheet.players[0])))
    if found.face() is None:
        fail("{game} has no face (`Title.face`): nothing says how its pieces look", game=found.name)
    write(output, picture(found, state, part, language()).encode())
    say("{file}", file=output)


def picture(found: Title, state: State, part: str, words: str = "en") -> str:
    """A picture of a position as SVG that stands alone."""
    from trajekt.rendering import component_sheets

    look = found.face()
    if part == "tiles":
        return component_sheets.draw_tiles_file(state.sheet, look)
    if part == "market":
        spaces = dict.fromkeys(state.markers.spaces.values())
        return component_sheets.draw_market_file(
            state.sheet, look, {space: state.markers.stack(space) for space in spaces}
        )
    if part == "charters":
        from trajekt.i18n.sentences import Speaker, catalogue
        from trajekt.rendering.charters import draw_charters_file

        return draw_charters_file(state, look, Speaker(catalogue(words, found.package), state.sheet, state.names))
    return component_sheets.draw_map_file(state.board, look, value=state.current_phase.values)


@main.command()
@click.argument("game")
@click.argument("rule", required=False, metavar="[ID]")
@click.option(
    "--effective", is_flag=True, help="Everything that the game composes, in order: rules, checks, terms, reactions."
)
@click.option("--edition", type=int, default=None, help="The edition; without it the newest.")
def rules(game: str, rule: str | None, effective: bool, edition: int | None) -> None:
    """Show the requirement with this ID in our own words; without ID all of them, or a group (RHL-TRK)."""
    found = the_title(game)
    chosen = options_of(found, edition)
    if effective:
        from trajekt.engine.ruleset_report import effective as lines_of

        ruleset = found.ruleset(found.sheet(chosen, None), chosen)
        for line in lines_of(ruleset):
            click.echo(line)
        return
    from trajekt.i18n.rule_texts import rule_texts, source_line
    from trajekt.i18n.sentences import catalogue

    words = catalogue(language())
    texts = rule_texts(found.package, language())
    wanted = (rule or "").upper()
    shown = {id_: text for id_, text in texts.items() if id_ == wanted} or {
        id_: text for id_, text in texts.items() if id_.startswith(wanted)
    }
    if not shown:
        fail("{game} has no requirement {rule}", game=found.name, rule=rule)
    for id_, text in shown.items():
        source = source_line(words, found.package, id_)
        click.echo("\n".join([f"{id_} ({source})" if source else id_, text, ""]))
