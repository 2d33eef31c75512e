"""Who is told in these tests: a mail server and a web server on this machine; and the work that tells them."""

from __future__ import annotations

import http.server
import json
import threading

import pytest
from aiosmtpd.controller import Controller

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
    """`asked`: the requests of a web server on this machine; `status`: its answer."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            server.asked.append((self.path, dict(self.headers), json.loads(body)))
            self.send_response(server.status)
            self.send_header("location", "http://127.0.0.1:1/")
            self.end_headers()

        def log_message(self, *_args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.status = [], 204
    server.url = f"http://127.0.0.1:{server.server_port}/hook?key=1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def bench(store, post_box):
    return Bench(
        store,
        NotificationConfig(mail.mail_server_of(post_box.url, SENDER), "https://reached.example", private_hooks=True),
    )
