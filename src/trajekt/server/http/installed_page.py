"""The routes that an installed page needs: its name and icons, its service worker, the page without a server."""

from __future__ import annotations

from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.server.http.concurrency import threaded
from trajekt.server.http.request_context import viewer
from trajekt.server.http.response_headers import CONTENT_SECURITY_POLICY
from trajekt.server.http.responses import html
from trajekt.server.presenters.offline_page import OfflinePage

STATIC = Path(__file__).parents[1] / "static"


async def service_worker(_request: Request) -> Response:
    """The script that receives messages while no page is open; it stands at the root, so that it may serve all pages."""
    text = await threaded((STATIC / "service_worker.js").read_bytes)
    headers = {"cache-control": "no-cache", "content-security-policy": CONTENT_SECURITY_POLICY}
    return Response(text, media_type="text/javascript", headers=headers)


async def manifest(request: Request) -> Response:
    """Name and pictures under which the page is installed."""
    say = viewer(request).catalogue()
    icons = [
        {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ]
    value = {
        "id": "/",
        "name": "trajekt",
        "short_name": "trajekt",
        "description": say.text("page.manifest.description"),
        "lang": viewer(request).language,
        "start_url": "/me",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f4f1ea",
        "theme_color": "#f4f1ea",
        "icons": icons,
    }
    headers = {"cache-control": "no-cache", "vary": "Cookie, Accept-Language"}
    return Response(msgspec.json.encode(value), media_type="application/manifest+json", headers=headers)


async def offline(request: Request) -> Response:
    """The page that an installed page shows while the server cannot be reached."""
    return html(request, OfflinePage())


OPEN_ROUTES = [
    Route("/service_worker.js", service_worker),
    Route("/manifest.webmanifest", manifest),
    Route("/offline", offline),
]
"""For whoever has this server's page."""
