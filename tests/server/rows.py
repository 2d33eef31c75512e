"""Everything in a database, to be compared."""

from __future__ import annotations

import sqlalchemy as sa

from trajekt.server.storage.schema import META

UNKEPT = {"guesses"}
NUMBERED = {"due", "orders", "clock_words", "talk"}


def rows(engine):
    """Everything in a database, without the numbers that it gives itself."""
    found = {}
    with engine.connect() as connection:
        for table in META.sorted_tables:
            if table.name not in UNKEPT:
                listed = connection.execute(sa.select(table).order_by(*table.primary_key.columns)).mappings()
                found[table.name] = [
                    {name: value for name, value in row.items() if not (name == "id" and table.name in NUMBERED)}
                    for row in listed
                ]
    return found
