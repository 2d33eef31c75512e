"""Tables with open seats, and who has sat down at them: the lobby."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "open_tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("title", sa.String(32), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("least", sa.Integer, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("pace", sa.Integer, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("sentence", sa.Text, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("accounts", sa.Boolean, nullable=False),
        sa.Column("host", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("taken", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False, index=True),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=True, index=True),
    )
    op.create_index("ix_open_tables_listed", "open_tables", ["listed", "created"])
    op.create_table(
        "open_seats",
        sa.Column("open_table", sa.String(32), sa.ForeignKey("open_tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True, index=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
    )
