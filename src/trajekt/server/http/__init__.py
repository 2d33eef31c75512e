"""The web interface: routes, what guards them, the application and its start.

`serve` starts `app`. Around all routes: `request_guard` with `rate_limit` and `origin_check`, `connections` (of clients),
`request_log` (lines with the id of a request), `response_headers` (what a page may load, who may frame it),
`static_files` (scripts and style sheets as they are sent). `auth`: admission to tables.

What all routes use: `context` (the parts of the server, who sent a request), `cookies`, `language`, `request_bodies`,
`responses`, `errors`, `concurrency` (threads, and how much at once) with `fair_share` (of an address) and `turnstile`,
`json_answers` (answers with a shape).

Routes: `table_pages` and `table_json`, `event_stream` with `broadcast`, `actions`, `seats`, `sidebar`, `calls`,
`account_pages`, `lobby`, `games`, `review`, `puzzles`, `workshop`, `reference_pages`, `host_pages`, `health` with `metrics`,
`openapi`. `diagnosis`: the checks of `trajekt doctor`.

Boards to plan on: `plans`.
"""
