"""Pieces of which an instruction is put together: conditions, choices, and tasks that join them.

A task is a choice that is made when its conditions hold. Nothing here knows a kind of wish: "found at 80, then pass" and "the
same run until something changes" are rows of such tasks.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

from trajekt.engine.components.schema import CompanyId

AT_ONCE = 40  # tasks of one instruction
OFTEN = 99  # times that one task may be done

Mark: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]


# Conditions ----------------------------------------------------------------------------------------------------------


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="if", tag=True):
    """The common base that gives every condition its tag."""


class PriceUnder(Condition, frozen=True, tag="price_under"):
    """A share price under `price` Mark."""

    company: CompanyId
    price: Mark


class Floated(Condition, frozen=True, tag="floated"):
    """A company that has floated."""

    company: CompanyId


class InTurn(Condition, frozen=True, tag="in_turn"):
    """The turn of a company is on, at this step."""

    company: CompanyId
    step: Name


class NetworkChanged(Condition, frozen=True, tag="network_changed"):
    """The company's trains, the phase, or tiles and stations where its paths come are others than when it was said."""

    company: CompanyId


AnyCondition: TypeAlias = PriceUnder | Floated | InTurn | NetworkChanged


# Choices -------------------------------------------------------------------------------------------------------------


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=True):
    """The common base that gives every choice its tag."""


class Like(Wanted, frozen=True, tag="like"):
    """An action with these values, as in JSON; of several the one that costs least, and at most `most` Mark (0: any sum).

    `kind` may name a family, `buy` for `buy_share`; `percent` also means the sum of `sizes`.
    """

    values: dict[str, Any]
    most: Mark = 0


class Leave(Wanted, frozen=True, tag="leave"):
    """Pass, or end the turn."""


class SameRun(Wanted, frozen=True, tag="same_run"):
    """The run that a company made last."""

    company: CompanyId


AnyWanted: TypeAlias = Like | Leave | SameRun


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A choice that is made once its conditions hold, up to `times` times; 0: as often as asked, to the end of that round."""

    choice: AnyWanted
    when: tuple[AnyCondition, ...] = ()
    times: Annotated[int, msgspec.Meta(ge=0, le=OFTEN)] = 1
