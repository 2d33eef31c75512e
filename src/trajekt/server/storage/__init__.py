"""The database: all SQL, the live games read from it, and who is told of changes.

`engine`: connections and migrations. `schema`: the tables. `store`: games, entries, bots. `people` (accounts,
devices), `seats`, `contacts`, `consent_requests`, `standing_orders` with `tasks`, `clock_settings`, `chat`,
`comments`, `notes`, `passcode_attempts`, `open_tables`, `component_sets`, `push_subscriptions`, `results` with
`result_rows`, `reviews`: one module for each kind of rows. `game_cache`, `cached_game`: live games. `job_queue`: work
that is due. `pubsub`, `pg_listener`: changes told to open pages and other processes. `backup`: whole tables as a
file. `deletion`, `audit`, `overview`: for the host. `file_lock`: one server for an SQLite file. `secret_tokens`:
links.
"""
