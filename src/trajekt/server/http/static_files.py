"""Scripts and style sheets as they are sent: without comments, compressed once and kept until the file changes.

Lines stay where they are, so that a message of the browser names the line of the source.
"""

from __future__ import annotations

import gzip
import os
import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
BLOCK = re.compile(r"(?m)^[ \t]*/\*(?:[^*]|\*(?!/))*\*/[ \t]*$")
LINE = re.compile(r"(?m)^[ \t]*//.*$")


@dataclass(frozen=True, slots=True)
class Packed:
    """A file without its comments, plain and compressed; `changed` is when the file was, in nanoseconds."""

    plain: bytes
    packed: bytes
    tag: str
    changed: int


def without_comments(text: str) -> str:
    """A script or style sheet whose comments that fill whole lines are empty lines."""
    bare = BLOCK.sub(lambda found: "\n" * found[0].count("\n"), text)
    return LINE.sub("", bare)


def packed(path: Path, changed: int) -> Packed:
    """A file as it is sent."""
    plain = path.read_bytes()
    if path.suffix in {".js", ".css"}:
        plain = without_comments(plain.decode()).encode()
    tag = blake2b(plain, digest_size=8).hexdigest()
    return Packed(plain, gzip.compress(plain, 9, mtime=0), tag, changed)


class PackedFiles(StaticFiles):
    """Static files, compressed once each."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self.kept: dict[str, Packed] = {}

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The file, or that the browser has it already."""
        path = Path(full_path)
        if path.suffix not in TYPES:
            return super().file_response(full_path, stat_result, scope, status_code)
        found = self.kept.get(str(path))
        if found is None or found.changed != stat_result.st_mtime_ns:
            found = self.kept[str(path)] = packed(path, stat_result.st_mtime_ns)
        asked = Headers(scope=scope)
        small = "gzip" in asked.get("accept-encoding", "")
        headers = {"etag": f'"{found.tag}"', "vary": "Accept-Encoding", "cache-control": "no-cache"}
        if small:
            headers["content-encoding"] = "gzip"
        answer = Response(found.packed if small else found.plain, status_code, headers, TYPES[path.suffix])
        return NotModifiedResponse(answer.headers) if self.is_not_modified(answer.headers, asked) else answer
