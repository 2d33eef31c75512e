"""Start the table, keep and carry its games; list the games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trajekt.cli.console import COMPONENTS, OUT, fail, main, say, the_title

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from trajekt.engine.title import Title


def database_url(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """The address of a database of a kind that is there; wrong usage for any other."""
    from importlib.util import find_spec

    if value is None:
        return None
    kind, is_url, _ = value.partition("://")
    if not is_url:
        message = f"{value!r} is no URL; a file is named as sqlite:///{Path(value).expanduser().absolute().as_posix()}"
        raise click.BadParameter(message)
    kind = kind.partition("+")[0]
    if kind not in ("sqlite", "postgresql"):
        message = f"games are kept in SQLite or PostgreSQL (sqlite:///FILE, postgresql://HOST/NAME), not {kind}"
        raise click.BadParameter(message)
    if kind == "postgresql" and find_spec("psycopg") is None:
        fail("PostgreSQL needs its driver: pip install 'trajekt[postgres]'")
    return value


DATABASE = click.option(
    "--db",
    default=None,
    metavar="URL",
    callback=database_url,
    help="Where games are kept: sqlite:///FILE or postgresql://... Default: an SQLite file in your data folder.",
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
    help="Where players reach the table, for the links in letters. Default: as each reached it.",
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
    components: Path | None,
) -> None:
    """Start the table and open it in the browser. Ctrl-C stops it; games go on where they stood."""
    from trajekt.server.http.serve import ServeError
    from trajekt.server.http.serve import serve as run_table

    _tell_broken()
    if components is not None:
        from trajekt.registry import names

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
            metrics=metrics,
        )
    except ServeError as fault:
        fail(str(fault))


@main.command()
@click.argument("file", type=OUT)
@click.option(
    "--table", "tables", multiple=True, metavar="ID", help="Only this table, as its address names it; again for more."
)
@DATABASE
def backup(file: Path, tables: tuple[str, ...], db: str | None) -> None:
    """Write all tables to FILE, with seats, people, talk and notes, while the server goes on. `restore` takes them in."""
    with _database(db, existing=True) as engine:
        from trajekt.server.storage.backup import written

        count = written(engine, file, tables or None)
    say(f"{count} tables in {file}. Keep it as you keep the database: it holds notes and who plays.")


@main.command()
@click.argument("file", type=OUT)
@DATABASE
def restore(file: Path, db: str | None) -> None:
    """Take the tables of FILE into a database, which may be of another kind: SQLite or PostgreSQL. All of them or none."""
    if not file.is_file():
        fail(f"there is no file {file}")
    with _database(db) as engine:
        from trajekt.server.storage.backup import taken_in

        count = taken_in(engine, file)
    say(f"{count} tables taken in.")


@contextmanager
def _database(db: str | None, *, existing: bool = False) -> Iterator[Engine]:
    """The database of a URL, or the default one; every fault ends the command with a sentence."""
    import sqlalchemy as sa
    from sqlalchemy.engine import make_url

    from trajekt.server.http.serve import default_url
    from trajekt.server.storage.backup import ArchiveError
    from trajekt.server.storage.engine import connect

    url = db or default_url()
    try:
        parsed = make_url(url)
        if existing and parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
            fail(f"there is no database {parsed.database}")
        engine = connect(url)
        try:
            yield engine
        finally:
            engine.dispose()
    except (sa.exc.SQLAlchemyError, ArchiveError, OSError, ImportError) as fault:
        fail(str(getattr(fault, "orig", None) or fault).splitlines()[0])


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
        say(f"trajekt: game {name}: {why}")


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
