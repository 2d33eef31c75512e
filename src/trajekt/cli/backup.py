"""Keep the tables of a server in a file, and take them into a database again, also one of another kind."""

from __future__ import annotations

from pathlib import Path

import click

from trajekt.cli.console import OUT, fail, main, say
from trajekt.cli.language import translated
from trajekt.cli.server import DATABASE, database_of


@main.command()
@click.argument("file", type=OUT)
@click.option(
    "--table", "tables", multiple=True, metavar="ID", help="Only this table, as its address names it; again for more."
)
@click.option("--quiet", is_flag=True, help="Say nothing where all is well, as for a job at night.")
@DATABASE
def backup(file: Path, tables: tuple[str, ...], quiet: bool, db: str | None) -> None:
    """Write all tables to FILE, with seats, people, talk and notes, while the server goes on. `restore` takes them in."""
    with database_of(db, existing=True) as engine:
        from trajekt.server.storage.backup_and_restore import written

        count = written(engine, file, tables or None)
    if not quiet:
        done = "{count} tables in {file}. Keep it as you keep the database: it holds notes and who plays."
        alone = "1 table in {file}. Keep it as you keep the database: it holds notes and who plays."
        say(alone if count == 1 else done, count=count, file=file)


@main.command()
@click.argument("file", type=OUT)
@click.option("--quiet", is_flag=True, help="Say nothing where all is well.")
@DATABASE
def restore(file: Path, quiet: bool, db: str | None) -> None:
    """Take the tables of FILE into a database, which may be of another kind: SQLite or PostgreSQL. All of them or none."""
    if not file.is_file():
        fail("there is no file {file}", file=file)
    from trajekt.server.storage.backup_and_restore import ArchiveError, head_of, read, taken_in

    try:
        head_of(read(file), file.name)  # before a database is made for it
    except ArchiveError as fault:
        fail("{text}", text=translated(fault))
    with database_of(db) as engine:
        count = taken_in(engine, file)
    if not quiet:
        say("1 table taken in." if count == 1 else "{count} tables taken in.", count=count)
