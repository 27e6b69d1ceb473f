"""Agents that enter the tests' events, and what of an event's results has to be the same again."""

from __future__ import annotations

import json
import os
import signal

import numpy as np

from buck_env.observation.views import Views
from training.tournament.report.data import results_json
from training.tournament.results import Results


class AnyLegal:
    """Any legal action, drawn from the uniform numbers of the decisions and a number of its own."""

    def __init__(self, salt: float = 1.0) -> None:
        self.salt = salt

    def act(self, views: Views) -> np.ndarray:
        mask = views.action_mask.astype(np.int64)
        chosen = views.uniforms * self.salt % 1 * mask.sum(axis=1)
        return np.asarray((mask.cumsum(axis=1) > chosen[:, None]).argmax(axis=1))


class Clocked(AnyLegal):
    """Says that a clock decides with it."""

    repeatable = False


class Rogue:
    """Answers what there is not."""

    def act(self, views: Views) -> np.ndarray:
        return np.full(len(views), 99)


class Killed:
    """Its process is killed."""

    def act(self, views: Views) -> np.ndarray:
        os.kill(os.getpid(), signal.SIGKILL)
        return np.zeros(0)


def stable(results: Results) -> str:
    """All of the JSON that has to be the same again."""
    return json.dumps({key: value for key, value in results_json(results).items() if key != "run"})
