"""Devices that are called by Web Push, hours in which nobody is called, moments and readers of the talk."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "push_subscriptions",
        sa.Column("device", sa.String(64), sa.ForeignKey("devices.key_hash", ondelete="CASCADE"), primary_key=True),
        sa.Column("endpoint", sa.Text, nullable=False, unique=True),
        sa.Column("public_key", sa.String(128), nullable=False),
        sa.Column("auth_secret", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    for column in ("quiet_from", "quiet_until"):
        op.add_column("people", sa.Column(column, sa.Integer, nullable=True))
    op.add_column("people", sa.Column("zone", sa.String(64), nullable=True))
    op.add_column("talk", sa.Column("number", sa.Integer, nullable=True))
    op.add_column("talk", sa.Column("players_only", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("talk_kept", sa.Boolean, nullable=False, server_default=sa.false()))
