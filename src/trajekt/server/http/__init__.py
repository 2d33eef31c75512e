"""The web interface: routes, what guards them, the application and its start.

`serve` starts `app`. `connections`, `rate_limit`: bounds for clients. `auth`: admission to tables. `requests`, `errors`:
what all routes use. Routes: `table_pages`, `event_stream` with `broadcast`, `actions`, `seats`, `sidebar`, `account_pages`,
`lobby`, `games`, `reference_pages`, `host_pages`, `json_pages`, `health` with `metrics`, `openapi`. `json_answers`: answers
with a shape. `request_log`: lines with the id of a request. `diagnosis`: the checks of `trajekt doctor`.
`static_files`: scripts and style sheets as they are sent.
"""
