"""An open page that holds what the server has sent it, beside the page drawn anew."""

from __future__ import annotations

import msgspec
from starlette.requests import Request

from trajekt.engine.actions import OfferEnd
from trajekt.server.http.event_stream import tell
from trajekt.server.http.shared_drawing import OpenPage
from trajekt.server.presenters.fragments import FRAGMENTS

GAMES = {
    "18rhl": {"edition": 2},
    "18lra": {},
    "18ruhr": {},
    "18do": {},
}


class Presence:
    """An open page: the text that it has, made of what the server sent."""

    def __init__(self, friend, language):
        self.friend, self.language = friend, language
        self.tag, self.pieces, self.sent = "", [], []

    def get(self, where):
        return self.friend.get(where, **{"accept-language": self.language})

    def refresh(self, more=""):
        news = self.get(f"regions?has={self.tag}{more}").json()
        assert more or f'data-number="{news["number"]}"' in self.get("regions").text
        old, self.tag, self.pieces = self.pieces, news["tag"], []
        for each in news["pieces"]:
            self.pieces += [each] if isinstance(each, str) else old[each[0] : each[1]]
        self.sent.append(sum(len(each) for each in news["pieces"] if isinstance(each, str)))
        return "".join(self.pieces)


class Following(Presence):
    """A page that asks once and then takes what it is sent."""

    def __init__(self, friend, language="en"):
        super().__init__(friend, language)
        headers = friend.headers | {"accept-language": language}
        app = friend.client.app
        scope = {
            "type": "http",
            "app": app,
            "path_params": {"id": friend.table},
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        self.open = OpenPage(Request(scope))

    @property
    def event(self):
        """Kind and data of what it was told."""
        lines = dict(line.split(": ", 1) for line in self.open.told.decode().strip().splitlines())
        return lines["event"], msgspec.json.decode(lines["data"])

    def follow(self):
        """Take in what it was sent."""
        kind, news = self.event
        assert (kind, news["from"]) == ("drawn", self.tag)
        old, self.tag, self.pieces = self.pieces, news["tag"], []
        for each in news["pieces"]:
            self.pieces += [each] if isinstance(each, str) else old[each[0] : each[1]]
        return "".join(self.pieces)


def drawn_anew(cached, page):
    """The regions, drawn with nothing remembered of what was drawn before."""
    known = FRAGMENTS.take(cached)
    try:
        return page.get("regions").text
    finally:
        FRAGMENTS.put(cached, known)


def told(client, id_, pages):
    """Tell open pages what is new at their table."""
    tell(client.app.state.server, id_, [page.open for page in pages])


def play(people, cached, rng):
    """A legal action at random, or an undo where that is free."""
    by_seat = {friend.seat: friend for friend in people.values()}
    number = cached.game.number
    if number % 9 == 8:
        done = by_seat[cached.game.entries[-1].seat].post("undo", {"number": number})
        if done.status_code == 200:
            return
    choice = rng.choice([c for c in cached.game.choices() if not isinstance(c.action, OfferEnd)])
    action = msgspec.to_builtins(choice.action) | {name: span.low for name, span in choice.spans.items()}
    done = by_seat[choice.seat].post("actions", {"number": number, "seat": choice.seat, "action": action})
    assert done.status_code == 200, done.text
