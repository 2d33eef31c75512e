"""Web Push: a device is called though no page is open; its browser alone can read the message; bounds of what is asked."""

from __future__ import annotations

import stat
import time

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag

from tests.server.databases import ON_BOTH
from tests.server.notifications.notification_bench import Bench
from tests.server.notifications.push_service import Browser, claims_of, push_service
from trajekt.server.notifications import web_push, webhook
from trajekt.server.notifications.delivery import NotificationConfig
from trajekt.server.refusals import DeniedError
from trajekt.server.services import chat as chat_service
from trajekt.server.storage import accounts as account_rows
from trajekt.server.storage import contacts, push_subscriptions, seats
from trajekt.server.storage.push_subscriptions import FAILURES, PushSubscription, QuietHours

ADA, BERT, CLEO = 0, 1, 2


@pytest.fixture
def service():
    with push_service() as found:
        yield found


@pytest.fixture
def called(store, service):
    """A table at which Bert, who holds his seat by a device, is called there."""
    bench = Bench(store, NotificationConfig(None, "https://reached.example", private_hooks=True))
    bench.browser = Browser()
    account_rows.add_person(store, "bert", "device-of-bert", {})
    seats.hold(store, bench.id, BERT, "bert", "de")
    subscribe(bench, service.url)
    return bench


def subscribe(bench, endpoint, device="device-of-bert", language="de"):
    kept = bench.browser.subscription(endpoint)
    push_subscriptions.subscribe(bench.store, PushSubscription(device=device, language=language, **kept))


def shown(bench, service):
    return [bench.browser.opened(body) for _, _, body in service.asked]


@ON_BOTH
def test_device_is_called_to_its_turn(called, service):
    called.passes()
    called.run()
    (message,) = shown(called, service)
    assert message["title"] == "Bert: kaufen, bieten oder passen?"
    assert message["address"] == message["tag"] == f"/t/{called.id}"
    assert message["text"].startswith("18Rhl-Rhineland, AR 1. Zuletzt: Ada")


def test_message_opens_for_its_browser_alone(called, service):
    called.passes()
    called.run()
    body = service.asked[0][2]
    assert b"Bert" not in body
    with pytest.raises(InvalidTag):
        Browser().opened(body)


def test_service_is_told_who_sends(called, service):
    called.passes()
    called.run()
    path, headers, _ = service.asked[0]
    claims = claims_of(headers["authorization"])
    assert path == "/send/abc"
    assert claims["aud"] == service.url.removesuffix("/send/abc")
    assert claims["sub"] == "https://reached.example"
    assert time.time() < claims["exp"] < time.time() + 24 * 3600  # the standard allows a day
    assert claims["key"] == called.work.delivery.keys.public
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", str(web_push.LIFE))
    assert len(headers["topic"]) == 32
    forged = headers["authorization"].replace("t=ey", "t=eX")
    with pytest.raises(InvalidSignature):
        claims_of(forged)


def test_device_is_called_once_a_turn(called, service):
    called.passes()
    called.run()
    called.run(after=4000)
    assert len(service.asked) == 1


def test_nobody_is_called_before_his_eyes(called, service):
    called.passes()
    called.looks(BERT, called.now + 60.0)
    called.run()
    assert not service.asked


def test_timely_player_is_not_called(called, service):
    called.passes()
    called.run(after=0.0)
    called.passes()
    called.run()
    assert not service.asked


def test_muted_table_calls_no_device(called, service):
    called.leaves(BERT, muted=True)
    called.passes()
    called.run()
    assert not service.asked


def test_signed_out_device_is_forgotten(called, service):
    called.passes()
    account_rows.remove_device(called.store, "device-of-bert")
    called.run()
    assert not service.asked
    assert push_subscriptions.subscription_of(called.store, "device-of-bert") is None


def test_device_stays_called_after_sign_in(called, service):
    account_rows.add_person(called.store, "account", "another", {"name": "Bert", "folded": "bert"})
    account_rows.enter(called.store, "account", "new-key", "device-of-bert", "bert")
    called.passes()
    called.run()
    assert len(service.asked) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_ended_subscription_is_forgotten(called, service, status):
    service.status = status
    called.passes()
    called.run()
    assert push_subscriptions.subscription_of(called.store, "device-of-bert") is None
    assert len(service.asked) == 1
    assert not called.jobs()


def test_failing_service_is_given_up(called, service):
    service.status = 503
    called.passes()
    for _ in range(FAILURES + 3):
        called.run(after=3600)
    assert len(service.asked) == FAILURES
    assert push_subscriptions.subscription_of(called.store, "device-of-bert") is None
    assert not called.jobs()


def test_success_forgives_failures(called, service):
    service.status = 503
    called.passes()
    called.run()
    assert push_subscriptions.subscription_of(called.store, "device-of-bert").failures > 0
    service.status = 201
    called.run(after=3600)
    assert push_subscriptions.subscription_of(called.store, "device-of-bert").failures == 0


def test_redirection_is_no_answer(called, service):
    service.status = 302
    called.passes()
    called.run(after=4000)
    assert len(service.asked) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]", "[fd00::1]"])
def test_no_private_address_is_asked(store, service, host):
    keys, browser = web_push.VapidKeys(store), Browser()
    kept = browser.subscription(f"https://{host}:{service.server_port}/x")
    device = PushSubscription(device="d", language="en", **kept)
    message = web_push.PushMessage("a", "b", "/t/x", "/t/x")
    with pytest.raises((webhook.HookError, webhook.HookFailure)):
        web_push.send(keys, "mailto:a@b.example", device, message, private=False)
    assert not service.asked


def test_slow_service_is_cut_off(store, service, monkeypatch):
    import socket

    silent = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr(webhook, "TIMEOUT", 0.5)
    kept = Browser().subscription(f"http://127.0.0.1:{silent.getsockname()[1]}/x")
    device = PushSubscription(device="d", language="en", **kept)
    began = time.monotonic()
    with pytest.raises(webhook.HookFailure):
        message = web_push.PushMessage("a", "b", "/t/x", "/t/x")
        web_push.send(web_push.VapidKeys(store), "mailto:a@b.example", device, message, private=True)
    silent.close()
    assert time.monotonic() - began < 10
    assert not web_push.BUSY


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("endpoint", "http://push.example/x"),
        ("endpoint", "https://a:b@push.example/x"),
        ("endpoint", "ftp://push.example/x"),
        ("public_key", "AAAA"),
        ("public_key", "BA" + "A" * 85),
        ("auth_secret", "AAAA"),
        ("auth_secret", "!"),
    ],
)
def test_impossible_subscription_is_refused(field, value):
    wanted = Browser().subscription("https://push.example/x") | {field: value}
    with pytest.raises(DeniedError) as fault:
        web_push.checked(**wanted, private=False)
    assert (fault.value.status, fault.value.code) == (422, "push_unreadable")


def test_possible_subscription_is_taken():
    assert web_push.checked(**Browser().subscription("https://push.example/x"), private=False) is None


def test_long_message_is_cut(store):
    browser = Browser()
    device = PushSubscription(device="d", language="en", **browser.subscription("https://push.example/x"))
    sealed = web_push.body_of(device, web_push.PushMessage("t", "x" * 5000, "/t/x", "/t/x"))
    assert len(sealed) < 3000  # services take 4096 bytes
    assert browser.opened(sealed)["text"].endswith("…")


# Keys ----------------------------------------------------------------------------------------------------------------


def test_key_lies_beside_the_database(store):
    keys = web_push.VapidKeys(store)
    file = keys.file()
    assert not file.exists()
    public = keys.public
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.glob("*.vapid.pem*")] == [file.name]
    assert web_push.VapidKeys(store).public == public


def test_key_that_is_there_stays(store):
    keys = web_push.VapidKeys(store)
    web_push.write_once(keys.file(), web_push.new_key())
    before = keys.file().read_bytes()
    web_push.write_once(keys.file(), web_push.new_key())
    assert keys.file().read_bytes() == before


# Quiet hours ---------------------------------------------------------------------------------------------------------


def all_day_but(now, minutes):
    """Quiet hours around a time that end so many minutes after it, in UTC."""
    minute = int(now // 60) % (24 * 60)
    return QuietHours((minute - 60) % (24 * 60), (minute + minutes) % (24 * 60), "UTC")


def test_call_waits_for_quiet_hours(called, service):
    called.now = called.now // 60 * 60
    push_subscriptions.keep_quiet(called.store, "bert", all_day_but(called.now, 30))
    called.passes()
    called.run()
    assert not service.asked
    called.run(after=40 * 60)
    assert len(service.asked) == 1


def test_quiet_call_lapses_with_move(called, service):
    push_subscriptions.keep_quiet(called.store, "bert", all_day_but(called.now, 30))
    called.passes()
    called.run()
    called.passes()
    called.run(after=40 * 60)
    assert not service.asked


def test_quiet_hours_hold_for_letters(store, post_box):
    from trajekt.server.notifications import mail

    bench = Bench(store, NotificationConfig(mail.mail_server_of(post_box.url, "a@b.example"), "https://x.example"))
    account_rows.add_person(store, "bert", "device", {})
    seats.hold(store, bench.id, BERT, "bert", "de")
    bench.contact(BERT, mail="bert@home.example")
    push_subscriptions.keep_quiet(store, "bert", all_day_but(bench.now, 30))
    bench.passes()
    bench.run()
    assert not post_box.letters
    bench.run(after=40 * 60)
    assert len(post_box.letters) == 1


# The talk, and the beginning of a game -------------------------------------------------------------------------------


def test_named_player_is_told(called, service):
    chat_service.say(called.table, called.cached, ADA, "@bert, sell me a train?", players_only=False, at=called.now)
    called.run()
    (message,) = shown(called, service)
    assert message["title"] == "Ada fragt dich: @bert, sell me a train?"


def test_named_player_is_told_once(called, service):
    for text in ("@Bert?", "@Bert!", "@Bert!!"):
        chat_service.say(called.table, called.cached, ADA, text, players_only=True, at=called.now)
    called.run()
    assert len(service.asked) == 1


@pytest.mark.parametrize("text", ["Bert?", "mail bert@bert.example", "@Berta", "x@Bert"])
def test_other_words_call_nobody(called, service, text):
    chat_service.say(called.table, called.cached, ADA, text, players_only=False, at=called.now)
    called.run()
    assert not service.asked


def test_longest_name_is_meant():
    assert chat_service.named("@ann lee, go", ["Ann", "Ann Lee", "Bo"]) == (1,)
    assert chat_service.named("@Ann and @BO", ["Ann", "Ann Lee", "Bo"]) == (0, 2)


def test_nobody_calls_himself(called, service):
    chat_service.say(called.table, called.cached, BERT, "@Bert", players_only=False, at=called.now)
    called.run()
    assert not service.asked


def test_waiting_player_is_called_in(called, service):
    called.work.begun(called.id)
    called.run()
    assert shown(called, service)[0]["title"] == "Bert: das Spiel hat begonnen"


def test_notice_to_try_comes_at_once(called, service):
    device = push_subscriptions.subscription_of(called.store, "device-of-bert")
    called.work.delivery.try_device(device)
    assert shown(called, service)[0]["title"] == "Ein Versuch"
    assert called.work.sendings["push", "sent"] == 1


def test_notices_have_texts_by_kind(called):
    from trajekt.server.notifications import messages

    game = called.cached.snapshot()
    for language in ("de", "en"):
        for kind in (contacts.TURN, contacts.OVER, contacts.CONSENT, contacts.BEGUN, contacts.TRIED):
            message = messages.push_message(game, messages.Asked(BERT, kind), language, "/t/x")
            assert "Bert" in message.title
