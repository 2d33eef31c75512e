"""Pages of the host, and what a public server keeps off its start page."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import OPTIONS, PLAYERS
from trajekt.server.http.app import create_app
from trajekt.server.http.host_pages import page_names

GERMAN, ENGLISH = {"accept-language": "de"}, {"accept-language": "en"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "imprint.txt").write_text("# Who runs this\nAda Krupp\nEssen\n\nMail: <ada@example.org>", "utf-8")
    (tmp_path / "privacy.de.txt").write_text("Wir speichern wenig.", "utf-8")
    (tmp_path / "notes.txt").write_text("not for others", "utf-8")
    return tmp_path


@pytest.fixture
def public(store, folder):
    with TestClient(create_app(store, listed=False, host_pages=folder)) as made:
        yield made


def test_host_pages_are_shown_as_text(public):
    page = public.get("/about/imprint", headers=ENGLISH).text
    assert "<h2>Who runs this</h2>" in page
    assert "<p>Ada Krupp<br>Essen</p>" in page
    assert "&lt;ada@example.org&gt;" in page


def test_host_page_in_one_language_serves(public):
    assert "Wir speichern wenig." in public.get("/about/privacy", headers=ENGLISH).text
    assert "<h1>Datenschutz</h1>" in public.get("/about/privacy", headers=GERMAN).text


@pytest.mark.parametrize("name", ["house-rules", "notes", "..%2Fimprint", "imprint.txt"])
def test_no_other_file_is_a_page(public, name):
    assert public.get(f"/about/{name}").status_code == 404


def test_the_start_page_leads_to_them(public, client):
    page = public.get("/").text
    assert 'href="/about/imprint"' in page
    assert 'href="/about/privacy"' in page
    assert "/about/house-rules" not in page
    assert "/about/" not in client.get("/").text
    assert client.get("/about/imprint").status_code == 404


def test_only_existing_pages_are_named(folder):
    assert page_names(folder) == ("imprint", "privacy")
    assert page_names(None) == ()


def test_a_public_server_lists_nobodys_table(public, client):
    made = public.post("/tables", json={"game": "18rhl", "players": PLAYERS, "options": OPTIONS}).json()
    assert made["id"] not in public.get("/").text
    assert "keep the address" in public.get("/", headers=ENGLISH).text
    assert public.get(f"/t/{made['id']}").status_code == 200
    assert made["id"] in client.get("/").text  # the same store, at home
