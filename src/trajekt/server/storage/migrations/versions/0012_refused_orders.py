"""Refusals with which instructions ended, so that their owners read them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("orders") as table:
        table.add_column(sa.Column("refusal", sa.Text, nullable=False, server_default=""))
