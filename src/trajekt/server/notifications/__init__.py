"""Notices to players who are away, and work that is due.

`job_worker` takes jobs and does them. `messages`: the text of notices. `mail`, `webhook`: the two ways to send.
`notification_settings`: what can be kept as a contact, and the tokens in letters.
"""
