"""OpenSpiel: its reinforcement learning environment with its random agents; each hand is played again in ours."""

from __future__ import annotations

import pytest
from clients.scored import STEPS, client

from buck_env import buck_euchre_v0
from buck_env.game.cards import CARDS

pytestmark = pytest.mark.filterwarnings("ignore")  # OpenSpiel's own


def test_random_agents_are_paid_what_the_same_hands_score_here() -> None:
    client("pyspiel")
    client("buck_env.openspiel")  # which registers the game
    rl_environment = client("open_spiel.python.rl_environment")
    random_agent = client("open_spiel.python.algorithms.random_agent")
    env = rl_environment.Environment("buck_euchre(rules=ohio)")
    env.seed(1)
    agents = [random_agent.RandomAgent(player, env.action_spec()["num_actions"]) for player in range(env.num_players)]
    table = buck_euchre_v0.env(rules="ohio", illegal_action="raise")
    steps = 0
    while steps < STEPS:
        time_step = env.reset()
        pack = [CARDS[card] for card in env.get_state.position.pack]
        hands = [pack[start : start + 5] for start in range(0, 20, 5)]
        table.reset(options={"hands": hands, "rest": pack[20:], "dealer": env.get_state.position.dealer})
        while not time_step.last():
            player = time_step.observations["current_player"]
            action = agents[player].step(time_step).action
            time_step = env.step([action])
            table.step(action)
            steps += 1
        assert time_step.rewards == list(table.rewards.values())
