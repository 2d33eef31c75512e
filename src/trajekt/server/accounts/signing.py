"""Signatures of cookies and links: nobody makes one who does not have the secret of the database."""

from __future__ import annotations

import hashlib
import secrets

import itsdangerous

from trajekt.server.storage import people
from trajekt.server.storage.store import Store

SECRET = "signing"


def secret_of(store: Store) -> str:
    """The secret that signs: made once, the same for all processes on the database."""
    return people.setting(store, SECRET, secrets.token_hex(32))


def device_signer(secret: str) -> itsdangerous.Signer:
    """The signer of the cookie of a device."""
    return itsdangerous.Signer(secret, salt="device", digest_method=hashlib.sha256)


def sign_in_links(secret: str) -> itsdangerous.URLSafeTimedSerializer:
    """Makes and reads links that sign another device in."""
    return itsdangerous.URLSafeTimedSerializer(secret, salt="sign-in", signer_kwargs={"digest_method": hashlib.sha256})


def letter_links(secret: str, purpose: str) -> itsdangerous.URLSafeTimedSerializer:
    """Makes and reads links in letters, of one purpose each."""
    return itsdangerous.URLSafeTimedSerializer(secret, salt=purpose)
