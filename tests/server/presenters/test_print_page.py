"""The page for paper and the key to the map."""

from __future__ import annotations


def test_paper_shows_all_boards(client, id_):
    page = client.get(f"/t/{id_}/print").text
    assert page.count('class="map"') == 1
    assert 'class="market"' in page
    assert page.count("<article") == 8  # a charter for each corporation of 18Rhl
    for name in ("Ada", "Bert", "Cleo"):
        assert f'<th scope="col">{name}' in page
    assert "Prinz-Wilhelm-Bahn" in page


def test_paper_shows_earlier_positions_only(client, id_):
    assert client.get(f"/t/{id_}/print?at=0").status_code == 200
    assert client.get(f"/t/{id_}/print?at=5").status_code == 404


def test_key_is_in_readers_language(client, id_):
    assert "coal mine" in client.get(f"/t/{id_}/key").text
    client.cookies.set("lang", "de")
    key = client.get(f"/t/{id_}/key").text
    assert "Platz, der für eine Heimat frei bleibt" in key
    assert key.count("<svg") > 8
