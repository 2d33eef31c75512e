"""Secrets that are handed out: made at random, kept only as digests."""

from __future__ import annotations

import hashlib
import secrets

LONGEST = 200  # characters of a token that anybody may send


def new_token() -> str:
    """256 random bits, to stand in an address."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return what is kept of a token. Its 256 bits cannot be guessed, so a plain SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
