"""How a policy's opinion becomes an action."""

from __future__ import annotations

import numpy as np
import pytest

from agents.bots.bot import BotError
from agents.bots.policy import PolicyAgent, pick_actions, split_style
from buck_env import load_rules
from buck_env.environments.tables import Tables
from buck_env.observation.views import Views

LOG_PROBS = np.log(np.array([[0.25, 0.25, 0.5, 1e-30], [0.4, 0.4, 0.1, 0.1]]))


def test_the_likeliest_action_is_the_first_of_equals() -> None:
    assert pick_actions(LOG_PROBS, None).tolist() == [2, 0]


@pytest.mark.parametrize(
    ("uniform", "first", "second"), [(0.0, 0, 0), (0.24, 0, 0), (0.26, 1, 0), (0.45, 1, 1), (0.51, 2, 1), (0.99, 2, 3)]
)
def test_a_drawn_action_is_where_the_running_sum_exceeds_the_draw(uniform: float, first: int, second: int) -> None:
    assert pick_actions(LOG_PROBS, np.full(2, uniform)).tolist() == [first, second]


class Leaning(PolicyAgent):
    """Likes an action the more the higher its number."""

    def policy(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        odds = mask * np.arange(1, mask.shape[1] + 1)
        with np.errstate(divide="ignore"):
            return np.log(odds / odds.sum(axis=1, keepdims=True)), np.zeros(len(mask))


@pytest.mark.parametrize("canonical", [False, True])
def test_probabilities_and_actions_go_by_the_suits_as_they_are(canonical: bool) -> None:
    rules = load_rules("ohio")
    agent = Leaning(canonical, list(rules.phases), sampled=False)
    tables = Tables(rules, 30, autoreset="same_step")
    tables.reset(3)
    for _ in range(8):
        views = Views.of(rules, tables.tables, tables.logs)
        probabilities, actions = agent.probabilities(views), agent.act(views)
        legal = views.action_mask != 0
        assert probabilities.sum(axis=1) == pytest.approx(1)
        assert ((probabilities > 0) == legal).all()
        assert (actions == probabilities.argmax(axis=1)).all()
        tables.step(actions)


def test_a_folder_may_say_how_to_play() -> None:
    assert split_style("runs/mine") == ("runs/mine", "")
    assert split_style("runs/mine@sampled") == ("runs/mine", "sampled")
    with pytest.raises(BotError, match="'boldly' is not a way to play; allowed: greedy, sampled"):
        split_style("runs/mine@boldly")
