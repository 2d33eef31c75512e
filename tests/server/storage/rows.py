"""Rows of games and entries as the store takes them."""

from __future__ import annotations

from trajekt.server.storage.store import EntryRow, GameRow


def game_row(id_: str = "one") -> GameRow:
    return GameRow(
        id=id_, title="18rhl", options="{}", names='["Ada"]', seed=1, ruleset="18rhl/2", components="", set_up="[]"
    )


def entry(number: int, parent: int | None = None) -> EntryRow:
    below = number - 1 if parent is None else parent
    return EntryRow(
        number=number, parent=below, seat=0, kind="action", action='{"kind":"pass"}', events="[]", version=1
    )
