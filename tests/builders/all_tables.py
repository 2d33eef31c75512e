"""A table of every game, edition and variant with rules of its own: game, options, number of players."""

from __future__ import annotations

TABLES: tuple[tuple[str, dict[str, object], int], ...] = (
    ("18rhl", {"edition": 1}, 3),
    ("18rhl", {"edition": 2}, 4),
    ("18rhl", {"edition": 1, "compat": True}, 3),
    ("18lra", {}, 3),
    ("18lra", {"investor": True}, 2),
    ("18lra", {"short_game": True}, 3),
    ("18ruhr", {}, 4),
    ("18do", {}, 3),
    ("18do", {"game": "expert"}, 3),
    ("18do", {"game": "railway"}, 3),
    ("18do", {"game": "introduction"}, 3),
)
