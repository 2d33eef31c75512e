"""Games as PettingZoo environments (extra `rl`): one seat after another chooses from a list, for learning machines.

    from trajekt.bots.pettingzoo_env import env
    table = env("18rhl", players=3, options={"edition": 2})

An action is a number: the place in the list of legal choices, which `listed` answers as actions. Spaces have to be of fixed
size, so the list has at most `MOST` places; a mask says which of them are taken. A number that a choice leaves open (a bid, a
price) is listed at `VALUES` values of its span at most, runs are listed as the best ones. An observation is a row of numbers
between 0 and 1 (see `facts`). The reward comes at the end: what the seat's share of all wealth is above an equal share.

Version history: v1, the first.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from trajekt.bots.bot import legal_of, numbered, open_to
from trajekt.engine.actions import Action
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import decide, start
from trajekt.engine.ruleset import Option, Refusal, Ruleset, Span, View
from trajekt.engine.state import CHARTER, IPO, POOL, Holder, State
from trajekt.registry import title

MOST = 1024
"""The places of the list. Where more is legal, every so many are left out, evenly."""

VALUES = 5  # of an open number that are listed
PATIENCE = 5_000  # actions after which a game is cut off


def env(
    game: str = "18rhl", players: int = 3, options: Mapping[str, object] | None = None, render_mode: str | None = None
) -> AECEnv:
    """The environment with PettingZoo's usual guards: an illegal action loses the game, a wrong order is an error."""
    made: AECEnv = TrajektEnv(game, players, options, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def values_of(span: Span) -> list[int]:
    """Some values of a span: the ends and what lies evenly between."""
    count = (span.high - span.low) // span.step + 1
    places = range(count) if count <= VALUES else [n * (count - 1) // (VALUES - 1) for n in range(VALUES)]
    return [span.low + place * span.step for place in places]


def listed(view: View) -> list[Action]:
    """The legal actions of a seat in the order of the list, `MOST` at most."""
    found: list[Action] = []
    for rule in open_to(view):
        for option in legal_of(rule, view):
            if not isinstance(option, Option) or not option.spans:
                found.append(numbered(option, lambda span: span.low))
                continue
            most = max(len(values_of(span)) for span in option.spans.values())
            for n in range(most):
                action = numbered(option, lambda span, n=n: values_of(span)[min(n, len(values_of(span)) - 1)])
                if rule.first_refusal(view, action) is None:
                    found.append(action)
    if len(found) <= MOST:
        return found
    return [found[n * len(found) // MOST] for n in range(MOST)]


def facts(state: State, seat: int, ruleset: Ruleset) -> list[float]:
    """A position as numbers from 0 to 1, seen from a seat: seats clockwise from it, companies and trains as on the sheet.

    For each seat: cash, loans, whether it is to act. For each company: price, treasury, last revenue, per cent with each
    seat, in the offering, on the charter and in the pool, trains of each kind, unused stations, whether it floated, whether
    its turn it is. Then trains on display, private companies by owner, the phase, the bank, and the kind of decision.
    """
    sheet, count = state.sheet, len(state.players)
    ring = [(seat + n) % count for n in range(count)]
    kinds = list(sheet.trains)
    waiting = awaited(ruleset, state)
    turn = {f.company for f in state.agenda if "company" in f.__struct_fields__}  # type: ignore[attr-defined]  # just asked
    row: list[float] = []
    places: tuple[Holder, ...] = (*ring, IPO, CHARTER, POOL)
    for each in ring:
        player = state.players[each]
        row += [player.cash / 5_000, player.loans / 1_000, float(each in waiting)]
    for company in state.companies.values():
        row += [state.price(company.id) / 400, company.treasury / 2_000, (company.revenue or 0) / 1_000]
        row += [company.percent(place) / 100 for place in places]
        row += [company.trains.count(kind) / 4 for kind in kinds]
        row += [len(company.stations) / 4, float(company.floated), float(company.id in turn)]
        row += [float(company.director == each) for each in ring]
    row += [state.depot.display[kind] / max(1, sheet.trains[kind].count) for kind in kinds]
    row += [state.depot.pool.count(kind) / 4 for kind in kinds]
    for private in state.privates.values():
        row += [float(private.owner == each and private.open) for each in ring]
    row += [float(phase.name == state.phase) for phase in sheet.phases]
    row.append(state.bank / max(1, sheet.limits.bank[count]))
    row += [float(bool(state.agenda) and isinstance(state.agenda[-1], frame)) for frame in ruleset.duties]
    return [min(1.0, max(0.0, value)) for value in row]


class TrajektEnv(AECEnv):  # type: ignore[misc]  # a class of Any where the extra is not installed
    """A table as an environment, without guards; `env` adds them."""

    metadata = {"name": "trajekt_v1", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012  the API asks for a dictionary

    def __init__(
        self,
        game: str = "18rhl",
        players: int = 3,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.title = title(game)
        chosen = self.title.options(options or {})
        self.ruleset = self.title.ruleset(self.title.sheet(chosen, None), chosen)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{n}" for n in range(players)]
        self._rng = random.Random()
        self._begin(0)
        size = len(facts(self.state_now, 0, self.ruleset))
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (MOST,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(MOST) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def _begin(self, seed: int) -> None:
        opening = start(self.ruleset, tuple(self.possible_agents), seed, shuffle=False)
        self.state_now: State = opening.state
        self.actions = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  the API has it
        """A new game; without a seed one is drawn."""
        if seed is not None:
            self._rng = random.Random(seed)
        self._begin(self._rng.randrange(2**31))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn()

    def _turn(self) -> None:
        """Find the agent whose turn it is, and what may be done: the first of those awaited who can act."""
        state = self.state_now
        self.seat, self.choices = 0, []
        for seat in awaited(self.ruleset, state):
            found = listed(View(self.ruleset, state, seat, state.agenda[-1]))
            if found:
                self.seat, self.choices = seat, found
                break
        assert self.choices or state.outcome, state.top
        self.agent_selection = self.possible_agents[self.seat]

    def listed(self) -> list[Action]:
        """The legal actions of the seat whose turn it is, in the order of the mask."""
        return list(self.choices)

    def observe(self, agent: str) -> dict[str, Any]:
        """Observe the position of a seat; its mask is empty while it is not its turn."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(MOST, np.int8)
        if agent == self.agent_selection:
            mask[: len(self.choices)] = 1
        row = facts(self.state_now, seat, self.ruleset)
        return {"observation": np.array(row, np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carry out the choice at a place of the list. IndexError where the place is not taken."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        answer = decide(self.ruleset, self.state_now, self.seat, self.choices[int(action)])
        assert not isinstance(answer, Refusal), answer
        self.state_now = answer.state
        self.actions += 1
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.state_now.outcome:
            self._end()
        else:
            if self.actions >= PATIENCE:
                self.truncations = dict.fromkeys(self.agents, True)
            self._turn()
        self._accumulate_rewards()

    def _end(self) -> None:
        standings = self.title.standings(self.state_now)
        totals = [0.0] * len(self.possible_agents)
        for each in standings:
            totals[each.seat] = max(0.0, float(each.total))
        whole = sum(totals) or 1.0
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = totals[seat] / whole - 1 / len(totals)
        self.terminations = dict.fromkeys(self.agents, True)
        self.choices = []

    def render(self) -> str:
        """The position in a few lines of text."""
        state = self.state_now
        lines = [f"{name}: {p.cash} M" for name, p in zip(state.names, state.players, strict=True)]
        lines += [
            f"{c.id}: {state.price(c.id)} M, treasury {c.treasury} M, trains {' '.join(c.trains) or '-'}"
            for c in state.companies.values()
            if c.founded
        ]
        return "\n".join(lines)

    def close(self) -> None:
        """Close nothing, since nothing is held open."""
