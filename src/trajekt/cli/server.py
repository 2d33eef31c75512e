"""Start the table; list the games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from trajekt.cli.console import COMPONENTS, fail, main, say, show, the_title
from trajekt.cli.language import told, translated

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from trajekt.engine.title import Title


DEFAULTED = ParameterSource.DEFAULT


def database_url(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """The address of a database of a kind that is there, or the path of a file; wrong usage for any other."""
    from importlib.util import find_spec

    if value is None:
        return None
    kind, is_url, _ = value.partition("://")
    kind = kind.partition("+")[0] if is_url else "sqlite"
    if kind not in ("sqlite", "postgresql", "postgres"):
        there = "games are kept in SQLite or PostgreSQL (a path, sqlite:///FILE, postgresql://HOST/NAME), not {kind}"
        raise click.BadParameter(told(there, kind=kind))
    if kind != "sqlite" and find_spec("psycopg") is None:
        fail("PostgreSQL needs its driver: in the folder of trajekt, pip install '.[postgres]'")
    return value


DATABASE = click.option(
    "--db",
    default=None,
    metavar="URL",
    envvar="TRAJEKT_DB",
    callback=database_url,
    help="Where games are kept: a file, or postgresql://... Also TRAJEKT_DB. Default: an SQLite file in your data folder.",
)


@main.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for the whole network."
)
@click.option("--port", default=8018, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free port.")
@DATABASE
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
    envvar="TRAJEKT_ADDRESS",
    help="Where players reach the table, as https://play.example: the name that is answered to, and the links in letters.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Another public name under which the server is reached; again for more.",
)
@click.option(
    "--keep-days",
    type=click.IntRange(0),
    default=None,
    help="Delete tables at one screen that were not used for so many days; 0 never. Default: 90 with --address, else 0.",
)
@click.option(
    "--open-days",
    type=click.IntRange(0),
    default=None,
    help="End open tables of the lobby at which nobody sat down for so many days; 0 never. Default: 14.",
)
@click.option(
    "--ratings", is_flag=True, help="Rate people with an account by their finished games; the list is public."
)
@click.option(
    "--review-minutes",
    type=click.FloatRange(0),
    default=None,
    help="Minutes that the review of a finished game may take, in a process of its own; 0 makes none. Default: 10.",
)
@click.option("--cache-mb", type=click.IntRange(16), default=None, help="Memory for live games. Default: 300.")
@click.option(
    "--list-tables/--no-list-tables",
    default=None,
    help="Whether the start page lists tables at one screen. Default: not with --address, where strangers read it.",
)
@click.option(
    "--pages",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=None,
    envvar="TRAJEKT_PAGES",
    metavar="DIR",
    help="Your imprint.txt, privacy.txt and house-rules.txt, each also as imprint.de.txt and so on. Also TRAJEKT_PAGES.",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    envvar="TRAJEKT_LOG",
    help="The form of the log on standard error.",
)
@click.option("--metrics", is_flag=True, help="Show figures at /metrics, in the form of Prometheus, to whoever asks.")
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
    metrics: bool,
    names: tuple[str, ...],
    keep_days: int | None,
    open_days: int | None,
    ratings: bool,
    review_minutes: float | None,
    cache_mb: int | None,
    list_tables: bool | None,
    pages: Path | None,
    log: str,
    components: Path | None,
) -> None:
    """Start the table and open it in the browser. Ctrl-C stops it; games go on where they stood."""
    from trajekt.server.http.serve import ServeError, ServeOptions
    from trajekt.server.http.serve import serve as run_table

    _tell_broken()
    if components is not None:
        from trajekt.registry import names as titles

        if components.is_file():
            message = told(
                "{file}: the table offers all games; name the folder in which this file lies", file=components
            )
            raise click.BadParameter(message, param_hint="--components")
        for found in map(the_title, titles()):
            for edition in found.editions:
                found.sheet(found.options({"edition": edition}), str(components))
    try:
        run_table(
            host,
            port,
            db,
            not no_browser,
            strict_port=no_browser or click.get_current_context().get_parameter_source("port") is not DEFAULTED,
            options=ServeOptions(
                components=components,
                smtp=smtp,
                mail_from=mail_from,
                address=address,
                private_hooks=private_hooks,
                metrics=metrics,
                hosts=names,
                keep_days=keep_days,
                open_days=open_days,
                ratings=ratings,
                review_minutes=review_minutes,
                cache_mb=cache_mb,
                list_tables=list_tables,
                pages=pages,
                log=log,
            ),
            say=lambda text: say("{text}", text=translated(text)),
        )
    except ServeError as fault:
        fail("{text}", text=translated(fault))


@contextmanager
def database_of(db: str | None, *, existing: bool = False) -> Iterator[Engine]:
    """The database of a URL, or the default one; every fault ends the command with a sentence."""
    import sqlalchemy as sa

    from trajekt.server.http.serve import ServeError, default_url
    from trajekt.server.storage.backup_and_restore import ArchiveError
    from trajekt.server.storage.database import DatabaseError, connect, url_of

    try:
        url = db or default_url()
        parsed = url_of(url)
        if existing and parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
            fail("there is no database {database}", database=parsed.database)
        engine = connect(url)
        try:
            yield engine
        finally:
            engine.dispose()
    except (sa.exc.SQLAlchemyError, ArchiveError, DatabaseError, ServeError, OSError, ImportError) as fault:
        fail("{text}", text=translated(str(getattr(fault, "orig", None) or fault).splitlines()[0]))


@main.command()
def games() -> None:
    """List the games: editions, options, numbers of players, and how complete the components are."""
    from trajekt.registry import names

    _tell_broken()
    for name in names():
        _show_game(the_title(name))


def _tell_broken() -> None:
    """Say which installed games cannot be read, and why; the others are there all the same."""
    from trajekt.registry import broken

    for name, why in broken().items():
        say("trajekt: game {name}: {why}", name=name, why=translated(why))


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

    from trajekt.engine.components.provenance import sheet_summary

    click.echo(f"{found.id}  {found.name}")
    for edition, (low, high) in sorted(found.editions.items()):
        show("  edition {edition}: {low} to {high} players", edition=edition, low=low, high=high)
        variants = [v.option for v in found.variants if edition in v.editions]
        show("    options: {options}", options=", ".join(variants) or told("none"))
        summary = sheet_summary(found.sheet(found.options({"edition": edition}), None))
        count: Counter[str] = Counter()
        for section in summary.values():
            count.update(section)
        whole = sum(count.values())
        parts = [f"{count[letter]} {told(SOURCES[letter])}" for letter in SOURCES if count[letter]]
        show("    components: {whole} entries, {parts}", whole=whole, parts=", ".join(parts))
