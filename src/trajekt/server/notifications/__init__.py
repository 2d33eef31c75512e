"""Notices to players who are away, and work that is due.

`job_worker` takes jobs and does them. `messages`: the text of notices. `delivery` sends them by one of their ways: `mail`,
`webhook`, `web_push`. `quiet_hours`: when nobody is called.
`notification_settings`: what can be kept as a contact, and the tokens in letters.
"""
