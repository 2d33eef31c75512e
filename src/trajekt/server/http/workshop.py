"""The routes of the workshop: component sets of owners of the printed games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trajekt.engine.components.component_sets import LARGEST_SET, entry_at
from trajekt.engine.title import Title
from trajekt.server.accounts.accounts import Person
from trajekt.server.http.lobby import as_person, told
from trajekt.server.http.request_bodies import SMALL, body, no_body
from trajekt.server.http.request_context import drawn_beside, game_of, person, server_of, viewer
from trajekt.server.http.responses import answer, download, fill, html
from trajekt.server.presenters import workshop_page
from trajekt.server.presenters.entry_form import EntryError, read_form
from trajekt.server.services.table_service import read
from trajekt.server.services.workshop import OwnSet, Workshop, begun, brought, drawable, faults_of, path_of, tried
from trajekt.server.storage import component_sets

T = TypeVar("T")
SO, KEEP, GONE, OURS = "so", "keep", "gone", "ours"
"""Ways to state an entry: it is so on one's copy, it is as typed, there is none, nothing is said about it."""


class NewSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set to begin, by `name` and `edition`, or to bring, by the `text` of its file."""

    name: str = ""
    edition: int = 0
    text: str = ""


class SetName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and version of a set."""

    name: str
    version: str


class EntryBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as it is typed: `texts` by the name of the field. `do` is `so`, `keep`, `gone` or `ours`; empty only looks."""

    entry: str
    texts: dict[str, str] = {}
    do: str = ""


class MadeSet(msgspec.Struct, frozen=True):
    """A set that was made, and where it is."""

    id: str
    address: str


class EntryAnswer(msgspec.Struct, frozen=True):
    """Parts of the page after an entry was typed or stated: its form; once it is stated also the list and a picture."""

    form: str
    stored: bool
    list: str = ""
    map: str = ""
    market: str = ""


async def in_workshop(request: Request, work: Callable[[Workshop, Title], T]) -> T:
    """Do something with the sets of the person of a device."""
    title, known = game_of(request), await person(request)
    workshop = Workshop(server_of(request).table.store, known.id if known is not None else "")
    return await drawn_beside(request, work, workshop, title)


async def show_workshop(request: Request) -> Response:
    """My component sets of a game, and the ways to begin one."""
    who = viewer(request)
    return html(
        request,
        await in_workshop(request, lambda shop, title: workshop_page.workshop_page(title, shop.sets(title), who)),
    )


async def new_set(request: Request) -> Response:
    """Begin a component set, or bring a file."""
    title, sent = game_of(request), read(await body(request, SMALL + LARGEST_SET), NewSet)
    store = server_of(request).table.store

    def made(_known: Person | None, someone: Callable[[], Person]) -> MadeSet:
        text = brought(title, sent.text) if sent.text else begun(title, sent.edition, sent.name)
        component_sets.prove_room(store)
        id_ = component_sets.add(store, someone().id, title.id, text)
        return MadeSet(id_, f"/workshop/{title.id}/{id_}")

    found, cookie = await as_person(request, made)
    return told(request, found, cookie, 201)


async def show_set(request: Request) -> Response:
    """A component set with all entries of the game."""
    who, id_ = viewer(request), request.path_params["set"]

    def made(shop: Workshop, title: Title) -> workshop_page.SetPage:
        own = shop.find(title, id_)
        return workshop_page.set_page(own, faults_of(own), who)

    return html(request, await in_workshop(request, made))


async def set_file(request: Request) -> Response:
    """The file of a component set."""
    id_ = request.path_params["set"]
    own = await in_workshop(request, lambda shop, title: shop.find(title, id_))
    return download(own.stored.text, f"{own.title.id}-{own.stored.id}.toml", "application/toml")


async def rename_set(request: Request) -> Response:
    """Change name and version of a component set."""
    sent, id_ = read(await body(request), SetName), request.path_params["set"]
    await in_workshop(request, lambda shop, title: shop.rename(title, id_, sent.name, sent.version))
    return answer({"done": True})


async def delete_set(request: Request) -> Response:
    """Delete a component set; tables that are played with it keep their copy."""
    await no_body(request)
    id_ = request.path_params["set"]
    await in_workshop(request, lambda shop, title: shop.delete(title, id_))
    return answer({"address": f"/workshop/{game_of(request).id}"})


async def compare_set(request: Request) -> Response:
    """Differences of a component set to ours, or to another of one's sets: `?with=SET`."""
    who, id_, other = viewer(request), request.path_params["set"], request.query_params.get("with", "")

    def made(shop: Workshop, title: Title) -> workshop_page.ComparePage:
        own = shop.find(title, id_)
        return workshop_page.compare_page(own, shop.sets(title), shop.find(title, other) if other else None, who)

    return html(request, await in_workshop(request, made))


async def show_entry(request: Request) -> Response:
    """The form of an entry, `?entry=hexes/G6`."""
    who, id_, entry = viewer(request), request.path_params["set"], request.query_params.get("entry", "")

    def made(shop: Workshop, title: Title) -> workshop_page.EntryForm:
        own = shop.find(title, id_)
        return workshop_page.entry_form(own, path_of(own, entry), faults_of(own), who)

    return html(request, await in_workshop(request, made))


async def state_entry(request: Request) -> Response:
    """Judge an entry as it is typed; with `do` it is stated in the set, faults or not."""
    sent, id_ = read(await body(request, SMALL), EntryBody), request.path_params["set"]
    server, who = server_of(request), viewer(request)

    def made(shop: Workshop, title: Title) -> EntryAnswer:
        own = shop.find(title, id_)
        path = path_of(own, sent.entry)
        now, ours = entry_at(own.tables, path), entry_at(own.printed, path)
        try:
            if sent.do == OURS:
                after, stored = shop.forget(title, id_, path), True
            elif sent.do in {SO, GONE}:
                entry = ours if sent.do == SO and isinstance(ours, dict) else None
                after, stored = shop.keep(title, id_, path, entry), True
            else:
                entry = read_form(path, sent.texts, now, ours, own.printed)
                stored = sent.do == KEEP
                after = shop.keep(title, id_, path, entry) if stored else tried(own, path, entry)
        except EntryError as fault:
            form = workshop_page.entry_form(own, path, faults_of(own), who, sent.texts, (fault.place, fault.kind))
            return EntryAnswer(fill(server, who, form), stored=False)
        faults = faults_of(after)
        form = workshop_page.entry_form(after, path, faults, who, None if stored else sent.texts)
        if not stored:
            return EntryAnswer(fill(server, who, form), stored=False)
        listed = fill(server, who, workshop_page.set_list(after, faults, who))
        drawn = {"hexes": ("map", workshop_page.map_of), "market": ("market", workshop_page.market_of)}.get(path[0])
        picture = {drawn[0]: drawn[1](after, drawable(after, faults), who)} if drawn else {}
        return EntryAnswer(fill(server, who, form), True, listed, **picture)

    return answer(await in_workshop(request, made))


async def sets_json(request: Request) -> Response:
    """My component sets of a game for clients: id, name, version, edition."""

    def made(shop: Workshop, title: Title) -> list[OwnSet]:
        return shop.sets(title)

    found = await in_workshop(request, made)
    lines = [msgspec.to_builtins(workshop_page.set_line(own)) for own in found]
    return answer({"sets": lines})


ROUTES = [
    Route("/workshop/{game}", show_workshop),
    Route("/workshop/{game}", new_set, methods=["POST"]),
    Route("/workshop/{game}/sets.json", sets_json),
    Route("/workshop/{game}/{set}", show_set),
    Route("/workshop/{game}/{set}/set.toml", set_file),
    Route("/workshop/{game}/{set}/compare", compare_set),
    Route("/workshop/{game}/{set}/entry", show_entry),
    Route("/workshop/{game}/{set}/entry", state_entry, methods=["POST"]),
    Route("/workshop/{game}/{set}/name", rename_set, methods=["POST"]),
    Route("/workshop/{game}/{set}/delete", delete_set, methods=["POST"]),
]
