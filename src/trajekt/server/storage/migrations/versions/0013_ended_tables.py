"""Tables that the host of the server has ended: nobody can move there any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("ended", sa.Boolean, nullable=False, server_default=sa.false()))
