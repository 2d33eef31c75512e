"""Refusals of the server itself: not the rules of the game, but who may do what, and how much."""

from __future__ import annotations

from collections.abc import Mapping


class DeniedError(Exception):
    """A request that is turned down. `code` names the sentence `page.fault.CODE`, `words` fill it in.

    `more` goes into the answer beside it; `retry_after` among it are the seconds after which to ask again.
    """

    def __init__(self, status: int, code: str, words: Mapping[str, str] | None = None, **more: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.words = dict(words or {})
        self.more = more
