"""The language and colours in which a request is answered: as the viewer chose, else as the browser asks."""

from __future__ import annotations

from trajekt.i18n.sentences import LANGUAGES
from trajekt.server.accounts.viewer import THEMES, Viewer
from trajekt.server.http.cookies import LANGUAGE_COOKIE, THEME_COOKIE


def viewer_of(cookies: dict[str, str], accept: str) -> Viewer:
    """The viewer of a request: the cookies, else the first language of `Accept-Language` that we speak."""
    language = cookies.get(LANGUAGE_COOKIE, "")
    if language not in LANGUAGES:
        language = preferred(accept)
    theme = cookies.get(THEME_COOKIE, "")
    return Viewer(language, theme if theme in THEMES else "")


def preferred(accept: str) -> str:
    """The best language of an `Accept-Language` header, English where none fits."""
    wishes = []
    for n, part in enumerate(accept.split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            value = float(weight) if weight else 1.0
        except ValueError:
            value = 0.0
        wishes.append((-value, n, name.split("-")[0].lower()))
    return next((name for value, _, name in sorted(wishes) if name in LANGUAGES and value), LANGUAGES[0])
