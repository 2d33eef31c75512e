"""A browser's maker on this machine: takes messages, keeps them, and opens them as the browser would (RFC 8188 and 8291).

It opens them by the standards with nothing but the primitives of `cryptography`, so it judges the sender from outside.
"""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.server.local_http import kept_posts


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The keys that a browser makes for a subscription."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str) -> dict[str, str]:
        return {"endpoint": endpoint, "public_key": text_of(self.point), "auth_secret": text_of(self.secret)}

    def opened(self, body: bytes) -> dict[str, object]:
        """A message as the service worker gets it. Raises where it was not encrypted for this browser."""
        salt, size = body[:16], int.from_bytes(body[16:20], "big")
        sender = body[21 : 21 + body[20]]
        sealed = body[21 + body[20] :]
        assert len(sealed) <= size
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        mixed = HKDF(hashes.SHA256(), 32, self.secret, b"WebPush: info\0" + self.point + sender).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(mixed)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(mixed)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        record = plain.rstrip(b"\0")
        assert record.endswith(b"\2")  # the last record
        found: dict[str, object] = json.loads(record[:-1])
        return found


def claims_of(authorization: str) -> dict[str, object]:
    """The claims of a `vapid` header. Raises where the signature is not that of the key which it names."""
    parts = dict(each.strip().split("=", 1) for each in authorization.removeprefix("vapid ").split(","))
    head, claims, signature = parts["t"].split(".")
    raw = bytes_of(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(parts["k"]))
    key.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    found: dict[str, object] = json.loads(bytes_of(claims)) | {"key": parts["k"]}
    return found


def push_service():
    """`asked`: path, headers and body of what was sent; `status`: what is answered."""
    return kept_posts(201, "/send/abc")
