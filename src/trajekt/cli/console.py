"""Shared parts of all commands: output, endings and exit codes, options that several have, and the group itself."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from trajekt.cli.language import SpokenGroup, errors_in_language, language, told, translated, wanted

if TYPE_CHECKING:
    from trajekt.engine.options import TableOptions
    from trajekt.engine.title import Title


STANDARD = Path("-")
"""Standard input where a file is read, standard output where one is written."""
STANDARD_INPUT = "trajekt.standard_input"
"""The name under which a command keeps what it read from there, since it comes only once."""
FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
OUT = click.Path(dir_okay=False, allow_dash=True, path_type=Path)


def _of_installed_games(_ctx: click.Context, _param: click.Parameter, given: Path | None) -> Path | None:
    """An owner's folder or file; wrong usage where a file in the folder is named after no game and would not be read."""
    from trajekt.registry import names

    if given is not None and given.is_dir():
        there = ", ".join(f"{name}.toml" for name in names())
        for file in sorted(given.glob("*.toml")):
            if file.stem not in names():
                message = told("{file}: is laid over no game by its name, only {there} are", file=file, there=there)
                raise click.BadParameter(message)
    return given


COMPONENTS = click.option(
    "--components",
    type=click.Path(exists=True, path_type=Path),
    callback=_of_installed_games,
    default=None,
    envvar="TRAJEKT_COMPONENTS",
    metavar="DIR",
    help="An owner's folder (or file) of components, laid over ours: 18rhl.toml for 18Rhl and so on. Also TRAJEKT_COMPONENTS.",
)


def say(template: str, /, **values: Any) -> None:
    """Tell the person at the terminal something; the template has a German one in `de.toml`."""
    click.echo(told(template, **values), err=True)


def show(template: str, /, **values: Any) -> None:
    """Write a line of a result for people on standard output, as `say`."""
    click.echo(told(template, **values))


def put(document: object) -> None:
    """Write the one document of `--json`."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def fail(template: str, /, **values: Any) -> NoReturn:
    """End with status 1 and a sentence, as `say`."""
    click.echo(f"trajekt: {told(template, **values)}", err=True)
    raise SystemExit(1)


def named(file: Path) -> str:
    """A file as people call it."""
    return told("standard input") if file == STANDARD else file.name


def content(file: Path) -> bytes:
    """Read a file, or standard input, which a command may ask for again; end the command where it cannot be read."""
    if file == STANDARD:
        kept = click.get_current_context().find_root().meta
        if STANDARD_INPUT not in kept:
            kept[STANDARD_INPUT] = sys.stdin.buffer.read()
        return bytes(kept[STANDARD_INPUT])
    try:
        return file.read_bytes()
    except OSError as fault:
        fail("{file}: cannot be read: {reason}", file=file, reason=reason(fault))


def write(file: Path, data: bytes) -> None:
    """Write a file whole or not at all, or to standard output; ends the command where it cannot be written."""
    from trajekt.records import replace_file

    if file == STANDARD:
        sys.stdout.buffer.write(data)
        return
    try:
        replace_file(file, data)
    except OSError as fault:
        fail("{file}: cannot be written: {reason}", file=file, reason=reason(fault))


def reason(fault: OSError) -> str:
    """Reason of the system for its refusal, in a few words."""
    if isinstance(fault, FileNotFoundError):
        return told("no such folder")
    return translated((fault.strerror or str(fault)).lower())


def the_title(name: str) -> Title:
    """The game of a name; wrong usage where there is none."""
    from trajekt.registry import UnknownGameError, broken, names, title

    try:
        return title(name)
    except UnknownGameError as fault:
        if broken():
            raise click.BadParameter(translated(fault)) from fault
        there = ", ".join(names())
        raise click.BadParameter(told("no game {name!r}; installed are {there}", name=name, there=there)) from fault


def laid_over(components: Path | None, game: str) -> str | None:
    """The folder or file to lay over a game; wrong usage where the file is named after another game (`18ruhr.toml`)."""
    from trajekt.registry import names

    if components is None:
        return None
    if components.is_file() and components.stem != game and components.stem in names():
        message = told(
            "{file}: is laid over {named}, not over {game}", file=components, named=components.stem, game=game
        )
        raise click.BadParameter(message, param_hint="--components")
    return str(components)


def options_of(found: Title, edition: int | None) -> TableOptions:
    """The options of an edition, without one of the newest; wrong usage where there is none."""
    chosen = max(found.editions) if edition is None else edition
    if chosen not in found.editions:
        there = ", ".join(map(str, sorted(found.editions)))
        message = told(
            "{game} has no edition {edition}; there are {there}", game=found.name, edition=chosen, there=there
        )
        raise click.BadParameter(message)
    options: TableOptions = found.options({"edition": chosen})
    return options


def _give_up_output() -> None:
    """Let what standard output no longer takes go nowhere, or the interpreter complains once more when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Commands(SpokenGroup):
    """Commands that end in a sentence: every fault of a component file has a line of its own.

    A letter that the terminal's encoding does not have is written as its number. Where standard output takes no more, the
    command ends with status 1, without a word if nobody reads any longer.
    """

    group_class = SpokenGroup

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with errors_in_language(wanted(args)):
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        for stream in (sys.stdout, sys.stderr):
            if (change := getattr(stream, "reconfigure", None)) is not None:
                change(errors="backslashreplace")
        try:
            try:
                with errors_in_language(language()):
                    return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            _give_up_output()
            raise SystemExit(1) from None
        except OSError as fault:
            if fault.filename is not None:
                fail("{file}: {text}", file=fault.filename, text=reason(fault))
            _give_up_output()
            fail("{file}: cannot be written: {reason}", file=told("standard output"), reason=reason(fault))
        except Exception as error:
            from trajekt.engine.components.provenance import SheetError
            from trajekt.i18n.filled_sentences import fault_line

            if not isinstance(error, SheetError):
                raise
            for sheet_fault in error.faults:
                click.echo(fault_line(sheet_fault, language()), err=True)
            fail("{count} fault(s) in components", count=len(error.faults))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="trajekt")
def main() -> None:
    """Rules engine and table for the railway games of the Rhine and Ruhr.

    Begin with `trajekt serve`: it opens the table in your browser. FILE is a record that trajekt has written, or a game
    exported from 18xx.games; which of the two is seen from its content; `-` is standard input. GAME is a name such as 18rhl.
    """
