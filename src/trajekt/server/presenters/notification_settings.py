"""Settings of notices as forms show them, and the pages to which letters lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trajekt.engine.title import Title
from trajekt.server.presenters.page_model import PageModel
from trajekt.server.storage import push_subscriptions
from trajekt.server.storage.store import Store


@dataclass(frozen=True, slots=True)
class QuietTimes:
    """Hours in which nobody is called, as `22:00` and `07:30`."""

    start: str
    end: str


def quiet_times(store: Store, person: str) -> QuietTimes | None:
    """The quiet hours of a person; None where there are none, or the person is not known."""
    found = push_subscriptions.quiet_hours(store, person) if person else None
    return None if found is None else QuietTimes(clock_time(found.start), clock_time(found.end))


def clock_time(minutes: int) -> str:
    """Minutes after midnight as a field for times holds them."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


@dataclass(frozen=True, slots=True)
class MutePage(PageModel):
    """The page that asks whether letters about a player's seat are to end; `token` is that of the letter."""

    template: ClassVar[str] = "mute.html"
    id: str
    token: str
    title: Title
    player: str


@dataclass(frozen=True, slots=True)
class MailPage(PageModel):
    """The page that asks whether letters may come to an address; `token` is that of the letter."""

    template: ClassVar[str] = "mail.html"
    id: str
    token: str
    title: Title
    address: str
