"""A bot's card: what it is, how it was made, how it learned and what it does on the standard deals, as Markdown."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents import load_agent
from agents.bots.bot import Bot
from agents.bots.network import NetworkAgent
from buck_env import BuckError, load_rules
from buck_env.game.house import RulesSource
from training.base.config import find_config, load_config
from training.cli.learners import DEFAULT_LEARNER, settings_of_learner
from training.learning.gradient.findings import Exploit, read_exploit

__all__ = ["best_response", "bot_card", "command", "trained_bot"]


def trained_bot(name: str, rules: RulesSource) -> Bot:
    """The bot of an agent's name; BuckError where the agent is none, and so has no card."""
    agent = load_agent(name, rules)
    if not isinstance(agent, NetworkAgent):
        raise BuckError(f"--card: {name} is no trained bot, such as ppo:FOLDER: it has no card")
    return agent.bot


def best_response(path: Path, bot: Bot) -> Exploit:
    """The figures that `buck exploit` wrote for a bot; BuckError where they cannot be read, or are another bot's."""
    found = read_exploit(path)
    if found.sha256 != bot.sha256:
        raise BuckError(f"{path}: is of other weights than the bot's; run `buck exploit` with this bot")
    return found


def bot_card(bot: Bot, report: Mapping[str, Any]) -> str:
    """The card of a bot that `buck train` made, with a report that `evaluate` gave for it."""
    rules = load_rules(bot.rules)
    lines = [
        f"# A bot for {rules.name}",
        "",
        f"{' and '.join(map(str, bot.hidden))} hidden units, {'canonical' if bot.canonical else 'plain'} suits, "
        f"plays for {bot.objective}, decides {', '.join(bot.phases)}. License: MIT.",
        "",
        f"    {command(bot)}",
        "",
        f"Seed {bot.seed}, from {bot.config.get('initial') or 'random weights'}: {bot.decisions:,} decisions in "
        f"{bot.seconds / 60:.1f} minutes on {bot.cores} core{'s' * (bot.cores != 1)}. {_repeats(bot)}",
        "",
        f"## {report['deals']['name']}: {report['deals']['count']:,} duplicate deals, greedy",
        "",
        "| against | gain | edge | points a hand | gain of the other among it |",
        "|---|---|---|---|---|",
    ]
    for name, figures in report["against"].items():
        cells = (_cell(figures[key]) for key in ("gain", "edge", "points", "gain_of_other"))
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    lines += [
        "",
        "95% intervals, one cluster a deal.",
        "",
        *_marks(report["unrepeatable"]),
        *_best_response(report),
        "## How it learned",
        "",
        "| decisions | seconds | against | gain |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {point['decisions']:,} | {point['seconds']:.0f} | `{point['gain_over']}` | {_cell(point)} |"
        for point in bot.curve
    ]
    return "\n".join(lines) + "\n"


def command(bot: Bot) -> str:
    """The command that trains it again: the shipped configuration of its rules and learner, and what differs."""
    learner = bot.config.get("learner", DEFAULT_LEARNER)
    base = bot.rules["base"]
    name = base if learner == DEFAULT_LEARNER else f"{base}-{learner}"
    shipped = load_config(settings_of_learner(learner), find_config(name, "train"))
    differs = {
        key: value
        for key, value in bot.config.items()
        if key != "out" and json.loads(json.dumps(getattr(shipped, key, None))) != value
    }
    overrides = [f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in differs.items()]
    return shlex.join(["buck", "train", name, *overrides])


def _repeats(bot: Bot) -> str:
    if bot.config.get("minutes") is None and bot.config.get("threads") == 1:
        return "The same command gives the same weights, bit for bit, on the same kind of processor and torch."
    return "The clock ended it: another run of the command learns from more or fewer decisions."


def _marks(unrepeatable: Sequence[str]) -> list[str]:
    """A paragraph about opponents that decide by a clock, where there are any."""
    names = ", ".join(f"`{name}`" for name in unrepeatable)
    text = f"Not repeatable: {names}. They decide by a clock, so that another run gives other figures."
    return [text, ""] if names else []


def _best_response(report: Mapping[str, Any]) -> list[str]:
    """What a best response gains, where the report says it."""
    found = report.get("best_response")
    if not found:
        return []
    number = len(found["responses"]) or 1
    options = {
        "rules": found["rules"], "minutes": f"{found['minutes']:g}", "seeds": number, "seed": found["seed"],
        "deals": found["deals"], "search": 0,
    }  # fmt: skip
    search, text = found["search"], ""
    if search:
        options |= {"search": search["number"], "search-deals": search["deals"]}
        text = (
            f" A search on top of it, {search['number']} deals a decision, gains {_cell(search['gain'], 3)} "
            f"({search['deals']:,} deals, the network as control variate)."
        )
    command = " ".join(f"--{name} {value}" for name, value in options.items())
    seeds = f", the best of {number} seeds," if number > 1 else ""
    return [
        "## What a best response gains",
        "",
        f"    buck exploit {shlex.quote(found['agent'])} {command}",
        "",
        f"A network that learned {found['minutes']:g} minutes, {found['decisions']:,} decisions, against copies of "
        f"it{seeds} gains "
        f"{_cell(found['gain'], 3)} points a hand among them ({found['deals']:,} deals).{text}",
        "",
    ]


def _cell(figures: Mapping[str, float], digits: int = 2) -> str:
    mean, low, high = (f"{figures[key]:+.{digits}f}" for key in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"
