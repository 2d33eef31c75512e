"""The tables of the database, as they stand after the newest migration."""

from __future__ import annotations

import sqlalchemy as sa

META = sa.MetaData()

GAMES = sa.Table(
    "games",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("title", sa.String(32), nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("names", sa.Text, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("ruleset", sa.String(64), nullable=False),
    sa.Column("components", sa.String(128), nullable=False),
    sa.Column("set_up", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("moment", sa.String(64), nullable=False, default=""),
    sa.Column("finished", sa.Boolean, nullable=False, default=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
    # SHA-256 of the token of the watching link; null where everybody plays at one screen
    sa.Column("watch_hash", sa.String(64), nullable=True),
    sa.Column("host", sa.String(32), nullable=True),  # the person who opened the table
    # raised by whatever changes at a table besides its entries, so that other processes and open pages look again
    sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
    # the seats whose decision is awaited, as ",0,2,"; null in rows of earlier versions until their next entry
    sa.Column("awaited", sa.String(64), nullable=True),
    sa.Column("host_seat", sa.Integer, nullable=True),  # whoever holds it is the host; null where the host only watches
    sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),  # left out of the start page
    sa.Column("ended", sa.Boolean, nullable=False, server_default=sa.false()),  # by the server's host: nobody can move
    # whether all at the table have agreed that the talk goes into its record
    sa.Column("talk_kept", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("component_set", sa.Text, nullable=True),  # the file of the set with which the game is played
)

ENTRIES = sa.Table(
    "entries",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("parent", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("events", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("time", sa.Float, nullable=False),
    # what acted for the seat: null the person, "program:steady", "stand-in", "instruction", "consent"
    sa.Column("by", sa.String(48), nullable=True),
    sa.Column("why", sa.Text, nullable=True),  # JSON: the reason that a bot gave (`bots.bot.MoveReason`)
)

BOTS = sa.Table(
    "programs",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seats", sa.Text, nullable=False),
    sa.Column("pause", sa.Float, nullable=False),
    sa.Column("guided", sa.Boolean, nullable=False),
)

SETTINGS = sa.Table(
    "settings",
    META,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
"""Settings of the whole server, such as the secret that signs cookies."""

PEOPLE = sa.Table(
    "people",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(64), nullable=True),  # null until the person wants an account
    sa.Column("folded", sa.String(128), nullable=True, unique=True),  # the name without case, by which it is found
    sa.Column("passcode_hash", sa.Text, nullable=True),  # argon2
    sa.Column("links", sa.Integer, nullable=False),  # how many sign-in links were used
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("banned", sa.Boolean, nullable=False, server_default=sa.false()),
    # hours in which nobody is called, in minutes after midnight of the zone (`Europe/Berlin`); null where there are none
    sa.Column("quiet_from", sa.Integer, nullable=True),
    sa.Column("quiet_until", sa.Integer, nullable=True),
    sa.Column("zone", sa.String(64), nullable=True),
)
"""People at tables. Everybody who takes a seat is a person; a name and passcode make the person an account."""

COMPONENT_SETS = sa.Table(
    "component_sets",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("person", sa.String(32), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("title", sa.String(32), nullable=False),  # the id of the game
    sa.Column("text", sa.Text, nullable=False),  # the file: TOML
    sa.Column("changed", sa.Float, nullable=False),
)
"""Component sets of owners of the printed games. A table that was made with one has a copy of its own."""

DEVICES = sa.Table(
    "devices",
    META,
    sa.Column("key_hash", sa.String(64), primary_key=True),  # SHA-256 of the random key in the signed cookie
    sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("created", sa.Float, nullable=False),
)
"""The browsers of a person."""

PUSH_SUBSCRIPTIONS = sa.Table(
    "push_subscriptions",
    META,
    sa.Column("device", sa.String(64), sa.ForeignKey("devices.key_hash", ondelete="CASCADE"), primary_key=True),
    sa.Column("endpoint", sa.Text, nullable=False, unique=True),  # where the browser's maker takes messages for it
    sa.Column(
        "public_key", sa.String(128), nullable=False
    ),  # of the browser, base64url; messages are encrypted with it
    sa.Column("auth_secret", sa.String(64), nullable=False),  # base64url
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("failures", sa.Integer, nullable=False),  # in a row
    sa.Column("created", sa.Float, nullable=False),
)
"""Devices that are called by Web Push. A device that is signed out is called no more."""

SEATS = sa.Table(
    "seats",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),  # SHA-256 of the token of the seat's link
    sa.Column("passcode_hash", sa.Text, nullable=True),  # argon2
    sa.Column("stand_in", sa.String(32), nullable=True),  # the kind of bot that plays for an absent player
    sa.Column("language", sa.String(8), nullable=True),  # of notices
    sa.Column("mail", sa.String(320), nullable=True),
    # whether whoever reads the letters of `mail` has said that they may come
    sa.Column("confirmed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("hook", sa.Text, nullable=True),
    sa.Column("hook_form", sa.String(16), nullable=True),
    sa.Column("muted", sa.Boolean, nullable=False),
    sa.Column("looking", sa.Float, nullable=False),  # when the page was last seen open before the player's eyes, 0 away
    sa.Column("told", sa.Integer, nullable=False),  # the newest entry of which a notice was sent
)
"""The seats of people at tables that are played from several screens."""

HOLDERS = sa.Table(
    "holders",
    META,
    sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True, index=True),
    sa.Column("seat", sa.Integer, primary_key=True),  # -1 watches
    sa.Column("since", sa.Float, nullable=False),
)
"""Holders of seats."""

CONSENT_REQUESTS = sa.Table(
    "petitions",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),  # "undo", "stand_in", "seat", "host", "delete", "talk"
    sa.Column("seat", sa.Integer, nullable=False),  # who asks
    sa.Column("stands", sa.Integer, nullable=False),  # the entry at which it was asked
    sa.Column("target", sa.Integer, nullable=False),  # undo: the entry gone back to; else the seat concerned
    sa.Column("what", sa.String(32), nullable=False),  # stand_in: the kind of bot
    sa.Column("needs", sa.Text, nullable=False),  # JSON: the seats that must consent
    sa.Column("asked", sa.Float, nullable=False),
    sa.Column("lapses", sa.Float, nullable=False),
    sa.Column("outcome", sa.String(16), nullable=False),  # "open", "done", "refused", "withdrawn", "lapsed"
)
"""Requests that the others must agree to. The database calls them petitions, as it was first made; nothing else does."""

CONSENTS = sa.Table(
    "consents",
    META,
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("petition", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("given", sa.Float, nullable=False),
    sa.ForeignKeyConstraint(["game", "petition"], ["petitions.game", "petitions.number"]),
)

PASSCODE_ATTEMPTS = sa.Table(
    "guesses",
    META,
    sa.Column("about", sa.String(200), primary_key=True),
    sa.Column("wrong", sa.Integer, nullable=False),
    sa.Column("last", sa.Float, nullable=False),
)
"""Wrong passcodes in a row, by what was guessed at."""

DUE = sa.Table(
    "due",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),  # "turn", "notice", "play"
    sa.Column("payload", sa.Text, nullable=False),  # JSON
    sa.Column("at", sa.Float, nullable=False, index=True),  # from when on it may be taken
    sa.Column("tries", sa.Integer, nullable=False),
)
"""Work that one process must do: what an entry sets off, a notice to be sent, bots that are to go on."""

ORDERS = sa.Table(
    "orders",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("value", sa.Text, nullable=False),  # JSON
    sa.Column("number", sa.Integer, nullable=False),  # the entry after which it was given
    sa.Column("round", sa.String(64), nullable=False),
    sa.Column("frame", sa.String(64), nullable=False),
    sa.Column("ended", sa.String(16), nullable=False),  # empty while it holds, else why it ended
    sa.Column("entry", sa.Integer, nullable=False),  # the action that ended it, 0 where none did
    sa.Column(
        "refusal", sa.Text, nullable=False, server_default=""
    ),  # JSON: what the rules said against what it wanted
)
"""Instructions in advance."""

MAILS = sa.Table(
    "mails",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("address", sa.String(320), nullable=False, index=True),  # the mailbox in its canonical form
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("asked", sa.Float, nullable=False),
    sa.Column("refused", sa.Boolean, nullable=False),  # its reader wants no letters from this server
    sa.Column("domain", sa.String(255), nullable=False, server_default=""),  # of the mailbox
)
"""Mail addresses that were asked whether letters may come there."""

CLOCKS = sa.Table(
    "clocks",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),  # JSON
    sa.Column("since", sa.Float, nullable=False),
)

CLOCK_WORDS = sa.Table(
    "clock_words",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("wish", sa.String(8), nullable=False),  # "pause", "on"
    sa.Column("time", sa.Float, nullable=False),
)

CHAT = sa.Table(
    "talk",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("time", sa.Float, nullable=False),
    sa.Column(
        "number", sa.Integer, nullable=True
    ),  # the entry at which the table stood; null in rows of earlier versions
    sa.Column(
        "players_only", sa.Boolean, nullable=False, server_default=sa.false()
    ),  # whoever watches does not read it
)

NOTES = sa.Table(
    "notes",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
)
"""Private notes of players."""

COMMENTS = sa.Table(
    "comments",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # the entry after which the position is that it speaks of
    sa.Column("seat", sa.Integer, primary_key=True),  # -1 where everybody sits at one board
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
)
"""Comments on moments of a game, for all who look at the table."""

OPEN_TABLES = sa.Table(
    "open_tables",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("title", sa.String(32), nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON
    sa.Column("least", sa.Integer, nullable=False),  # players with which the host may begin
    sa.Column("most", sa.Integer, nullable=False),  # and with which the game begins by itself
    sa.Column("pace", sa.Integer, nullable=False),  # moves a week, 0 for live
    sa.Column("language", sa.String(8), nullable=False),  # empty for any
    sa.Column("sentence", sa.Text, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),  # in the lobby; else its address alone leads to it
    sa.Column("accounts", sa.Boolean, nullable=False),  # only people with an account may sit down
    sa.Column("host", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("taken", sa.Integer, nullable=False),  # how many sit there
    sa.Column("revision", sa.Integer, nullable=False),  # raised whenever somebody sits down or leaves
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False, index=True),
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=True, index=True),  # the table it became
    sa.Column("component_set", sa.Text, nullable=False, server_default=""),  # the file of the set that is played with
    sa.Column("set_name", sa.String(128), nullable=False, server_default=""),  # its name and version
    sa.Index("ix_open_tables_listed", "listed", "created"),
)
"""Tables with open seats, before the game: the lobby."""

OPEN_SEATS = sa.Table(
    "open_seats",
    META,
    sa.Column("open_table", sa.String(32), sa.ForeignKey("open_tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True, index=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),  # of notices, once the game has begun
    sa.Column("since", sa.Float, nullable=False),
)
"""People who have sat down at an open table."""

RESULTS = sa.Table(
    "results",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("title", sa.String(32), nullable=False),
    sa.Column("players", sa.Integer, nullable=False),  # how many played
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("folded", sa.String(128), nullable=False, index=True),  # the name without case, by which it is found
    sa.Column("bot", sa.String(32), nullable=True),  # the kind of bot that played the seat
    sa.Column("total", sa.Integer, nullable=False),  # Mark
    sa.Column("rank", sa.Integer, nullable=False),
)
"""Results of finished games, by the rules: rows of a game that is taken up again by an undo go."""

REVIEWS = sa.Table(
    "reviews",
    META,
    sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # the entry at which the game ended
    sa.Column("version", sa.String(32), nullable=False),  # of the review and of the ruleset
    sa.Column("document", sa.Text, nullable=False),  # JSON
)
"""Reviews of finished games, made once."""

AUDIT = sa.Table(
    "audit",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("time", sa.Float, nullable=False, index=True),
    sa.Column("what", sa.String(32), nullable=False),
    sa.Column("game", sa.String(32), nullable=True),
    sa.Column("seat", sa.Integer, nullable=True),
    sa.Column("person", sa.String(32), nullable=True),
)
"""Changes of seats and accounts, without addresses and names: kept for `AUDIT_AGE`."""
