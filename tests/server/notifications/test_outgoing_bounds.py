"""Calls that leave the server: bounded in time and tries, and never turned on a third person."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

import pytest

from tests.server.friends import gathered
from trajekt.server.notifications import mail, webhook
from trajekt.server.notifications.mail import MailError, checked
from trajekt.server.notifications.webhook import HookFailure, Notice, is_public
from trajekt.server.storage import contacts, job_queue

NOTICE = Notice(*"x" * 7, 1)


@pytest.fixture
def dripping():
    """A web server that sends a byte now and then and never an answer."""
    listening = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def drip():
        other, _ = listening.accept()
        try:
            while not done.wait(0.2):
                other.send(b"H")
        except OSError:
            pass
        other.close()

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    done.set()
    listening.close()


def test_a_slow_webhook_is_given_up(dripping, monkeypatch):
    monkeypatch.setattr(webhook, "TIMEOUT", 1.0)
    began = time.monotonic()
    with pytest.raises(HookFailure):
        webhook.send(dripping, "json", NOTICE, private=True)
    assert time.monotonic() - began < 4


def test_host_gets_one_notice_a_time(dripping, monkeypatch):
    monkeypatch.setattr(webhook, "TIMEOUT", 3.0)

    def send_first():
        with contextlib.suppress(HookFailure):
            webhook.send(dripping, "json", NOTICE, private=True)

    first = threading.Thread(target=send_first)
    first.start()
    time.sleep(0.5)
    began = time.monotonic()
    with pytest.raises(HookFailure, match="something else"):
        webhook.send(dripping, "json", NOTICE, private=True)
    assert time.monotonic() - began < 1
    first.join()


def test_takes_of_a_job_are_bounded(client, store):
    id_, _ = gathered(client)
    with store.begin() as connection:
        job_queue.ask(connection, id_, job_queue.NOTICE, {}, 0.0)
    tries = [job.tries for n in range(12) for job in job_queue.take(store.engine, 1e10 + n * 100)]
    assert tries == list(range(1, job_queue.TRIES + 1))
    assert job_queue.next_at(store.engine) is None


@pytest.mark.parametrize(
    "address",
    [
        "=?utf-8?q?=72eader?=@example.org",
        "<a@b.example>",
        "X <a@b.example>",
        "root@localhost",
        "a!b@c.example",
        "a%c@b.example",
        "|ls@x.example",
        "-oX@x.example",
        "a@b",
        'a"b@c.example',
        "a@b.example,c@d.example",
        "a@b.example\nBcc: c@d.example",
        "ä@b.example",
        "a..b@c.example",
    ],
)
def test_odd_addresses_are_refused(address):
    with pytest.raises(MailError):
        checked(address)


def test_letter_goes_to_checked_address():
    kept = checked(" reader+games@Example.ORG ")
    assert kept == "reader+games@example.org"
    assert mail.letter("table@play.example", kept, "x", "y")["To"].addresses[0].addr_spec == kept
    assert contacts.mailbox_of(kept) == contacts.mailbox_of("READER@example.org") == "reader@example.org"


def test_many_spellings_are_one_mailbox(client):
    said = []
    for n in range(2):
        _, people = gathered(client)
        said += [
            people[who].post("contact", {"mail": f"reader+{n}{who}@example.org"}).status_code for who in ("Ada", "Bert")
        ]
    assert said == [200, 200, 200, 429]


def test_domain_and_server_have_a_share(client, monkeypatch):
    monkeypatch.setattr(contacts, "TO_DOMAIN", 2)
    _, people = gathered(client)
    said = [people[who].post("contact", {"mail": f"{who}@example.org"}).status_code for who in ("Ada", "Bert", "Cleo")]
    assert said == [200, 200, 429]
    monkeypatch.setattr(contacts, "IN_ALL", 2)
    assert people["Cleo"].post("contact", {"mail": "cleo@other.example"}).status_code == 429


def test_a_never_holds_for_every_spelling(bench):
    bench.leaves(1, mail="reader@example.org")
    contacts.refuse(bench.store, bench.id, 1, "reader@example.org")
    for spelled in ("reader@example.org", "Reader+x@EXAMPLE.org"):
        with pytest.raises(Exception, match="mail_refused"):
            bench.leaves(2, mail=spelled)


@pytest.mark.parametrize(
    "address",
    [
        "::127.0.0.1",
        "fec0::1",
        "64:ff9b:1::7f00:1",
        "64:ff9b::7f00:1",
        "::ffff:0:127.0.0.1",
        "::ffff:127.0.0.1",
        "5f00::1",
        "3fff::1",
        "192.88.99.1",
        "10.0.0.1",
        "169.254.169.254",
        "2002:7f00:1::",
        "::1",
    ],
)
def test_address_carrying_another_is_not_public(address):
    assert not is_public(address)


def test_public_addresses_are_public():
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1:248:1893:25c8:1946")
