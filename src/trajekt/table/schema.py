"""The tables of the database, as they stand after the newest migration."""

from __future__ import annotations

import sqlalchemy as sa

META = sa.MetaData()

GAMES = sa.Table(
    "games",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("title", sa.String(32), nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("names", sa.Text, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("ruleset", sa.String(64), nullable=False),
    sa.Column("components", sa.String(128), nullable=False),
    sa.Column("set_up", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("moment", sa.String(64), nullable=False, default=""),
    sa.Column("finished", sa.Boolean, nullable=False, default=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
)

ENTRIES = sa.Table(
    "entries",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("parent", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("events", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("time", sa.Float, nullable=False),
)

PROGRAMS = sa.Table(
    "programs",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seats", sa.Text, nullable=False),
    sa.Column("pause", sa.Float, nullable=False),
    sa.Column("guided", sa.Boolean, nullable=False),
)
