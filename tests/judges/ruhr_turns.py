"""18Ruhr judged from its rulebook: who acts when (sections 3, 5.6, 7.1, 7.4, 12, 13.2 and 15.1).

A small account of rounds and turns beside a game, kept from its events as plain values. It imports nothing of the product.
"""

from __future__ import annotations


class RuhrTurns:
    """The account from a position on; `faults` lists every turn that another should have had."""

    def __init__(self, sheet, position, options):
        self.sheet, self.options = sheet, options
        self.railways = {name for name, company in sheet["companies"].items() if company["homes"]}
        self.industries = {}
        self.faults = []
        self.read(position)
        self.acted, self.lowest, self.early = [], None, False
        self.last_round, self.passes = "", 0
        self.counted = 0

    def read(self, position):
        """Take the books as they stand."""
        self.position = position
        market = self.sheet["market"]["rows"]
        self.values = {c: market[r - 1][n - 1]["price"] for c, (r, n) in position["markers"]["spaces"].items()}
        self.stack = list(position["markers"]["arrivals"])
        self.floated = {name for name, company in position["companies"].items() if company["floated"]}
        self.sold = set(position["depot"]["sold"])
        self.mines = {
            mine: position["privates"][mine]["owner"]
            for mine, status in position["extra"]["mines"].items()
            if status == "active"
        }
        self.cards = list(position["extra"]["cards"])
        self.agenda = list(position["agenda"])
        self.bankrupt = {seat for seat, player in enumerate(position["players"]) if player["bankrupt"]}
        self.cash = [player["cash"] for player in position["players"]]
        self.priority, self.ending = position["priority"], position["ending"]

    def wrong(self, said):
        """Note a fault."""
        self.faults.append(said)

    # One decision

    def see(self, action, events, after):
        """Follow one decision: the action, its events, and the position after it."""
        self.action, self.mover, self.first = action, True, True
        for event in events:
            getattr(self, f"on_{event['event']}", lambda _event: None)(event)
        stack, spaces = self.stack, self.values
        self.read(after)
        if (stack, spaces) != (self.stack, self.values):
            self.wrong("markers lie otherwise than events said")

    def on_price(self, event):
        row, column = event["space"]
        name = event["company"]
        self.values[name] = self.sheet["market"]["rows"][row - 1][column - 1]["price"]
        self.stack = [c for c in self.stack if c != name] + [name]

    def on_montan_closed(self, event):
        self.values.pop(event["company"], None)
        self.stack = [c for c in self.stack if c != event["company"]]
        self.floated.discard(event["company"])

    def on_status(self, event):
        if event["status"] == "floated":
            (self.floated.add if event["value"] else self.floated.discard)(event["company"])

    def on_train(self, event):
        if event["source"] == "display":
            self.sold.add(event["train"])

    def on_private(self, event):
        if event["private"] <= 18:
            self.mines[event["private"]] = event["seat"]

    def on_mine(self, event):
        self.mines.pop(event["mine"], None)

    def on_paid(self, event):
        for account, sign in ((event["source"], -1), (event["target"], 1)):
            if isinstance(account, int):
                self.cash[account] += sign * event["amount"]

    def on_bankrupt(self, event):
        self.bankrupt.add(event["seat"])

    def on_priority(self, event):
        self.priority = event["seat"]
        self.moved_priority = event["seat"]

    def on_cards_dealt(self, event):
        self.cards = list(event["seats"] if "seats" in event else event["cards"])

    def on_end_triggered(self, event):
        self.ending = event["when"]

    def on_ended(self, event):
        if event["reason"] == "bankrupt":
            return
        frame = next((f for f in self.agenda if f["type"] == "rounds"), None)
        if self.last_round != "or end":
            self.wrong(f"the game ends after {self.last_round}")
        elif event["reason"] == "bank" and self.ending != "bank":
            self.wrong("the bank has not run out")
        elif event["reason"] == "eight" and frame and frame["planned"] != 3:
            self.wrong("the end comes before the last three rounds")

    # The agenda

    def on_pushed(self, event):
        frame = event["frame"]
        kind = frame["type"]
        under = self.agenda[-1] if self.agenda else None
        self.agenda.append(frame)
        if kind in ("montan_turn", "company_turn"):
            self.turn(frame.get("works") or frame["company"], under)
        elif kind == "operating_round":
            self.operating_round(frame)
        elif kind == "stock_round":
            self.stock_round(frame)
        elif kind == "foundation":
            self.round("foundation", "or end" if "4" in self.sold and self.last_of_set else "")
        elif kind == "merging":
            self.round("merging", "foundation")
            self.passes = 0

    def on_popped(self, _event):
        frame = self.agenda.pop()
        if frame["type"] == "operating_round":
            left = self.waiting(frame)
            if left:
                self.wrong(f"the operating round ends before {left}")
            self.last_round = "or end" if frame["number"] == frame["of"] else "or"
            self.last_of_set = frame["number"] == frame["of"]
        elif frame["type"] == "merging":
            self.last_round = "merging end"
        elif frame["type"] == "stock_round":
            self.last_round = "sr end"

    def on_purged(self, event):
        del self.agenda[event["at"]]

    def on_turned(self, event):
        before, frame = self.agenda[-1], event["frame"]
        self.agenda[-1] = frame
        if frame["type"] == "stock_round":
            self.stock_turn(before, frame, skipped=bool(event["skipped"]))
        elif frame["type"] == "package":
            self.package_turn(before, frame, skipped=bool(event["skipped"]))
        elif frame["type"] == "foundation" and frame["at"] != before["at"] + 1:
            self.wrong(f"founding goes from card {before['at']} to {frame['at']}")
        elif frame["type"] == "merging":
            self.merging_turn(before, frame, skipped=bool(event["skipped"]))

    def round(self, name, after):
        """A round begins: it must follow another of these."""
        self.counted += 1
        if self.last_round and after != self.last_round:
            self.wrong(f"{name} follows {self.last_round}")
        self.last_round = name

    # Operating rounds

    last_of_set = False

    def operating_round(self, frame):
        self.acted, self.lowest, self.early = [], None, "5" not in self.sold
        self.counted += 1
        if not frame["of"]:
            return  # the single round that interrupts the First Stock Round
        planned = 3 if self.last_round == "sr end" and "8" in self.sold else frame["of"]
        if frame["of"] != planned or frame["of"] not in (2, 3):
            self.wrong(f"{frame['of']} operating rounds in a set")
        if frame["number"] == 1 and self.last_round not in ("", "sr end"):
            self.wrong(f"a set of operating rounds follows {self.last_round}")

    def turn(self, name, under):
        """Somebody's turn begins: it must be the first of those that wait."""
        if under is None or under["type"] != "operating_round":
            return
        self.counted += 1
        left = self.waiting(under)
        if not left or left[0] != name:
            self.wrong(f"{name} acts, it is the turn of {left[:3]}")
        self.acted.append(name)
        if name in self.values:
            self.lowest = min(self.values[name], self.lowest or 999)

    def waiting(self, frame):
        """Those that have not acted in the order of 7.1, the EH by 5.6."""
        mines = sorted(m for m, owner in self.mines.items() if owner is not None)
        left = [str(m) for m in mines if str(m) not in self.acted]
        if not frame["of"]:
            return left
        going = sorted(self.values, key=lambda c: (-self.values[c], self.stack.index(c)))
        if self.options["or_order"] == "fixed":
            going = [c for c in frame["order"] or going if c in self.values] + (["EH"] if self.early else [])
        going = [c for c in going if c in self.floated and c not in self.acted]
        if "5" not in self.sold or (self.early and self.options["eh_start"] == "next_or"):
            going = [c for c in going if c != "EH"]
        elif self.early and "EH" in going and self.lowest is not None and self.values["EH"] > self.lowest:
            going = [*[c for c in going if c != "EH"], "EH"]
        return left + going

    # Stock rounds

    def left_of(self, seat):
        """The next player clockwise who is still in the game."""
        count = len(self.cash)
        return next(s for s in ((seat + n) % count for n in range(1, count + 1)) if s not in self.bankrupt)

    def playing(self):
        return len(self.cash) - len(self.bankrupt)

    def stock_round(self, frame):
        if frame["number"] > 1:
            mr = "4" in self.sold
            if self.last_round and self.last_round != ("merging end" if mr else "or end"):
                self.wrong(f"a stock round follows {self.last_round}")
            first = self.left_of(self.priority) if self.priority in self.bankrupt else self.priority
            if frame["seat"] != first:
                self.wrong(f"seat {frame['seat']} begins the stock round, seat {first} has the Priority Deal")
        self.counted += 1
        self.last_round, self.actor, self.buyer = "sr", frame["actor"], frame["buyer"]

    def stock_turn(self, before, frame, *, skipped):
        kind = "skip" if skipped else self.action["kind"] if self.mover else "?"
        if frame["closed"] and not before["closed"]:
            if before["passes"] < self.playing():
                self.wrong("a stock round closes before all have passed")
            self.priority_after(before)
            return
        if frame["seat"] == before["seat"] and frame["passes"] == before["passes"]:
            if kind in ("buy_share", "found", "sell_shares"):
                self.actor = before["seat"]
            return
        self.counted += 1
        passed = kind == "pass" or (skipped and not before["blocks"])
        wanted = before["passes"] + 1 if passed else 0
        if kind in ("buy_share", "found", "sell_shares"):
            self.actor = before["seat"]
            self.buyer = before["seat"] if kind != "sell_shares" else self.buyer
        if frame["seat"] != before["seat"] and frame["seat"] != self.left_of(before["seat"]):
            self.wrong(f"seat {frame['seat']} follows seat {before['seat']}")
        if kind != "sell_shares" and frame["passes"] != wanted:
            self.wrong(f"{frame['passes']} passes in a row after {kind}, it should be {wanted}")
        if frame["seat"] != before["seat"]:
            self.mover = False

    def priority_after(self, frame):
        """To the left of who acted last; after the First Stock Round to the player with most cash (3.2, 13.2)."""
        if frame["number"] > 1:
            wanted = self.priority if self.actor is None else self.left_of(self.actor)
        else:
            after = self.buyer if self.buyer is not None else self.priority
            order, seat = [], after
            for _ in range(len(self.cash)):
                seat = self.left_of(seat)
                order.append(seat)
            wanted = max(order, key=lambda s: self.cash[s])
        if self.priority != wanted:
            self.wrong(f"the Priority Deal lies with seat {self.priority}, not {wanted}")

    def package_turn(self, before, frame, *, skipped):
        if frame["seat"] == before["seat"] or (
            before["passes"] and not frame["passes"] and frame["last"] == before["last"]
        ):
            return  # after an interruption it goes on left of the last buyer
        self.counted += 1
        if frame["seat"] != self.left_of(before["seat"]):
            self.wrong(f"seat {frame['seat']} follows seat {before['seat']} at the package")

    # Montan Round

    def merging_turn(self, before, frame, *, skipped):
        self.counted += 1
        count = len(self.cards)
        if frame["at"] != (before["at"] - 1) % count:
            self.wrong(f"merging goes from card {before['at'] + 1} to {frame['at'] + 1}")
        passed = skipped or self.action["kind"] == "pass"
        if frame["passes"] != (before["passes"] + 1 if passed else 0):
            self.wrong("passes of the merging phase are miscounted")
        self.action = {"kind": "?"} if not skipped else self.action
