"""Notices by Web Push: a message, encrypted for one browser, to its maker's service (RFC 8030, 8188, 8291, 8292).

The address is named by a stranger's browser, so it is asked under the bounds of a webhook. The libraries that encrypt and sign
are imported where a device is called first: most servers call nobody for hours.
"""

from __future__ import annotations

import binascii
import hashlib
import os
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

import msgspec

from trajekt.server.notifications import webhook
from trajekt.server.refusals import DeniedError
from trajekt.server.storage import accounts as account_rows
from trajekt.server.storage.database import give_to_owner_of_folder
from trajekt.server.storage.push_subscriptions import PushSubscription
from trajekt.server.storage.store import Store

if TYPE_CHECKING:
    from py_vapid import Vapid02

SETTING = "vapid"
"""The setting that holds the key where the database is no file."""
LIFE = 12 * 3600
"""Seconds for which a service keeps a message for a device that is off, and for which a signature is good."""
AT_ONCE = 3
"""Messages to one host at a time: of the threads that send, one is always left to others."""
LONGEST = 400  # characters of the text of a message
POINT, SECRET = 65, 16  # bytes of a public key and of a secret
GONE = frozenset({404, 410})
"""Answers of a service by which a subscription has ended."""


class SubscriptionGoneError(OSError):
    """A subscription that has ended: its device is forgotten."""


class PushMessage(msgspec.Struct, frozen=True):
    """A message as the service worker reads it. Of two with the same `tag` a device shows the newer one."""

    title: str
    text: str
    address: str
    tag: str


def encoded(data: bytes) -> str:
    """Bytes as base64url without padding, as the standards write them."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes of a base64url text. Raises `ValueError`."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as fault:
        raise ValueError(text) from fault


def checked(endpoint: str, public_key: str, auth_secret: str, *, private: bool) -> None:
    """Raise `DeniedError` 422 for a subscription to which nothing can be sent; `private` allows plain http at home."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    try:
        parts = webhook.checked(endpoint)
        key, secret = decoded(public_key), decoded(auth_secret)
        if (
            "[" in parts.netloc
            or (parts.scheme != "https" and not private)
            or len(key) != POINT
            or len(secret) != SECRET
        ):
            raise ValueError(endpoint)
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), key)
    except (webhook.HookError, ValueError) as fault:
        raise DeniedError(422, "push_unreadable") from fault


@dataclass(eq=False)
class VapidKeys:
    """The server's pair of keys, by which a service knows that all messages come from the same sender."""

    store: Store

    @cached_property
    def vapid(self) -> Vapid02:
        """The pair; made where there is none yet."""
        from py_vapid import Vapid02

        return Vapid02.from_pem(self.pem())

    @cached_property
    def public(self) -> str:
        """The public key as a browser wants it."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return encoded(self.vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def file(self) -> Path | None:
        """The file beside an SQLite database; None where the database is no file and keeps the key itself."""
        found = self.store.engine.url.database
        if self.store.shared or not found or found == ":memory:":
            return None
        return Path(f"{Path(found).expanduser()}.vapid.pem")

    def pem(self) -> bytes:
        """The private key as PEM."""
        file = self.file()
        if file is None:
            return account_rows.setting(self.store, SETTING, new_key().decode()).encode()
        if not file.exists():
            write_once(file, new_key())
        return file.read_bytes()


def new_key() -> bytes:
    """A new private key as PEM."""
    from py_vapid import Vapid02

    made = Vapid02()
    made.generate_keys()
    return bytes(made.private_pem())


def write_once(file: Path, data: bytes) -> None:
    """Write a file that its owner alone may read, whole or not at all; one that is there stays."""
    handle, rough = mkstemp(dir=file.parent, prefix=file.name)  # of mode 0600
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        give_to_owner_of_folder(Path(rough))
        with suppress(FileExistsError):
            os.link(rough, file)
    finally:
        Path(rough).unlink()


BUSY: Counter[str] = Counter()
"""Messages that are being sent, by host."""
BUSY_LOCK = threading.Lock()


def body_of(subscription: PushSubscription, message: PushMessage) -> bytes:
    """A message encrypted for one browser (RFC 8291)."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    text = message.text if len(message.text) <= LONGEST else message.text[: LONGEST - 1] + "…"
    data = msgspec.json.encode(msgspec.structs.replace(message, text=text))
    sealed: bytes = http_ece.encrypt(
        data,
        private_key=generate_private_key(SECP256R1()),
        dh=decoded(subscription.public_key),
        auth_secret=decoded(subscription.auth_secret),
    )
    return sealed


def send(keys: VapidKeys, sender: str, subscription: PushSubscription, message: PushMessage, *, private: bool) -> None:
    """Hand a message to the service of a browser; blocks. `sender` is an address of the host, `mailto:` or `https:`.

    Raises `SubscriptionGoneError` where the subscription has ended, `webhook.HookFailure` where the message was not taken and
    `webhook.HookError` where the address may not be asked.
    """
    parts = webhook.checked(subscription.endpoint)
    if "[" in parts.netloc:  # no name that a signature could be for
        raise webhook.HookError("hook_unreadable")
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": sender,
        "exp": int(time.time()) + LIFE,
    }
    headers = {
        **keys.vapid.sign(claims),
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        "ttl": str(LIFE),
        "urgency": "high",
        "topic": encoded(hashlib.sha256(message.tag.encode()).digest()[:24]),
    }
    data = body_of(subscription, message)
    with BUSY_LOCK:
        if BUSY[parts.netloc] >= AT_ONCE:
            raise webhook.HookFailure(f"{parts.hostname} is being told something else")
        BUSY[parts.netloc] += 1
    try:
        status = webhook.post(parts, data, headers, private=private)
    finally:
        with BUSY_LOCK:
            BUSY[parts.netloc] -= 1
            if not BUSY[parts.netloc]:
                del BUSY[parts.netloc]
    if status in GONE:
        raise SubscriptionGoneError(f"{parts.hostname} answered {status}")
    if not 200 <= status < 300:
        raise webhook.HookFailure(f"{parts.hostname} answered {status}", again=status >= 500 or status == 429)
