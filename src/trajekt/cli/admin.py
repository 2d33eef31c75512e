"""Commands of a host beside a server on which others play: look, delete, hide, ban, make new links.

A server that runs sees a change when it next reads the table from the database. On SQLite it reads a table once, and again when
somebody comes with a link that it does not know; after a deletion it is to be started anew.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from trajekt.cli.console import fail, main, put, say
from trajekt.cli.console import show as echo
from trajekt.cli.language import told
from trajekt.cli.server import DATABASE, database_of

if TYPE_CHECKING:
    from trajekt.server.storage.store import Store


@main.group()
def admin() -> None:
    """Look after a server: tables, accounts, links, deletion."""


@contextmanager
def _store(db: str | None) -> Iterator[Store]:
    """The store of a database that is there, migrated."""
    from trajekt.server.storage.store import Store

    with database_of(db, existing=True) as engine:
        store = Store(str(engine.url.render_as_string(hide_password=False)))
        try:
            store.migrate()
            yield store
        finally:
            store.close()


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


@admin.command()
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="At most so many.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@DATABASE
def tables(limit: int, as_json: bool, db: str | None) -> None:
    """List the tables, those that moved last first."""
    from trajekt.server.storage.admin_overview import all_tables

    with _store(db) as store:
        rows = all_tables(store, limit)
    if as_json:
        put(rows)
        return
    for row in rows:
        marks = " ".join(name for name in ("friends", "finished", "hidden") if row[name])
        click.echo(
            f"{row['id']}  {row['title']:7} {row['number']:5}  {_when(row['changed'])}  {row['moment']:7} {marks}"
        )


@admin.command("open-tables")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="At most so many.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@DATABASE
def list_open_tables(limit: int, as_json: bool, db: str | None) -> None:
    """List the open tables, the newest first: those of the lobby, and those by link alone."""
    from msgspec.structs import asdict

    from trajekt.server.storage.open_tables import all_open

    with _store(db) as store:
        found = all_open(store, limit)
    if as_json:
        put([asdict(row) | {"players": [each.name for each in seated]} for row, seated in found])
        return
    for row, seated in found:
        players = ", ".join(each.name for each in seated)
        where = "lobby" if row.listed else "link"
        click.echo(f"{row.id}  {row.title:7} {_when(row.created)}  {where:5} {players}  {row.sentence}")


@admin.command("end-open-table")
@click.argument("table")
@DATABASE
def end_open_table(table: str, db: str | None) -> None:
    """End the open TABLE: nobody can sit down there any more."""
    from trajekt.server.storage.open_tables import end

    with _store(db) as store:
        if not end(store, table):
            fail("there is no open table {table}", table=table)
    say("the open table {table} has ended", table=table)


@admin.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@DATABASE
def accounts(as_json: bool, db: str | None) -> None:
    """List the accounts with the number of their tables."""
    from trajekt.server.storage.accounts import accounts as all_accounts

    with _store(db) as store:
        found = all_accounts(store)
    if as_json:
        put([{"id": p.id, "name": p.name, "banned": p.banned, "created": at, "tables": n} for p, at, n in found])
        return
    for person, created, count in found:
        line = "{id}  {when}  {count:4} tables  {name}"
        banned = "{id}  {when}  {count:4} tables  {name}  (banned)"
        row = {"id": person.id, "when": _when(created), "count": count, "name": person.name}
        echo(banned if person.banned else line, **row)


@admin.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@DATABASE
def stats(as_json: bool, db: str | None) -> None:
    """Count tables, entries, accounts, devices and work that is due."""
    from trajekt.server.storage.admin_overview import counts

    with _store(db) as store:
        found = counts(store)
    if as_json:
        put(found)
        return
    for name, number in found.items():
        click.echo(f"{number:10}  {name}")


@admin.command()
@click.argument("table")
@DATABASE
def show(table: str, db: str | None) -> None:
    """Show TABLE with its seats and newest entries, as JSON: whom it waits for, who has a holder, a passcode, an address."""
    from trajekt.server.storage.admin_overview import one_table

    with _store(db) as store:
        found = one_table(store, table)
    if found is None:
        fail("there is no table {table}", table=table)
    put(found)


@admin.command("delete-table")
@click.argument("table")
@click.option("--yes", is_flag=True, help="Do not ask.")
@DATABASE
def delete_table(table: str, yes: bool, db: str | None) -> None:
    """Delete TABLE with all that belongs to it. There is no way back but a backup."""
    from trajekt.server.storage.deletion import delete_table as delete

    if not yes:
        click.confirm(told("Delete table {table} for good?", table=table), abort=True)
    with _store(db) as store:
        if not delete(store, table):
            fail("there is no table {table}", table=table)
    say("table {table} is deleted", table=table)


@admin.command("end-table")
@click.argument("table")
@click.option("--yes", is_flag=True, help="Do not ask.")
@DATABASE
def end_table(table: str, yes: bool, db: str | None) -> None:
    """End TABLE as it stands: nobody can move there any more. It can still be looked at and downloaded."""
    from trajekt.server.storage.admin_overview import end_game

    if not yes:
        click.confirm(told("End table {table} for good?", table=table), abort=True)
    with _store(db) as store:
        if not end_game(store, table):
            fail("there is no table {table}", table=table)
    say("table {table} has ended", table=table)


@admin.command("hide-table")
@click.argument("table")
@click.option("--show", is_flag=True, help="List it again.")
@DATABASE
def hide_table(table: str, show: bool, db: str | None) -> None:
    """Take TABLE off the start page; its address goes on to work."""
    from trajekt.server.storage.admin_overview import hide

    with _store(db) as store:
        if not hide(store, table, hidden=not show):
            fail("there is no table {table}", table=table)
    say("table {table} is listed" if show else "table {table} is hidden", table=table)


@admin.command("delete-account")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@DATABASE
def delete_account(name: str, yes: bool, db: str | None) -> None:
    """Delete the account NAME with all that belongs to it. Seats stay with their links; records of others name nobody."""
    from trajekt.server.storage.deletion import delete_person

    with _store(db) as store:
        person = _person(store, name)
        if not yes:
            click.confirm(told("Delete the account {name} for good?", name=name), abort=True)
        games = delete_person(store, person)
    say("the account {name} is deleted; it sat at {count} tables", name=name, count=len(games))


@admin.command()
@click.argument("name")
@click.option("--lift", is_flag=True, help="Let the account in again.")
@DATABASE
def ban(name: str, lift: bool, db: str | None) -> None:
    """Close the account NAME: it is signed out everywhere and can sign in no more."""
    from trajekt.server.storage.accounts import ban as close

    with _store(db) as store:
        close(store, _person(store, name), banned=not lift)
    say("the account {name} is open again" if lift else "the account {name} is closed", name=name)


@admin.command()
@click.argument("name")
@DATABASE
def export(name: str, db: str | None) -> None:
    """Write all that is stored about the account NAME, as JSON."""
    from trajekt.server.storage.accounts import data_of

    with _store(db) as store:
        put(data_of(store, _person(store, name)))


@admin.command()
@click.argument("table")
@click.option("--seat", type=int, default=None, help="The seat that gets a new link, from 0.")
@click.option("--watch", is_flag=True, help="A new link to watch.")
@DATABASE
def links(table: str, seat: int | None, watch: bool, db: str | None) -> None:
    """Make a new link to a seat of TABLE, or to watch; the old one and whoever held the seat by it are out.

    A server that runs on SQLite learns of it when somebody comes with the new link.
    """
    from trajekt.server.storage import seats

    if (seat is None) == (not watch):
        raise click.UsageError(told("name a seat with --seat, or --watch"))
    with _store(db) as store:
        assignments = seats.read_assignments(store, table)
        if not assignments.friends:
            fail("{table} is no table with links", table=table)
        if seat is not None and seat not in assignments.seats:
            there = ", ".join(map(str, sorted(assignments.seats)))
            fail("there is no seat {seat}; seats with links: {there}", seat=seat, there=there)
        token = seats.new_watching_link(store, table) if seat is None else seats.new_link(store, table, seat)
    click.echo(f"/t/{table}/{'watch' if watch else 'sit'}#{token}")
    say("the old link is dead; put the server's address in front")


@admin.command("audit")
@click.option("--table", "game", default="", help="Only this table.")
@click.option("--account", "name", default="", help="Only this account.")
@DATABASE
def audit_trail(game: str, name: str, db: str | None) -> None:
    """Show who changed what of seats and accounts, as JSON."""
    from trajekt.server.storage.audit import trail

    with _store(db) as store:
        put(trail(store, game, _person(store, name) if name else ""))


def _person(store: Store, name: str) -> str:
    """The person with an account of this name; ends the command where there is none."""
    from trajekt.engine.player_names import likeness
    from trajekt.server.storage.accounts import person_by_name
    from trajekt.server.user_text import cleaned

    found = person_by_name(store, likeness(cleaned(name)))
    if found is None:
        fail("there is no account {name}", name=name)
    return found[0].id
