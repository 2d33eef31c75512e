"""Pages of the host: imprint, privacy and rules of the house, from text files in a folder that `serve --pages` names.

A file is plain text in UTF-8: paragraphs are parted by an empty line, and a line that begins with `# ` is a heading.
`imprint.de.txt` goes before `imprint.txt` for whoever reads German.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import server_of, viewer
from trajekt.server.http.responses import html
from trajekt.server.presenters.page_model import PageModel

NAMES = ("imprint", "privacy", "house-rules")
LONGEST = 256 * 1024  # bytes of a page


@dataclass(frozen=True, slots=True)
class HostPage(PageModel):
    """A page of the host, as paragraphs (`p`) and headings (`h2`)."""

    template: ClassVar[str] = "host_page.html"
    name: str
    blocks: Sequence[tuple[str, str]]


def page_names(folder: Path | None) -> tuple[str, ...]:
    """The pages that a folder has, in any language."""
    if folder is None:
        return ()
    return tuple(name for name in NAMES if any(folder.glob(f"{name}.txt")) or any(folder.glob(f"{name}.??.txt")))


def blocks(folder: Path, name: str, language: str) -> list[tuple[str, str]]:
    """The paragraphs (`p`) and headings (`h2`) of a page, in a language where there is one. KeyError without such a page."""
    wanted = [folder / f"{name}.{language}.txt", folder / f"{name}.txt", *sorted(folder.glob(f"{name}.??.txt"))]
    file = next((each for each in wanted if each.is_file()), None)
    if file is None:
        raise KeyError(name)
    with file.open("rb") as opened:
        text = opened.read(LONGEST).decode("utf-8-sig", "replace")
    found: list[tuple[str, str]] = []
    for part in text.replace("\r\n", "\n").split("\n\n"):
        lines = part.strip("\n")
        while lines.startswith("# "):
            heading, _, lines = lines.partition("\n")
            found.append(("h2", heading[2:].strip()))
        if lines.strip():
            found.append(("p", lines.strip()))
    return found


async def host_page(request: Request) -> Response:
    """A page of the host."""
    folder, name = server_of(request).host_pages, request.path_params["name"]
    if folder is None or name not in NAMES:
        raise HTTPException(404, "unknown")
    try:
        found = await threaded(blocks, folder, name, viewer(request).language)
    except (KeyError, OSError) as fault:
        raise HTTPException(404, "unknown") from fault
    return html(request, HostPage(name, found))


ROUTES = [Route("/about/{name}", host_page)]
