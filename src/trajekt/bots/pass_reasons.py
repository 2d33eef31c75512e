"""Reasons for a pass: what the best of the rest would have brought, what its cash is kept for, or what the rules refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trajekt.bots.bot import MoveReason, legal_of, numbered, open_to
from trajekt.bots.evaluation import next_price, threat
from trajekt.engine.actions import BuyPrivate, FoundCompany, LayTile, Pass
from trajekt.engine.ruleset import Code, Refusal, View
from trajekt.rules.operating_round import current_turn

REFUSED: Mapping[str, str] = {
    "bot.buy_share": "bot.pass_share",
    "bot.float": "bot.pass_share",
    "bot.found": "bot.pass_found",
    "bot.lay_now": "bot.pass_lay",
    "bot.lay_towards": "bot.pass_lay",
    "bot.station_now": "bot.pass_station",
    "bot.station_held": "bot.pass_station",
    "bot.train": "bot.pass_train",
    "bot.first_train": "bot.pass_train",
    "bot.train_to_come": "bot.pass_train_idle",
    "bot.first_train_to_come": "bot.pass_train_idle",
}
"""The reason for an idea that was good for nothing, as the reason for passing."""


def why_pass(view: View, rival: MoveReason | None) -> MoveReason:
    """The reason for a pass where `rival` speaks for the best of the other ideas; None where nothing else was legal."""
    if rival is None:
        return _barred(view)
    values = rival.values
    if rival.key in ("bot.buy_share", "bot.float", "bot.found"):
        asked = values.get("par", values.get("price", 0))
        if values["worth"] > asked:  # good for its price, but the cash is not free
            return _saving(view) or MoveReason("bot.pass_else", {"company": values["company"], "price": asked})
    if rival.key in ("bot.sell", "bot.sell_cash"):
        barred = _barred(view)
        return barred if barred.key != "bot.pass_nothing" else MoveReason("bot.pass_keeps", values)
    if REFUSED.get(rival.key, "").startswith("bot.pass_train") and values["source"] in view.state.companies:
        # a train of the bank is what a director would rather speak of, if it is only too dear
        barred = _barred(view)
        return barred if barred.key == "bot.pass_dear" else MoveReason("bot.pass_train_there", values)
    if rival.key in ("bot.private", "bot.bid"):
        return declined(rival)
    if rival.key in REFUSED:
        return MoveReason(REFUSED[rival.key], values)
    cost = values.get("amount", 0) if rival.key == "bot.position_less" else -values.get("amount", 0)
    return MoveReason("bot.pass_worse", {"amount": cost}) if cost > 0 else MoveReason("bot.pass_even")


def declined(rival: MoveReason) -> MoveReason:
    """The reason for leaving a certificate of the package, where `rival` speaks for buying it or bidding on it."""
    near = rival.values["worth"] > rival.values["price"]
    return MoveReason("bot.pass_private_near" if near else "bot.pass_private", rival.values)


def _saving(view: View) -> MoveReason | None:
    """The company whose next train the seat may have to pay for most; None where none asks for help."""
    own = [c for c in view.state.companies.values() if c.director == view.seat and threat(view.state, c) > 0]
    if not own:
        return None
    company = max(own, key=lambda c: threat(view.state, c))
    values = {"company": company.id, "price": next_price(view.state, company), "treasury": company.treasury}
    return MoveReason("bot.pass_saving", values)


def _barred(view: View) -> MoveReason:
    """The refusal that a pass goes back to, the nearest first: a price that cannot be paid, a limit that is reached."""
    found = list(_refusals(view))
    dear = [
        int(refusal.args["cost"]) for refusal in found if refusal.code == Code.UNAFFORDABLE and "cost" in refusal.args
    ]
    limits = {refusal.code: refusal.args.get("limit", "") for refusal in found}
    turn = current_turn(view.state)
    if Code.TRAIN_LIMIT in limits and turn is not None:
        return MoveReason("bot.pass_full", {"company": turn.company, "limit": limits[Code.TRAIN_LIMIT]})
    if dear and turn is not None:
        company = view.state.companies[turn.company]
        return MoveReason("bot.pass_dear", {"company": company.id, "cost": min(dear), "treasury": company.treasury})
    if dear and not any(_for_sale(view)):  # else the cheapest thing here is one that can be paid
        return MoveReason("bot.pass_poor", {"cost": min(dear), "cash": view.player.cash})
    if Code.CERTIFICATE_LIMIT in limits:
        return MoveReason("bot.pass_limit", {"limit": limits[Code.CERTIFICATE_LIMIT]})
    return MoveReason("bot.pass_nothing")


def _for_sale(view: View) -> Iterator[object]:
    """The purchases that are open to the seat now."""
    for rule in open_to(view):
        if rule.action.buys_share or rule.action in (BuyPrivate, FoundCompany):
            yield from legal_of(rule, view)


def _refusals(view: View) -> Iterator[Refusal]:
    for rule in open_to(view):
        if rule.action is Pass:
            continue
        # of the many lays only those that something can join are near enough to be a cause
        for option in rule.plausible_options(view) if rule.action is LayTile else rule.options(view):
            refusal = rule.first_refusal(view, numbered(option, lambda span: span.low))
            if refusal is not None:
                yield refusal
