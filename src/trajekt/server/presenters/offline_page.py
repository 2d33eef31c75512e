"""The page that says that the server cannot be reached; it is kept by the browser and shows no table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trajekt.server.presenters.page_model import PageModel


@dataclass(frozen=True, slots=True)
class OfflinePage(PageModel):
    """The page that an installed page shows while the server cannot be reached."""

    template: ClassVar[str] = "offline.html"
