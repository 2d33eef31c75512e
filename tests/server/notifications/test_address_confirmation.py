"""No letters against anybody's will: an address gets one letter that asks, and others once its viewer has agreed."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from tests.server.friends import gathered
from tests.server.notifications.notification_bench import SENDER, letters
from tests.server.waiting import until
from trajekt.server.http.app import create_app
from trajekt.server.notifications import mail, notification_settings
from trajekt.server.notifications.delivery import NotificationConfig
from trajekt.server.refusals import DeniedError
from trajekt.server.storage import contacts, job_queue, seats

ADA, BERT, CLEO = 0, 1, 2
HOME = "bert@home.example"


def link_of(letter):
    return re.search(r"/mail/(\w+)/(\S+)", letter.get_content())


def follows(bench, letter, *, yes=True):
    """What the page behind the link does."""
    _, token = link_of(letter).groups()
    seat, address = notification_settings.mail_asked(bench.work.accounts, bench.id, token)
    (contacts.agree if yes else contacts.refuse)(bench.store, bench.id, seat, address)


def code_of(bench, seat, address):
    with pytest.raises(DeniedError) as no:
        bench.leaves(seat, mail=address)
    return no.value.code


def test_one_letter_asks_before_all_others(bench, post_box):
    assert bench.leaves(BERT, mail=HOME)
    bench.run()
    (asks,) = letters(post_box)
    assert (asks["To"], asks["Subject"]) == (HOME, "18Rhl-Rhineland: confirm your e-mail address")
    bench.passes()  # Bert is awaited
    bench.run()
    assert len(post_box.letters) == 1
    follows(bench, asks)
    bench.table.cache.undo(bench.id, 1)
    bench.passes()  # Bert is awaited again
    bench.run()
    assert [letter["To"] for letter in letters(post_box)] == [HOME, HOME]
    assert "Bert" in letters(post_box)[1]["Subject"]


def test_letter_speaks_the_players_language(bench, post_box):
    with pytest.raises(DeniedError):
        bench.leaves(BERT, mail="Billige Uhren <bert@home.example>", language="de")
    bench.leaves(BERT, mail=HOME, language="de")
    bench.run()
    (asks,) = letters(post_box)
    assert asks["To"] == HOME
    assert asks["Subject"] == "18Rhl-Rhineland: E-Mail-Adresse bestätigen"
    assert "Uhren" not in asks.get_content()
    assert not any(name in asks.get_content() for name in bench.cached.game.state.names)


def test_letter_asks_despite_open_page(bench, post_box):
    bench.looks(BERT, bench.now)
    bench.leaves(BERT, mail=HOME)
    for job in job_queue.take(bench.store.engine, bench.now):
        bench.work.do(job)
    assert len(post_box.letters) == 1


def test_same_address_is_asked_once(bench, post_box):
    bench.leaves(BERT, mail=HOME)
    bench.run()
    assert not bench.leaves(BERT, mail=HOME.upper())  # the same viewer, not yet agreed, asked today
    bench.leaves(BERT, mail=HOME)
    follows(bench, letters(post_box)[0])
    assert not bench.leaves(BERT, mail=HOME, muted=True)
    assert contacts.contact_info(bench.store, bench.id, BERT).confirmed
    assert bench.leaves(BERT, mail="bert@work.example")
    assert not contacts.contact_info(bench.store, bench.id, BERT).confirmed
    with pytest.raises(DeniedError) as gone:
        follows(bench, letters(post_box)[0])  # the old link does not confirm the new address
    assert gone.value.code == "mail_gone"
    bench.run()
    assert [letter["To"] for letter in letters(post_box)] == [HOME, "bert@work.example"]


def test_letters_that_ask_are_few(bench, post_box):
    for seat in (ADA, BERT, CLEO):
        assert bench.leaves(seat, mail=HOME)
    for n in range(contacts.FROM_ONE - 1):
        assert bench.leaves(BERT, mail=f"bert{n}@home.example")
    assert code_of(bench, BERT, "once@more.example") == "mail_often"  # one seat
    again = type(bench)(bench.store, bench.work.sending)
    assert code_of(again, ADA, HOME) == "mail_often"  # one address, from another table
    assert contacts.contact_info(again.store, again.id, ADA).contact.mail == ""
    bench.now += contacts.A_DAY + 1
    assert bench.leaves(BERT, mail="once@more.example")


def test_declined_address_is_not_asked_again(bench, post_box):
    bench.leaves(BERT, mail=HOME)
    bench.run()
    follows(bench, letters(post_box)[0], yes=False)
    assert contacts.contact_info(bench.store, bench.id, BERT).contact.mail == ""
    bench.now += 2 * contacts.A_DAY
    assert code_of(bench, CLEO, "Bert@Home.example") == "mail_refused"
    bench.run()
    assert len(post_box.letters) == 1


def test_seat_taker_inherits_no_consent(bench, post_box):
    bench.contact(BERT, mail=HOME)
    seats.new_link(bench.store, bench.id, BERT)
    assert bench.leaves(BERT, mail=HOME)
    assert not contacts.contact_info(bench.store, bench.id, BERT).confirmed


def test_a_webhook_needs_no_letter(bench, web_hook):
    bench.leaves(BERT, mail=HOME, hook=web_hook.url)
    bench.passes()
    bench.run()
    assert len(web_hook.asked) == 1


def test_link_leads_to_asking_page(store, post_box):
    sending = NotificationConfig(mail.mail_server_of(post_box.url, SENDER), "http://testserver", grace=0.0)
    with TestClient(create_app(store, sending=sending), base_url="http://testserver") as served:
        id_, people = gathered(served)
        bert = people["Bert"]
        assert bert.post("contact", {"mail": HOME}).status_code == 200
        assert 'id="unconfirmed"' in bert.get("beside").text
        assert 'id="no-mails"' not in bert.get("beside").text
        until(lambda: post_box.letters)
        link = link_of(letters(post_box)[0])[0]
        for language, asks in (
            ("en", "May e-mails about this table come to"),
            ("de", "Dürfen E-Mails zu diesem Tisch"),
        ):
            page = served.get(link, headers={"accept-language": language}).text
            assert f"{asks} {HOME}" in page or f"{asks} an {HOME}" in page
        assert 'id="unconfirmed"' in bert.get("beside").text  # a mail viewer that opens it changes nothing
        assert served.post(link, json={"yes": True}).status_code == 200
        assert 'id="unconfirmed"' not in bert.get("beside").text
        plain = {"accept": "application/json"}
        assert served.post(f"/mail/{id_}/forged", json={"yes": True}, headers=plain).status_code == 404
        other, _ = gathered(served)
        assert served.post(link.replace(id_, other), json={"yes": True}, headers=plain).status_code == 404
        token = notification_settings.quiet_token(served.app.state.server.accounts, id_, BERT)
        assert served.post(f"/mail/{id_}/{token}", json={"yes": True}, headers=plain).status_code == 404


def test_a_server_without_letters_says_so(client):
    _, people = gathered(client)
    people["Bert"].post("contact", {"mail": HOME})
    sidebar = people["Bert"].get("beside").text
    assert 'id="no-mails"' in sidebar
    assert 'id="unconfirmed"' not in sidebar


def test_letter_link_ignores_request_host(store, post_box):
    """The links in letters lead where the host says, whatever name a request came under."""
    sending = NotificationConfig(mail.mail_server_of(post_box.url, SENDER), "https://play.example")
    app = create_app(store, sending=sending, hosts={"play.example"})
    with TestClient(app, base_url="http://play.example") as client:
        id_, people = gathered(client)
        body, headers = {"mail": HOME}, people["Bert"].headers
        evil = client.post(f"/t/{id_}/contact", json=body, headers=headers | {"host": "evil.example"})
        assert evil.status_code == 421
        known = client.post(f"/t/{id_}/contact", json=body, headers=headers | {"host": "localhost"})
        assert known.status_code == 200
        until(lambda: post_box.letters)
    (letter,) = letters(post_box)
    assert f"https://play.example/mail/{id_}/" in letter.get_content()
    assert "localhost" not in letter.get_content()
