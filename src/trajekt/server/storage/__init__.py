"""The database: all SQL, the live games read from it, and who is told of changes.

`database`: connections and migrations. `schema`: the tables. `store`: games, entries, bots. `accounts` (accounts,
devices), `seats`, `contacts`, `consent_requests`, `standing_orders` with `standing_order_tasks`, `clock_settings`, `chat`,
`comments`, `notes`, `passcode_attempts`, `open_tables`, `component_sets`, `push_subscriptions`, `results` with
`result_rows`, `reviews`: one module for each kind of rows. `game_cache`, `cached_game`: live games. `entry_makers`:
what acted for a seat. `job_queue`: work that is due. `pubsub`, `pg_listener`: changes told to open
pages and other processes. `backup_and_restore`: whole tables as a file. `deletion`, `audit`, `admin_overview`: for the host.
`file_lock`: one server for an SQLite file. `secret_tokens`: links.
"""
