"""Lessons: what compiled hands write down is what stepping tables and asking agents gives, decision by decision."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bots import untrained
from walks import HOUSES

from agents import load_agent
from agents.bots.network import NetworkAgent, load_bot
from agents.compiled.brains import compile_agents
from agents.compiled.hands import make_lessons, play_lessons
from agents.naming.composite import Composite
from agents.rules_v1.player import RulesV1
from buck_env import Rules
from buck_env.game import engine
from buck_env.game.hidden import hide
from buck_env.game.options import Phase
from buck_env.game.shuffle import draw_dealer, shuffle, uniform
from buck_env.game.table import LONGEST_HAND
from buck_env.observation.agent import Agent, AgentError, RandomAgent
from buck_env.observation.views import Views, original_actions
from buck_env.records import deal_table

SEED = 77


class Hand:
    """One hand played by asking agents."""

    def __init__(self, rules: Rules, number: int, sitting: list[Agent]) -> None:
        pack = np.empty(24, np.int8)
        shuffle(SEED, number, pack)
        dealer = int(draw_dealer(SEED, number, rules.seats))
        self.rules, self.number, self.sitting, self.steps = rules, number, sitting, 0
        self.table = deal_table(rules, pack, dealer, [rules.start] * rules.seats, 0)

    def views(self) -> Views:
        seats = self.table["seat"].astype(np.int64)
        chance = np.array([uniform(SEED, self.number, self.steps)])
        return Views(self.rules, hide(self.table, seats, self.rules), seats, chance)

    def take(self, action: int) -> None:
        engine.apply(self.table[0], self.rules.packed()[0], action)
        self.steps += 1

    def points_after(self, action: int) -> int:
        """What the seat to act earns by an action, everybody playing on as they sit."""
        copy = Hand.__new__(Hand)
        copy.__dict__.update(self.__dict__, table=self.table.copy())
        seat = int(self.table["seat"][0])
        copy.take(action)
        while copy.table["phase"][0] != Phase.OVER:
            copy.take(int(self.sitting[int(copy.table["seat"][0])].act(copy.views())[0]))
        return self.rules.toward * int(copy.table["scores"][0, seat] - self.table["scores"][0, seat])


def others(rules: Rules, folder: Path) -> list[Agent]:
    """One of each kind that compiled code can ask."""
    network = load_bot(str(untrained(folder / "other", rules, hidden=[12, 8])), rules)
    parts = {phase: RulesV1(rules) if phase == "play" else network for phase in rules.phases}
    return [RulesV1(rules), RandomAgent(rules), NetworkAgent(network.bot, network.weights, True), Composite(parts)]


@pytest.mark.parametrize("house", ["ohio", "dirty-clubs", "cutthroat", "stick of three"])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_lessons_are_what_asking_the_agents_gives(house: str, share: float, tmp_path: Path) -> None:
    rules = HOUSES[house]
    learner = load_bot(str(untrained(tmp_path / "learner", rules, hidden=[16])), rules)
    drawing = NetworkAgent(learner.bot, learner.weights, sampled=True)
    pool = others(rules, tmp_path)
    brains = compile_agents([(str(k), agent) for k, agent in enumerate([learner, *pool])], rules)
    lessons = make_lessons(40)
    count, following = play_lessons(brains, rules, SEED, 5, share, lessons)
    row, alone = 0, 0
    for number in range(5, following):
        sitting: list[Agent] = [learner] * rules.seats
        if uniform(SEED, number, LONGEST_HAND) < share:
            who = pool[int(uniform(SEED, number, LONGEST_HAND + 1) * len(pool))]
            own = int(uniform(SEED, number, LONGEST_HAND + 2) * rules.seats)
            sitting = [learner if seat == own else who for seat in range(rules.seats)]
            alone += 1
        hand = Hand(rules, number, sitting)
        while hand.table["phase"][0] != Phase.OVER:
            seat, views = int(hand.table["seat"][0]), hand.views()
            mine = sitting[seat] is learner
            if mine and views.action_mask.sum() > 1:
                observation, mask, labels = views.canonical
                assert (lessons.observation[row] == observation[0]).all()
                assert (lessons.mask[row] == mask[0]).all()
                assert lessons.phase[row] == hand.table["phase"][0]
                seen = np.flatnonzero(mask[0])
                actions = original_actions(seen, np.repeat(labels, len(seen)))
                assert lessons.values[row, seen].tolist() == [hand.points_after(int(action)) for action in actions]
                assert not lessons.values[row, mask[0] == 0].any()
                row += 1
            hand.take(int((drawing if mine else sitting[seat]).act(views)[0]))
    assert row == count
    assert lessons.totals[[0, 3]].tolist() == [alone, following - 5]


def test_an_agent_that_only_python_can_ask_is_refused_by_name() -> None:
    rules = HOUSES["ohio"]
    lowest = load_agent("rules-v1", rules)
    with pytest.raises(AgentError, match="'mine' cannot be asked from compiled code; allowed: pretrained:NAME"):
        compile_agents([("first", lowest), ("mine", Lowest())], rules)


class Lowest:
    def act(self, views: Views) -> np.ndarray:
        lowest: np.ndarray = views.action_mask.argmax(axis=1)
        return lowest
