"""Seats that a table waits for, the seat of its host, an audit trail, bans, the domains of letters, and missing indices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("awaited", sa.String(64), nullable=True))
    op.add_column("games", sa.Column("host_seat", sa.Integer, nullable=True))
    op.add_column("games", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("people", sa.Column("banned", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("mails", sa.Column("domain", sa.String(255), nullable=False, server_default=""))
    op.create_index("ix_games_changed", "games", ["changed"])
    op.create_index("ix_games_host", "games", ["host"])
    op.create_index("ix_due_game", "due", ["game", "kind"])
    op.create_index("ix_petitions_outcome", "petitions", ["game", "outcome"])
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("time", sa.Float, nullable=False, index=True),
        sa.Column("what", sa.String(32), nullable=False),
        sa.Column("game", sa.String(32), nullable=True),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("person", sa.String(32), nullable=True),
    )
    # the host of a table is who holds the seat that he took when he made it
    op.execute(
        "UPDATE games SET host_seat = (SELECT min(h.seat) FROM holders h"
        " WHERE h.game = games.id AND h.person = games.host AND h.seat >= 0) WHERE host IS NOT NULL"
    )
