"""Component sets of owners of the printed games: a file to begin with, its faults, its pictures, the differences of two."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trajekt.cli.components import check_file, picture, read_set
from trajekt.cli.console import FILE, OUT, STANDARD, fail, main, options_of, put, say, the_title, write
from trajekt.cli.language import language, told

if TYPE_CHECKING:
    from trajekt.engine.components.component_sets import ComponentSet, EntryPath
    from trajekt.engine.components.editions import TomlTable
    from trajekt.engine.title import Title

PARTS = ("map", "tiles", "market", "charters")
EDITION = click.option("--edition", type=int, default=None, help="The edition of a GAME; without it the newest.")


@main.group("components")
def component_sets() -> None:
    """Sets of components of a printed copy: what differs from our sheet, in one file."""


@component_sets.command()
@click.argument("game")
@EDITION
@click.option("--name", default="", help="The name of the set; without it that of the file.")
@click.option("-o", "--output", type=OUT, required=True, metavar="FILE.toml", help="The file to write.")
def new(game: str, edition: int | None, name: str, output: Path) -> None:
    """Write a file to begin with: every entry that no rulebook states, to be looked at one by one on one's copy."""
    from trajekt.engine.components.component_set_writing import skeleton

    found = the_title(game)
    chosen = options_of(found, edition).edition
    head = {"game": found.id, "edition": chosen, "name": name or output.stem or found.name, "version": "1"}
    write(output, skeleton(head, found.printed(chosen)).encode())
    say("{file}", file=output)


@component_sets.command("check")
@click.argument("file", type=FILE)
@click.option("--game", metavar="GAME", help="The game over which the file PATH is laid; without it that of its name.")
def check_set(file: Path, game: str | None) -> None:
    """Check a set: each fault with file, entry and what is wrong, in the edition of the set and with every variant."""
    from trajekt.engine.components.component_set_writing import key_text
    from trajekt.engine.components.provenance import SheetError

    faults = check_file(file, game)
    for line in faults:
        click.echo(line)
    try:
        for path in overtaken_in(file, game):
            say("{entry}: our sheet has changed here since the set stated it", entry=key_text(path))
    except SheetError:
        pass  # its faults are shown
    if faults:
        fail("{count} fault(s)", count=len(faults))
    say("no faults")
    with suppress(SheetError):  # a whole sheet is no set
        say("digest {digest}", digest=read_set(file, game or file.stem).digest[:12])


def overtaken_in(file: Path, game: str | None) -> list[EntryPath]:
    """The entries of a set at which our sheet has changed since. Raises `SheetError` for a file that is no set."""
    from trajekt.engine.components.component_sets import overtaken

    chosen = read_set(file, game or file.stem)
    found = the_title(chosen.game)
    edition = chosen.edition or max(found.editions)
    return overtaken(chosen, found.printed(edition)) if edition in found.editions else []


@component_sets.command("diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@EDITION
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def diff_sets(before: str, after: str, edition: int | None, as_json: bool) -> None:
    """Compare two sets entry by entry; the name of a game stands for our sheet. Status 1 where they differ."""
    from trajekt.engine.components.component_set_writing import key_text, toml_value
    from trajekt.engine.components.component_sets import compared, overlaid

    one, other = _side(before), _side(after)
    if one[0].id != other[0].id:
        fail(
            "{before} is of {game}, {after} of {other}",
            before=before,
            game=one[0].name,
            after=after,
            other=other[0].name,
        )
    asked = edition or next((each.edition for _, each in (one, other) if each is not None and each.edition), None)
    printed: TomlTable = one[0].printed(options_of(one[0], asked).edition)
    found = list(compared(overlaid(printed, one[1]), overlaid(printed, other[1])))
    if as_json:
        put([{"entry": ".".join(each.entry), "key": each.key, "a": each.before, "b": each.after} for each in found])
    for each in () if as_json else found:
        place = ".".join(filter(None, (key_text(each.entry), each.key)))
        values = (told("nothing") if value is None else toml_value(value) for value in (each.before, each.after))
        click.echo("{}: {} -> {}".format(place, *values))
    if found:
        raise SystemExit(1)
    say("no differences")


def _side(target: str) -> tuple[Title, ComponentSet | None]:
    """The game and the set of a side of a comparison; a game's name stands for our sheet."""
    path = Path(target)
    if path == STANDARD or path.is_file():
        chosen = read_set(path, path.stem)
        return the_title(chosen.game), chosen
    return the_title(target), None


@component_sets.command("draw")
@click.argument("file", type=FILE)
@click.option(
    "-o", "--output", type=OUT, required=True, metavar="FILE.svg", help="The picture to write; .html has all of them."
)
@click.option("--part", type=click.Choice(PARTS), default="map", show_default=True, help="What to draw.")
def draw_set(file: Path, output: Path, part: str) -> None:
    """Draw the map, the tiles, the market or the charters as a set has them; into a file .html all on one page."""
    from trajekt.engine.state import blank_state

    chosen = read_set(file, file.stem)
    found = the_title(chosen.game)
    sheet = found.sheet(options_of(found, chosen.edition or None), chosen)
    state = blank_state(sheet, tuple(str(n) for n in range(sheet.players[0])))
    if found.face() is None:
        fail("{game} has no face (`Title.face`): nothing says how its pieces look", game=found.name)
    if output.suffix == ".html":
        drawn = "\n".join(picture(found, state, each, language()) for each in PARTS)
        write(output, f'<!doctype html>\n<meta charset="utf-8">\n<title>{found.name}</title>\n{drawn}'.encode())
    else:
        write(output, picture(found, state, part, language()).encode())
    say("{file}", file=output)
