"""Look a set-up over before or beside a server."""

from __future__ import annotations

import click

from trajekt.cli.console import main, put, say
from trajekt.cli.language import translated
from trajekt.cli.server import DATABASE


@main.command()
@DATABASE
@click.option("--address", default="", metavar="URL", envvar="TRAJEKT_ADDRESS", help="Where players reach the server.")
@click.option("--smtp", default=None, metavar="URL", envvar="TRAJEKT_SMTP", help="The mail server, as for `serve`.")
@click.option("--mail-from", default=None, metavar="ADDRESS", envvar="TRAJEKT_MAIL_FROM", help="Sender of letters.")
@click.option("--letter", default="", metavar="ADDRESS", help="Send a letter there, to try the mail server.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def doctor(db: str | None, address: str, smtp: str | None, mail_from: str | None, letter: str, as_json: bool) -> None:
    """Say what is wrong with a set-up: database, disk, limits, clock, address, proxy, mail. Status 1 where anything is."""
    from dataclasses import asdict

    from trajekt.server.http.doctor import FAULT, WARNING, Setup, diagnosis, is_root
    from trajekt.server.http.serve import ServeError, default_url

    try:
        setup = Setup(db or default_url(), address, smtp, mail_from, letter)
    except ServeError as fault:
        raise click.UsageError(translated(fault)) from fault
    found = []
    for each in diagnosis(setup):
        found.append(each)
        if not as_json:
            sign = "!! " if each.state == FAULT else "!  " if each.state == WARNING else "   "
            click.echo(f"{sign}{translated(each.subject)}: {translated(each.text)}")
            if each.mend and each.state in (FAULT, WARNING):
                click.echo(f"     {translated(each.mend)}")
    if as_json:
        put([asdict(each) for each in found])
    if is_root():
        say("This ran as root, who may do more than the user of the service: run it as that user.")
    raise SystemExit(1 if any(each.state == FAULT for each in found) else 0)
