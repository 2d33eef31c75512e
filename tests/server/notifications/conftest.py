"""Who is told in these tests: a mail server and a web server on this machine; and the work that tells them."""

from __future__ import annotations

import json

import pytest
from aiosmtpd.controller import Controller

from tests.server.local_http import kept_posts
from tests.server.notifications.notification_bench import SENDER, Bench
from tests.server.processes import free_port
from trajekt.server.notifications import mail
from trajekt.server.notifications.delivery import NotificationConfig


class Box:
    """A mail server's handler that keeps what it is given, or refuses it."""

    def __init__(self):
        self.letters, self.answer = [], "250 kept"

    async def handle_DATA(self, _server, _session, envelope):
        self.letters.append(envelope)
        return self.answer


@pytest.fixture
def post_box():
    box = Box()
    controller = Controller(box, hostname="127.0.0.1", port=free_port())
    controller.start()
    box.url = f"smtp://127.0.0.1:{controller.port}"
    yield box
    controller.stop()


@pytest.fixture
def web_hook():
    """`asked`: the requests of a web server on this machine; `status`: its answer, which would lead elsewhere."""
    with kept_posts(204, "/hook?key=1", read=json.loads, headers={"location": "http://127.0.0.1:1/"}) as server:
        yield server


@pytest.fixture
def bench(store, post_box):
    return Bench(
        store,
        NotificationConfig(mail.mail_server_of(post_box.url, SENDER), "https://reached.example", private_hooks=True),
    )
