"""The sums of single hands: swings, and how much variance rotation and luck take out."""

from __future__ import annotations

import numpy as np

from training.tournament.event import TournamentConfig, play_tournament
from training.tournament.hand_tally import HandTally
from training.tournament.lineups import make_lineups
from training.tournament.tally import BLOCK


def test_swings_are_the_largest_there_are_and_the_first_of_those() -> None:
    lineups = make_lineups(3, 4, 1, seed=2)
    scores = np.random.default_rng(0).choice([-5, 0, 1, 2, 4], size=(170, *lineups.seatings.shape)).astype(np.int16)
    tally = HandTally(lineups, np.zeros(0), seed=0)
    for first in range(0, 170, BLOCK):
        block = scores[first : first + BLOCK]
        tally.add(first, block, np.zeros((len(block), 0)), np.zeros_like(tally.behaviour))
    for x in range(3):
        for y in range(3):
            found = []
            for deal in range(170):
                for seat in range(4):
                    mine = int(scores[deal, lineups.pairs[x, y, seat], seat])
                    without = int(scores[deal, lineups.pairs[y, y, seat], seat])
                    found.append((-abs(mine - without), deal, seat, mine, without))
            size, deal, seat, mine, without = min(found)
            if size:
                assert tally.swings[:, x, y].tolist() == [mine, without, deal, seat]
            else:
                assert x == y


def test_rotation_and_luck_halve_the_variance_a_hand_of_rules_v1_among_random() -> None:
    config = TournamentConfig(agents=["rules-v1", "random"], deals=1500, mixed=0)
    hands = play_tournament(config, progress=False).hands
    rotation, adjusted = (hands.variance_ratio("edge", 0, 1, adjusted=value) for value in (False, True))
    assert adjusted < rotation < 0.65
    assert adjusted <= 0.5
    assert hands.variance_ratio("gain", 0, 1) <= 0.5
