"""Mail addresses are asked before letters go there; those left earlier are asked as soon as they are kept again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("confirmed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "mails",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("refused", sa.Boolean, nullable=False),
    )
    op.create_index("ix_mails_address", "mails", ["address"])


def downgrade() -> None:
    op.drop_index("ix_mails_address", "mails")
    op.drop_table("mails")
    op.drop_column("seats", "confirmed")
