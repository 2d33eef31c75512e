"""Names under which the server answers, and writes that come from pages of other sites."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers

LOCAL_SUFFIXES = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box")
"""Names that no public registry hands out, so that no foreign page can lead them here."""


def known_host(host: str, ours: Collection[str]) -> bool:
    """Tell whether a name is ours: one of `ours`, an address, or one that only the own network knows."""
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    name = name.strip("[]").rstrip(".").lower()
    if name in ours or host.lower() in ours:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(LOCAL_SUFFIXES)
    return True


def from_elsewhere(headers: Headers) -> bool:
    """Tell whether a browser says that a page of another site sends this. Other clients send neither header."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != headers.get("host")
    except ValueError:
        return True
