"""Start the table; list the games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trajekt.cli.shell import COMPONENTS, fail, main, the_title

if TYPE_CHECKING:
    from trajekt.engine.title import Title


@main.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for the whole network."
)
@click.option("--port", default=8018, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free port.")
@click.option(
    "--db", default=None, metavar="URL", help="Where games are kept. Default: an SQLite file in your data folder."
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@click.option(
    "--smtp",
    default=None,
    metavar="URL",
    envvar="TRAJEKT_SMTP",
    help="Mail server for letters to absent players: smtp://, submission:// or smtps://NAME:PASSWORD@HOST:PORT. "
    "Best given in TRAJEKT_SMTP, so that nobody reads the password in the list of processes.",
)
@click.option(
    "--mail-from", default=None, metavar="ADDRESS", envvar="TRAJEKT_MAIL_FROM", help="Sender of those letters."
)
@click.option(
    "--address",
    default="",
    metavar="URL",
    help="Where players reach the table, for the links in letters. Default: as each reached it.",
)
@click.option("--private-hooks", is_flag=True, help="Let webhooks lead into private networks, as on a machine at home.")
@COMPONENTS
def serve(
    host: str,
    port: int,
    db: str | None,
    no_browser: bool,
    smtp: str | None,
    mail_from: str | None,
    address: str,
    private_hooks: bool,
    components: Path | None,
) -> None:
    """Start the table and open it in the browser. Ctrl-C stops it; games go on where they stood."""
    from trajekt.table.serve import ServeError
    from trajekt.table.serve import serve as run_table

    if components is not None:
        from trajekt.titles import names

        for found in map(the_title, names()):
            for edition in found.editions:
                found.sheet(found.options({"edition": edition}), str(components))
    try:
        run_table(
            host,
            port,
            db,
            not no_browser,
            components=components,
            smtp=smtp,
            mail_from=mail_from,
            address=address,
            private_hooks=private_hooks,
        )
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
