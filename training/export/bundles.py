"""Bots that leave: `buck export` writes a bundle, `buck check` verifies one made by anyone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from agents import Agent, load_agent
from agents.bots.bot import MANIFEST_FILE, Bot, BotError
from agents.bots.bundle import Bundle, LevelPoints, Spread, Strength
from agents.bots.bundle_files import MODEL_FILE, SAMPLES_FILE, SUMS_FILE, read_bundle, write_bundle
from agents.bots.network import NetworkAgent, read_network
from agents.bots.onnx_bot import OnnxAgent
from agents.bots.onnx_model import check_model
from agents.pretrained import pretrained_folder
from buck_env import Rules, load_rules
from training.export.levels import LEVELS, apart, level_points, temperatures
from training.export.onnx_graph import build_model
from training.export.samples import check_samples, make_samples
from training.export.unused import used_entries
from training.measuring.compare import compare
from training.measuring.estimates import Estimate
from training.measuring.reachable import whole

__all__ = ["check_bundle", "export"]

_SEED = 2 * 10**9
"""The first seed of the deals on which a bundle's strength is measured."""

_PROVENANCE = ("seed", "decisions", "seconds", "cores", "config", "curve")


def export(
    bot: str,
    out: Path,
    *,
    int8: bool = False,
    level: str | None = None,
    deals: int = 2000,
    samples: int = 64,
    license: str = "MIT",
    say: Callable[[str], None] = print,
) -> None:
    """Write the bundle of a bot, and check it as anyone would.

    Args:
        bot: its folder, ``ppo:FOLDER`` or ``pretrained:NAME``.
        out: the folder of the bundle; one that holds another bot is refused.
        int8: store the weights as 8 bits.
        level: one of LEVELS; None: the bot itself.
        deals: duplicate deals on which its strength is measured; 0: it is not.
        samples: positions in `samples.jsonl`.
        license: of the bot, as SPDX names it.
    """
    if deals == 1 or deals < 0:
        raise BotError(f"--deals: {deals} gives no interval; allowed: 0, or at least 2")
    if samples < 1:
        raise BotError(f"--samples: {samples} is too few; allowed: 1 or more")
    there = [name for name in (MODEL_FILE, SAMPLES_FILE, SUMS_FILE) if (out / name).exists()]
    if (out / MANIFEST_FILE).exists() != bool(there):
        what = f"{', '.join(there)}, but no bundle's {MANIFEST_FILE}" if there else "a bot that is no bundle"
        raise BotError(f"{out}: holds {what}; give --out another folder")
    trained, weights = read_network(_folder(bot))
    bundle, model = _made(trained, weights, level, int8, license)
    rules = load_rules(bundle.rules)
    agent = OnnxAgent(bundle, model, out / MODEL_FILE)
    if deals:
        others: dict[str, Agent] = {name: load_agent(name, rules) for name in ("rules-v1", "random")}
        if level or int8:
            others["the bot it was made from"] = NetworkAgent(trained, weights)
        bundle = replace(bundle, strength=_strength(rules, agent, others, deals, say))
    if deals and level:
        siblings = {name: _made(trained, weights, name, int8, license) for name in LEVELS}
        bundle = replace(bundle, levels=_levels(rules, siblings, out, deals, say))
    write_bundle(out, bundle, model, make_samples(rules, agent, samples))
    say(check_bundle(out))


def check_bundle(folder: Path) -> str:
    """One line that says what a bundle is, if all of it agrees. BotError names the first thing that does not.

    Checked are the checksums, the versions, the layout of observations and actions, that the model is plain arithmetic
    in one file with the named inputs and outputs, and that engine and model agree with every sample, in batches of
    one, of three, and all together.
    """
    bundle, model, samples = read_bundle(folder)
    check_model(model, folder / MODEL_FILE)
    agent = OnnxAgent(bundle, model, folder / MODEL_FILE)
    rules = load_rules(bundle.rules)
    count = check_samples(samples, str(folder / SAMPLES_FILE), rules, agent)
    kind = f"{bundle.level}, {bundle.play}" if bundle.level else bundle.play
    return (
        f"{folder}: plays {rules.name}, {kind}, {bundle.precision}, {len(model):,} bytes; "
        f"{count} samples agree with engine and model"
    )


def _folder(bot: str) -> str:
    """The folder of a bot's name."""
    head, colon, tail = bot.partition(":")
    if colon and head == "pretrained":
        return pretrained_folder(tail)
    return tail if colon and head == "ppo" else bot


def _made(
    trained: Bot, weights: Mapping[str, np.ndarray], level: str | None, int8: bool, license: str
) -> tuple[Bundle, bytes]:
    """The card, nothing measured yet, and the model of a bot at a level."""
    rules = load_rules(trained.rules)
    departs = LEVELS[level] if level else 0.0
    temperature = temperatures(NetworkAgent(trained, dict(weights)), rules)[level] if level and departs else 1.0
    used = used_entries(rules, trained.objective) if int8 else None
    model = build_model(weights, trained.hidden, trained.objective, temperature=temperature, int8=int8, used=used)
    bundle = Bundle(
        license=license,
        rules={"base": rules.base, **rules.as_dict()},
        phases=trained.phases,
        objective=trained.objective,
        canonical=trained.canonical,
        play="sampled" if departs else "greedy",
        level=level,
        temperature=temperature,
        precision="int8" if int8 else "float32",
        provenance={"weights_sha256": trained.sha256, **{key: getattr(trained, key) for key in _PROVENANCE}},
    )
    return bundle, model


# --- Strength ---------------------------------------------------------------------------------------------------------


def _strength(
    rules: Rules, agent: OnnxAgent, others: Mapping[str, Agent], deals: int, say: Callable[[str], None]
) -> list[Strength]:
    """What it does among each of the others; rules-v1 decides for either what it has not learned."""
    player = whole(agent, rules)
    measured = []
    for name, other in others.items():
        found = compare(rules, player, whole(other, rules), deals=deals, seed=_SEED)
        say(f"among {name}: points {found.points}, edge {found.edge}, gain {found.gain}")
        spreads = {key: _spread(getattr(found, key)) for key in ("points", "edge", "gain")}
        otherwise = None if player is agent else "rules-v1"
        measured.append(Strength(against=name, otherwise=otherwise, deals=deals, seed=_SEED, **spreads))
    return measured


def _levels(
    rules: Rules, siblings: Mapping[str, tuple[Bundle, bytes]], where: Path, deals: int, say: Callable[[str], None]
) -> list[LevelPoints]:
    """Every level's points a hand among the others."""
    agents = {name: whole(OnnxAgent(*made, where), rules) for name, made in siblings.items()}
    points = level_points(rules, agents, deals=deals, seed=_SEED)
    for name, estimate in points.items():
        say(f"{name}: points among the other levels {estimate}")
    if not apart(points):
        say("neighbouring levels are not apart: give more --deals, or a bot that has learned more")
    return [
        LevelPoints(
            level=name,
            departs=LEVELS[name],
            temperature=siblings[name][0].temperature,
            deals=deals,
            seed=_SEED,
            points=_spread(estimate),
        )
        for name, estimate in points.items()
    ]


def _spread(estimate: Estimate) -> Spread:
    return Spread(**{key: round(value, 4) for key, value in asdict(estimate).items() if key != "deals"})
