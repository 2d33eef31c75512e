"""Answers of every route: JSON, files to keep, pages and parts of pages."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from trajekt.server.accounts.viewer import Viewer
from trajekt.server.http.request_context import Server, server_of, viewer
from trajekt.server.http.response_headers import CONTENT_SECURITY_POLICY
from trajekt.server.presenters.page_model import PageModel


def answer(value: Mapping[str, object] | msgspec.Struct, status: int = 200) -> Response:
    """A JSON answer that no cache keeps."""
    return json_document(msgspec.json.encode(value), status)


def json_document(data: bytes, status: int = 200) -> Response:
    """JSON that is encoded already, which no cache keeps."""
    return Response(data, status, {"cache-control": "no-store"}, "application/json")


def download(data: bytes | str, name: str, media_type: str = "application/json") -> Response:
    """A file that a browser keeps under a name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=media_type, headers=headers)


def fill(server: Server, who: Viewer, model: PageModel) -> str:
    """The text of a model in the viewer's language; `say` is the catalogue of the page where the model brings none."""
    template = server.templates.get_template(model.template)
    return template.render({"say": who.catalogue(), "viewer": who, **model.context()})


def html(request: Request, model: PageModel, status: int = 200) -> Response:
    """A page, or a part of one, for the viewer of a request."""
    return document(fill(server_of(request), viewer(request), model), status)


def document(text: str, status: int = 200) -> Response:
    """A page, or a part of one, that no cache keeps."""
    return HTMLResponse(text, status, {"content-security-policy": CONTENT_SECURITY_POLICY, "cache-control": "no-store"})
