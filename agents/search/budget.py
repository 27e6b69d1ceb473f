"""How much a searching agent may spend on a decision, as its name says: ``200`` deals, or ``20ms``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from buck_env.observation.agent import AgentError

__all__ = ["Budget", "SearchName", "budget", "split_search"]

MOST_DEALS = 1_000_000
MOST_MILLISECONDS = 3_600_000


@dataclass(frozen=True)
class Budget:
    """A number of deals, or a time; the other is None."""

    deals: int | None = None
    """Deals that are looked at for a decision: the same seed gives the same answer."""
    milliseconds: int | None = None
    """The time that a decision takes: answers depend on the machine and cannot be repeated."""

    @property
    def repeatable(self) -> bool:
        """Whether the same decision gets the same answer again."""
        return self.milliseconds is None


@dataclass(frozen=True)
class SearchName:
    """What the name of a search is made of: ``BOT,BUDGET`` or ``BOT,BUDGET,PHASE+PHASE``."""

    bot: str
    budget: Budget
    phases: tuple[str, ...]
    """The phases that are searched; none where all are."""


def budget(text: str) -> Budget:
    """The budget that a text names. AgentError says what is allowed."""
    found = re.fullmatch(r"([0-9]{1,9})(ms)?", text)
    number = int(found[1]) if found else 0
    most = MOST_MILLISECONDS if found and found[2] else MOST_DEALS
    if not found or not 1 <= number <= most:
        raise AgentError(
            f"agent: {text!r} is no budget; allowed: a number of deals, 1 to {MOST_DEALS}, as in 200, "
            f"or milliseconds a decision, as in 20ms"
        )
    return Budget(milliseconds=number) if found[2] else Budget(deals=number)


def split_search(argument: str) -> SearchName:
    """The parts of what follows ``search:``; the name of the bot may hold commas. AgentError says what is allowed."""
    *bot, last = argument.split(",")
    phases: tuple[str, ...] = ()
    if len(bot) > 1 and not last[:1].isdecimal():
        phases, last = tuple(last.split("+")), bot.pop()
    if not bot or not all(bot):
        raise AgentError(f"agent: search:{argument}: names no bot and budget; allowed: search:BOT,N, as in {EXAMPLE}")
    return SearchName(",".join(bot), budget(last), phases)


EXAMPLE = "search:rules-v1,200"
