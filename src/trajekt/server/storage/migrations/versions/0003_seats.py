"""Seats that are held by links, the people and devices that hold them, petitions, settings; who or what did a deed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "settings",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=True),
        sa.Column("folded", sa.String(128), nullable=True, unique=True),
        sa.Column("passcode_hash", sa.Text, nullable=True),
        sa.Column("links", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("key_hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.add_column("games", sa.Column("watch_hash", sa.String(64), nullable=True))
    op.add_column("games", sa.Column("host", sa.String(32), nullable=True))
    op.add_column("games", sa.Column("revision", sa.Integer, nullable=False, server_default="0"))
    op.add_column("entries", sa.Column("by", sa.String(48), nullable=True))
    op.create_table(
        "seats",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("passcode_hash", sa.Text, nullable=True),
        sa.Column("stand_in", sa.String(32), nullable=True),
        sa.Column("language", sa.String(8), nullable=True),
        sa.Column("mail", sa.String(320), nullable=True),
        sa.Column("hook", sa.Text, nullable=True),
        sa.Column("hook_form", sa.String(16), nullable=True),
        sa.Column("muted", sa.Boolean, nullable=False),
        sa.Column("looking", sa.Float, nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
    )
    op.create_table(
        "holders",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True, index=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
    )
    op.create_table(
        "petitions",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("stands", sa.Integer, nullable=False),
        sa.Column("target", sa.Integer, nullable=False),
        sa.Column("what", sa.String(32), nullable=False),
        sa.Column("needs", sa.Text, nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("lapses", sa.Float, nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False),
    )
    op.create_table(
        "consents",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("petition", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("given", sa.Float, nullable=False),
        sa.ForeignKeyConstraint(["game", "petition"], ["petitions.game", "petitions.number"]),
    )
    op.create_table(
        "guesses",
        sa.Column("about", sa.String(200), primary_key=True),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.Column("last", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("guesses", "consents", "petitions", "holders", "seats", "devices", "people", "settings"):
        op.drop_table(name)
    with op.batch_alter_table("entries") as entries:
        entries.drop_column("by")
    with op.batch_alter_table("games") as games:
        for name in ("revision", "host", "watch_hash"):
            games.drop_column(name)
