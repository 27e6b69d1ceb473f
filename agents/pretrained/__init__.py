"""The bots that come with this package, a folder each: `pretrained:NAME`."""

from __future__ import annotations

from pathlib import Path

from buck_env.base.errors import BuckError
from buck_env.game.rules import Rules

__all__ = ["pretrained_folder", "pretrained_for", "pretrained_names"]

_HERE = Path(__file__).parent


def pretrained_names() -> list[str]:
    """The names of all of them."""
    return sorted(manifest.parent.name for manifest in _HERE.glob("*/bot.json"))


def pretrained_for(rules: Rules) -> str | None:
    """The agent string of the bot that was trained for these rules; None where there is none."""
    return f"pretrained:{rules.name}" if rules.name in pretrained_names() else None


def pretrained_folder(name: str) -> str:
    """The folder of one, with ``@greedy`` or ``@sampled`` kept as it came."""
    bot, at, mode = name.partition("@")
    if bot not in pretrained_names():
        raise BuckError(
            f"agent: pretrained:{name}: no such bot; allowed: {', '.join(pretrained_names()) or 'none yet'}"
        )
    return f"{_HERE / bot}{at}{mode}"
