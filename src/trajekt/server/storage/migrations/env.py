"""Alembic runs the steps of `versions/` on the connection that the store hands over."""

from __future__ import annotations

from alembic import context

from trajekt.server.storage.schema import META

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=META,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
