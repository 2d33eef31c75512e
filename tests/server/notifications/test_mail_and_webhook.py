"""Senders of notices: a real mail server and real webhooks on this machine; what they are never led to."""

from __future__ import annotations

import smtplib

import pytest

from tests.server.processes import free_port
from trajekt.server.notifications import mail, webhook

NOTICE = webhook.Notice(
    text="18Rhl, SR 2: Ada <b>@everyone</b> & co", kind="turn", table="abc", game="18rhl", player="Ada",
    decision="Ada: sell, buy or pass?", address="https://play.example/t/abc", number=7,
)  # fmt: skip


def test_a_letter_reaches_a_mail_server(post_box):
    post = mail.mail_server_of(post_box.url, "Trajekt <table@play.example>")
    mail.send(
        post,
        mail.letter(post.sender, "ada@home.example", "Zug für\nAda", "Köln, dran!\n", "https://play.example/q"),
        "ada@home.example",
    )
    letter = post_box.letters[0]
    assert (letter.mail_from, letter.rcpt_tos) == ("table@play.example", ["ada@home.example"])
    text = letter.content.decode()
    assert "List-Unsubscribe: <https://play.example/q>" in text
    assert "Auto-Submitted: auto-generated" in text
    import email
    import email.policy

    read = email.message_from_bytes(letter.content, policy=email.policy.default)
    assert read["Subject"] == "Zug für Ada"
    assert read.get_content().replace("\r\n", "\n") == "Köln, dran!\n"


def test_refusing_mail_server_is_a_fault(post_box):
    post_box.answer = "554 no"
    post = mail.mail_server_of(post_box.url, "a@b.example")
    with pytest.raises(smtplib.SMTPException):
        mail.send(post, mail.letter(post.sender, "c@d.example", "x", "y"), "c@d.example")
    with pytest.raises(OSError):
        mail.send(
            mail.mail_server_of(f"smtp://127.0.0.1:{free_port()}", "a@b.example"),
            mail.letter("a@b.example", "c@d.example", "x", "y"),
            "c@d.example",
        )


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ada",
        "ada@",
        "@home",
        "a@b\nBcc: c@d",
        "a@b, c@d",
        "a b@c",
        "a@b>",
        "x" * 260 + "@b.c",
        "ä@b.c",
        "<a@b.c> d@e.f",
    ],
)
def test_impossible_mail_address_is_refused(address):
    with pytest.raises(mail.MailError):
        mail.checked(address)


@pytest.mark.parametrize("url", ["http://mail.example", "smtp://", "mail.example:25", "smtp://mail.example:port"])
def test_impossible_mail_server_is_refused(url):
    with pytest.raises(mail.MailError):
        mail.mail_server_of(url, "a@b.example")


def test_mail_server_address_is_parsed():
    post = mail.mail_server_of("smtps://us%40er:p%3Aw@mail.example", "a@b.example")
    assert (post.host, post.port, post.user, post.password) == ("mail.example", 465, "us@er", "p:w")
    assert mail.mail_server_of("submission://mail.example", "a@b.example").port == 587


def test_forms_of_webhooks():
    discord = webhook.body("discord", NOTICE)
    assert discord["allowed_mentions"] == {"parse": []}
    assert discord["content"].endswith("<https://play.example/t/abc>")
    slack = webhook.body("slack", NOTICE)
    assert slack == {"text": "18Rhl, SR 2: Ada &lt;b&gt;@everyone&lt;/b&gt; &amp; co <https://play.example/t/abc>"}
    plain = webhook.body("json", NOTICE)
    assert (plain["table"], plain["game"], plain["decision"], plain["number"]) == ("abc", "18rhl", NOTICE.decision, 7)


def test_a_webhook_is_told(web_hook):
    webhook.send(web_hook.url, "json", NOTICE, private=True)
    path, headers, body = web_hook.asked[0]
    assert path == "/hook?key=1"
    assert headers["Host"] == f"127.0.0.1:{web_hook.server_port}"
    assert body["player"] == "Ada"


@pytest.mark.parametrize(("status", "again"), [(500, True), (429, True), (404, False), (302, False)])
def test_only_success_counts_redirects_do_not(web_hook, status, again):
    web_hook.status = status
    with pytest.raises(webhook.HookFailure) as fault:
        webhook.send(web_hook.url, "json", NOTICE, private=True)
    assert fault.value.again == again
    assert len(web_hook.asked) == 1


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0", "[::ffff:127.0.0.1]",
             "[64:ff9b::7f00:1]", "[fd00::1]", "2130706433", "0x7f.1", "224.0.0.1", "100.64.0.1"]
)  # fmt: skip
def test_no_private_network_is_asked(host, web_hook):
    with pytest.raises((webhook.HookError, webhook.HookFailure)):
        webhook.send(f"http://{host}:{web_hook.server_port}/", "json", NOTICE)
    assert not web_hook.asked


def test_every_resolved_address_must_be_public(monkeypatch, web_hook):
    def found(_host, port, **_kwargs):
        return [(2, 1, 6, "", ("93.184.216.34", port)), (2, 1, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(webhook.socket, "getaddrinfo", found)
    with pytest.raises(webhook.HookError):
        webhook.send(f"http://rebound.example:{web_hook.server_port}/", "json", NOTICE)
    asked = []
    monkeypatch.setattr(webhook.socket, "getaddrinfo", lambda _h, port, **_k: [(2, 1, 6, "", ("93.184.216.34", port))])
    monkeypatch.setattr(
        webhook.socket,
        "create_connection",
        lambda address, _t: asked.append(address) or (_ for _ in ()).throw(OSError("x")),
    )
    with pytest.raises(webhook.HookFailure):
        webhook.send("http://fine.example/", "json", NOTICE)
    assert asked == [("93.184.216.34", 80)]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/",
        "file:///etc/passwd",
        "https://u:p@a.example/",
        "http:///x",
        "http://a.example:x/",
        "",
        "https://a b/",
    ],
)
def test_what_is_no_webhook_is_refused(url):
    with pytest.raises(webhook.HookError):
        webhook.checked(url)
