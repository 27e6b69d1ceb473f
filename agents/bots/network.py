"""A trained network as an agent, in numpy: playing needs no torch."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from agents.bots.bot import Bot, BotError, read_bot
from agents.bots.policy import PolicyAgent, split_style
from buck_env import NUM_ACTIONS, OBSERVATION_SIZE, PIECES, Rules, load_rules

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

    A bot that plays for points sees no scores: what a hand is worth does not depend on them.
    """
    seen = [piece.scale if objective == "win" or not piece.of_match else 0.0 for piece in PIECES]
    return np.repeat(np.array(seen, np.float32), [piece.size for piece in PIECES])


def layer_names(widths: list[int]) -> list[tuple[str, int, int]]:
    """Name, inputs and outputs of every layer: the hidden ones, of these widths, then `policy` and `value`."""
    sizes = [OBSERVATION_SIZE, *widths]
    layers = [(f"hidden_{i}", before, after) for i, (before, after) in enumerate(itertools.pairwise(sizes))]
    return [*layers, ("policy", sizes[-1], NUM_ACTIONS), ("value", sizes[-1], 1)]


def forward(
    weights: dict[str, np.ndarray], depth: int, observation: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Raw logits (B, A) and values (B,) of observations (B, D) times a scale: `depth` ReLU layers, then two heads."""
    x = observation * scale
    for i in range(depth):
        x = np.maximum(x @ weights[f"hidden_{i}.weight"].T + weights[f"hidden_{i}.bias"], 0)
    logits = x @ weights["policy.weight"].T + weights["policy.bias"]
    return logits, (x @ weights["value.weight"].T + weights["value.bias"])[:, 0]


def masked_log_softmax(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Log-probabilities (B, A) over the legal actions; -inf elsewhere."""
    legal = np.where(mask != 0, logits, -np.inf)
    legal = legal - legal.max(axis=1, keepdims=True)
    return legal - np.log(np.exp(legal).sum(axis=1, keepdims=True))


class NetworkAgent(PolicyAgent):
    """A bot as it was trained."""

    def __init__(self, bot: Bot, weights: dict[str, np.ndarray], sampled: bool = False) -> None:
        super().__init__(bot.canonical, bot.phases, sampled)
        self.bot = bot
        self.sha256 = bot.sha256
        """The checksum of its weights."""
        self.weights = weights
        """Weights and biases by name, as `layer_names` lists the layers."""
        self._scale = input_scale(bot.objective)

    @property
    def rules(self) -> Rules:
        """The rules it was trained for."""
        return load_rules(self.bot.rules)

    def policy(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log-probabilities (B, A) of the legal actions, -inf elsewhere, and values (B,), of (B, D) and (B, A)."""
        logits, values = forward(self.weights, len(self.bot.hidden), observation, self._scale)
        return masked_log_softmax(logits, mask), values


def load_bot(path: str, rules: Rules) -> NetworkAgent:
    """The bot of a folder, greedy; ``folder@sampled`` draws its actions. BotError says what is wrong with it."""
    folder, play = split_style(path)
    bot, weights = read_network(folder, rules)
    return NetworkAgent(bot, weights, sampled=play == "sampled")


def read_network(folder: str | Path, rules: Rules | None = None) -> tuple[Bot, dict[str, np.ndarray]]:
    """A bot and its weights, every layer there and of its shape; BotError says what is wrong with it.

    Without rules it is taken for whatever rules it was trained for.
    """
    bot, weights = read_bot(folder, rules)
    for name, inputs, outputs in layer_names(bot.hidden):
        for part, shape in (("weight", (outputs, inputs)), ("bias", (outputs,))):
            found = weights.get(f"{name}.{part}")
            if found is None or found.shape != shape or found.dtype != np.float32:
                raise BotError(f"{folder}: {name}.{part} is not float32 of shape {shape}")
            if not np.isfinite(found).all():
                raise BotError(f"{folder}: {name}.{part} holds numbers that are not finite")
    return bot, weights
