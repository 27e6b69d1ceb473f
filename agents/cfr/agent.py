"""The average strategy of regret minimisation as an agent; `rules-v1` decides where it has none."""

from __future__ import annotations

import numpy as np

from agents.bots.policy import draw_actions, split_style
from agents.cfr.bot import CfrBot, read_cfr_bot
from agents.cfr.phases import LEARNED
from agents.cfr.situations import bits_of, situations_of
from agents.rules_v1.player import RulesV1
from buck_env import NUM_ACTIONS, Rules, load_rules
from buck_env.game.options import PHASES
from buck_env.observation.views import Views

__all__ = ["CfrAgent", "load_cfr"]

_IS_LEARNED = np.array([phase in LEARNED for phase in PHASES])


class CfrAgent:
    """Plays the likeliest action of its strategy, or with `sampled` one drawn by its probabilities.

    `rules-v1` decides in the phases that are not learned, and in situations that were not met in training.
    """

    def __init__(self, bot: CfrBot, situations: np.ndarray, strategies: np.ndarray, sampled: bool = False) -> None:
        self.manifest = bot
        self.sha256 = bot.sha256
        """The checksum of its tables."""
        self.rules = load_rules(bot.rules)
        self.sampled = sampled
        self._situations = situations
        self._strategies = strategies
        self._otherwise = RulesV1(self.rules)

    def act(self, views: Views) -> np.ndarray:
        """Legal actions (B,) of B views."""
        probabilities = self.probabilities(views)
        return draw_actions(probabilities, views.uniforms) if self.sampled else probabilities.argmax(axis=1)

    def probabilities(self, views: Views) -> np.ndarray:
        """How likely its strategy is to take each action: (B, A) float64, 0 where illegal; `rules-v1` is sure."""
        drawn = np.zeros((len(views), NUM_ACTIONS))
        rows, options, strategies = self._look_up(views)
        columns = np.minimum(options.cumsum(axis=1) - 1, strategies.shape[1] - 1)
        drawn[rows] = np.where(options, np.take_along_axis(strategies, np.maximum(columns, 0), axis=1), 0.0)
        drawn /= np.maximum(drawn.sum(axis=1, keepdims=True), 1e-9)
        others = np.flatnonzero(drawn.sum(axis=1) == 0)
        if len(others):
            drawn[others, self._otherwise.act(views.take(others))] = 1.0
        return drawn

    def knows(self, views: Views) -> np.ndarray:
        """(B,) bool: whether its strategy decides, and not `rules-v1`."""
        known = np.zeros(len(views), bool)
        known[self._look_up(views)[0]] = True
        return known

    def _look_up(self, views: Views) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the views in known situations: their rows (K,), their options (K, A) bool and strategies (K, W)."""
        rows = np.flatnonzero(_IS_LEARNED[views.tables["phase"]])
        situations, options = situations_of(views.take(rows))
        places = np.minimum(np.searchsorted(self._situations, situations), len(self._situations) - 1)
        known = self._situations[places] == situations
        return rows[known], bits_of(options[known]), self._strategies[places[known]].astype(np.float64)


def load_cfr(path: str, rules: Rules) -> CfrAgent:
    """The strategy of a folder, greedy; ``folder@sampled`` draws its actions. BotError says what is wrong with it."""
    folder, play = split_style(path)
    return CfrAgent(*read_cfr_bot(folder, rules), sampled=play == "sampled")
