"""Which seats of a table are played by programs, how long they wait, and the tables that guide a newcomer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "programs",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("pause", sa.Float, nullable=False),
        sa.Column("guided", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("programs")
