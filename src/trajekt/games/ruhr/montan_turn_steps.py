"""The duty of a Montan company's turn: its steps run by themselves where nobody has a choice."""

from __future__ import annotations

from trajekt.engine.decisions import can
from trajekt.engine.ruleset import Code, Draft, Duty
from trajekt.games.ruhr.actions import BuildPmcLink, BuyEngine, BuyEngineFrom, Develop, ShareDeal, UsePferdebahn
from trajekt.games.ruhr.development import DEVELOP
from trajekt.games.ruhr.montan_charters import owner_of
from trajekt.games.ruhr.montan_closing import close
from trajekt.games.ruhr.montan_turn import (
    CLOSING,
    DEAL,
    INCOME,
    PASS,
    PAY_OUT,
    WITHHOLD,
    MontanTurn,
    beyond_help,
    decides,
    duty_holds,
    earn,
    end_turn,
    fall,
    keep,
)
from trajekt.games.ruhr.options import RuhrOptions
from trajekt.games.ruhr.railway_links import LINK_BY_WORKS, USE_PFERDEBAHN
from trajekt.games.ruhr.receivership import develop_for_bank
from trajekt.games.ruhr.switch_engines import BUY_ENGINE, BUY_ENGINE_FROM, SCRAP_ENGINE
from trajekt.games.ruhr.treasury_shares import SHARE_DEAL

CHOICES = (Develop, BuildPmcLink, BuyEngine, BuyEngineFrom, ShareDeal, UsePferdebahn)


def run_turn(draft: Draft, turn: MontanTurn) -> None:
    """Earn, then wait for what is to be decided; without a choice the turn goes on by itself."""
    state, options = draft.state, draft.ruleset.policy(RuhrOptions)
    owner = owner_of(state, turn.works)
    if not turn.step:
        earn(draft, turn)
    elif turn.step == INCOME:
        if owner is None:
            keep(draft)
    elif turn.step == DEAL:
        if owner is None or not can(draft.ruleset, state, owner, (ShareDeal,)):
            fall(draft)
    elif turn.step == CLOSING:
        close(draft, turn.works)
    elif owner is not None and (duty_holds(options, state, turn) or can(draft.ruleset, state, owner, CHOICES)):
        return
    elif beyond_help(options, state, turn):
        close(draft, turn.works)
    elif owner is None:
        develop_for_bank(draft, turn)
    else:
        end_turn(draft)


MONTAN_TURN = Duty(
    MontanTurn,
    rule="RUHR-OR-07",
    who=decides,
    menu=(
        PAY_OUT, WITHHOLD, DEVELOP, LINK_BY_WORKS, BUY_ENGINE, BUY_ENGINE_FROM, SHARE_DEAL, SCRAP_ENGINE, USE_PFERDEBAHN,
        PASS,
    ),
    run=run_turn,
    not_your_turn=(Code.NOT_DIRECTOR, "RUHR-DIR-07"),
)  # fmt: skip
