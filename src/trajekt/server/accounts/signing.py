"""Signatures of cookies and links: nobody makes one who does not have the secret of the database."""

from __future__ import annotations

import hashlib
import secrets
import time
from typing import Any

import itsdangerous

from trajekt.server.storage import accounts as account_rows
from trajekt.server.storage.store import Store

SECRET = "signing"


def secret_of(store: Store) -> str:
    """The secret that signs: made once, the same for all processes on the database."""
    return account_rows.setting(store, SECRET, secrets.token_hex(32))


def device_signer(secret: str) -> itsdangerous.Signer:
    """The signer of the cookie of a device."""
    return itsdangerous.Signer(secret, salt="device", digest_method=hashlib.sha256)


def sign_in_links(secret: str) -> itsdangerous.URLSafeTimedSerializer:
    """Makes and reads links that sign another device in."""
    return itsdangerous.URLSafeTimedSerializer(secret, salt="sign-in", signer_kwargs={"digest_method": hashlib.sha256})


def letter_links(secret: str, purpose: str) -> itsdangerous.URLSafeTimedSerializer:
    """Makes and reads links in letters, of one purpose each."""
    return itsdangerous.URLSafeTimedSerializer(secret, salt=purpose)


def read_link(links: itsdangerous.URLSafeTimedSerializer, token: str, longest: float) -> Any:
    """Return what a link of the last `longest` seconds says. Raises `itsdangerous.BadData` for an older or forged one.

    A clock that was set back since lets a new link seem to come from the future: it is good for as long on that side.
    """
    value, made = links.loads(token, return_timestamp=True)
    if abs(time.time() - made.timestamp()) > longest:
        message = "the link has lapsed"
        raise itsdangerous.SignatureExpired(message)
    return value
