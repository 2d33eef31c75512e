"""A table of friends in tests: each player's requests, by the token of the seat."""

from __future__ import annotations

from dataclasses import dataclass

PLAYERS = ("Ada", "Bert", "Cleo")
NEW = {
    "game": "18rhl",
    "players": PLAYERS,
    "options": {"edition": 2, "fixed_seats": True},
    "seed": 7,
    "friends": True,
    "you": "Ada",
}


@dataclass
class Friend:
    """One at the table; `token` is empty for the host, whom the client's cookie names."""

    client: object
    table: str
    token: str
    seat: int | None

    @property
    def headers(self):
        return {"authorization": f"Bearer {self.token}", "accept": "application/json"}

    def post(self, where, value):
        return self.client.post(f"/t/{self.table}/{where}", json=value, headers=self.headers)

    def get(self, where, **more):
        return self.client.get(f"/t/{self.table}/{where}", headers=self.headers | more)

    def play(self, number, **action):
        return self.post("actions", {"number": number, "action": action, "seat": self.seat})

    def passes(self, number):
        return self.play(number, kind="pass")


def gathered(client, **more):
    """A new table, and its players and a watcher by name."""
    answer = client.post("/tables", json=NEW | more)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    people = {
        link["name"]: Friend(client, made["id"], link["address"].partition("#")[2], link["seat"])
        for link in made["seats"]
    }
    people["watcher"] = Friend(client, made["id"], made["watch"].partition("#")[2], None)
    return made["id"], people


def code(answer):
    """Status and code of an answer that says no."""
    return answer.status_code, answer.json()["error"]["code"]
