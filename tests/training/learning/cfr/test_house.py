"""The house as a game: what it brings, and that regret minimisation gets close to where nobody has more to gain."""

from __future__ import annotations

import numpy as np
import pytest
from cfr.small_games import CutDeck

from agents.cfr.phases import LEARNED
from buck_env import load_rules
from buck_env.game.options import PHASES, Phase
from training.learning.cfr.exploitability import Walk
from training.learning.cfr.house import House
from training.learning.cfr.solver import Solver

LIVE = [2, 5, 14, 20]  # JC, AC, JH, JS


@pytest.mark.parametrize("name", ["ohio", "dirty-clubs", "bucked-3", "cutthroat"])
def test_a_position_waits_for_a_learned_choice_or_the_play(name: str) -> None:
    house = House(load_rules(name), 3)
    positions = house.deal(np.arange(40))
    for _ in range(40):
        players, keys, counts = house.look(positions)
        going = players >= 0
        assert (positions["phase"][~going] >= Phase.PLAY).all()
        assert {PHASES[phase] for phase in positions["phase"][going]} <= set(LEARNED)
        assert (counts[going] >= 1).all()
        assert (counts <= house.width).all()
        assert (keys[going] > 0).all()
        if not going.any():
            break
        positions = house.step(positions[going], counts[going] - 1)
    assert house.utilities(positions).shape == (len(positions), house.players)


def test_a_cut_deck_is_less_and_less_exploitable() -> None:
    game = CutDeck(load_rules("bucked-3"), LIVE)
    walk, solver = Walk(game, len(game.packs)), Solver(game, 1)
    means = []
    for iterations in (20, 200):
        while solver.iterations < iterations:
            solver.iterate(np.arange(len(game.packs)))
        strategy = dict(zip(solver.tables.keys.tolist(), solver.tables.average(), strict=True))
        means.append(walk.exploitability(strategy).mean)
    assert means[1] < min(0.02, means[0])
