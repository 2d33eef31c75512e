"""The web interface: routes, what guards them, the application and its start.

`serve` starts `app`; `routes` lists all routes. Around them: `request_guard` with `rate_limit` and `origin_check`,
`connections` (of clients),
`request_log` (lines with the id of a request), `response_headers` (what a page may load, who may frame it),
`static_files` (scripts and style sheets as they are sent). `auth`: admission to tables.

What all routes use: `request_context` (the parts of the server, who sent a request), `cookies`, `language`, `request_bodies`,
`responses`, `errors`, `concurrency` (threads, and how much at once) with `cpu_quota` (of an address) and `load_shedding`,
`json_answers` (answers with a shape).

Routes of a table: `table_page`, `table_dialogs` (what opens on demand), `table_json`, `event_stream` with `shared_drawing`,
`actions`, `seats`, `records`; `sidebar`, and what stands in it: `chat`, `comments`, `clock`, `standing_orders`,
`notification_settings`; `review`; boards to plan on: `plans`.

Other routes: `start_page`, `account_pages`, `lobby`, `finished_games`, `puzzles`, `workshop`, `set_up`, `reference_pages`,
`host_pages`, `installed_page`, `health` with `metrics`, `openapi`. `doctor`: the checks of `trajekt doctor`.
"""
