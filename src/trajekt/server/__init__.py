"""The web table: games on a server, for browsers and for other clients.

From the outside in: `http` holds routes and what guards them, `notifications` letters, webhooks and the jobs that send them,
`presenters` the content of pages, `services` use cases, `accounts` people and devices, `storage` the database. `refusals` are
the server's own refusals; `user_text` judges names, chat and notes of people.
"""
