"""Environments for learning agents, by the interface of Gymnasium.

``BackfillEnv`` asks which job is backfilled while the head of the queue waits, ``PickEnv`` which waiting job is next. An episode
is some consecutive jobs of a log on an empty machine; what it is rewarded by is any metric, at its end. ``BackfillVectorEnv`` and
``PickVectorEnv`` advance many at once, and are also what ``gymnasium.make_vec("packfair/Backfill-v0", num_envs=64, log=log)`` and
``"packfair/Pick-v0"`` make. Needs ``gymnasium`` and ``numpy``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._packfair import Gym, Log

__all__ = ["BackfillEnv", "BackfillVectorEnv", "PickEnv", "PickVectorEnv"]

_PARAMETERS = """

    Parameters
    ----------
    log : Log
        The log (``packfair.read``, ``packfair.generate``).
    jobs : int
        How many jobs an episode has.
    slots : int
        How many waiting jobs are seen, and may be chosen, at a time: the first in the order of submission.
    part : (float, float)
        The part of the log from which episodes are drawn, as shares of its jobs: ``(0, 0.7)`` to train, ``(0.7, 1)`` to judge.
    observation : {"log", "rlscheduler"}
        Eight numbers for each slot. ``"log"``: wait, estimate, processors and area by their logarithms, whether the job could start
        now, what is free, how many wait, and 1 for the first of the queue, 0.5 for another. ``"rlscheduler"``: as the public code of
        RLScheduler (Zhang et al., SC 2020) has them, flat: wait (12 h are 1), requested time, processors, memory (always 1: it
        is not kept), user, group, executable, whether it could start now; an empty slot is 0, 1, 1, 1, 1, 1, 1, 0.
    reward : str
        The id of a metric, such as ``"AF"`` (mean response time), ``"BSLD"``, ``"AWF"`` (packing), ``"P2SF"`` (fairness). The reward comes at
        the end of an episode: the value, or less than nothing by it where less is better.
    baseline : str, optional
        A scheduler, such as ``"easy"``: then the reward is by what share the value is better than the baseline's on the same jobs.
    estimates : str
        What is known of run times: ``"requested"``, ``"actual"``, with a factor ``"actual*2"``; none that learns.
    **treatment
        What is done to the log first, as for ``packfair.run``: ``procs=256``, ``shrink=0.8``.

    ``action_masks()`` tells which actions can be chosen, and ``info["action_mask"]`` too. {other}
    """


def _with_parameters(other: str):
    def document(cls):
        cls.__doc__ = (cls.__doc__ or "") + _PARAMETERS.replace("{other}", other)
        return cls

    return document


_OF_BACKFILL = "Action 0 is the head of the queue, and lets time pass; so does what cannot be chosen."
_OF_PICK = "What cannot be chosen stands for the first of the queue."


class _Arrays:
    """The environments, and the arrays through which they speak."""

    def __init__(
        self,
        question: str,
        num_envs: int,
        log: Log,
        jobs: int,
        slots: int,
        part: tuple[float, float],
        observation: str,
        reward: str,
        baseline: str | None,
        estimates: str,
        treatment: dict[str, Any],
    ):
        self.gym = Gym(
            log,
            question,
            num_envs=num_envs,
            jobs=jobs,
            slots=slots,
            part=part,
            observation=observation,
            reward=reward,
            baseline=baseline,
            estimates=estimates,
            treatment=treatment,
        )
        width = self.gym.observed
        self.observations = np.zeros((num_envs, width), dtype=np.float32)
        self.masks = np.zeros((num_envs, slots), dtype=bool)
        self.rewards = np.zeros(num_envs)
        self.over = np.zeros(num_envs, dtype=bool)
        self.values = np.zeros((num_envs, 2))
        shape = (width,) if observation == "rlscheduler" else (slots, width // slots)
        high = 1.0 if observation == "rlscheduler" else 4.0
        self.observation_space = gymnasium.spaces.Box(0.0, high, shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(slots)

    def observed(self) -> np.ndarray:
        return self.observations.reshape(len(self.observations), *self.observation_space.shape).copy()

    def step(self, actions: np.ndarray) -> None:
        self.gym.step(actions, self.observations, self.masks, self.rewards, self.over, self.values)

    def observe(self) -> None:
        self.gym.observe(self.observations, self.masks)


class _Env(gymnasium.Env):
    metadata: dict[str, Any] = {"render_modes": []}
    _question = ""

    def __init__(
        self,
        log: Log,
        *,
        jobs: int = 256,
        slots: int = 128,
        part: tuple[float, float] = (0.0, 1.0),
        observation: str = "log",
        reward: str = "AF",
        baseline: str | None = None,
        estimates: str = "requested",
        render_mode: str | None = None,
        **treatment: Any,
    ):
        self.render_mode = render_mode
        question = self._question_of(treatment)
        self._arrays = _Arrays(question, 1, log, jobs, slots, part, observation, reward, baseline, estimates, treatment)
        self._gym = self._arrays.gym
        self.observation_space = self._arrays.observation_space
        self.action_space = self._arrays.action_space
        self._actions = np.zeros(1, dtype=np.int64)

    def _question_of(self, treatment: dict[str, Any]) -> str:
        return self._question

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begins an episode. ``options={"first": n}`` begins it with job n of the log."""
        super().reset(seed=seed)
        first = (options or {}).get("first")
        if first is None:
            lowest, highest = self._gym.first_jobs
            first = int(self.np_random.integers(lowest, highest))
        self._gym.begin(0, first)
        self._arrays.observe()
        return self._arrays.observed()[0], self._info()

    def step(self, action):
        self._actions[0] = action
        self._arrays.step(self._actions)
        over = bool(self._arrays.over[0])
        info = self._info()
        if over:
            info["metric"], info["baseline"] = map(float, self._arrays.values[0])
        return self._arrays.observed()[0], float(self._arrays.rewards[0]), over, False, info

    def action_masks(self) -> np.ndarray:
        """Which actions can be chosen."""
        return self._arrays.masks[0].copy()

    def starts(self) -> list[int | None]:
        """When each job of the episode has started, seconds of the log; None where it has not yet."""
        return self._gym.starts(0)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "first": self._gym.first_job(0)}


class _VectorEnv(VectorEnv):
    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
    _question = ""

    def __init__(
        self,
        log: Log,
        num_envs: int = 64,
        *,
        jobs: int = 256,
        slots: int = 128,
        part: tuple[float, float] = (0.0, 1.0),
        observation: str = "log",
        reward: str = "AF",
        baseline: str | None = None,
        estimates: str = "requested",
        render_mode: str | None = None,
        **treatment: Any,
    ):
        self.render_mode = render_mode
        self.num_envs = num_envs
        question = self._question_of(treatment)
        self._arrays = _Arrays(question, num_envs, log, jobs, slots, part, observation, reward, baseline, estimates, treatment)
        self._gym = self._arrays.gym
        self.single_observation_space = self._arrays.observation_space
        self.single_action_space = self._arrays.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._masks = self._arrays.masks

    _question_of = _Env._question_of

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begins an episode in each environment. ``options={"first": [n, ...]}`` begins them with these jobs of the log."""
        super().reset(seed=seed)
        if seed is not None:
            self._gym.seed(seed)
        elif self._is_new:
            self._gym.seed(int(self.np_random.integers(2**63)))
        self._is_new = False
        firsts = (options or {}).get("first")
        for env in range(self.num_envs):
            self._gym.begin(env, None if firsts is None else int(firsts[env]))
        self._arrays.observe()
        return self._arrays.observed(), {"action_mask": self.action_masks()}

    _is_new = True

    def step(self, actions):
        """Decides in each environment. One whose episode is over begins anew with the next step, whatever its action."""
        self._arrays.step(np.ascontiguousarray(actions, dtype=np.int64))
        over = self._arrays.over.copy()
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if over.any():
            info |= {"metric": self._arrays.values[:, 0].copy(), "_metric": over}
            info |= {"baseline": self._arrays.values[:, 1].copy(), "_baseline": over}
        return self._arrays.observed(), self._arrays.rewards.copy(), over, np.zeros(self.num_envs, dtype=bool), info

    def action_masks(self) -> np.ndarray:
        """Which actions can be chosen in each environment."""
        return self._masks.copy()


def _of_pick(self, treatment: dict[str, Any]) -> str:
    return "next-backfilling" if treatment.pop("backfill", False) else "next"


@_with_parameters(_OF_BACKFILL)
class BackfillEnv(_Env):
    """Which job is backfilled: jobs start first come, first served, and while the head of the queue does not fit, others may pass
    it that do not delay it. Who always takes the first that may is EASY."""

    _question = "backfill"


@_with_parameters(_OF_PICK)
class PickEnv(_Env):
    """Which waiting job is next: it starts, or waits until it fits, and nobody else is picked meanwhile. With ``backfill=True`` jobs
    that do not delay it start while it waits, as in EASY."""

    _question_of = _of_pick


@_with_parameters(_OF_BACKFILL)
class BackfillVectorEnv(_VectorEnv):
    """As many ``BackfillEnv`` as ``num_envs`` says, advanced at once."""

    _question = "backfill"


@_with_parameters(_OF_PICK)
class PickVectorEnv(_VectorEnv):
    """As many ``PickEnv`` as ``num_envs`` says, advanced at once."""

    _question_of = _of_pick


for _name in ("Backfill", "Pick"):
    gymnasium.register(
        f"packfair/{_name}-v0",
        entry_point=f"packfair.gym:{_name}Env",
        vector_entry_point=f"packfair.gym:{_name}VectorEnv",
    )
