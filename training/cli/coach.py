"""A bot that looks over a person's shoulder: its hint for a decision, and its review of a hand that is over."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from agents import load_agent
from buck_env.game.actions import action_text
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.views import Views

if TYPE_CHECKING:
    from training.analysis.advice import Advice

__all__ = ["Coach"]

DEALS: Final = 200
"""Deals that expected points are found from."""


class Coach:
    """Advises by the agent of a name; BuckError where it is no agent, or plays other rules."""

    def __init__(self, name: str, rules: Rules) -> None:
        self.name = name
        self._rules = rules
        self._agent = load_agent(name, rules)
        self._choices: list[tuple[Views, int]] = []

    def hint(self, views: Views) -> str:
        """What the bot would do in a decision, a batch of one, as a line of text."""
        (advice,) = self._advice(views)
        if advice.probabilities is None:
            return f"{self.name}: {advice.action}"
        shares = ", ".join(f"{action} {share:.0%}" for action, share in advice.probabilities.items())
        return f"{self.name}: {shares}{_expected(advice.value)}"

    def points(self, views: Views) -> str:
        """The points that each legal action of a decision, a batch of one, brings when the bot plays on."""
        if find_spec("scipy") is None:
            return "expected points need scipy, which an extra brings: pip install 'buck-euchre-rl[train]'"
        from training.analysis.analysis import analyse, low_deals
        from training.analysis.analyst import make_analyst

        found = analyse(views, make_analyst(self._rules, self.name), DEALS)
        lines = [f"  {action:<13}{figure.value:+.2f} ± {figure.half:.2f}" for action, figure in found.points.items()]
        head = f"points in this hand, over {DEALS} deals that {self.name} plays on:"
        return "\n".join([head, *lines, *low_deals(found.effective)])

    def note(self, views: Views, action: int) -> None:
        """Keep a decision of the person, a batch of one, for the review."""
        if views.action_mask.sum() > 1:
            self._choices.append((views, action))

    def review(self) -> str:
        """The person's choices since the last review beside those of the bot; empty where there was no choice."""
        if not self._choices:
            return ""
        advice = self._advice(Views.join([views for views, _ in self._choices]))
        lines = []
        for (views, action), given in zip(self._choices, advice, strict=True):
            taken = action_text(action, PHASES[views.tables["phase"][0]])
            if taken != given.action:
                lines.append(f"  you: {_with_share(taken, given):<18}{self.name}: {_with_share(given.action, given)}")
        same = len(self._choices) - len(lines)
        self._choices.clear()
        return "\n".join([f"{self.name} would have made {same} of your {same + len(lines)} choices.", *lines])

    def _advice(self, views: Views) -> list[Advice]:
        from training.analysis.advice import advise

        return advise(self._agent, views)


def _with_share(action: str, advice: Advice) -> str:
    if advice.probabilities is None:
        return action
    return f"{action} ({advice.probabilities.get(action, 0.0):.0%})"


def _expected(value: float | None) -> str:
    return "" if value is None else f"; it expects {value:+.2f}"
