"""The commands that put a person or a program at the table: play, bot."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated

from cyclopts import Parameter

from training.cli.options import Bot, OutputFile, RulesName, Whole
from training.cli.terminal import writing

__all__ = ["bot", "play"]


def play(
    *,
    rules: RulesName = "ohio",
    against: Annotated[str, Parameter(help="The agent that plays the other seats.")] = "rules-v1",
    seat: Annotated[Whole, Parameter(help="Your seat.")] = 0,
    seed: Annotated[Whole | None, Parameter(help="A number that deals the same cards again.")] = None,
    hands: Annotated[Whole | None, Parameter(help="Stop after this many hands. Without it you play a match.")] = None,
    record: Annotated[OutputFile | None, Parameter(help="A file to which the hands are added as hand records.")] = None,
    coach: Annotated[
        str | None,
        Parameter(
            metavar="AGENT",
            help="The agent that hints and reviews. The default is the pretrained bot of the rules, or rules-v1.",
        ),
    ] = None,
) -> None:
    """Play against agents in the terminal.

    Where it is your turn you may ask for a hint: what a bot would do, and how likely. On request it also finds out how
    many points each action is worth. After each hand it goes through your choices.

    Example: `buck play --rules ohio --against pretrained:ohio`
    """
    from training.cli.person import play_in_terminal

    with writing({"--record ": record}):
        play_in_terminal(rules, against, seat, seed, hands, record, coach)


def bot(
    agent: Bot,
    /,
    *,
    rules: Annotated[
        str | None,
        Parameter(help="A profile, a shipped house rule or a YAML file. Without it, the first line says it."),
    ] = None,
) -> None:
    """Let a program in any language ask a bot, as its child process.

    The bot reads positions as JSON lines from standard input and answers each with its action on standard output. The
    lines are those that an agent named cmd:COMMAND is sent; agents/README.md describes them.

    Example: `buck bot ppo:runs/mine`
    """
    from agents import load_agent
    from agents.programs.serve import serve
    from buck_env import load_rules

    with redirect_stdout(sys.stderr):  # what an agent prints is no answer
        known = load_rules(rules) if rules else None
        serve(agent, load_agent, known, sys.stdin.buffer, sys.__stdout__.buffer)  # type: ignore[arg-type, union-attr]
