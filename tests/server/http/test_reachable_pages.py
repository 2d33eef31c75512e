"""Where other devices reach a server: by the address that the host names, else by this computer's address in the network."""

from __future__ import annotations

import socket

import pytest
from starlette.testclient import TestClient

from trajekt.server.http import serve
from trajekt.server.http.app import create_app


class Way:
    """A socket that knows by which address it would send."""

    own: str = "192.168.1.7"

    def __init__(self, *_kind):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_fault):
        pass

    def connect(self, _where):
        if not self.own:
            raise OSError

    def getsockname(self):
        return self.own, 50_000


@pytest.mark.parametrize(
    ("host", "own", "reached"),
    [
        ("0.0.0.0", "192.168.1.7", "http://192.168.1.7:8018/"),
        ("0.0.0.0", "", ""),
        ("0.0.0.0", "127.0.0.1", ""),
        ("127.0.0.1", "192.168.1.7", ""),
        ("192.168.1.7", "192.168.1.7", ""),
    ],
)
def test_the_address_in_the_network(monkeypatch, host, own, reached):
    monkeypatch.setattr(Way, "own", own)
    monkeypatch.setattr(socket, "socket", Way)
    assert serve.in_network(host, 8018) == reached


@pytest.mark.parametrize("reached", ["http://192.168.1.7:8018/", ""])
def test_pages_carry_it(store, reached):
    with TestClient(create_app(store, reached=reached), base_url="http://testserver") as client:
        assert (f'<meta name="reached" content="{reached}">' in client.get("/").text) == bool(reached)
        assert ('name="reached"' in client.get("/").text) == bool(reached)
