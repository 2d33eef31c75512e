"""The component set with which an open table will be played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("open_tables", sa.Column("component_set", sa.Text, nullable=False, server_default=""))
    op.add_column("open_tables", sa.Column("set_name", sa.String(128), nullable=False, server_default=""))
