"""An open page that holds what the server has sent it, beside the page drawn anew."""

from __future__ import annotations

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


def drawn_anew(cached, page):
    """The regions, drawn with nothing remembered of what was drawn before."""
    known = FRAGMENTS.take(cached)
    try:
        return page.get("regions").text
    finally:
        FRAGMENTS.put(cached, known)
