"""Links in letters and to sign in with: good for their time, whichever way the clock of the server was moved since."""

from __future__ import annotations

import time
from types import SimpleNamespace

import itsdangerous
import pytest

from trajekt.server.accounts import signing

LONGEST = 900.0


def read_later(monkeypatch: pytest.MonkeyPatch, shift: float) -> object:
    """Return what a link says that was made now, read where the clock stands `shift` seconds later."""
    links = signing.letter_links("secret", "mail")
    token = links.dumps(["table", 1])
    now = time.time()
    monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda: now + shift))
    return signing.read_link(links, token, LONGEST)


@pytest.mark.parametrize("shift", [0, 800, -5, -800])
def test_moved_clock_leaves_link_good(monkeypatch, shift):
    assert read_later(monkeypatch, shift) == ["table", 1]


@pytest.mark.parametrize("shift", [905, -905, 10**7, -(10**7)])
def test_link_lapses_on_either_side(monkeypatch, shift):
    with pytest.raises(itsdangerous.SignatureExpired):
        read_later(monkeypatch, shift)


def test_link_of_another_purpose_is_forged():
    token = signing.letter_links("secret", "quiet").dumps(["table", 1])
    with pytest.raises(itsdangerous.BadSignature):
        signing.read_link(signing.letter_links("secret", "mail"), token, LONGEST)
