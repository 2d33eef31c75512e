"""Cookies: the device of a person, and the language and colours that a viewer chose. `accounts/signing.py` signs the first."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

DEVICE_COOKIE = "reader"
DEVICE_COOKIE_AGE = 400 * 24 * 3600  # seconds: as long as browsers keep any cookie
LANGUAGE_COOKIE, THEME_COOKIE = "lang", "theme"


def remember(request: Request, response: Response, cookie: str) -> Response:
    """Give a device its cookie: no script reads it, no other site sends it along with an action."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        DEVICE_COOKIE, cookie, max_age=DEVICE_COOKIE_AGE, httponly=True, samesite="lax", secure=secure, path="/"
    )
    return response
