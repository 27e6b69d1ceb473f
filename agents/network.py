"""A trained network as an agent, in numpy: playing needs no torch."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from agents.bot import Bot, BotError, read_bot
from buck_env import NUM_ACTIONS, OBSERVATION_SIZE, PIECES, Rules
from buck_env.views import Views, original_actions

__all__ = [
    "NetworkAgent",
    "forward",
    "input_scale",
    "layer_names",
    "load_bot",
    "masked_log_softmax",
    "read_network",
]


def input_scale(objective: str) -> np.ndarray:
    """(D,) float32: what each entry of an observation is multiplied by before the first layer.

    Who plays for points sees no scores: what a hand is worth does not depend on them.
    """
    of_match = 1 / 16 if objective == "win" else 0.0
    scales = {"scores": of_match, "hands_left": of_match}
    return np.concatenate(
        [np.full(int(np.prod(piece.shape)), scales.get(piece.name, 1.0), np.float32) for piece in PIECES]
    )


def layer_names(hidden: list[int]) -> list[tuple[str, int, int]]:
    """Name, inputs and outputs of every layer: hidden ones, then `policy` and `value`."""
    widths = [OBSERVATION_SIZE, *hidden]
    layers = [(f"hidden_{i}", before, after) for i, (before, after) in enumerate(itertools.pairwise(widths))]
    return [*layers, ("policy", widths[-1], NUM_ACTIONS), ("value", widths[-1], 1)]


def forward(
    weights: dict[str, np.ndarray], hidden: int, observation: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Raw logits (B, A) and values (B,) of observations (B, D) times a scale: `hidden` ReLU layers, then two heads."""
    x = observation * scale
    for i in range(hidden):
        x = np.maximum(x @ weights[f"hidden_{i}.weight"].T + weights[f"hidden_{i}.bias"], 0)
    logits = x @ weights["policy.weight"].T + weights["policy.bias"]
    return logits, (x @ weights["value.weight"].T + weights["value.bias"])[:, 0]


def masked_log_softmax(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Log-probabilities (B, A) over the legal actions; -inf elsewhere."""
    legal = np.where(mask != 0, logits, -np.inf)
    legal = legal - legal.max(axis=1, keepdims=True)
    return legal - np.log(np.exp(legal).sum(axis=1, keepdims=True))


class NetworkAgent:
    """Plays a network's likeliest legal action, or with `sampled` one drawn by its probabilities."""

    def __init__(self, bot: Bot, weights: dict[str, np.ndarray], sampled: bool = False) -> None:
        self.bot = bot
        self.sampled = sampled
        self.phases = tuple(bot.phases)
        """The phases it learned to decide."""
        self._weights = weights
        self._scale = input_scale(bot.objective)

    def act(self, views: Views) -> np.ndarray:
        """Legal actions (B,) of B views."""
        if self.bot.canonical:
            observation, mask, labels = views.canonical
        else:
            observation, mask, labels = views.observation, views.action_mask, None
        logits, _ = forward(self._weights, len(self.bot.hidden), observation, self._scale)
        log_probs = masked_log_softmax(logits, mask)
        if self.sampled:
            below = np.cumsum(np.exp(log_probs), axis=1)
            actions = (below > (views.uniforms * below[:, -1])[:, None]).argmax(axis=1)
        else:
            actions = log_probs.argmax(axis=1)
        return actions if labels is None else original_actions(actions, labels)


def load_bot(path: str, rules: Rules) -> NetworkAgent:
    """The bot of a folder, greedy; ``folder@sampled`` draws its actions. BotError says what is wrong with it."""
    folder, at, mode = path.partition("@")
    if at and mode not in ("greedy", "sampled"):
        raise BotError(f"{path}: {mode!r} is not a way to play; allowed: greedy, sampled")
    bot, weights = read_network(folder, rules)
    return NetworkAgent(bot, weights, sampled=mode == "sampled")


def read_network(folder: str | Path, rules: Rules) -> tuple[Bot, dict[str, np.ndarray]]:
    """A bot and its weights, every layer there and of its shape; BotError says what is wrong with it."""
    bot, weights = read_bot(folder, rules)
    for name, inputs, outputs in layer_names(bot.hidden):
        for part, shape in (("weight", (outputs, inputs)), ("bias", (outputs,))):
            found = weights.get(f"{name}.{part}")
            if found is None or found.shape != shape or found.dtype != np.float32:
                raise BotError(f"{folder}: {name}.{part} is not float32 of shape {shape}")
    return bot, weights
