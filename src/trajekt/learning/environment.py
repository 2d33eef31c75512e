"""Games as PettingZoo environments (extra `rl`): one seat after another chooses from a list, for learning machines.

    from trajekt.learning.environment import env
    table = env("18rhl", players=3, options={"edition": 2})

An action is a number: the place in the list of legal choices, which `listed` answers as actions. Spaces have to be of fixed
size, so the list has at most `MOST` places; a mask says which of them are taken, and `action_features` says what each place
means, in columns whose meaning never changes (`ActionFeatures`). A number that a choice leaves open (a bid, a price) is listed
at `VALUES` values of its span at most, runs are listed as the best ones; `act` takes any other legal action.

An observation holds all that a player sees (`Observer`). `info` says who acts and why. The reward comes at the end: what the
seat's share of all wealth is above an equal share. After `max_cycles` actions the game is cut off.

Version history: v2, the whole board is observed, choices have features; v1, the first.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from trajekt.engine.actions import Action
from trajekt.engine.agenda import awaited
from trajekt.engine.decisions import decide, start
from trajekt.engine.ruleset import Refusal, View
from trajekt.engine.state import State
from trajekt.learning.action_features import ActionFeatures
from trajekt.learning.choice_list import MOST, listed
from trajekt.learning.name_codes import NONE
from trajekt.learning.observation import Observer
from trajekt.registry import title
from trajekt.round_label import frame_name, round_key

MAX_CYCLES = 5_000
"""Actions after which a game is cut off, unless another number is given."""

RENDER_MODES = ("ansi", "human")


def env(
    game: str = "18rhl",
    players: int = 3,
    options: Mapping[str, object] | None = None,
    render_mode: str | None = None,
    max_cycles: int = MAX_CYCLES,
) -> AECEnv:
    """The environment with PettingZoo's usual guards: an illegal action loses the game, a wrong order is an error."""
    made: AECEnv = TrajektEnv(game, players, options, render_mode, max_cycles)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class TrajektEnv(AECEnv):  # type: ignore[misc]  # a class of Any where the extra is not installed
    """A table as an environment, without guards; `env` adds them. It can be copied and pickled at any moment."""

    metadata = {"name": "trajekt_v2", "render_modes": [*RENDER_MODES], "is_parallelizable": False}  # noqa: RUF012  the API asks for a dictionary

    def __init__(
        self,
        game: str = "18rhl",
        players: int = 3,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
        max_cycles: int = MAX_CYCLES,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            message = f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}"
            raise ValueError(message)
        if max_cycles < 1:
            message = f"max_cycles is 1 or more, not {max_cycles}"
            raise ValueError(message)
        self.title = title(game)
        chosen = self.title.seated(self.title.options(options or {}), players)
        self.ruleset = self.title.ruleset(self.title.sheet(chosen, None), chosen)
        self.render_mode, self.max_cycles = render_mode, max_cycles
        self.possible_agents = [f"seat_{n}" for n in range(players)]
        self._rng = random.Random()
        self._begin(0)
        self._make_observer()
        observed: dict[str, spaces.Space[Any]] = {
            each.name: _box(each.shape, each.dtype) for each in self.layout.arrays
        }
        size = (MOST, len(self.features.columns))
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Dict(observed),
                    "action_mask": spaces.Box(0, 1, (MOST,), np.int8),
                    "action_features": _box(size, "int32"),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(MOST) for agent in self.possible_agents}

    def _make_observer(self) -> None:
        self.observer = Observer(self.ruleset, len(self.possible_agents), self.title.own_facts, self.state_now)
        self.features = ActionFeatures(self.ruleset)
        self.layout = self.observer.layout

    def __getstate__(self) -> dict[str, Any]:
        left_out = {"title", "observer", "features", "layout"}
        return {name: value for name, value in self.__dict__.items() if name not in left_out} | {"game": self.title.id}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.title = title(kept.pop("game"))
        self.__dict__.update(kept)
        self._make_observer()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def _begin(self, seed: int) -> None:
        opening = start(self.ruleset, tuple(self.possible_agents), seed, shuffle=False)
        self.state_now: State = opening.state
        self.actions = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  the API has it
        """Begin a new game. Equal seeds begin equal games; without a seed one is drawn."""
        if seed is not None:
            self._rng = random.Random(seed)
        self._begin(self._rng.randrange(2**31))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
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
        told = self._told()
        self.infos: dict[str, dict[str, Any]] = {agent: dict(told) for agent in self.agents}

    def _told(self) -> dict[str, Any]:
        """Tell who acts and why: the seat, the company it acts for, the round, the decision and its step, all awaited."""
        state, top = self.state_now, self.state_now.top
        return {
            "seat": self.seat,
            "awaited": tuple(awaited(self.ruleset, state)),
            "company": "" if top is None else top.acting(),
            "round": round_key(state),
            "decision": frame_name(top),
            "step": str(getattr(top, "step", "")),
            "actions": self.actions,
            "outcome": state.outcome,
        }

    def listed(self) -> list[Action]:
        """The legal actions of the seat whose turn it is, in the order of the mask."""
        return list(self.choices)

    def observe(self, agent: str) -> dict[str, Any]:
        """Observe the position of a seat; its mask is empty while it is not its turn."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(MOST, np.int8)
        features = np.full((MOST, len(self.features.columns)), NONE, np.int32)
        if agent == self.agent_selection and self.choices:
            mask[: len(self.choices)] = 1
            features[: len(self.choices)] = self.features.rows(self.state_now, self.choices)
        observation = self.observer.observe(self.state_now, seat)
        return {"observation": observation, "action_mask": mask, "action_features": features}

    def step(self, action: int | None) -> None:
        """Carry out the choice at a place of the list. IndexError where the place is not taken."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.act(self.choices[int(action)])

    def act(self, action: Action) -> None:
        """Carry out any legal action of the seat whose turn it is, listed or not. ValueError where the rules refuse it."""
        answer = decide(self.ruleset, self.state_now, self.seat, action)
        if isinstance(answer, Refusal):
            message = f"{action!r} is refused: {answer.code} ({answer.rule})"
            raise ValueError(message)  # noqa: TRY004  a refusal is a value, and this the fault of another
        agent = self.agent_selection
        if answer.state.board is not self.state_now.board:
            self.state_now.board.forget()
        self.state_now = answer.state
        self.actions += 1
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.state_now.outcome:
            self._end()
        elif self.actions >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        standings = self.title.standings(self.state_now)
        totals = [0.0] * len(self.possible_agents)
        for each in standings:
            totals[each.seat] = max(0.0, float(each.total))
        whole = sum(totals) or 1.0
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = totals[seat] / whole - 1 / len(totals)
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """Return the position in a few lines of text, or print it where the mode is `human`."""
        state = self.state_now
        lines = [f"{name}: {p.cash} M" for name, p in zip(state.names, state.players, strict=True)]
        lines += [
            f"{c.id}: {state.price(c.id)} M, treasury {c.treasury} M, trains {' '.join(c.trains) or '-'}"
            for c in state.companies.values()
            if c.founded
        ]
        text = "\n".join(lines)
        if self.render_mode != "human":
            return text
        print(text)  # noqa: T201  that is what the mode is for
        return None

    def close(self) -> None:
        """Close nothing, since nothing is held open."""


def _box(shape: tuple[int, ...], dtype: str) -> spaces.Box:
    if dtype == "float32":
        return spaces.Box(-np.inf, np.inf, shape, np.float32)
    return spaces.Box(np.iinfo(np.int32).min, np.iinfo(np.int32).max, shape, np.int32)


class ParallelTrajektEnv(ParallelEnv):  # type: ignore[misc]  # a class of Any where the extra is not installed
    """A table where every seat gives a number in every cycle, and that of the seat on turn counts.

    A number beyond the list goes round: it is taken modulo the choices, so that every number is legal. One cycle is one action.
    """

    metadata = TrajektEnv.metadata

    def __init__(self, table: TrajektEnv) -> None:
        self.table = table
        self.possible_agents = list(table.possible_agents)
        self.render_mode = table.render_mode
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game and return what every seat observes, and who acts."""
        self.table.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._observed(), self.table.infos

    def _observed(self) -> dict[str, Any]:
        return {agent: self.table.observe(agent) for agent in self.possible_agents}

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """Carry out the choice of the seat on turn; observations, rewards, ends, cuts and infos by seat."""
        table = self.table
        table.act(table.choices[int(actions[table.agent_selection]) % len(table.choices)])
        if any(table.terminations.values()) or any(table.truncations.values()):
            self.agents = []
        return self._observed(), table.rewards, table.terminations, table.truncations, table.infos

    def render(self) -> str | None:
        """Render the table."""
        return self.table.render()

    def close(self) -> None:
        """Close nothing, since nothing is held open."""


def parallel_env(
    game: str = "18rhl",
    players: int = 3,
    options: Mapping[str, object] | None = None,
    render_mode: str | None = None,
    max_cycles: int = MAX_CYCLES,
) -> ParallelTrajektEnv:
    """The environment in which all seats answer at once, for what cannot take turns."""
    return ParallelTrajektEnv(TrajektEnv(game, players, options, render_mode, max_cycles))
