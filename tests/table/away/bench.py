"""The work of a table, done by hand at a time that is set by hand; and the letters that came of it."""

from __future__ import annotations

import email
import email.policy
import time

from tests.table.friends import PLAYERS
from trajekt.table.away import contacts
from trajekt.table.away.contacts import Contact
from trajekt.table.away.work import Work
from trajekt.table.kept import due
from trajekt.table.kept.live import Live
from trajekt.table.kept.schema import DUE, MAILS
from trajekt.table.people.accounts import Accounts
from trajekt.table.people.seats import looked
from trajekt.table.play.service import Table, Wanted

SENDER = "Trajekt <table@play.example>"


class Bench:
    """A table of friends without a server, its work, and a clock that is set by hand."""

    def __init__(self, store, sending):
        self.now = time.time() + 30.0  # entries bear the time of the store, which is the true one
        self.store = store
        self.table = Table(Live(store))
        self.work = Work(self.table, Accounts(self.table.live), sending, lambda: self.now)
        wanted = Wanted("18rhl", PLAYERS, {"edition": 2, "fixed_seats": True}, 7, friends=True, you="Ada")
        self.id = self.table.open(wanted).id

    @property
    def hot(self):
        return self.table.live.table(self.id)

    def contact(self, seat, **values):
        """A contact whose mail address is confirmed, without the letter that asks."""
        self.leaves(seat, **values)
        if values.get("mail"):
            contacts.agree(self.store, self.id, seat, values["mail"])
            with self.store.engine.begin() as connection:
                connection.execute(MAILS.delete())
                connection.execute(DUE.delete())

    def leaves(self, seat, **values):
        contact = contacts.checked(Contact(**values))
        return contacts.leave(self.store, self.id, seat, contact, "https://reached.example", self.now)

    def passes(self):
        game = self.hot.game
        self.table.live.act(self.id, game.number, game.to_act[0], game.codec.action(b'{"kind": "pass"}'))

    def looks(self, seat, at):
        looked(self.store, self.id, (seat,), at)

    def jobs(self):
        with self.store.engine.connect() as connection:
            return connection.exec_driver_sql("SELECT kind, payload, at, tries FROM due ORDER BY id").all()

    def run(self, after=60.0):
        """Do everything that is due by now, then all that follows within so many seconds."""
        for step in (0.0, after):
            self.now += step
            while jobs := due.take(self.store.engine, self.now):
                for job in jobs:
                    self.work.do(job)


def letters(box):
    return [email.message_from_bytes(letter.content, policy=email.policy.default) for letter in box.letters]
