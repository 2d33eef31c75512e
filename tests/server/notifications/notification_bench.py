"""The work of a table, done by hand at a time that is set by hand; and the letters that result of it."""

from __future__ import annotations

import email
import email.policy
import time

from tests.server.friends import PLAYERS
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.notifications import notification_settings
from trajekt.server.notifications.job_worker import JobRunner
from trajekt.server.services.table_service import NewTable, TableService
from trajekt.server.storage import contacts, job_queue
from trajekt.server.storage.contacts import Contact
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.schema import DUE, MAILS
from trajekt.server.storage.seats import looked

SENDER = "Trajekt <table@play.example>"


class Bench:
    """A table of friends without a server, its work, and a clock that is set by hand."""

    def __init__(self, store, sending):
        self.now = time.time() + 30.0  # entries bear the time of the store, which is the true one
        self.store = store
        self.table = TableService(GameCache(store))
        self.work = JobRunner(self.table, Accounts(self.table.cache), sending, lambda: self.now)
        wanted = NewTable("18rhl", PLAYERS, {"edition": 2, "fixed_seats": True}, 7, friends=True, you="Ada")
        self.id = self.table.open(wanted).id

    @property
    def cached(self):
        return self.table.cache.get(self.id)

    def contact(self, seat, **values):
        """A contact whose mail address is confirmed, without the letter that asks."""
        self.leaves(seat, **values)
        if values.get("mail"):
            contacts.agree(self.store, self.id, seat, values["mail"])
            with self.store.engine.begin() as connection:
                connection.execute(MAILS.delete())
                connection.execute(DUE.delete())

    def leaves(self, seat, **values):
        contact = notification_settings.checked(Contact(**values))
        return contacts.leave(self.store, self.id, seat, contact, self.now)

    def passes(self):
        game = self.cached.game
        self.table.cache.act(self.id, game.number, game.to_act[0], game.codec.action(b'{"kind": "pass"}'))

    def looks(self, seat, at):
        looked(self.store, self.id, (seat,), at)

    def jobs(self):
        with self.store.engine.connect() as connection:
            return connection.exec_driver_sql("SELECT kind, payload, at, tries FROM due ORDER BY id").all()

    def run(self, after=60.0):
        """Do everything that is due by now, then all that follows within so many seconds."""
        for step in (0.0, after):
            self.now += step
            while jobs := job_queue.take(self.store.engine, self.now):
                for job in jobs:
                    self.work.do(job)


def letters(box):
    return [email.message_from_bytes(letter.content, policy=email.policy.default) for letter in box.letters]
