"""What the judges of 18DO share: an account that follows a game by its events, with the stack of what is still to be done."""

from __future__ import annotations


def lists(value):
    """A copy in which every row is a list and every key a word."""
    if isinstance(value, dict):
        return {str(key): lists(each) for key, each in value.items()}
    return [lists(each) for each in value] if isinstance(value, list | tuple) else value


class Account:
    """An account of one game. `faults` lists what the rulebook would have otherwise, `seen` how often what was looked at."""

    def __init__(self, sheet, position):
        self.sheet, self.faults, self.seen = sheet, [], {}
        self.agenda = lists(position["agenda"])
        self.phase = position["phase"]

    def ruling(self, name, default):
        """How a table has decided an open question; the default where it has said nothing."""
        return self.sheet.get("options", {}).get(name, default)

    def says(self, what, mine, theirs):
        """Hold an answer of the judge against the game's."""
        self.seen[what] = self.seen.get(what, 0) + 1
        if mine != theirs:
            self.faults.append(f"{what}: the judge has {mine}, the game {theirs}")

    def book(self, event):
        """Book one event, and judge what it ends."""
        event = lists(event)
        kind = event["event"]
        if kind == "pushed":
            self.agenda.append(event["frame"])
            self.pushed(event["frame"])
        elif kind == "popped":
            self.popped(self.agenda.pop())
        elif kind == "purged":
            del self.agenda[event["at"]]
        elif kind == "turned":
            before, self.agenda[-1] = self.agenda[-1], event["frame"]
            self.turned(before, event["frame"], event["skipped"])
        elif kind == "phase":
            self.phase = event["phase"]
        handler = getattr(self, "on_" + kind, None)
        if handler is not None:
            handler(event)

    def pushed(self, frame):
        """Something begins."""

    def popped(self, frame):
        """Something is over."""

    def turned(self, before, after, skipped):
        """Something goes on."""

    def frame(self, kind):
        """The last frame of a kind on the stack, None where there is none."""
        return next((frame for frame in reversed(self.agenda) if frame["type"] == kind), None)
