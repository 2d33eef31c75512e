"""A web server on this machine that keeps what it is sent, for what the server tells others."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from typing import Any


@contextmanager
def kept_posts(
    status: int, path: str, *, read: Callable[[bytes], Any] = bytes, headers: Mapping[str, str] | None = None
) -> Iterator[Any]:
    """A server at `url`: `asked` has path, headers and body of each request, as `read` takes it; `status` is answered."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found: tuple[str, Message, Any] = (self.path, self.headers, read(body))
            server.asked.append(found)
            self.send_response(server.status)
            for name, value in {"content-length": "0", **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    server: Any = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.status = [], status
    server.url = f"http://127.0.0.1:{server.server_port}{path}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
