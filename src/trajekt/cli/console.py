"""What all commands share: how they speak, how they end, the options that several have, and the group itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from trajekt.engine.title import Title


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT = click.Path(dir_okay=False, path_type=Path)
LANGUAGE = click.option(
    "--language", type=click.Choice(["en", "de"]), default="en", show_default=True, help="The language of sentences."
)
COMPONENTS = click.option(
    "--components",
    type=click.Path(exists=True, path_type=Path),
    default=None,
    envvar="TRAJEKT_COMPONENTS",
    metavar="DIR",
    help="An owner's folder (or file) of components, laid over ours: 18rhl.toml for 18Rhl and so on. Also TRAJEKT_COMPONENTS.",
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
    from trajekt.registry import UnknownGameError, title

    try:
        return title(name)
    except UnknownGameError as fault:
        raise click.BadParameter(str(fault)) from fault


class Commands(click.Group):
    """Commands that tell every fault of a component file in a line of its own."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except Exception as error:
            from trajekt.engine.components.provenance import SheetError

            if not isinstance(error, SheetError):
                raise
            for fault in error.faults:
                say(str(fault))
            fail(f"{len(error.faults)} fault(s) in components")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="trajekt")
def main() -> None:
    """Rules engine and table for the railway games of the Rhine and Ruhr.

    Begin with `trajekt serve`: it opens the table in your browser. FILE is a record that trajekt has written, or a game
    exported from 18xx.games; which of the two is seen from its content. GAME is a name such as 18rhl.
    """
