"""A bot's network for kernels: one decision at a time, at a table, without an array in between.

A kernel that plays hands is given `pack_networks(agents)` and a `make_scratch(networks)`, and asks with
``greedy_action(networks, which, table, rules, options, scratch)``. The table may hold what the seat to act does not
know: the network looks only at what that seat sees. It need not be asked where one action is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.bots.network import NetworkAgent, input_scale, layer_names
from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.base.compiled import compiling, rare_kernel
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import only
from buck_env.game.engine import legal
from buck_env.game.rules import Rules
from buck_env.observation.canonical import canonical_suits
from buck_env.observation.encode import Entries, encode
from buck_env.observation.labels import PLAIN, original_action, relabelled_action
from buck_env.observation.layout import OBSERVATION_SIZE

__all__ = [
    "Networks",
    "Scratch",
    "drawn_action",
    "greedy_action",
    "log_probabilities",
    "make_scratch",
    "network_row",
    "pack_networks",
    "rate_tables",
]


class Networks(NamedTuple):
    """K networks as kernels read them, which may differ in depth and width."""

    weights: np.ndarray
    """(K, P) float32: a network each, layer after layer: the weights by input, then the biases; of the policy head the
    weights by action. Shorter networks end in zeros."""
    widths: np.ndarray
    """(K, L + 1) int64: the widths of the hidden layers, then 0."""
    canonical: np.ndarray
    """(K,) bool: whether it sees relabelled suits."""


class Scratch(NamedTuple):
    """Room for one decision at a time; no two threads may share it."""

    observation: np.ndarray
    """(1, D) int8: what the seat sees,"""
    quads: np.ndarray
    """the same memory as uint32"""
    eights: np.ndarray
    """and as uint64."""
    layers: np.ndarray
    """(2, W) float32: the layer before and the one that is computed."""
    places: np.ndarray
    """(D or W,) int64: the entries that are not 0 of the layer before,"""
    values: np.ndarray
    """(D or W,) float32: and their values."""
    log_probs: np.ndarray
    """(A,) float32: what is said of the actions, suits as the network sees them."""


def pack_networks(agents: Sequence[NetworkAgent]) -> Networks:
    """The networks of K agents, in their order."""
    rows = [network_row(agent.weights, agent.bot.hidden, input_scale(agent.bot.objective)) for agent in agents]
    weights = np.zeros((len(agents), max(map(len, rows), default=0)), np.float32)
    widths = np.zeros((len(agents), 1 + max((len(agent.bot.hidden) for agent in agents), default=0)), np.int64)
    for k, (agent, row) in enumerate(zip(agents, rows, strict=True)):
        weights[k, : len(row)] = row
        widths[k, : len(agent.bot.hidden)] = agent.bot.hidden
    return Networks(weights, widths, np.array([agent.canonical for agent in agents], np.bool_))


def network_row(weights: dict[str, np.ndarray], hidden: list[int], scale: np.ndarray) -> np.ndarray:
    """A row (P,) of `Networks.weights`, of a bot's weights by name and the scale (D,) of its inputs."""
    parts = []
    for name, _, _ in layer_names(hidden)[:-1]:
        weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        if name == "hidden_0":
            weight = weight * scale
        parts += [(weight if name == "policy" else weight.T).ravel(), bias]
    return np.concatenate(parts).astype(np.float32)


def make_scratch(networks: Networks) -> Scratch:
    """Room for the largest of these networks."""
    observation = np.zeros((1, OBSERVATION_SIZE), np.int8)
    widest = int(networks.widths.max(initial=0))
    longest = max(OBSERVATION_SIZE, widest)
    return Scratch(
        observation,
        observation.view(np.uint32),
        observation.view(np.uint64),
        np.zeros((2, widest), np.float32),
        np.zeros(longest, np.int64),
        np.zeros(longest, np.float32),
        np.zeros(NUM_ACTIONS, np.float32),
    )


def rate_tables(networks: Networks, which: int, tables: np.ndarray, rules: Rules) -> np.ndarray:
    """Log-probabilities (B, A) float32 of the actions at tables (B,) TABLE, suits as they are; -inf where illegal."""
    found = np.empty((len(tables), NUM_ACTIONS), np.float32)
    with compiling("networks", __file__):
        _rate_rows(networks, which, tables, rules.packed(), make_scratch(networks), found)
    return found


@kernel
def _rate_rows(networks: Any, which: int, tables: Any, packed: Any, scratch: Any, out: Any) -> None:
    for i in range(len(tables)):
        log_probabilities(networks, which, tables[i], packed[0], scratch, out[i])


@kernel
def log_probabilities(networks: Any, which: int, table: Any, rules: Any, scratch: Any, out: Any) -> None:
    """Write the log-probabilities of the seat to act into out (A,), suits as they are; -inf where illegal."""
    options = legal(table, rules)
    for action in range(NUM_ACTIONS):
        out[action] = -np.inf
    if options & options - 1 == 0:
        out[only(options)] = 0.0
        return
    labels = _rate(networks, which, table, rules, options, scratch)
    best = scratch.log_probs[_likeliest(scratch.log_probs)]
    total = np.float32(0.0)
    for action in range(NUM_ACTIONS):
        if options >> action & 1:
            out[action] = scratch.log_probs[relabelled_action(action, labels)] - best
            total += np.exp(out[action])
    total = np.log(total)
    for action in range(NUM_ACTIONS):
        out[action] -= total


@kernel
def greedy_action(networks: Any, which: int, table: Any, rules: Any, options: int, scratch: Any) -> int:
    """The likeliest of the legal actions of the seat to act, a mask."""
    labels = _rate(networks, which, table, rules, options, scratch)
    return original_action(_likeliest(scratch.log_probs), labels)


@kernel
def drawn_action(networks: Any, which: int, table: Any, rules: Any, options: int, scratch: Any, uniform: float) -> int:
    """One of the legal actions of the seat to act, a mask, drawn by its probabilities with a number in [0, 1)."""
    labels = _rate(networks, which, table, rules, options, scratch)
    odds = scratch.log_probs
    best = odds[_likeliest(odds)]
    total = np.float32(0.0)
    for action in range(NUM_ACTIONS):
        odds[action] = np.exp(odds[action] - best)
        total += odds[action]
    drawn = 0
    left = uniform * total
    for action in range(NUM_ACTIONS):
        if odds[action] > 0.0:
            drawn = action
            left -= odds[action]
            if left < 0.0:
                break
    return original_action(drawn, labels)


@kernel
def _likeliest(odds: Any) -> int:
    """The first of the highest of (A,) numbers."""
    best = 0
    for action in range(1, NUM_ACTIONS):
        if odds[action] > odds[best]:
            best = action
    return best


@rare_kernel
def _rate(networks: Any, which: int, table: Any, rules: Any, options: int, scratch: Any) -> int:
    """Write the logits of the legal actions into `scratch.log_probs`, -inf elsewhere, suits by the labels returned."""
    labels = canonical_suits(table, rules, table.seat) if networks.canonical[which] else PLAIN
    encode(table, rules, table.seat, labels, Entries(scratch.observation, scratch.quads, scratch.eights), 0)
    found = _lit_entries(scratch)
    weights, widths = networks.weights[which], networks.widths[which]
    at = 0
    before = OBSERVATION_SIZE
    for layer in range(len(widths) - 1):
        width = widths[layer]
        if width == 0:
            break
        out = scratch.layers[0][:width]
        for j in range(width):
            out[j] = weights[at + before * width + j]
        _add_columns(weights[at : at + before * width], scratch, found, out)
        found = _positive(out, scratch)
        at += (before + 1) * width
        before = width
    for action in range(NUM_ACTIONS):
        scratch.log_probs[action] = -np.inf
    for action in range(NUM_ACTIONS):
        if options >> action & 1:
            seen = relabelled_action(action, labels)
            head = weights[at + seen * before : at + (seen + 1) * before]
            scratch.log_probs[seen] = weights[at + NUM_ACTIONS * before + seen] + _dot(head, scratch, found)
    return labels


@kernel
def _lit_entries(scratch: Any) -> int:
    """Note which entries of the observation are not 0, and their values; how many they are."""
    found = 0
    for word in range(OBSERVATION_SIZE // 8):
        if scratch.eights[0, word]:
            for at in range(8 * word, 8 * word + 8):
                if scratch.observation[0, at]:
                    scratch.places[found] = at
                    scratch.values[found] = scratch.observation[0, at]
                    found += 1
    return found


@kernel
def _positive(layer: Any, scratch: Any) -> int:
    """Note which entries of a layer are above 0, and their values: what a ReLU lets through; how many they are."""
    found = 0
    for at in range(len(layer)):
        scratch.places[found] = at
        scratch.values[found] = layer[at]
        found += layer[at] > 0
    return found


@kernel
def _add_columns(weights: Any, scratch: Any, found: int, out: Any) -> None:
    """Add what the entries noted bring to a layer; four at a time, so that `out` is read and written less often."""
    width = len(out)
    places, values = scratch.places, scratch.values
    i = 0
    while i + 4 <= found:
        a, b, c, d = values[i], values[i + 1], values[i + 2], values[i + 3]
        first = weights[places[i] * width : (places[i] + 1) * width]
        second = weights[places[i + 1] * width : (places[i + 1] + 1) * width]
        third = weights[places[i + 2] * width : (places[i + 2] + 1) * width]
        fourth = weights[places[i + 3] * width : (places[i + 3] + 1) * width]
        for j in range(width):
            out[j] += a * first[j] + b * second[j] + c * third[j] + d * fourth[j]
        i += 4
    while i < found:
        a = values[i]
        first = weights[places[i] * width : (places[i] + 1) * width]
        for j in range(width):
            out[j] += a * first[j]
        i += 1


@kernel
def _dot(head: Any, scratch: Any, found: int) -> Any:
    """The sum of what the entries noted bring to one action; in four sums, none of which waits for another."""
    places, values = scratch.places, scratch.values
    a = b = c = d = np.float32(0.0)
    i = 0
    while i + 4 <= found:
        a += values[i] * head[places[i]]
        b += values[i + 1] * head[places[i + 1]]
        c += values[i + 2] * head[places[i + 2]]
        d += values[i + 3] * head[places[i + 3]]
        i += 4
    while i < found:
        a += values[i] * head[places[i]]
        i += 1
    return a + b + c + d
